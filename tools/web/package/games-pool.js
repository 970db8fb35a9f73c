// Workers that play games other than backgammon in the background, one per core.

import * as given from "./arguments.js";
import { JOB, Job, WorkerPool } from "./worker-pool.js";
import { gamePlayers } from "./files.js";
import { searched, start } from "./games-module.js";
import { timed } from "./module.js";
import { shareTrials } from "./trials.js";

/** What only {@link GamesPool.start} has. */
const STARTED = Symbol("started");

/** Workers that play in the background. */
export class GamesPool {
  #lead;
  #workers;
  #decisions = 0;

  constructor(from) {
    if (from !== STARTED) throw new TypeError("a pool is started by GamesPool.start()");
  }

  /** Starts `workers` workers; by default as many as there are cores. */
  static async start(options = {}) {
    const pool = new GamesPool(STARTED);
    pool.#lead = await start();
    const tasks = { setup: ["givePlayer", "beginDecision"], end: "endRollout" };
    pool.#workers = await WorkerPool.start(options, new URL("./games-worker.js", import.meta.url), tasks);
    return pool;
  }

  /** How many workers there are. */
  get workers() {
    return this.#workers.count;
  }

  /** Ends the workers. Jobs that are under way fail. */
  close() {
    this.#workers.close();
  }

  /** Fetches the built-in net of a game for all workers. */
  async loadPlayer(game, name) {
    this.#workers.check();
    const bytes = await gamePlayers(given.text("game", game), given.text("player", name));
    this.#lead.givePlayer(game, name, bytes);
    await this.#workers.all({ task: "givePlayer", game, name, bytes });
  }

  /** Plays games at random. */
  async playouts(options) {
    this.#workers.check();
    const { request, games } = given.gamePlayouts(options, JOB, this.#lead);
    const job = new Job(options);
    // Errors are found on the caller's thread, before anything is shared; no game is played there.
    this.#lead.countGames(request, 0, 0);
    const begun = performance.now();
    return this.#workers.games({
      games,
      chunk: (first, end) => ({ task: "countGames", request, first, count: end - first }),
      sum: (parts) => {
        const result = this.#lead.addGames(request, parts);
        return timed(result, result.counts.games, begun);
      },
      job,
    });
  }

  /** Searches for the best play, a tree to a chunk; workers show what trees have counted before their ends. */
  async search(options) {
    this.#workers.check();
    const request = given.search(options, JOB, this.#lead);
    const job = new Job(options);
    // As above.
    this.#lead.countTrees(request, 0, 0, null);
    const begun = performance.now();
    const { trees } = this.#lead.about;
    /** What is known of each chunk, by its first tree. */
    const chunks = new Map();
    const seen = (first, counts) => {
      // A chunk that begins again, since its worker was started anew, has counted less than before.
      if (visits(counts) >= visits(chunks.get(first) ?? [])) chunks.set(first, counts);
    };
    const result = () => (chunks.size > 0 ? searched(this.#lead.searchResult(request, [...chunks.values()]), begun) : null);
    return job.run(async () => {
      const taken = await this.#workers.share({
        first: 0,
        end: trees,
        pace: { size: 1 },
        job,
        chunk: (first, end) => ({ task: "countTrees", request, first, end }),
        seen,
        report: result,
      });
      if (taken < trees) throw job.aborted(result());
      return result();
    });
  }

  /** Decides which play of a roll to make. */
  async decide(options) {
    this.#workers.check();
    const request = given.gameDecision(options, [...JOB, "seconds"], this.#lead);
    const seconds = given.above0("seconds", options.seconds);
    const [lead, workers, number] = [this.#lead, this.#workers, ++this.#decisions];
    // A trial of the net takes some hundredths of a second.
    const job = new Job(options, { seconds, isShort: true });
    return shareTrials({ lead, workers, number, begin: "beginDecision", request, job });
  }
}

/** The simulations that were counted: the first of three numbers of each play. */
function visits(counts) {
  let sum = 0n;
  for (let at = 0; at < counts.length; at += 3) sum += counts[at];
  return sum;
}
