// The module of backgammon: its requests that are put together elsewhere.

import { program } from "./files.js";
import { compiler } from "./module.js";
import { TrialsModule } from "./trials.js";

const compiled = compiler(program);

/** Starts the module. */
export async function start() {
  return Backgammon.start(await compiled());
}

class Backgammon extends TrialsModule {
  countGames(request, first, count) {
    return this.ask("countGames", { games: request, first, count });
  }

  givePlayer(name, bytes) {
    this.give("givePlayer", { name }, bytes);
  }

  addGames(parts) {
    return this.ask("addGames", { parts });
  }

  beginRollout(request, number) {
    this.ask("beginRollout", { number, rollout: request });
  }
}
