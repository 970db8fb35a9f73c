// Backgammon on one thread.

import * as given from "./arguments.js";
import { start } from "./backgammon.js";
import { players } from "./files.js";
import { timed } from "./module.js";
import { playTrials } from "./trials.js";

/** Loads the package's module. */
export async function load() {
  return new Engine(await start());
}

/** The functions of the library. All of them return when they are done: a {@link Pool} plays in the background. */
class Engine {
  #module;
  #rollouts = 0;

  constructor(module) {
    this.#module = module;
  }

  /** What the module is and has. */
  get about() {
    return this.#module.about;
  }

  /** The remarks on the last call. */
  get remarks() {
    return [...this.#module.remarks];
  }

  /** A position in every format. */
  position(position, options = {}) {
    given.known(options, ["rules"]);
    const { rules } = options;
    return this.#module.ask("position", { position: given.position(position, this.#module), rules: given.text("rules", rules) });
  }

  /** The plays of a roll; without one, of the dice of the position. */
  plays(position, roll, options = {}) {
    given.known(options, ["rules"]);
    const { rules } = options;
    return this.#module.ask("plays", {
      position: given.position(position, this.#module),
      roll: given.roll(roll),
      rules: given.text("rules", rules),
    });
  }

  /** The value of a position by a player that values positions, for the player on roll. */
  evaluate(position, options = {}) {
    given.known(options, ["player", "rules", "cube"]);
    const { player, rules, cube } = options;
    return this.#module.ask("evaluate", {
      position: given.position(position, this.#module),
      rules: given.text("rules", rules),
      player: given.text("player", player),
      cube: given.flag("cube", cube),
    });
  }

  /** The plays of a roll by their value, the best first. */
  evaluatePlays(position, roll, options = {}) {
    given.known(options, ["player", "rules", "cube"]);
    const { player, rules, cube } = options;
    return this.#module.ask("evaluatePlays", {
      position: given.position(position, this.#module),
      roll: given.roll(roll),
      rules: given.text("rules", rules),
      player: given.text("player", player),
      cube: given.flag("cube", cube),
    });
  }

  /** The values of positions with their cubes and scores, from chances, and the right action with the cube. */
  cubeValues(probabilities, positions) {
    return this.#module.ask("cubeValues", { rows: given.cubeRows(probabilities, positions, this.#module) });
  }

  /** Fetches the net of a built-in player: "td80", "fast" or "strong". */
  async loadPlayer(name) {
    this.#module.givePlayer(name, await players(given.player(name)));
  }

  /** Takes the bytes of a built-in player's file. */
  givePlayer(name, bytes) {
    this.#module.givePlayer(given.player(name), given.bytes("the file of a player", bytes));
  }

  /** Plays games. */
  playouts(options) {
    const { request, games } = given.playouts(options, [], this.#module);
    const begun = performance.now();
    const counts = this.#module.countGames(request, 0, games);
    const { remarks } = this.#module;
    const result = timed(this.#module.addGames([counts]), games, begun);
    this.#module.remarks = remarks;
    return { ...result, remarks };
  }

  /** Rolls a position out, or the plays of a roll. */
  rollout(options) {
    const request = given.rollout(options, [], this.#module);
    return playTrials(this.#module, ++this.#rollouts, "beginRollout", request);
  }

  /** Decides which play of a roll to make. */
  decide(options) {
    const request = given.decision(options, [], this.#module);
    return playTrials(this.#module, ++this.#rollouts, "beginDecision", request);
  }
}
