// Games other than backgammon against golden data and the command, digit for digit, and with bad input.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AbortError, GamesPool, TavliError, loadGames } from "../package/index.js";
import { rows, unknown } from "./golden.mjs";
import { native, skip } from "./native.mjs";
import { withWorkers } from "./workers.mjs";

const games = await loadGames();
for (const game of ["plakoto", "fevga"]) await games.loadPlayer(game, "strong");

/** What two results may differ in: how long they took. */
const values = ({ seconds, gamesPerSecond, simulationsPerSecond, ...rest }) => rest;

/** Positions in which the game goes on, each with a roll where the game has dice. */
const POSITIONS = [
  ["draughts", "start", null],
  ["draughts", "W:W18,24,27,28,K10,K19:B12,16,20,K22,K25,K29", null],
  ["plakoto", "start", "31"],
  ["plakoto", "j--a--A*a*--A*-------A*----K", "66"],
  ["fevga", "start", "52"],
  ["tictactoe", "XO-/-X-/--- O", null],
];

/** Plays in the order of their positions, which is the command's. */
const sorted = (plays) => plays.sort((a, b) => (a.position < b.position ? -1 : 1));

/** The position and the roll as arguments of the command. */
const asked = (game, text, roll) => [text, ...(roll ? [roll] : []), "--game", game];

test("the module runs the tier that it is built for, and has the games", () => {
  assert.equal(games.about.tier, "simd128");
  assert.deepEqual(games.about.games.map(({ name }) => name).sort(), ["draughts", "fevga", "plakoto", "tictactoe"]);
});

test("plays of draughts are the golden ones", { skip: unknown }, () => {
  let checked = 0;
  for (const [, text, , number, list] of rows("draughts/positions_english.tsv")) {
    const position = games.position("draughts", text);
    if (position.outcome !== null) {
      assert.equal(Number(number), 0, text);
      continue;
    }
    const golden = new Map(list.split(" ").map((row) => row.split("=")));
    const plays = games.plays(position);
    assert.equal(plays.length, Number(number), text);
    for (const play of plays) {
      assert.ok(golden.get(play.position.text)?.split("/").includes(play.moves), `${text} ${play.moves}`);
    }
    checked += 1;
  }
  assert.ok(checked > 1000, `${checked} rows`);
});

for (const game of ["plakoto", "fevga"]) {
  test(`plays and boards of ${game} are the golden ones`, { skip: unknown }, () => {
    let checked = 0;
    for (const [text, dice, , number, , results] of rows(`variants/${game}_plays.tsv.gz`)) {
      const plays = games.plays({ game, text }, dice);
      assert.equal(plays.length, Number(number), `${text} ${dice}`);
      assert.equal(plays.map(({ position }) => position.text).sort().join(","), results, `${text} ${dice}`);
      checked += 1;
    }
    for (const [name, text, top, pinned, ownOff, opponentOff, ownPips, opponentPips] of rows("variants/id_vectors.tsv")) {
      if (name !== game) continue;
      const { numbers } = games.position(game, text);
      assert.deepEqual(numbers.points, top.split(" ").map(Number), text);
      assert.equal(numbers.pinned.join(""), pinned, text);
      assert.deepEqual(numbers.off, [ownOff, opponentOff].map(Number), text);
      assert.deepEqual(numbers.pips, [ownPips, opponentPips].map(Number), text);
      checked += 1;
    }
    assert.ok(checked > 1000, `${checked} rows`);
  });
}

test("a game of draughts is over where the side to move has no move", { skip: unknown }, () => {
  const lost = rows("draughts/endgame_values.tsv").filter(([, value]) => value === "L0");
  for (const [text] of lost) {
    const { outcome, points } = games.position("draughts", text);
    assert.deepEqual([outcome, points], ["lose", -1], text);
  }
  assert.ok(lost.length > 0);
});

