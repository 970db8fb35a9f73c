// Workers that play in the background, whatever they play. Values depend on no worker: what is played is numbered, and what
// pieces count is added in the order of their numbers.

import * as given from "./arguments.js";
import { AbortError } from "./errors.js";

/** The time that a piece is to take, in milliseconds. */
const PIECE = 80;
/** Pieces of a worker at a time: one in work and one that waits. */
const AHEAD = 2;
/** The most times as many numbers as in the last piece; the first has one, since one player takes a million times as long as
 * another. */
const GROWTH = 4;
/** The time between two reports of progress, in milliseconds. */
const REPORT = 100;
/** The time that pieces in work have to end when their job is aborted, in milliseconds. */
const GRACE = 100;

/** Workers that take tasks. */
export class Crew {
  #hands;
  #closed = false;

  /** Starts workers that run the script of an address: as many as there are cores, unless `options` say otherwise. `setup`
   * are the tasks that later ones need; an `end` task ends those of its number. */
  static async start(options, script, { setup, end = null }) {
    given.known(options, ["workers"]);
    const { workers } = options;
    const count = given.whole("workers", workers, 1024) ?? globalThis.navigator?.hardwareConcurrency ?? (await cores());
    const crew = new Crew();
    const started = await Promise.allSettled(Array.from({ length: count }, () => Hand.start(script, setup, end)));
    crew.#hands = started.flatMap(({ value }) => value ?? []);
    const failed = started.find(({ status }) => status === "rejected");
    if (failed) {
      // Those that started would keep the program alive.
      crew.close();
      throw failed.reason;
    }
    return crew;
  }

  get count() {
    return this.#hands.length;
  }

  close() {
    this.#closed = true;
    this.#hands.forEach((hand) => hand.close());
  }

