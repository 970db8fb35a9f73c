// A module of WebAssembly on one thread: requests go in as JSON, answers come out.

import { TavliError } from "./errors.js";
import { imports } from "./wasi.js";

/** Compiles a module once on each thread, from the bytes that `read` gets. */
export function compiler(read) {
  let compiled;
  return () =>
    (compiled ??= read()
      .then((bytes) => WebAssembly.compile(bytes))
      .catch((error) => {
        // The next call tries again.
        compiled = undefined;
        throw error;
      }));
}

/** A module that runs: inside the package, behind what users call. */
export class Module {
  #exports;
  #said = [];
  #failed = false;
  /** Gets the numbers of a chunk in work, as often as the module shows them. */
  #watch = null;
  /** The remarks on the last request, for people: on a text that contradicts itself, and on values that are far off. */
  remarks = [];

  static async start(compiled) {
    const module = new this();
    const host = imports(compiled, module.#said, () => module.#watch?.(module.numbers()));
    const { exports } = await WebAssembly.instantiate(compiled, host.imports);
    host.use(exports.memory);
    exports._initialize?.();
    module.#exports = exports;
    module.about = Object.freeze(module.ask("about", null));
    return module;
  }

  /** The answer to a request by its arguments, with the numbers of a chunk, if there are any, in and out of memory. */
  ask(name, request, numbers) {
    if (this.#failed) throw new Error("the module has failed before: load it again");
    this.remarks = [];
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
      const { answer, error, remarks } = JSON.parse(new TextDecoder().decode(text));
      if (error) throw new TavliError(error);
      this.remarks = remarks;
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

  /** Counts a chunk, and shows `watch` what it has counted so far. */
  count(name, request, watch, numbers) {
    this.#watch = watch;
    try {
      this.ask(name, request, numbers);
      return this.numbers();
    } finally {
      this.#watch = null;
    }
  }

  /** Asks with bytes in place of numbers, eight to a number; the request has their `length`. */
  give(name, request, bytes) {
    const { length } = bytes;
    const numbers = new BigUint64Array(Math.ceil(length / 8));
    new Uint8Array(numbers.buffer).set(bytes);
    this.ask(name, { ...request, length }, numbers);
  }
}

/** A result with the time since `start`, and the rate of `number` of what `rate` names. */
export function timed(result, number, start, rate = "gamesPerSecond") {
  const seconds = (performance.now() - start) / 1000;
  return { ...result, seconds, [rate]: number / seconds };
}
