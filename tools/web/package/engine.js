// Backgammon on one thread.

import * as given from "./arguments.js";
import { players, program } from "./files.js";
import { Module, compiler, timed } from "./module.js";

const compiled = compiler(program);

/** Loads the package's module. */
export async function load() {
  return Engine.start(await compiled());
}

/** The functions of the library. All of them return when they are done: a {@link Pool} plays in the background. */
export class Engine extends Module {
  #rollouts = 0;

  /** A position in every format. */
  position(position, options = {}) {
    given.known(options, ["rules"]);
    const { rules } = options;
    return this.ask("position", { position: given.position(position), rules: given.text("rules", rules) });
  }

  /** The plays of a roll; without one, of the dice of the position. */
  plays(position, roll, options = {}) {
    given.known(options, ["rules"]);
    const { rules } = options;
    return this.ask("plays", {
      position: given.position(position),
      roll: given.roll(roll),
      rules: given.text("rules", rules),
    });
  }

  /** What a position is worth by a player that values positions, for the player on roll. */
  evaluate(position, options = {}) {
    given.known(options, ["player", "rules", "cube"]);
    const { player, rules, cube } = options;
    return this.ask("evaluate", {
      position: given.position(position),
      rules: given.text("rules", rules),
      player: given.text("player", player),
      cube: given.flag("cube", cube),
    });
  }

  /** The plays of a roll by their value, the best first. */
  evaluatePlays(position, roll, options = {}) {
    given.known(options, ["player", "rules", "cube"]);
    const { player, rules, cube } = options;
    return this.ask("evaluatePlays", {
      position: given.position(position),
      roll: given.roll(roll),
      rules: given.text("rules", rules),
      player: given.text("player", player),
      cube: given.flag("cube", cube),
    });
  }

  /** What positions are worth with their cubes and scores, from chances, and what is right to do with the cube. */
  cubeValues(probabilities, positions) {
    return this.ask("cubeValues", { rows: given.cubeRows(probabilities, positions) });
  }

  /** Fetches the net of a built-in player: "td80", "fast" or "strong". */
  async loadPlayer(name) {
    this.givePlayer(name, await players(given.text("player", name)));
  }

  /** Takes the bytes of a built-in player's file. */
  givePlayer(name, bytes) {
    this.give("givePlayer", { name: given.text("player", name) ?? "" }, given.bytes("the file of a player", bytes));
  }

  /** Plays games. */
  playouts(options) {
    const { request, games } = given.playouts(options, []);
    const start = performance.now();
    const counts = this.countGames(request, 0, games);
    return timed(this.addGames([counts]), games, start);
  }

  /** Rolls a position out, or the plays of a roll. */
  rollout(options) {
    const request = given.rollout(options, []);
    return this.#playTrials((number) => this.beginRollout(request, number));
  }

  /** Decides which play of a roll to make. */
  decide(options) {
    const request = given.decision(options, []);
    return this.#playTrials((number) => this.beginDecision(request, number));
  }

  /** Plays the rollout that `begin` begins to its end. */
  #playTrials(begin) {
    const start = performance.now();
    const number = ++this.#rollouts;
    begin(number);
    try {
      let next;
      while ((next = this.nextTrials(number)).endedBy === null) {
        const numbers = this.countTrials(number, next.first, next.end, next.playing);
        this.addTrials(number, next.first, next.end, numbers);
      }
      return finished(this.rolloutResult(number), next.endedBy, start);
    } finally {
      this.endRollout(number);
    }
  }

  countGames(request, first, count) {
    return this.ask("countGames", { games: request, first, count });
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
