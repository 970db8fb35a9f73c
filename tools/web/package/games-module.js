// The module of the other games: its requests that are put together elsewhere.

import { gamesProgram } from "./files.js";
import { compiler, timed } from "./module.js";
import { TrialsModule } from "./trials.js";

const compiled = compiler(gamesProgram);

/** Starts the module. */
export async function start() {
  return GamesModule.start(await compiled());
}

class GamesModule extends TrialsModule {
  countGames(request, first, count) {
    return this.ask("countGames", { ...request, first, count });
  }

  addGames({ position }, parts) {
    return this.ask("addGames", { position, parts });
  }

  /** What some trees count; `watch` gets what they have counted so far. */
  countTrees(request, first, end, watch) {
    return this.count("countTrees", { search: request, first, end }, watch);
  }

  /** The result of a search by what chunks of its trees counted, whole or not. */
  searchResult(request, chunks) {
    const sum = new BigUint64Array(chunks[0]);
    for (const counts of chunks.slice(1)) counts.forEach((count, at) => (sum[at] += count));
    const result = this.ask("searchResult", { search: request }, sum);
    return { ...result, remarks: this.remarks };
  }

  givePlayer(game, name, bytes) {
    this.give("givePlayer", { game, name }, bytes);
  }
}

/** The result of a search, with its time and rate. */
export const searched = (result, start) => timed(result, result.simulations, start, "simulationsPerSecond");
