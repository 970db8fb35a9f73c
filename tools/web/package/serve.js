// What a worker of a pool does: it plays the pieces that it is given.

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

/** Answers messages by functions named by their tasks, and says that it is ready. */
export async function serve(work) {
  const { onMessage, send } = await channel();
  onMessage(({ id, task, ...given }) => {
    try {
      const result = work[task](given);
      send({ id, result }, result instanceof BigUint64Array ? [result.buffer] : []);
    } catch ({ message }) {
      send({ id, error: message });
    }
  });
  send({ ready: true });
}
