// Compiled, not run: calls that the types allow, and some that they do not.

import { AbortError, GamesPool, Pool, TavliError, load, loadGames, type RolloutResult } from "../package/index.js";

const tavli = await load();
export const moves: string = tavli.plays("4HPwATDgc/ABMA", [3, 1])[0].moves;
const position = tavli.position("4HPwATDgc/ABMA", { rules: "backgammon" });
export const equity: number = tavli.evaluate(position, { player: "fast" }).equity;
export const games: number = tavli.playouts({ position: new Int8Array(26), games: 3, seed: 7n }).counts.games;

const pool = await Pool.start({ workers: 2 });
try {
  const onProgress = ({ candidates: [best] }: RolloutResult) => console.log(best.equity.mean);
  const rollout = await pool.rollout({ position, roll: "31", signal: AbortSignal.timeout(9), onProgress });
  console.log(rollout.endedBy);
  const { decision } = await pool.decide({ position, roll: [3, 1], within: 0.01, seconds: 3, signal: null, onProgress: async () => {} });
  console.log(decision?.play, decision?.equalPlays.length);
} catch (error) {
  if (error instanceof AbortError) console.log(error.result);
  if (error instanceof TavliError) console.log(error.kind);
}

const [values] = tavli.cubeValues([[0.5, 0.1, 0, 0.1, 0]], ["4HPwATDgc/ABMA:cAngAFAAGAAE"]);
export const action: string = values.action;
export const noDouble: number | undefined = tavli.evaluate(position, { cube: true }).cube?.noDouble;
export const cubeful: number | null = tavli.evaluatePlays(position, "31", { cube: true })[0].cubeful;
export const taken: number | null | undefined = tavli.rollout({ position, cube: true, trials: 36 }).cube?.doubleTake;

const others = await loadGames();
const draughts = others.position("draughts", "start", { rules: "english" });
export const squares: readonly number[] | undefined = others.plays(draughts)[0].position.numbers.squares;
export const wins: number = others.playouts({ position: { game: "fevga" }, games: 3 }).outcomes.win_gammon;
await others.loadPlayer("plakoto", "strong");
export const behind: number = others.evaluatePlays({ game: "plakoto" }, "31", { player: "strong" })[1].behind;
const workers = await GamesPool.start();
const choice = await workers.decide({ position: { game: "plakoto" }, roll: "31", seconds: 1, onProgress: ({ trials }) => console.log(trials) });
export const chosen: string | null = choice.decision.play;
export const error: number | null = others.decide({ position: { game: "fevga" }, roll: [3, 1], within: 0.1 }).candidates[0].equity.standardError;
export const found: number | null = (await workers.search({ position: draughts, simulations: 100 })).plays[0].value;

// @ts-expect-error: backgammon is not among them
others.position("backgammon");
// @ts-expect-error: draughts have no net
await others.loadPlayer("draughts", "strong");
// @ts-expect-error: a decision has a roll
others.decide({ position: { game: "fevga" } });
// @ts-expect-error: a number of games is needed
tavli.playouts({ position });
// @ts-expect-error: one thread does not end by the clock
tavli.decide({ position, roll: "31", seconds: 3 });
// @ts-expect-error: there are no such rules
tavli.position(position, { rules: "chess" });
// @ts-expect-error: its net is no file
await tavli.loadPlayer("pubeval");
