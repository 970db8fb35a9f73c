// The module of backgammon: its requests that are put together elsewhere.

import { program } from "./files.js";
import { Module, compiler, timed } from "./module.js";

const compiled = compiler(program);

/** Starts the module. */
export async function start() {
  return Backgammon.start(await compiled());
}

class Backgammon extends Module {
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

  beginDecision(request, number) {
    this.ask("beginDecision", { number, decision: request });
  }

  /** What comes next, and the places of the candidates that are still played, which countTrials takes. */
  nextTrials(number) {
    const next = this.ask("nextTrials", { number });
    return { ...next, playing: this.numbers() };
  }

  countTrials(number, first, end, playing) {
    this.ask("countTrials", { number, first, end }, playing);
    return this.numbers();
  }

  addTrials(number, first, end, numbers) {
    this.ask("addTrials", { number, first, end }, numbers);
  }

  rolloutResult(number) {
    return this.ask("rolloutResult", { number });
  }

  endRollout(number) {
    this.ask("endRollout", { number });
  }
}

/** The result of a rollout that has ended. */
export function finished(result, endedBy, start) {
  const games = result.candidates.reduce((sum, candidate) => sum + candidate.trials, 0);
  return { ...timed(result, games, start), endedBy };
}
