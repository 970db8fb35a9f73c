// Backgammon plays, playouts, rollouts and players, and other games by a module of their own. README.md begins with examples.

export { load } from "./engine.js";
export { AbortError, TavliError } from "./errors.js";
export { loadGames } from "./games.js";
export { GamesPool } from "./games-pool.js";
export { Pool } from "./pool.js";