test("positions, plays and drawings are those of the command", { skip }, () => {
  for (const [game, text, roll] of POSITIONS) {
    const position = games.position(game, text);
    const theirs = native("position", ...asked(game, text));
    assert.equal(position.text, theirs.position);
    assert.equal(position.rules, theirs.rules);
    for (const [name, numbers] of Object.entries(position.numbers)) assert.deepEqual(numbers, theirs[name], `${text} ${name}`);
    const plays = games.plays(position, roll).map(({ moves, position: { text, state } }) => ({ moves, position: text, state }));
    // The command leaves out a state that is the usual text.
    const listed = native("plays", ...asked(game, text, roll)).plays;
    assert.deepEqual(sorted(plays), sorted(listed.map((play) => ({ state: play.position, ...play }))));
    assert.deepEqual(games.position(game, position.text), position);
  }
  assert.equal(games.drawing({ game: "tictactoe" }).split("\n").length, 4);
});

test("playouts are those of the command", { skip }, () => {
  for (const [game, text] of POSITIONS) {
    const theirs = native("playout", ...asked(game, text), "--games", "3000", "--seed", "7");
    const ours = games.playouts({ position: { game, text }, games: 3000, seed: 7n });
    assert.deepEqual(ours.outcomes, theirs.outcomes, text);
    assert.equal(ours.counts.longest, theirs.longest_game);
    for (const [estimate, mean, error] of [
      [ours.win, theirs.win, theirs.se_win],
      [ours.equity, theirs.equity, theirs.se_equity],
      [ours.meanPlies, theirs.mean_plies, theirs.se_plies],
    ]) {
      assert.deepEqual(estimate, { mean, standardError: error }, text);
    }
  }
  const position = games.position("draughts", "start", { rules: "report" });
  const theirs = native("playout", "start", "--game", "draughts", "--rules", "report", "--games", "1000");
  assert.deepEqual(games.playouts({ position, games: 1000 }).outcomes, theirs.outcomes);
});

test("playouts of draughts have the golden law", { skip: unknown }, () => {
  const start = games.position("draughts");
  const { win, meanPlies } = games.playouts({ position: start, games: 200_000 });
  // playouts.jsonl: uniform over distinct results, P80, 600,000 games.
  for (const [{ mean, standardError }, golden, error] of [
    [win, 0.489283, 0.000645],
    [meanPlies, 70.60631, 0.04457],
  ]) {
    assert.ok(Math.abs(mean - golden) < 4.5 * Math.hypot(standardError, error), `${mean} against ${golden}`);
  }
});

test("searches are those of the command", { skip }, () => {
  for (const [game, text, roll] of POSITIONS) {
    const options = ["--simulations", "2000", "--seed", "3"];
    const theirs = native("search", ...asked(game, text, roll), ...options);
    const ours = games.search({ position: { game, text }, roll, simulations: 2000, seed: 3 });
    assert.equal(ours.simulations, theirs.simulations);
    const plays = ours.plays.map(({ moves, visits, sum, value, standardError }) => [moves, visits, sum, value, standardError]);
    assert.deepEqual(plays, theirs.plays.map(({ moves, visits, sum, value, se_value }) => [moves, visits, sum, value, se_value]), text);
  }
});

