// The files of the package: read from disk in Node, fetched elsewhere.

const isNode = typeof process === "object" && Boolean(process.versions?.node);

async function read(path) {
  const url = new URL(path, import.meta.url);
  if (isNode) {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot fetch ${url}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The bytes of the module. */
export const program = () => read("./tavli.wasm");

const PLAYERS = ["td80", "fast", "strong"];

/** The bytes of a player's file. */
export async function players(name) {
  if (!PLAYERS.includes(name)) {
    throw new RangeError(`there is no file of a player "${name}": choose from ${PLAYERS.join(", ")}`);
  }
  return read(`./players/${name}.player`);
}
