// The workers of a pool, for tests that end them from outside.

import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

/** The pool that `start` starts, and its workers. */
export async function withWorkers(start) {
  const { Worker } = threads;
  const workers = [];
  threads.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      workers.push(this);
    }
  };
  syncBuiltinESMExports();
  try {
    return { pool: await start(), workers };
  } finally {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  }
}
