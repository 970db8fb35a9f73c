// A worker of a pool, which plays the chunks that it is given.

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

/** The least time between two parts of an answer, in milliseconds. */
const PART = 80;

/** Answers messages by functions named by their tasks, and says that it is ready. A task's second argument sends what is
 * known before its end, not too often. */
export async function serve(work) {
  const { onMessage, send } = await channel();
  onMessage(({ id, task, ...given }) => {
    let sent = performance.now();
    const show = (part) => {
      if (performance.now() - sent < PART) return;
      sent = performance.now();
      send({ id, part }, [part.buffer]);
    };
    try {
      const result = work[task](given, show);
      send({ id, result }, result instanceof BigUint64Array ? [result.buffer] : []);
    } catch ({ message }) {
      send({ id, error: message });
    }
  });
  send({ ready: true });
}