test("decisions are those of the command", { skip }, () => {
  for (const [game, text, roll, given, options] of [
    ["plakoto", "start", "31", {}, ["--within", "0.01"]],
    ["plakoto", "j--a--A*a*--A*-------A*----K", "64", { within: 0, trials: 72, seed: 7n }, ["--within", "0", "--trials", "72", "--seed", "7"]],
    ["plakoto", "start", "64", { plays: ["24/14", "24/18 24/20"], trials: 36 }, ["--within", "0.01", "--play", "24/14", "--play", "24/18 24/20", "--trials", "36"]],
    ["fevga", "start", "25", { trials: 100 }, ["--within", "0.01", "--trials", "100"]],
  ]) {
    const theirs = native("rollout", ...asked(game, text, roll), ...options);
    const ours = games.decide({ position: { game, text }, roll, ...given });
    assert.deepEqual([ours.roll, ours.seed, ours.policy], [theirs.roll, String(theirs.seed), theirs.policy]);
    assert.equal(ours.endedBy, theirs.ended_by);
    assert.equal(ours.trials, Math.max(...theirs.candidates.map(({ trials }) => trials)));
    const { decision } = theirs;
    assert.deepEqual(ours.decision, {
      play: decision.play,
      verdict: decision.verdict,
      sure: decision.sure,
      within: decision.within,
      atMostBetter: decision.at_most_better,
      equalPlays: decision.equal_plays,
      leftOut: decision.left_out,
      equivalentGames: decision.equivalent_games,
    });
    assert.deepEqual(
      ours.candidates.map(({ moves, position, trials, dropped, evaluation, equity, behind }) => [
        ...[moves, position.text, trials, dropped, evaluation, behind.mean],
        ...[equity.mean, equity.standardError, equity.low, equity.high],
      ]),
      theirs.candidates.map(({ moves, position, trials, dropped, evaluation, behind, equity, se_equity, low_equity, high_equity }) => [
        ...[moves, position, trials, dropped, evaluation, behind],
        ...[equity, se_equity, low_equity, high_equity],
      ]),
    );
  }
});

test("searches with too few simulations are remarked on", () => {
  const few = games.search({ position: { game: "draughts" }, simulations: 16 });
  assert.match(few.remarks[0], /^16 simulations for 16 trees, each of which tries all of 7 plays before it prefers one: give more simulations$/);
  assert.deepEqual(games.remarks, few.remarks);
  assert.deepEqual(games.search({ position: { game: "draughts" }, simulations: 160 }).remarks, []);
});

test("games by other rules are remarked on", () => {
  const position = { game: "draughts", text: '[Rules "report"]\n1. 11-15 23-19 2. 8-11' };
  games.position(position.game, position.text);
  const { remarks } = games;
  assert.match(remarks[0], /: the game was played by report rules, and its last position is taken by english rules$/);
  assert.deepEqual(games.search({ position, simulations: 1600 }).remarks, remarks);
  games.position(position.game, position.text, { rules: "report" });
  assert.deepEqual(games.remarks, []);
});

test("values and decisions by a net that has not learned the rules are remarked on", async (context) => {
  const position = { game: "fevga", rules: "r2=off" };
  games.evaluate(position);
  const { remarks } = games;
  assert.match(remarks[0], /^the player 'strong' has not learned fevga by r2=off: its values/);
  const asked = { position, roll: "31", trials: 36 };
  assert.deepEqual(games.decide(asked).remarks, remarks);
  assert.deepEqual(games.remarks, remarks);
  assert.deepEqual((await (await deciding(context, 1)).decide(asked)).remarks, remarks);
  if (!skip) {
    const theirs = native("evaluate", "start", "--game", "fevga", "--rules", "r2=off", "--evaluator", "strong");
    assert.deepEqual(theirs.remarks, [`remark: ${remarks[0]}`]);
  }
  assert.deepEqual(games.decide({ ...asked, position: { game: "fevga" } }).remarks, []);
});

test("players value positions and plays as the command does", { skip }, () => {
  for (const [game, text, roll, player] of [
    ["draughts", "start", null, "material"],
    ["draughts", "start", null, undefined],
    ["plakoto", "start", "31", undefined],
    ["plakoto", "j--a--A*a*--A*-------A*----K", "64", "strong"],
    ["plakoto", "j--a--A*a*--A*-------A*----K", "31", "strong+1ply"],
    ["fevga", "start", "52", "strong"],
    ["fevga", "start", "52", "strong+1ply"],
    ["tictactoe", "XO-/-X-/--- O", null, "lines"],
  ]) {
    const theirs = native("evaluate", ...asked(game, text, roll), ...(player ? ["--evaluator", player] : []));
    const position = games.position(game, text);
    assert.deepEqual(games.evaluate(position, { player }), { equity: theirs.equity, plies: theirs.plies }, player);
    const ranked = games.evaluatePlays(position, roll, { player });
    assert.deepEqual(
      ranked.map(({ moves, position, equity, behind, plies }) => [moves, position.text, equity, behind, plies]),
      theirs.plays.map(({ moves, position, equity, behind, plies }) => [moves, position, equity, behind, plies]),
    );
  }
});

