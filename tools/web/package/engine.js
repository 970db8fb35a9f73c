// One module on one thread: requests go in as JSON, answers come out.

import * as given from "./arguments.js";
import { TavliError } from "./errors.js";
import { players, program } from "./files.js";
import { imports } from "./wasi.js";

/** The module, compiled once on each thread. */
let compiled;

/** Loads the package's module. */
export async function load() {
  compiled ??= program()
    .then((bytes) => WebAssembly.compile(bytes))
    .catch((error) => {
      // The next call tries again.
      compiled = undefined;
      throw error;
    });
  return Engine.start(await compiled);
}

/** The functions of the library. All of them return when they are done: a {@link Pool} plays in the background. */
export class Engine {
  #exports;
  #said = [];
  #failed = false;
  #rollouts = 0;

  static async start(module) {
    const engine = new Engine();
    const host = imports(module, engine.#said);
    const { exports } = await WebAssembly.instantiate(module, host.imports);
    host.use(exports.memory);
    exports._initialize?.();
    engine.#exports = exports;
    engine.about = Object.freeze(engine.ask("about", null));
    return engine;
  }

  /** The answer to a request by its arguments, with the numbers of a piece in and out of memory where there are any. */
  ask(name, request, numbers) {
    if (this.#failed) throw new Error("the module has failed before: load it again");
    const wasm = this.#exports;
    const bytes = new TextEncoder().encode(JSON.stringify({ [name]: request }));
    try {
      if (numbers) {
        const at = wasm.tavli_give_numbers(numbers.length);
        new BigUint64Array(wasm.memory.buffer, at, numbers.length).set(numbers);
      }
      const at = wasm.tavli_request(bytes.length);
      new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
      const length = wasm.tavli_answer(at, bytes.length);
      const text = new Uint8Array(wasm.memory.buffer, wasm.tavli_answer_bytes(), length);
      const { answer, error } = JSON.parse(new TextDecoder().decode(text));
      if (error) throw new TavliError(error);
      return answer;
    } catch (error) {
      if (error instanceof TavliError) throw error;
      this.#failed = true;
      const said = this.#said.join("").trim();
      throw new Error(`the module failed: ${said || error.message}`, { cause: error });
    }
  }

  /** A copy of the numbers that the last request counted. */
  numbers() {
    const wasm = this.#exports;
    return new BigUint64Array(wasm.memory.buffer, wasm.tavli_numbers(), wasm.tavli_numbers_count()).slice();
  }

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
    const { length } = given.bytes("the file of a player", bytes);
    const numbers = new BigUint64Array(Math.ceil(length / 8));
    new Uint8Array(numbers.buffer).set(bytes);
    this.ask("givePlayer", { name: given.text("player", name) ?? "", length }, numbers);
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
        const numbers = this.countTrials(number, next.first, next.end);
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

  nextTrials(number) {
    return this.ask("nextTrials", { number });
  }

  countTrials(number, first, end) {
    this.ask("countTrials", { number, first, end });
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

/** A result with the time since `start`, and the rate of `games` games. */
export function timed(result, games, start) {
  const seconds = (performance.now() - start) / 1000;
  return { ...result, seconds, gamesPerSecond: games / seconds };
}

/** The result of a rollout that has ended. */
export function finished(result, endedBy, start) {
  const games = result.candidates.reduce((sum, candidate) => sum + candidate.trials, 0);
  return { ...timed(result, games, start), endedBy };
}
