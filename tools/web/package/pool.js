// Workers that play in the background, one per core. Values depend on no worker: games and trials are numbered, and what
// pieces count is added in their order.

import * as given from "./arguments.js";
import { finished, load, timed } from "./engine.js";
import { AbortError } from "./errors.js";
import { players } from "./files.js";

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

/** The longest time of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Workers that play in the background. */
export class Pool {
  #lead;
  #hands;
  #rollouts = 0;
  #closed = false;

  /** Starts workers: as many as there are cores, unless `workers` says otherwise. */
  static async start(options = {}) {
    given.known(options, ["workers"]);
    const { workers } = options;
    const count = given.whole("workers", workers, 1024) ?? globalThis.navigator?.hardwareConcurrency ?? (await cores());
    const pool = new Pool();
    pool.#lead = await load();
    const started = await Promise.allSettled(Array.from({ length: count }, () => Hand.start()));
    pool.#hands = started.flatMap(({ value }) => value ?? []);
    const failed = started.find(({ status }) => status === "rejected");
    if (failed) {
      // Those that started would keep the program alive.
      pool.close();
      throw failed.reason;
    }
    return pool;
  }

  /** How many workers there are. */
  get workers() {
    return this.#hands.length;
  }

  /** Ends the workers. Jobs that are under way fail. */
  close() {
    this.#closed = true;
    this.#hands.forEach((hand) => hand.close());
  }

  /** Fetches the net of a built-in player for all workers. */
  async loadPlayer(name) {
    const bytes = await players(given.text("player", name));
    this.#lead.givePlayer(name, bytes);
    await this.#all({ task: "givePlayer", name, bytes });
  }

  /** Plays games. */
  async playouts(options) {
    this.#check();
    const { request, games } = given.playouts(options, JOB);
    const { signal, onProgress } = job(options);
    // Errors are those of the caller's thread, before anything is shared; no game is played there.
    this.#lead.countGames(request, 0, 0);
    const start = performance.now();
    const parts = [];
    const sum = () => timed(this.#lead.addGames(parts), parts[0]?.games ?? 0, start);
    await this.#share({
      first: 0,
      end: games,
      pace: { size: 1 },
      signal,
      piece: (first, end) => ({ task: "countGames", request, first, count: end - first }),
      take: (first, end, counts) => parts.splice(0, 2, parts[0] ? this.#lead.addGames([parts[0], counts]).counts : counts),
      report: () => parts[0] && onProgress?.(sum()),
    });
    if (signal?.aborted && (parts[0]?.games ?? 0) < games) {
      throw new AbortError(parts[0] ? sum() : null, signal.reason);
    }
    return sum();
  }

  /** Rolls a position out, or the plays of a roll. */
  async rollout(options) {
    this.#check();
    return this.#playTrials("beginRollout", given.rollout(options, JOB), job(options));
  }

  /** Decides which play of a roll to make. */
  async decide(options) {
    this.#check();
    const request = given.decision(options, [...JOB, "seconds"]);
    const seconds = given.above0("seconds", options.seconds);
    return this.#playTrials("beginDecision", request, job(options), seconds);
  }

  /** Plays a rollout that begins by the task `begin`, for so many seconds at most. */
  async #playTrials(begin, request, { signal, onProgress }, seconds = null) {
    const number = ++this.#rollouts;
    this.#lead[begin](request, number);
    const start = performance.now();
    const over = new AbortController();
    const stop = () => over.abort();
    signal?.addEventListener("abort", stop);
    const timer = seconds === null ? undefined : setTimeout(stop, Math.min(1000 * seconds, LONGEST));
    try {
      await this.#all({ task: begin, number, request });
      const pace = { size: 1 };
      const result = (endedBy) => finished(this.#lead.rolloutResult(number), endedBy, start);
      let next;
      while ((next = this.#lead.nextTrials(number)).endedBy === null && !over.signal.aborted) {
        await this.#share({
          first: next.first,
          end: next.end,
          pace,
          signal: over.signal,
          piece: (first, end) => ({ task: "countTrials", number, first, end }),
          take: (first, end, numbers) => this.#lead.addTrials(number, first, end, numbers),
          report: () => onProgress?.(result(null)),
        });
      }
      if (next.endedBy === null && signal?.aborted) {
        const so_far = result("cancelled");
        throw new AbortError(so_far.trials > 0 ? so_far : null, signal.reason);
      }
      return result(next.endedBy ?? "time");
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      this.#lead.endRollout(number);
      // Not awaited: a worker that starts anew after an abort hears of it later.
      this.#all({ task: "endRollout", number }).catch(() => {});
    }
  }

  /** Shares numbers among the workers in pieces, and takes what they count in order. `pace` has the size of the next piece,
   * which follows the speed. Ends early when the signal is aborted, without a gap: a worker whose piece takes longer than
   * GRACE from then on is started anew, since a module cannot be interrupted. */
  async #share({ first, end, pace, signal, piece, take, report }) {
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
        const to = Math.min(end, from + Math.min(pace.size, Math.ceil((end - from) / (AHEAD * this.workers))));
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

  #all(message) {
    return Promise.all(this.#hands.map((hand) => hand.do(message)));
  }

  #check() {
    if (this.#closed) throw new Error("the pool is closed: start another");
  }
}

/** The options of a job, besides those of what it plays. */
const JOB = ["signal", "onProgress"];

/** The abort signal and the listener of a job. */
function job({ signal, onProgress }) {
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

/** The tasks that later ones need. */
const SETUP = ["givePlayer", "beginRollout", "beginDecision"];

/** What becomes of a piece whose job was aborted. */
const ABANDONED = Symbol("abandoned");

/** A worker, seen from the pool. */
class Hand {
  #worker;
  #isReady = false;
  /** The messages without an answer, each with its job. */
  #open = new Map();
  /** The messages that a worker which starts anew gets again: those that it needs for later ones. */
  #setup = [];
  #next = 0;
  #failure = null;

  static async start() {
    const hand = new Hand();
    await hand.#begin();
    return hand;
  }

  async #begin() {
    const url = new URL("./worker.js", import.meta.url);
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
      this.#worker = new Worker(url, { type: "module" });
      this.#worker.onmessage = ({ data }) => onMessage(data);
      this.#worker.onerror = ({ message }) => onError(message ?? "it did not start");
    } else {
      const threads = await import("node:worker_threads");
      this.#worker = new threads.Worker(url);
      this.#worker.on("message", onMessage);
      this.#worker.on("error", ({ message }) => onError(message));
    }
    await started;
    this.#isReady = true;
  }

  do(message, job) {
    if (this.#failure) return Promise.reject(this.#failure);
    if (SETUP.includes(message.task)) this.#setup.push(message);
    if (message.task === "endRollout") this.#setup = this.#setup.filter(({ number }) => number !== message.number);
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