test("a game is played to its end by the best plays", () => {
  let position = games.position("draughts", "W:WK14,K15:BK5");
  let plies = 0;
  while (position.outcome === null && plies < 200) {
    position = games.search({ position, simulations: 200 }).plays[0].position;
    plies += 1;
  }
  assert.notEqual(position.outcome, null);
  // The state has what the text leaves out: plies without a capture or a move of a man.
  const { state, text } = games.plays({ game: "draughts", text: "W:WK14,K15:BK5" })[0].position;
  assert.notEqual(state, text);
  assert.throws(() => games.plays(position), /the game is already over/);
});

test("a pool has the results of one thread, whatever its size", async (context) => {
  for (const workers of [1, 3]) {
    const pool = await GamesPool.start({ workers });
    context.after(() => pool.close());
    assert.equal(pool.workers, workers);
    for (const [game, text, roll] of POSITIONS) {
      const position = games.position(game, text);
      const asked = { position, games: 5000, seed: 9 };
      assert.deepEqual(values(await pool.playouts(asked)), values(games.playouts(asked)));
      const search = { position, roll, simulations: 500, seed: 9 };
      assert.deepEqual(values(await pool.search(search)), values(games.search(search)));
    }
  }
});

test("a job reports its progress; aborted it has what was played until then, and leaves the pool whole", async (context) => {
  const pool = await GamesPool.start({ workers: 2 });
  context.after(() => pool.close());
  const position = games.position("draughts");
  const abort = new AbortController();
  const seen = [0];
  const onProgress = ({ counts }) => {
    seen.push(counts.games);
    // Two reports at least.
    if (seen.length > 2 && counts.games > 1000) abort.abort("enough");
  };
  const error = await pool.playouts({ position, games: 1e10, signal: abort.signal, onProgress }).catch((error) => error);
  assert.ok(error instanceof AbortError, error);
  assert.equal(error.cause, "enough");
  const played = error.result.counts.games;
  assert.ok(played > 1000 && played < 1e9);
  assert.ok([...seen, played].every((games, at) => at === 0 || games >= seen[at - 1]), `${seen}`);
  assert.deepEqual(values(games.playouts({ position, games: played })), values(error.result));
  const nothing = await pool.playouts({ position, games: 10, signal: AbortSignal.abort() }).catch((error) => error);
  assert.equal(nothing.result, null);
  assert.equal((await pool.playouts({ position, games: 10 })).counts.games, 10);
});

test("a search reports what its trees count before their ends; aborted it has that", async (context) => {
  const pool = await GamesPool.start({ workers: 2 });
  context.after(() => pool.close());
  const position = games.position("draughts");
  // A tree takes half an hour.
  const asked = { position, simulations: 2 ** 33 };
  const abort = new AbortController();
  const seen = [0];
  let aborted;
  const onProgress = ({ simulations, plays }) => {
    assert.equal(plays.length, 7);
    assert.equal(plays.reduce((sum, { visits }) => sum + visits, 0), simulations);
    seen.push(simulations);
    if (seen.length > 5) {
      aborted = performance.now();
      abort.abort("enough");
    }
  };
  const start = performance.now();
  // Another job goes on when the workers are started anew.
  const other = pool.search({ position, simulations: 300_000, seed: 5 });
  const { name, result } = await pool.search({ ...asked, signal: abort.signal, onProgress }).catch((error) => error);
  const end = performance.now();
  assert.equal(name, "AbortError");
  assert.ok(end - aborted < 300 && aborted - start < 5000, `${aborted - start} ms, then ${end - aborted}`);
  seen.push(result.simulations);
  assert.ok(seen.every((simulations, at) => at === 0 || simulations >= seen[at - 1]), `${seen}`);
  assert.deepEqual(values(await other), values(games.search({ position, simulations: 300_000, seed: 5 })));
  assert.equal((await pool.playouts({ position, games: 10 })).counts.games, 10);
});

