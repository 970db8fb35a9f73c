// Workers that play games other than backgammon in the background, one per core.

import * as given from "./arguments.js";
import { Crew, JOB, job } from "./crew.js";
import { AbortError } from "./errors.js";
import { gamePlayers } from "./files.js";
import { loadGames, searched } from "./games.js";
import { timed } from "./module.js";

/** Workers that play in the background. */
export class GamesPool {
  #lead;
  #crew;

  /** Starts workers: as many as there are cores, unless `workers` says otherwise. */
  static async start(options = {}) {
    const pool = new GamesPool();
    pool.#lead = await loadGames();
    pool.#crew = await Crew.start(options, new URL("./games-worker.js", import.meta.url), { setup: ["givePlayer"] });
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

  /** Plays games at random. */
  async playouts(options) {
    this.#crew.check();
    const { request, games } = given.gamePlayouts(options, JOB);
    const { signal, onProgress } = job(options);
    // Errors are those of the caller's thread, before anything is shared; no game is played there.
    this.#lead.countGames(request, 0, 0);
    const start = performance.now();
    return this.#crew.games({
      games,
      piece: (first, end) => ({ task: "countGames", request, first, count: end - first }),
      sum: (parts) => {
        const result = this.#lead.addGames(request, parts);
        return timed(result, result.counts.games, start);
      },
      signal,
      onProgress,
    });
  }

  /** Searches for the best play, a tree to a piece. */
  async search(options) {
    this.#crew.check();
    const request = given.search(options, JOB);
    const { signal, onProgress } = job(options);
    // As above.
    this.#lead.countTrees(request, 0, 0);
    const start = performance.now();
    const parts = [];
    let taken = 0;
    const { trees } = this.#lead.about;
    const result = () => searched(this.#lead.addTrees(request, parts), start);
    await this.#crew.share({
      first: 0,
      end: trees,
      pace: { size: 1 },
      signal,
      piece: (first, end) => ({ task: "countTrees", request, first, end }),
      take: (first, end, arms) => {
        parts.push(arms);
        taken = end;
      },
      report: () => onProgress?.(result()),
    });
    if (taken < trees) throw new AbortError(taken > 0 ? result() : null, signal.reason);
    return result();
  }
}
