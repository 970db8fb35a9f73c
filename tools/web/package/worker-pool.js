// Workers that play in the background, whatever they play. Results do not depend on the workers: games are numbered, and
// the counts of chunks are added in the order of their numbers.

import * as given from "./arguments.js";
import { AbortError } from "./errors.js";

/** The time that a chunk is to take, in milliseconds. */
const CHUNK_TIME = 80;
/** Chunks of a worker at a time: one in work and one that waits. */
const CHUNKS_PER_WORKER = 2;
/** The largest factor by which chunks grow. The first chunk has one number, since players differ in speed by a factor of a
 * million. */
const GROWTH = 4;
/** The time between two reports of progress, in milliseconds. */
const PROGRESS_INTERVAL = 100;
/** The time that chunks in work have to end when their job is aborted, in milliseconds. */
const ABORT_GRACE = 100;
/** The time before its deadline at which a job should be done, in milliseconds: chunks that are late have it to end. */
const DEADLINE_RESERVE = 50;
/** The longest time of a timer, in milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Workers that take tasks. */
export class WorkerPool {
  #workers;
  #closed = false;

  /** Starts workers that run the script of an address: by default as many as there are cores. `setup` are the
   * tasks that later ones need; an `end` task ends the tasks with its number. */
  static async start(options, script, { setup, end = null }) {
    given.known(options, ["workers"]);
    const { workers } = options;
    const count = given.whole("workers", workers, 1024) ?? globalThis.navigator?.hardwareConcurrency ?? (await cores());
    const pool = new WorkerPool();
    const started = await Promise.allSettled(Array.from({ length: count }, () => PoolWorker.start(script, setup, end)));
    pool.#workers = started.flatMap(({ value }) => value ?? []);
    const failed = started.find(({ status }) => status === "rejected");
    if (failed) {
      // The workers that started would keep the program alive.
      pool.close();
      throw failed.reason;
    }
    return pool;
  }

  get count() {
    return this.#workers.length;
  }

  close() {
    this.#closed = true;
    this.#workers.forEach((worker) => worker.close());
  }

