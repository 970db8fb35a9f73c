// Workers that play backgammon in the background, one per core.

import * as given from "./arguments.js";
import { start } from "./backgammon.js";
import { JOB, Job, WorkerPool } from "./worker-pool.js";
import { players } from "./files.js";
import { timed } from "./module.js";
import { shareTrials } from "./trials.js";

/** What only {@link Pool.start} has. */
const STARTED = Symbol("started");

/** Workers that play in the background. */
export class Pool {
  #lead;
  #workers;
  #rollouts = 0;

  constructor(from) {
    if (from !== STARTED) throw new TypeError("a pool is started by Pool.start()");
  }

  /** Starts `workers` workers; by default as many as there are cores. */
  static async start(options = {}) {
    const pool = new Pool(STARTED);
    pool.#lead = await start();
    const tasks = { setup: ["givePlayer", "beginRollout", "beginDecision"], end: "endRollout" };
    pool.#workers = await WorkerPool.start(options, new URL("./worker.js", import.meta.url), tasks);
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

  /** Fetches the net of a built-in player for all workers. */
  async loadPlayer(name) {
    this.#workers.check();
    const bytes = await players(given.player(name));
    this.#lead.givePlayer(name, bytes);
    await this.#workers.all({ task: "givePlayer", name, bytes });
  }

  /** Plays games. */
  async playouts(options) {
    this.#workers.check();
    const { request, games } = given.playouts(options, JOB, this.#lead);
    const job = new Job(options);
    // Errors are found on the caller's thread, before anything is shared; no game is played there.
    this.#lead.countGames(request, 0, 0);
    const { remarks } = this.#lead;
    const begun = performance.now();
    return this.#workers.games({
      games,
      chunk: (first, end) => ({ task: "countGames", request, first, count: end - first }),
      sum: (parts) => {
        const result = this.#lead.addGames(parts);
        return { ...timed(result, result.counts.games, begun), remarks };
      },
      job,
    });
  }

  /** Rolls a position out, or the plays of a roll. */
  async rollout(options) {
    this.#workers.check();
    const request = given.rollout(options, JOB, this.#lead);
    return this.#playTrials("beginRollout", request, new Job(options));
  }

  /** Decides which play of a roll to make. */
  async decide(options) {
    this.#workers.check();
    const request = given.decision(options, [...JOB, "seconds"], this.#lead);
    const seconds = given.above0("seconds", options.seconds);
    // Its players are fast. The longest chunk makes their table of bear-offs, which a worker that is started anew would have to
    // make again.
    return this.#playTrials("beginDecision", request, new Job(options, { seconds, isShort: true }));
  }

  /** Plays a rollout that begins by the task `begin`. */
  #playTrials(begin, request, job) {
    const [lead, workers, number] = [this.#lead, this.#workers, ++this.#rollouts];
    const asked = (result) => (result.decision && result.trials === 0 ? this.#byValue(result, request) : result);
    return shareTrials({ lead, workers, number, begin, request, job, asked });
  }

  /** A decision without trials: its plays in the order of their values by the player that chose them. */
  #byValue(result, { position, rules, cube }) {
    const asked = { position, roll: result.roll, rules, player: null, cube };
    const places = new Map(this.#lead.ask("evaluatePlays", asked).map(({ positionId }, place) => [positionId, place]));
    const placed = ({ positionId }) => places.get(positionId);
    const candidates = [...result.candidates].sort((one, other) => placed(one) - placed(other));
    const [play, ...others] = candidates.map(({ moves }) => moves);
    return { ...result, candidates, decision: { ...result.decision, play, equalPlays: others } };
  }
}