/** A pool with the nets of decisions. */
async function deciding(context, workers) {
  const pool = await GamesPool.start({ workers });
  context.after(() => pool.close());
  for (const game of ["plakoto", "fevga"]) await pool.loadPlayer(game, "strong");
  return pool;
}

test("a pool decides as one thread does, whatever its size", async (context) => {
  const choices = [
    { position: { game: "plakoto" }, roll: "43", within: 0.1, trials: 72 },
    { position: { game: "fevga" }, roll: "31", trials: 40, seed: 3 },
    { position: { game: "plakoto" }, roll: "21", plays: ["24/22 24/23"] },
  ];
  const alone = choices.map((choice) => values(games.decide(choice)));
  assert.deepEqual([alone[2].candidates.length, alone[2].decision.verdict], [1, "best"]);
  for (const workers of [1, 3]) {
    const pool = await deciding(context, workers);
    // All at once: their chunks are mixed.
    assert.deepEqual((await Promise.all(choices.map((choice) => pool.decide(choice)))).map(values), alone);
  }
});

test("a decision reports its progress, and keeps its time", async (context) => {
  const pool = await deciding(context, 2);
  const asked = { position: { game: "plakoto" }, roll: "21", within: 0 };
  const [best] = games.evaluatePlays(asked.position, asked.roll);
  const nothing = await pool.decide({ ...asked, seconds: 1e-6 });
  assert.deepEqual([nothing.trials, nothing.endedBy, nothing.decision.verdict], [0, "time", "open"]);
  assert.deepEqual([nothing.decision.play, nothing.candidates[0].evaluation], [best.moves, best.equity]);
  const seen = [0];
  const start = performance.now();
  const onProgress = ({ trials, candidates, endedBy }) => {
    assert.equal(endedBy, null);
    assert.ok(candidates.every((candidate) => candidate.trials === trials), "none is dropped before 36 trials");
    seen.push(trials);
  };
  // So many plays that no look is reached.
  const plays = games.plays(asked.position, asked.roll).map(({ moves }) => moves);
  const { trials, endedBy } = await pool.decide({ ...asked, plays, seconds: 1, onProgress });
  const late = performance.now() - start - 1000;
  assert.ok(late < 300, `${late} ms`);
  assert.ok(["time", "decided"].includes(endedBy), endedBy);
  assert.ok([...seen, trials].every((trials, at) => at === 0 || trials >= seen[at - 1]), `${seen}`);
});

test("a decision hears an abort at once, and has its plays", async (context) => {
  const { pool, workers } = await withWorkers(() => deciding(context, 2));
  const position = { game: "plakoto" };
  // All five plays: they are open for several seconds.
  const plays = games.plays(position, "11").map(({ moves }) => moves);
  const asked = { position, roll: "11", plays, within: 0, trials: 1e9 };
  const [best] = games.evaluatePlays(asked.position, asked.roll);
  for (const wait of [0, 30, 300]) {
    const abort = new AbortController();
    let start;
    setTimeout(() => {
      start = performance.now();
      abort.abort();
    }, wait);
    const error = await pool.decide({ ...asked, signal: abort.signal }).catch((error) => error);
    const took = performance.now() - start;
    assert.ok(error instanceof AbortError, error);
    assert.ok(took < 300, `${took} ms`);
    assert.equal(error.result.endedBy, "cancelled");
    if (error.result.trials === 0) assert.equal(error.result.decision.play, best.moves);
  }
  assert.ok(workers.every(({ threadId }) => threadId > 0), "none was started anew");
});

test("a worker that ends fails the jobs of its pool", async (context) => {
  const { pool, workers } = await withWorkers(() => GamesPool.start({ workers: 2 }));
  context.after(() => pool.close());
  const position = games.position("draughts");
  const search = pool.search({ position, simulations: 2 ** 33 }).catch((error) => error);
  await workers[1].terminate();
  assert.match((await search).message, /^a worker ended, with status 1: start another pool$/);
  await assert.rejects(pool.playouts({ position, games: 10 }), /a worker ended/);
});