  /** Gives every worker a task. */
  all(message) {
    return Promise.all(this.#workers.map((worker) => worker.do(message)));
  }

  /** Fails if the pool takes no more jobs. */
  check() {
    if (this.#closed) throw new Error("the pool is closed: start another");
    const failed = this.#workers.find(({ failure }) => failure);
    if (failed) throw failed.failure;
  }

  /** Shares numbers among the workers in chunks, and takes what they count in order. Returns the first number that was not
   * taken. `pace` has the size of the next chunk, which follows the speed. `seen` gets what chunks count as soon as it is
   * known, those in work included; `report` makes the progress to tell, or null. Ends early when the job ends, without a gap:
   * a worker whose chunk then takes longer than the job's grace is started anew, since a module cannot be interrupted; if
   * chunks are short, it is left to end its chunk. */
  async share({ first, end, pace, job, chunk, take, seen, report }) {
    const waiting = new Map();
    let next = first;
    let taken = first;
    const tell = () => job.tell(report);
    const stop = job.onEnd(() => this.#workers.forEach((worker) => (job.isShort ? worker.leave(job) : worker.abandon(job))));
    const work = async (worker) => {
      while (next < end && !job.isOver) {
        const most = Math.min(pace.size, Math.ceil((end - next) / (CHUNKS_PER_WORKER * this.count)));
        const size = Math.min(most, Math.floor(job.left() * (pace.rate ?? Infinity)));
        // The rate of the first chunk is not known: without time, `size` is NaN.
        if (!(size >= 1)) return;
        const from = next;
        const to = Math.min(end, from + size);
        next = to;
        const start = performance.now();
        const shown = seen && ((counts) => (seen(from, counts), tell()));
        const counts = await worker.do(chunk(from, to), job, shown);
        if (counts === ABANDONED) return;
        pace.rate = (to - from) / Math.max(performance.now() - start, 0.01);
        pace.size = Math.max(1, Math.floor(Math.min(pace.rate * CHUNK_TIME * CHUNKS_PER_WORKER, pace.size * GROWTH)));
        seen?.(from, counts);
        waiting.set(from, { to, counts });
        for (let done; (done = waiting.get(taken)); ) {
          waiting.delete(taken);
          take?.(taken, done.to, done.counts);
          taken = done.to;
        }
        tell();
      }
    };
    const guarded = (worker) =>
      work(worker).catch((error) => {
        job.fail(error);
        throw error;
      });
    try {
      await Promise.all(this.#workers.flatMap((worker) => Array.from({ length: CHUNKS_PER_WORKER }, () => guarded(worker))));
    } finally {
      stop();
    }
    return taken;
  }

  /** Plays games in the chunks that `chunk` makes, and returns the result of `sum`, which adds parts up to one with counts. */
  games({ games, sum, chunk, job }) {
    let total = null;
    const result = () => sum(total ? [total.counts] : []);
    return job.run(async () => {
      const played = await this.share({
        first: 0,
        end: games,
        pace: { size: 1 },
        job,
        chunk,
        take: (first, end, counts) => (total = sum(total ? [total.counts, counts] : [counts])),
        report: () => total && result(),
      });
      if (played < games) throw job.aborted(total && result());
      return result();
    });
  }
}

/** The options of every job, whatever it plays. */
export const JOB = ["signal", "onProgress"];

/** What a user waits for: it ends early when its signal is aborted, its time is over or its listener fails. */
export class Job {
  #signal;
  #listener;
  #told = performance.now();
  /** What the listener promised. */
  #promises = [];
  #failed = false;
  #reject;
  #failure = new Promise((_, reject) => (this.#reject = reject));
  /** Settles when its signal is aborted, or its time is over. */
  #end;
  /** When its time is over, and when it should be done so that no chunk is lost. */
  #deadline = Infinity;
  #target = Infinity;

  /** Reads the options of a job, which has `seconds` from now on. No chunk of a short job takes long. */
  constructor({ signal, onProgress }, { seconds = null, isShort = false } = {}) {
    const isGiven = (value) => value !== undefined && value !== null;
    if (isGiven(signal) && !(signal instanceof AbortSignal)) throw new TypeError("signal is an AbortSignal");
    if (isGiven(onProgress) && typeof onProgress !== "function") throw new TypeError("onProgress is a function");
    if (signal?.aborted) throw new AbortError(null, signal.reason);
    this.#signal = signal ?? undefined;
    this.#listener = onProgress ?? null;
    this.isShort = isShort;
    // It may come when nothing waits for it.
    this.#failure.catch(() => {});
    if (seconds !== null) {
      const now = performance.now();
      this.#deadline = now + 1000 * seconds;
      this.#target = this.#deadline - Math.min(DEADLINE_RESERVE, 500 * seconds);
    }
  }

  /** Whether its signal was aborted. */
  get isAborted() {
    return this.#signal?.aborted ?? false;
  }

  get isOver() {
    return this.isAborted || this.#failed || performance.now() >= this.#deadline;
  }

  /** The time that is left for chunks, in milliseconds. */
  left() {
    return this.#target - performance.now();
  }

  /** Calls a function when its chunks have to end: when its time is over, or ABORT_GRACE after its signal was aborted or
   * it failed. Returns the function that calls this off. */
  onEnd(listener) {
    const timers = [];
    let isOff = false;
    const end = () => isOff || timers.push(setTimeout(listener, ABORT_GRACE));
    if (this.isAborted) end();
    this.#signal?.addEventListener("abort", end);
    this.#failure.catch(end);
    if (this.#deadline < Infinity) timers.push(setTimeout(listener, timeout(this.#deadline - performance.now())));
    return () => {
      isOff = true;
      timers.forEach(clearTimeout);
      this.#signal?.removeEventListener("abort", end);
    };
  }

  /** Tells the listener the progress that `report` makes, about ten times a second. */
  tell(report) {
    if (!this.#listener || performance.now() - this.#told < PROGRESS_INTERVAL) return;
    try {
      const progress = report();
      if (progress === null) return;
      this.#told = performance.now();
      const answer = this.#listener(progress);
      if (typeof answer?.then === "function") this.#promises.push(Promise.resolve(answer).catch((error) => this.fail(error)));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the job: it rejects with this error. */
  fail(error) {
    this.#failed = true;
    this.#reject(error);
  }

  /** The error of the job after its signal was aborted; `result` is what was played until then. */
  aborted(result) {
    return new AbortError(result, this.#signal?.reason);
  }

  /** The result of `work`, unless the job fails before. What its listener promised is waited for. */
  async run(work) {
    let end;
    this.#end = new Promise((resolve) => (end = resolve));
    const timer = this.#deadline < Infinity ? setTimeout(end, timeout(this.left())) : undefined;
    this.#signal?.addEventListener("abort", end);
    try {
      const result = await Promise.race([this.#failure, work()]);
      await Promise.race([this.#failure, Promise.all(this.#promises), this.#end]);
      return result;
    } finally {
      clearTimeout(timer);
      this.#signal?.removeEventListener("abort", end);
    }
  }

  /** Waits for work that cannot be interrupted, at most to the job's end. */
  orEnd(work) {
    return Promise.race([work, this.#end]);
  }
}

/** A time for a timer. */
const timeout = (milliseconds) => Math.min(Math.max(milliseconds, 0), MAX_TIMEOUT);

async function cores() {
  const { availableParallelism } = await import("node:os");
  return availableParallelism();
}

/** What becomes of a chunk whose job was aborted. */
const ABANDONED = Symbol("abandoned");

/** A worker, seen from the pool. */
class PoolWorker {
  #script;
  #tasks;
  #worker;
  #isReady = false;
  /** The messages without an answer, each with its job. */
  #open = new Map();
  /** The messages that a worker which starts anew gets again: those that it needs for later ones. */
  #setup = [];
  #next = 0;
  /** Why it takes no more messages. */
  failure = null;

  static async start(script, setup, end) {
    const worker = new PoolWorker();
    worker.#script = script;
    worker.#tasks = { setup, end };
    await worker.#begin();
    return worker;
  }

  async #begin() {
    let ready;
    const started = new Promise((resolve, reject) => (ready = { resolve, reject }));
    const onMessage = ({ id, result, error, part, ready: isReady }) => {
      if (isReady) return ready.resolve();
      // A task that is set up again has had its answer.
      const open = this.#open.get(id);
      if (part !== undefined) return open?.seen(part);
      this.#open.delete(id);
      error === undefined ? open?.resolve(result) : open?.reject(new Error(error));
    };
    let worker;
    const onEnd = (message) => {
      // A worker that abandon() or close() ended is no longer this worker's.
      if (worker !== this.#worker) return;
      const failure = new Error(`${message}: start another pool`);
      ready.reject(failure);
      this.#fail(failure);
    };
    const onError = ({ message }) => onEnd(`a worker failed: ${message ?? "it did not start"}`);
    if (typeof Worker === "function") {
      this.#worker = worker = new Worker(this.#script, { type: "module" });
      worker.onmessage = ({ data }) => onMessage(data);
      worker.onerror = onError;
    } else {
      const threads = await import("node:worker_threads");
      this.#worker = worker = new threads.Worker(this.#script);
      worker.on("message", onMessage);
      worker.on("error", onError);
      worker.on("exit", (status) => onEnd(`a worker ended, with status ${status}`));
    }
    await started;
    this.#isReady = true;
  }

  /** Gives the worker a task, of a job if it may be abandoned; `seen` gets what is known before the answer. */
  do(message, job, seen) {
    if (this.failure) return Promise.reject(this.failure);
    if (this.#tasks.setup.includes(message.task)) this.#setup.push(message);
    if (message.task === this.#tasks.end) this.#setup = this.#setup.filter(({ number }) => number !== message.number);
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#open.set(id, { message, job, seen, resolve, reject });
      if (this.#isReady) this.#worker.postMessage({ id, ...message });
    });
  }

  /** Waits for the chunks of a job no longer. Returns how many there were. */
  leave(job) {
    const chunks = [...this.#open].filter(([, open]) => open.job === job);
    for (const [id, { resolve }] of chunks) {
      this.#open.delete(id);
      resolve(ABANDONED);
    }
    return chunks.length;
  }

  /** Ends the chunks of a job, by a new worker in place of the one that plays them. Those of other jobs begin again. */
  async abandon(job) {
    // A worker that is starting anew has no chunks yet.
    if (this.leave(job) === 0 || !this.#isReady) return;
    this.#isReady = false;
    this.#end();
    try {
      await this.#begin();
    } catch (failure) {
      return this.#fail(failure);
    }
    if (this.failure) return this.#end();
    for (const message of this.#setup) this.#worker.postMessage({ id: null, ...message });
    for (const [id, { message }] of this.#open) this.#worker.postMessage({ id, ...message });
  }

  close() {
    this.#end();
    this.#fail(new Error("the pool is closed: start another"));
  }

  #end() {
    const worker = this.#worker;
    this.#worker = null;
    worker?.terminate();
  }

  #fail(failure) {
    this.failure ??= failure;
    this.#open.forEach(({ reject }) => reject(failure));
    this.#open.clear();
  }
}