  /** Gives every worker a task. */
  all(message) {
    return Promise.all(this.#hands.map((hand) => hand.do(message)));
  }

  check() {
    if (this.#closed) throw new Error("the pool is closed: start another");
  }

  /** Shares numbers among the workers in pieces, and takes what they count in order. `pace` has the size of the next piece,
   * which follows the speed. Ends early when the signal is aborted, without a gap: a worker whose piece takes longer than
   * GRACE from then on is started anew, since a module cannot be interrupted. */
  async share({ first, end, pace, signal, piece, take, report }) {
    const waiting = new Map();
    let next = first;
    let taken = first;
    let reported = performance.now();
    let failed = false;
    const job = {};
    let grace;
    const abort = () => (grace = setTimeout(() => this.#hands.forEach((hand) => hand.abandon(job)), GRACE));
    signal?.addEventListener("abort", abort);
    const work = async (hand) => {
      while (next < end && !signal?.aborted && !failed) {
        const from = next;
        const to = Math.min(end, from + Math.min(pace.size, Math.ceil((end - from) / (AHEAD * this.count))));
        next = to;
        const start = performance.now();
        const counts = await hand.do(piece(from, to), job);
        if (counts === ABANDONED) return;
        const rate = (to - from) / Math.max(performance.now() - start, 0.01);
        pace.size = Math.max(1, Math.floor(Math.min(rate * PIECE * AHEAD, pace.size * GROWTH)));
        waiting.set(from, { to, counts });
        for (let done; (done = waiting.get(taken)); ) {
          waiting.delete(taken);
          take(taken, done.to, done.counts);
          taken = done.to;
        }
        if (performance.now() - reported >= REPORT) {
          reported = performance.now();
          report();
        }
      }
    };
    const guarded = (hand) =>
      work(hand).catch((error) => {
        failed = true;
        throw error;
      });
    try {
      await Promise.all(this.#hands.flatMap((hand) => Array.from({ length: AHEAD }, () => guarded(hand))));
    } finally {
      signal?.removeEventListener("abort", abort);
      clearTimeout(grace);
    }
  }

  /** Plays games in the pieces that `piece` makes, and returns the result of `sum`, which adds parts up to one with counts. */
  async games({ games, sum, piece, signal, onProgress }) {
    let total = null;
    const played = () => total?.counts.games ?? 0;
    const result = () => sum(total ? [total.counts] : []);
    await this.share({
      first: 0,
      end: games,
      pace: { size: 1 },
      signal,
      piece,
      take: (first, end, counts) => (total = sum(total ? [total.counts, counts] : [counts])),
      report: () => total && onProgress?.(result()),
    });
    if (signal?.aborted && played() < games) throw new AbortError(total ? result() : null, signal.reason);
    return result();
  }
}

/** The options of a job, besides those of what it plays. */
export const JOB = ["signal", "onProgress"];

/** The abort signal and the listener of a job. */
export function job({ signal, onProgress }) {
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new TypeError("signal is an AbortSignal");
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new TypeError("onProgress is a function");
  }
  if (signal?.aborted) throw new AbortError(null, signal.reason);
  return { signal, onProgress };
}

async function cores() {
  const { availableParallelism } = await import("node:os");
  return availableParallelism();
}

/** What becomes of a piece whose job was aborted. */
const ABANDONED = Symbol("abandoned");

/** A worker, seen from the pool. */
class Hand {
  #script;
  #tasks;
  #worker;
  #isReady = false;
  /** The messages without an answer, each with its job. */
  #open = new Map();
  /** The messages that a worker which starts anew gets again: those that it needs for later ones. */
  #setup = [];
  #next = 0;
  #failure = null;

  static async start(script, setup, end) {
    const hand = new Hand();
    hand.#script = script;
    hand.#tasks = { setup, end };
    await hand.#begin();
    return hand;
  }

  async #begin() {
    let ready;
    const started = new Promise((resolve, reject) => (ready = { resolve, reject }));
    const onMessage = ({ id, result, error, ready: isReady }) => {
      if (isReady) return ready.resolve();
      // What is set up again has had its answer.
      const open = this.#open.get(id);
      this.#open.delete(id);
      error === undefined ? open?.resolve(result) : open?.reject(new Error(error));
    };
    const onError = (message) => {
      const failure = new Error(`a worker failed: ${message}`);
      ready.reject(failure);
      this.#fail(failure);
    };
    if (typeof Worker === "function") {
      this.#worker = new Worker(this.#script, { type: "module" });
      this.#worker.onmessage = ({ data }) => onMessage(data);
      this.#worker.onerror = ({ message }) => onError(message ?? "it did not start");
    } else {
      const threads = await import("node:worker_threads");
      this.#worker = new threads.Worker(this.#script);
      this.#worker.on("message", onMessage);
      this.#worker.on("error", ({ message }) => onError(message));
    }
    await started;
    this.#isReady = true;
  }

  do(message, job) {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#tasks.setup.includes(message.task)) this.#setup.push(message);
    if (message.task === this.#tasks.end) this.#setup = this.#setup.filter(({ number }) => number !== message.number);
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#open.set(id, { message, job, resolve, reject });
      if (this.#isReady) this.#worker.postMessage({ id, ...message });
    });
  }

  /** Ends the pieces of a job, by a new worker in place of the one that plays them. Those of other jobs begin again. */
  async abandon(job) {
    const pieces = [...this.#open].filter(([, open]) => open.job === job);
    if (pieces.length === 0) return;
    this.#isReady = false;
    this.#worker.terminate();
    for (const [id, { resolve }] of pieces) {
      this.#open.delete(id);
      resolve(ABANDONED);
    }
    try {
      await this.#begin();
    } catch (failure) {
      return this.#fail(failure);
    }
    if (this.#failure) return this.#worker.terminate();
    for (const message of this.#setup) this.#worker.postMessage({ id: null, ...message });
    for (const [id, { message }] of this.#open) this.#worker.postMessage({ id, ...message });
  }

  close() {
    this.#worker.terminate();
    this.#fail(new Error("the pool is closed: start another"));
  }

  #fail(failure) {
    this.#failure ??= failure;
    this.#open.forEach(({ reject }) => reject(failure));
    this.#open.clear();
  }
}
