// The files of the package: read from disk in Node, fetched elsewhere.

import { shown } from "./errors.js";

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

/** The bytes of the module of other games. */
export const gamesProgram = () => read("./games.wasm");

/** The players that have files. */
export const PLAYERS = ["td80", "fast", "strong"];
/** The nets of other games, by game and name. */
const GAME_PLAYERS = { plakoto: ["strong"], fevga: ["strong"] };

/** The bytes of a player's file. */
export const players = (name) => read(`./players/${name}.player`);

/** The bytes of the file of a player of another game. */
export async function gamePlayers(game, name) {
  if (!Object.hasOwn(GAME_PLAYERS, game)) {
    const names = Object.keys(GAME_PLAYERS).join(", ");
    throw new RangeError(`there is no file of a player of ${shown(game)}: there are files for ${names}, and givePlayer takes your own`);
  }
  if (!GAME_PLAYERS[game].includes(name)) {
    throw new RangeError(`there is no file of a player ${shown(name)} of ${game}: choose from ${GAME_PLAYERS[game].join(", ")}`);
  }
  return read(`./players/${game}-${name}.player`);
}
