// A worker of a pool: it plays the pieces that it is given.

import { load } from "./engine.js";

const { onMessage, send } = await channel();
const engine = await load();

async function channel() {
  if (typeof process === "object" && process.versions?.node) {
    const { parentPort } = await import("node:worker_threads");
    return {
      onMessage: (listener) => parentPort.on("message", listener),
      send: (message, transfer) => parentPort.postMessage(message, transfer),
    };
  }
  return {
    onMessage: (listener) => addEventListener("message", ({ data }) => listener(data)),
    send: (message, transfer) => postMessage(message, transfer),
  };
}

const work = {
  givePlayer: ({ name, bytes }) => engine.givePlayer(name, bytes),
  countGames: ({ request, first, count }) => engine.countGames(request, first, count),
  beginRollout: ({ number, request }) => engine.beginRollout(request, number),
  beginDecision: ({ number, request }) => engine.beginDecision(request, number),
  countTrials: ({ number, first, end }) => engine.countTrials(number, first, end),
  endRollout: ({ number }) => engine.endRollout(number),
};

onMessage(({ id, task, ...given }) => {
  try {
    const result = work[task](given);
    send({ id, result }, result instanceof BigUint64Array ? [result.buffer] : []);
  } catch ({ message }) {
    send({ id, error: message });
  }
});
send({ ready: true });
