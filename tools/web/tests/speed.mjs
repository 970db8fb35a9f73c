// Prints how fast the module plays over the command's tier avx2, pair by pair in turns.

import assert from "node:assert/strict";
import { argv } from "node:process";

import { load } from "../package/index.js";
import { native, skip } from "./native.mjs";

const START = "4HPwATDgc/ABMA";
const GAMES = 200_000;

assert.ok(!skip, skip);
const tavli = await load();
tavli.playouts({ position: START, games: 20_000 }); // by then the engine has compiled it for speed
for (const rules of ["backgammon", "mcgammon"]) {
  const ratios = [];
  const rates = [];
  for (let pair = 0; pair < Number(argv[2]); pair++) {
    const theirs = native("playout", START, "--rules", rules, "--games", String(GAMES), "--threads", "1", "--isa", "avx2");
    const ours = tavli.playouts({ position: START, rules, games: GAMES });
    assert.deepEqual(ours.counts.outcomes, Object.values(theirs.outcomes));
    ratios.push(ours.gamesPerSecond / theirs.games_per_second);
    rates.push([ours.gamesPerSecond, theirs.games_per_second]);
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  const median = sorted[sorted.length >> 1];
  // Order statistics that hold the median with about 95 %.
  const off = Math.ceil(0.98 * Math.sqrt(sorted.length));
  const at = (place) => sorted[Math.min(Math.max(place, 0), sorted.length - 1)];
  const [low, high] = [at((sorted.length >> 1) - off), at((sorted.length >> 1) + off)];
  const best = rates.reduce(([a, b], [c, d]) => [Math.max(a, c), Math.max(b, d)]);
  console.log(
    `${rules}: ${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}) of avx2, ${ratios.length} pairs;` +
      ` at best ${Math.round(best[0])} against ${Math.round(best[1])} games/s`,
  );
}
