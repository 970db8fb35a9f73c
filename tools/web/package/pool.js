// Workers that play backgammon in the background, one per core.

import * as given from "./arguments.js";
import { Crew, JOB, job } from "./crew.js";
import { finished, load } from "./engine.js";
import { AbortError } from "./errors.js";
import { players } from "./files.js";
import { timed } from "./module.js";

/** The longest time of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Workers that play in the background. */
export class Pool {
  #lead;
  #crew;
  #rollouts = 0;

  /** Starts workers: as many as there are cores, unless `workers` says otherwise. */
  static async start(options = {}) {
    const pool = new Pool();
    pool.#lead = await load();
    const tasks = { setup: ["givePlayer", "beginRollout", "beginDecision"], end: "endRollout" };
    pool.#crew = await Crew.start(options, new URL("./worker.js", import.meta.url), tasks);
    return pool;
  }

  /** How many workers there are. */
  get workers() {
    return this.#crew.count;
  }

  /** Ends the workers. Jobs that are under way fail. */
  close() {
    this.#crew.close();
  }

  /** Fetches the net of a built-in player for all workers. */
  async loadPlayer(name) {
    const bytes = await players(given.text("player", name));
    this.#lead.givePlayer(name, bytes);
    await this.#crew.all({ task: "givePlayer", name, bytes });
  }

  /** Plays games. */
  async playouts(options) {
    this.#crew.check();
    const { request, games } = given.playouts(options, JOB);
    const { signal, onProgress } = job(options);
    // Errors are those of the caller's thread, before anything is shared; no game is played there.
    this.#lead.countGames(request, 0, 0);
    const start = performance.now();
    return this.#crew.games({
      games,
      piece: (first, end) => ({ task: "countGames", request, first, count: end - first }),
      sum: (parts) => {
        const result = this.#lead.addGames(parts);
        return timed(result, result.counts.games, start);
      },
      signal,
      onProgress,
    });
  }

  /** Rolls a position out, or the plays of a roll. */
  async rollout(options) {
    this.#crew.check();
    return this.#playTrials("beginRollout", given.rollout(options, JOB), job(options));
  }

  /** Decides which play of a roll to make. */
  async decide(options) {
    this.#crew.check();
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
      await this.#crew.all({ task: begin, number, request });
      const pace = { size: 1 };
      const result = (endedBy) => finished(this.#lead.rolloutResult(number), endedBy, start);
      let next;
      while ((next = this.#lead.nextTrials(number)).endedBy === null && !over.signal.aborted) {
        const { playing } = next;
        await this.#crew.share({
          first: next.first,
          end: next.end,
          pace,
          signal: over.signal,
          piece: (first, end) => ({ task: "countTrials", number, first, end, playing }),
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
      this.#crew.all({ task: "endRollout", number }).catch(() => {});
    }
  }
}
