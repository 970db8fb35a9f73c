// Rollouts and decisions of any game, whose trials are played in chunks.

import { Module, timed } from "./module.js";

/** A module with rollouts under numbers. */
export class TrialsModule extends Module {
  beginDecision(request, number) {
    this.ask("beginDecision", { number, decision: request });
  }

  /** What comes next, and the places of the candidates that are still played, which countTrials takes. */
  nextTrials(number) {
    const next = this.ask("nextTrials", { number });
    return { ...next, playing: this.numbers() };
  }

  countTrials(number, first, end, playing) {
    this.ask("countTrials", { number, first, end }, playing);
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

/** The result of a rollout that has ended, with the remarks on the request that began it. */
function finished(result, endedBy, start, remarks) {
  const games = result.candidates.reduce((sum, candidate) => sum + candidate.trials, 0);
  return { ...timed(result, games, start), endedBy, remarks };
}

/** Plays a rollout under a number that no other has to its end; `begin` is the request that begins it. */
export function playTrials(module, number, begin, request) {
  const begun = performance.now();
  module[begin](request, number);
  const { remarks } = module;
  try {
    let next;
    while ((next = module.nextTrials(number)).endedBy === null) {
      const numbers = module.countTrials(number, next.first, next.end, next.playing);
      module.addTrials(number, next.first, next.end, numbers);
    }
    return finished(module.rolloutResult(number), next.endedBy, begun, remarks);
  } finally {
    module.endRollout(number);
    module.remarks = remarks;
  }
}

/** The same by a pool of workers; `lead` is the module of the calling thread, which adds what they count. `asked` makes of
 * a result what the caller is told. */
export async function shareTrials({ lead, workers, number, begin, request, job, asked = (result) => result }) {
  const begun = performance.now();
  lead[begin](request, number);
  const { remarks } = lead;
  const result = (endedBy) => asked(finished(lead.rolloutResult(number), endedBy, begun, remarks));
  return job.run(async () => {
    try {
      await job.orEnd(workers.all({ task: begin, number, request }));
      const pace = { size: 1 };
      let next = lead.nextTrials(number);
      while (next.endedBy === null && !job.isOver) {
        const { end, playing } = next;
        const taken = await workers.share({
          first: next.first,
          end,
          pace,
          job,
          chunk: (first, end) => ({ task: "countTrials", number, first, end, playing }),
          take: (first, end, numbers) => lead.addTrials(number, first, end, numbers),
          report: () => result(null),
        });
        if (taken < end) break;
        next = lead.nextTrials(number);
      }
      if (next.endedBy === null && job.isAborted) {
        const soFar = result("cancelled");
        throw job.aborted(soFar.trials > 0 || soFar.decision ? soFar : null);
      }
      return result(next.endedBy ?? "time");
    } finally {
      lead.endRollout(number);
      // Not awaited: a worker that starts anew after an abort hears of it later.
      workers.all({ task: "endRollout", number }).catch(() => {});
    }
  });
}