test("a listener that fails fails its job, whose chunks keep no worker", async (context) => {
  const pool = await GamesPool.start({ workers: 2 });
  context.after(() => pool.close());
  const position = games.position("draughts");
  const mine = new Error("mine");
  for (const onProgress of [
    () => {
      throw mine;
    },
    async () => {
      throw mine;
    },
  ]) {
    // A tree takes half an hour.
    await assert.rejects(pool.search({ position, simulations: 2 ** 33, onProgress }), mine);
    assert.equal((await pool.playouts({ position, games: 10 })).counts.games, 10);
  }
});

test("what users call is all that they see", () => {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(games)).filter((name) => name !== "constructor");
  assert.deepEqual(Object.getOwnPropertyNames(games), []);
  assert.equal(names.sort().join(" "), "about decide drawing evaluate evaluatePlays givePlayer loadPlayer playouts plays position remarks search");
});

test("what position() and plays() returned is read back", () => {
  for (const [game, text, roll] of POSITIONS) {
    const position = games.position(game, text);
    for (const one of [position, ...games.plays(position, roll).map((play) => play.position)]) {
      assert.equal(games.drawing(one), games.drawing(JSON.parse(JSON.stringify(one))), text);
      assert.equal(games.drawing(one), games.drawing({ game, text: one.state }), text);
    }
  }
});

/** A text of a megabyte that a terminal would obey. */
const LONG = "\u001b[31m" + "x".repeat(1_000_000);

