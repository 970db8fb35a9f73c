// Backgammon plays, playouts, rollouts and players. README.md begins with examples.

export { load } from "./engine.js";
export { AbortError, TavliError } from "./errors.js";
export { Pool } from "./pool.js";