test("bad input is refused in words", async (context) => {
  const pool = await GamesPool.start({ workers: 1 });
  context.after(() => pool.close());
  const bare = await loadGames();
  const start = games.position("draughts");
  const cases = [
    [() => games.position("chess"), TavliError, /'chess' is not one of the games: tictactoe, draughts, plakoto, fevga$/],
    [() => games.position("backgammon"), TavliError, /\(load and Pool have backgammon\)/],
    [() => games.position(), TypeError, /game is the name of a game such as "draughts", not undefined/],
    [() => games.position("draughts", 7), TypeError, /a position is a text, not 7/],
    [() => games.position("draughts", "W:W18,33:B1"), TavliError, /33/],
    [() => games.position("draughts", "\ud800"), TavliError, /\ufffd/],
    [() => games.position("draughts", "start", { rules: "international" }), TavliError, /'international' is not a set of rules of draughts/],
    [() => games.position("draughts", "start", { rule: "english" }), TypeError, /unknown option "rule": choose from rules/],
    [() => games.position("plakoto", "*----------------------A"), TavliError, /./],
    [() => games.plays("start"), TypeError, /a position is what position\(\) or plays\(\) returned, or \{ game, text \}, not "start"/],
    [() => games.plays(null), TypeError, /not null/],
    [() => games.plays(start, "31"), TavliError, /draughts has no dice: leave the roll out/],
    [() => games.plays({ game: "fevga" }), TavliError, /fevga has dice: name a roll, such as 31/],
    [() => games.plays({ game: "fevga" }, "70"), TavliError, /'70' is not a roll/],
    [() => games.plays({ game: "fevga" }, 31), TypeError, /a roll is a text/],
    [() => games.plays({ game: "tictactoe", text: "XXX/OO-/--- O" }), TavliError, /the game is already over in the position XXX/],
    [() => games.evaluate(start, { player: "strong" }), TavliError, /'strong' is not an evaluator of draughts, which has: material, [a-z, -]*$/],
    [() => games.evaluate(start, { player: "strong+1ply" }), TavliError, /no net 'strong' of draughts is loaded/],
    [() => bare.evaluate({ game: "fevga" }, { player: "strong" }), TavliError, /loadPlayer\("fevga", "strong"\)/],
    [() => bare.evaluate({ game: "fevga" }), TavliError, /loadPlayer\("fevga", "strong"\)/],
    [() => bare.evaluate({ game: "fevga" }, { player: "strong+1ply" }), TavliError, /call loadPlayer\("fevga", "strong"\) first/],
    [() => games.evaluate({ game: "fevga" }, { player: "strong+3ply" }), TavliError, /at most 2 plies ahead, not 3/],
    [() => games.evaluate({ game: "fevga" }, { player: "strong+0ply" }), TavliError, /'\+0ply': write a number of plies from 1 on/],
    [() => games.evaluate({ game: "fevga" }, { playr: "strong" }), TypeError, /unknown option "playr"/],
    [() => games.evaluate({ game: "tictactoe", text: "XXX/OO-/--- O" }), TavliError, /the game is already over/],
    [() => games.loadPlayer("draughts", "strong"), RangeError, /there is no file of a player of "draughts": there are files for plakoto, fevga, and givePlayer takes your own/],
    [() => games.loadPlayer("fevga", "weak"), RangeError, /there is no file of a player "weak" of fevga: choose from strong/],
    [() => games.givePlayer("fevga", "own"), TypeError, /a Uint8Array, not undefined/],
    [() => games.givePlayer("fevga", "own", new Uint8Array(9)), TavliError, /the file of 'own' of fevga: it is not a file of a net/],
    [() => games.givePlayer("chess", "own", new Uint8Array(9)), TavliError, /'chess' is not one of the games/],
    [() => games.playouts({ position: start }), TypeError, /games: say how many games/],
    [() => games.playouts({ position: start, games: 0 }), RangeError, /games: give a whole number from 1/],
    [() => games.playouts({ position: start, games: 1, policy: "x" }), TypeError, /unknown option "policy"/],
    [() => games.playouts({ position: start, games: 1, seed: "18446744073709551616" }), TavliError, /invalid seed/],
    [() => games.search({ position: start }), TypeError, /simulations: say how many simulations/],
    [() => games.search({ position: start, simulations: 1e10 }), RangeError, /simulations: give a whole number from 1 to 8589934592, not 10000000000/],
    [() => games.search({ position: start, simulations: 0 }), RangeError, /simulations: give a whole number from 1 to 8589934592, not 0/],
    [() => games.plays({ game: "draughts", fen: "W:W31,32:B1,2" }), TypeError, /unknown field "fen" of a position: choose from game, text, rules/],
    [() => pool.search({ position: { game: "draughts", Text: "W:W31,32:B1,2" }, simulations: 9 }), TypeError, /unknown field "Text"/],
    [() => games.evaluate({ ...start, txt: "W:W31,32:B1,2" }), TypeError, /unknown field "txt"/],
    [() => games.drawing({ ...start, text: "W:W31,32:B1,2" }), RangeError, /the field "text" of a position is "W:W31,32:B1,2", but its state says "B:.*": give \{ game, text, rules \} alone/],
    [() => pool.playouts({ position: { ...start, numbers: {} }, games: 1 }), RangeError, /the field "numbers" of a position is not that of its state/],
    [() => new GamesPool(), TypeError, /a pool is started by GamesPool\.start\(\)/],
    [() => games.evaluate(start, { player: "mine" }), TavliError, /'mine' is not an evaluator of draughts, which has: material, [a-z, -]*$/],
    [() => bare.evaluate({ game: "plakoto" }, { player: "mine+1ply" }), TavliError, /call givePlayer\("plakoto", "mine", BYTES\) first/],
    [() => games.givePlayer("plakoto", "strong+1ply", new Uint8Array(9)), RangeError, /has a letter and no "\+", unlike "strong\+1ply"/],
    [() => games.givePlayer("plakoto", "", new Uint8Array(9)), RangeError, /has a letter/],
    [() => games.givePlayer("draughts", "material", new Uint8Array(9)), RangeError, /"material" is an evaluator of draughts: choose another name/],
    [() => games.decide({ position: start }), TavliError, /draughts has none/],
    [() => games.decide({ position: { game: "plakoto" } }), TavliError, /plakoto has dice: name a roll/],
    [() => games.decide({ position: { game: "plakoto" }, roll: "31", plays: ["24/19"] }), TavliError, /'24\/19' is neither a play of 31/],
    [() => games.decide({ position: { game: "plakoto" }, roll: "31", plays: [LONG] }), TavliError, /is neither a play of 31/],
    [() => games.decide({ position: { game: "plakoto" }, roll: "31", plays: [] }), TavliError, /no plays are named/],
    [() => games.decide({ position: { game: "plakoto" }, roll: "31", plays: "24/20" }), TypeError, /plays are an array/],
    [() => games.decide({ position: { game: "plakoto" }, roll: "31", within: -1 }), RangeError, /within: give a number from 0 on/],
    [() => games.decide({ position: { game: "plakoto" }, roll: "31", trials: 0 }), RangeError, /trials: give a whole number from 1/],
    [() => games.decide({ position: { game: "plakoto" }, roll: "31", cube: true }), TypeError, /unknown option "cube": choose from position, seed, roll/],
    [() => games.decide({ position: { game: "plakoto" }, roll: "31", seconds: 1 }), TypeError, /unknown option "seconds"/],
    [() => bare.decide({ position: { game: "fevga" }, roll: "31" }), TavliError, /call loadPlayer\("fevga", "strong"\) first/],
    [() => pool.decide({ position: { game: "fevga" }, roll: "31" }), TavliError, /call loadPlayer\("fevga", "strong"\) first/],
    [() => pool.decide({ position: { game: "fevga" }, roll: "31", seconds: 0 }), RangeError, /seconds: give a number above 0/],
    [() => pool.loadPlayer("draughts", "strong"), RangeError, /there is no file of a player of "draughts"/],
    [() => games.search({ position: start, simulations: 0.5 }), RangeError, /simulations: give a whole number from 1/],
    [() => games.search({ position: start, roll: "31", simulations: 10 }), TavliError, /has no dice/],
    [() => games.search({ position: { game: "tictactoe", text: "XXX/OO-/--- O" }, simulations: 10 }), TavliError, /the game is already over/],
    [() => pool.search({ position: start, roll: "31", simulations: 10 }), TavliError, /has no dice/],
    [() => pool.playouts({ position: { game: "chess" }, games: 10 }), TavliError, /'chess' is not one of the games/],
    [() => pool.playouts({ position: start, games: 10, signal: true }), TypeError, /AbortSignal/],
    [() => GamesPool.start({ workers: 0 }), RangeError, /workers/],
    [() => games.position(LONG), TavliError, /is not one of the games/],
    [() => games.position("draughts", LONG), TavliError, /./],
    [() => games.position("tictactoe", LONG), TavliError, /is not three rows/],
    [() => games.position("draughts", "start", { rules: LONG }), TavliError, /is not a set of rules of draughts/],
    [() => games.position("draughts", "start", { [LONG]: 1 }), TypeError, /unknown option/],
    [() => games.plays({ game: "fevga" }, LONG), TavliError, /is not a roll/],
    [() => games.evaluate({ game: "fevga" }, { player: LONG }), TavliError, /is not an evaluator of fevga/],
    [() => games.evaluate({ game: "fevga" }, { player: `${LONG}+1ply` }), TavliError, /is loaded/],
    [() => games.givePlayer("fevga", LONG, new Uint8Array(9)), TavliError, /it is not a file of a net/],
    [() => games.loadPlayer("fevga", LONG), RangeError, /there is no file/],
  ];
  for (const [call, kind, message] of cases) {
    await assert.rejects(async () => call(), (error) => {
      assert.ok(error instanceof kind, `${call}: ${error.stack}`);
      assert.match(error.message, message);
      assert.ok(error.message.length < 1000 && !error.message.includes("\u001b"), `${call}: a message to show`);
      return true;
    });
  }
  // The module and the pool go on.
  assert.equal(games.plays(start).length, 7);
  assert.equal((await pool.playouts({ position: start, games: 10 })).counts.games, 10);
  pool.close();
  await assert.rejects(pool.playouts({ position: start, games: 10 }), /the pool is closed/);
});
