// The package against golden data and the command, digit for digit, and with bad input.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";

import { AbortError, Pool, TavliError, load } from "../package/index.js";
import { rows, unknown } from "./golden.mjs";
import { native, skip } from "./native.mjs";
import { withWorkers } from "./workers.mjs";

const START = "4HPwATDgc/ABMA";
/** The same with the roll 31. */
const ROLLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
const tavli = await load();
for (const name of ["td80", "fast", "strong"]) await tavli.loadPlayer(name);

/** What the two may differ in: how long it took. */
const values = ({ seconds, gamesPerSecond, ...rest }) => rest;

test("the module runs the tier that it is built for", () => {
  assert.equal(tavli.about.tier, "simd128");
});

test("plays are the golden ones", { skip: unknown }, () => {
  let checked = 0;
  for (const [position, roll, , number, results] of rows("plays.tsv.gz")) {
    const plays = tavli.plays(position, roll);
    assert.equal(plays.length, Number(number), `${position} ${roll}`);
    const ids = plays.map((play) => play.positionId);
    assert.deepEqual(ids.sort().join(","), results);
    checked += 1;
  }
  assert.ok(checked > 1000, `${checked} rows`);
});

test("positions are read in every format and written back", () => {
  const start = tavli.position(START);
  assert.equal(start.pips, 167);
  for (const same of [start.xgid, start.points, Int8Array.from(start.points), start]) {
    assert.deepEqual(tavli.position(same), start);
  }
  assert.equal(tavli.position(ROLLED).roll, "31");
  assert.deepEqual(tavli.plays(ROLLED), tavli.plays(START, [3, 1]));
});

test("playouts are those of the command", { skip }, () => {
  for (const [given, options] of [
    [{}, []],
    [{ rules: "mcgammon", seed: 7n }, ["--rules", "mcgammon", "--seed", "7"]],
    [{ policy: "pubeval", policyOpponent: "td80", firstRoll: "stratified" },
     ["--policy", "pubeval", "--policy-opponent", "td80", "--first-roll", "stratified"]],
    [{ position: ROLLED }, []],
  ]) {
    const games = given.policy ? 300 : 20_000;
    const theirs = native("playout", given.position ?? START, "--games", String(games), ...options);
    const ours = tavli.playouts({ position: START, games, ...given });
    assert.deepEqual(ours.counts.outcomes, Object.values(theirs.outcomes));
    assert.equal(ours.equity.mean, theirs.equity);
    assert.equal(ours.win.standardError, theirs.se_win);
    assert.equal(ours.meanPlies.mean, theirs.mean_plies);
    assert.equal(ours.counts.longest, theirs.longest_game);
  }
});

test("rollouts are those of the command", { skip }, () => {
  for (const [given, options] of [
    [{ policy: "uniform", trials: 1000 }, ["--policy", "uniform", "--trials", "1000"]],
    [{ roll: "31", policy: "uniform", trials: 100 }, ["31", "--policy", "uniform", "--trials", "100"]],
    [{ trials: 36 }, ["--trials", "36"]],
    [{ rules: "mcgammon", trials: 360 }, ["--rules", "mcgammon", "--trials", "360"]],
    [{ roll: "31", policy: "uniform", plays: ["8/5 6/5", "13/9"], jsd: 2, seed: 5 }, ["31", "--policy", "uniform", "--play", "8/5 6/5", "--play", "13/9", "--stop-jsd", "2", "--seed", "5"]],
    [{ policy: "td80", truncate: 7, trials: 72 }, ["--policy", "td80", "--truncate", "7", "--trials", "72"]],
    [{ policy: "uniform", truncate: 2, trials: 36 }, ["--policy", "uniform", "--truncate", "2", "--trials", "36"]],
    [{ truncate: 7, evaluator: "none", trials: 72 }, ["--truncate", "7", "--evaluator", "none", "--trials", "72"]],
    [{ policy: "fast", truncate: 7, evaluator: "fast", trials: 72 },
     ["--policy", "fast", "--truncate", "7", "--evaluator", "fast", "--trials", "72"]],
  ]) {
    const theirs = native("rollout", START, ...options);
    const ours = tavli.rollout({ position: START, ...given });
    assert.equal(ours.trials, theirs.trials);
    assert.equal(ours.endedBy, theirs.ended_by);
    assert.equal(ours.candidates.length, theirs.candidates.length);
    ours.candidates.forEach((candidate, at) => {
      const its = theirs.candidates[at];
      assert.equal(candidate.moves, its.moves);
      assert.equal(candidate.positionId, its.position_id);
      for (const [name, field] of [["equity", "equity"], ["win", "win"], ["loseGammon", "lose_gammon"], ["behind", "behind"]]) {
        assert.equal(candidate[name].mean, its[field]);
        assert.equal(candidate[name].rawMean, its[`raw_${field}`]);
        assert.equal(candidate[name].standardError, its[`se_${field}`]);
        assert.equal(candidate[name].low, its[`low_${field}`]);
        assert.equal(candidate[name].high, its[`high_${field}`]);
      }
    });
  }
});

test("intervals of plays that seldom differ are the command's, to the last digit", { skip }, () => {
  for (const [position, roll, plays, trials, seed] of [
    ["bjMAALgdAAAAAA", "31", 3, 20, 2042],
    ["bjMAALgdAAAAAA", "52", 3, 36, 2117],
    ["NwAAABsAAAAAAA", "31", 3, 20, 2078],
    ["NwAAABsAAAAAAA", "21", 3, 72, 2223],
  ]) {
    const chosen = tavli.plays(position, roll).slice(0, plays).map(({ moves }) => moves);
    const options = ["--policy", "uniform", "--trials", `${trials}`, "--seed", `${seed}`];
    const theirs = native("rollout", position, roll, ...chosen.flatMap((play) => ["--play", play]), ...options);
    const ours = tavli.rollout({ position, roll, plays: chosen, policy: "uniform", trials, seed });
    ours.candidates.slice(1).forEach(({ behind }, at) => {
      const { low_equity: low, high_equity: high } = theirs.differences.find(({ less_rank }) => less_rank === at + 2);
      assert.deepEqual([behind.low, behind.high], [low, high]);
    });
  }
});

test("decisions are those of the command", { skip }, () => {
  for (const [given, options] of [
    [{ roll: "31" }, ["31"]],
    [{ roll: [5, 2], within: 0.03, seed: 4 }, ["52", "--within", "0.03", "--seed", "4"]],
    [{ roll: "31", plays: ["24/23 13/10", "13/9"], trials: 36 }, ["31", "--play", "24/23 13/10", "--play", "13/9", "--within", "0.01", "--trials", "36"]],
  ]) {
    const theirs = native("rollout", START, ...options);
    const ours = tavli.decide({ position: START, ...given });
    assert.equal(ours.trials, theirs.trials);
    assert.equal(ours.endedBy, theirs.ended_by);
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
    ours.candidates.forEach((candidate, at) => assert.equal(candidate.equity.mean, theirs.candidates[at].equity));
  }
});

test("players value positions and plays as the command does", { skip }, () => {
  for (const [player, rules] of [["td80"], ["fast"], ["fast+1ply"], [undefined], [undefined, "mcgammon"]]) {
    const asked = [...(player ? ["--evaluator", player] : []), ...(rules ? ["--rules", rules] : [])];
    const theirs = native("evaluate", START, ...asked);
    const ours = tavli.evaluate(START, { player, rules });
    assert.equal(ours.equity, theirs.equity);
    assert.equal(ours.win, theirs.win);
    const plays = native("evaluate", START, "31", ...asked).plays;
    const ranked = tavli.evaluatePlays(START, "31", { player, rules });
    assert.deepEqual(ranked.map((play) => [play.moves, play.equity]), plays.map((play) => [play.moves, play.equity]));
  }
});

/** The opening at 3-5 in a match to 7, and a bear-off of a money game with the Jacoby rule, as texts with cube and score. */
const MATCH = "4HPwATDgc/ABMA:cAngAFAAGAAE";
const BEAROFF = "XGID=-BA--A-----------------ab-:0:0:1:00:0:0:1:0:10";

/** A cube decision in the names of the command. */
const decided = ({ noDouble, doubleTake, doublePass, action }) => ({
  no_double: noDouble,
  double_take: doubleTake,
  double_pass: doublePass,
  action,
});

test("positions have their cubes and scores", () => {
  const { matchId, xgid, points, ...read } = tavli.position(MATCH);
  assert.equal(`${read.positionId}:${matchId}`, MATCH);
  const { cube, cubeOwner, matchLength, score, opponentScore, crawford } = read;
  assert.deepEqual([cube, cubeOwner, matchLength, score, opponentScore, crawford], [1, null, 7, 3, 5, false]);
  const owned = tavli.position("XGID=-b----E-C---eE---c-e----B-:2:1:1:00:0:0:3:0:10");
  assert.deepEqual([owned.cube, owned.cubeOwner, owned.matchLength], [4, "on_roll", 0]);
  assert.deepEqual([owned.jacoby, owned.beavers], [true, true]);
});

test("remarks are those of the command, on the last call and in the results of jobs", async (context) => {
  // The mark of the Crawford game at 4-2 in a match to 7.
  const text = "XGID=---bB-DCC-B-cA---a-dabb---:2:1:1:00:4:2:1:7:10";
  tavli.position(text);
  const { remarks } = tavli;
  assert.equal(remarks.length, 1);
  assert.ok(remarks[0].startsWith(`'${text}': `), remarks[0]);
  if (!skip) assert.ok(native("position", text).remarks.some((remark) => remark.endsWith(remarks[0])));
  tavli.plays(text, "31");
  assert.deepEqual(tavli.remarks, remarks);
  assert.deepEqual(tavli.rollout({ position: text, trials: 36 }).remarks, remarks);
  assert.deepEqual(tavli.remarks, remarks);
  tavli.plays(START, "31");
  assert.deepEqual(tavli.remarks, []);
  const rules = "hypergammon";
  tavli.evaluatePlays("AACgAgAAKgAAAA", "31", { player: "fast", rules });
  assert.match(tavli.remarks[0], /^the player 'fast' has not learned hypergammon: its values are far off/);
  const pool = await Pool.start({ workers: 1 });
  context.after(() => pool.close());
  assert.deepEqual((await pool.rollout({ position: text, policy: "uniform", trials: 36 })).remarks, remarks);
  const ignored = "the position's cube and score are ignored: its games count points without them";
  assert.deepEqual((await pool.playouts({ position: text, games: 36 })).remarks, [...remarks, ignored]);
  const turned = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10";
  assert.deepEqual(tavli.playouts({ position: turned, games: 36 }).remarks, [ignored]);
  assert.deepEqual(tavli.remarks, [ignored]);
  if (!skip) assert.ok(native("playout", turned, "--games", "36").remarks.includes(`remark: ${ignored}`));
  assert.deepEqual(tavli.playouts({ position: START, games: 36 }).remarks, []);
});

test("positions and plays are valued with the cube as the command does", { skip }, () => {
  for (const position of [MATCH, BEAROFF]) {
    const theirs = native("evaluate", position);
    const ours = tavli.evaluate(position, { cube: true });
    assert.deepEqual(decided(ours.cube), theirs.cube);
    assert.equal(ours.equity, theirs.equity);
    const { win, winGammon, winBackgammon, loseGammon, loseBackgammon } = ours;
    const [values] = tavli.cubeValues([[win, winGammon, winBackgammon, loseGammon, loseBackgammon]], [position]);
    assert.deepEqual(values, ours.cube);
    const plays = native("evaluate", position, "31").plays;
    const ranked = tavli.evaluatePlays(position, "31", { cube: true });
    assert.deepEqual(ranked.map((play) => [play.moves, play.cubeful]), plays.map((play) => [play.moves, play.cubeful_equity]));
  }
  assert.equal(tavli.evaluate(MATCH).cube, null);
  assert.equal(tavli.evaluatePlays(MATCH, "31")[0].cubeful, null);
});

test("rollouts with the cube are those of the command", { skip }, () => {
  for (const [given, options] of [
    [{ position: MATCH, trials: 36 }, [MATCH, "--trials", "36"]],
    [{ position: MATCH, trials: 36, policy: "fast+cube" }, [MATCH, "--trials", "36", "--policy", "fast+cube"]],
    [{ position: BEAROFF, trials: 36 }, [BEAROFF, "--trials", "36"]],
    [{ position: MATCH, roll: "31", plays: ["8/5 6/5", "13/9"], trials: 36 },
     [MATCH, "31", "--play", "8/5 6/5", "--play", "13/9", "--trials", "36"]],
  ]) {
    const theirs = native("rollout", ...options);
    const ours = tavli.rollout({ ...given, cube: true });
    ours.candidates.forEach((candidate, at) => {
      assert.equal(candidate.cubeful.mean, theirs.candidates[at].cubeful);
      assert.equal(candidate.cubeful.standardError, theirs.candidates[at].se_cubeful);
    });
    if (given.roll) {
      assert.equal(ours.cube, null);
    } else {
      assert.deepEqual(ours.candidates.map(({ cube }) => cube).sort(), ["double_take", "no_double"]);
      const { noDouble, doubleTake, doublePass, seNoDouble, seDoubleTake, action } = ours.cube;
      assert.deepEqual(
        { no_double: noDouble, se_no_double: seNoDouble, double_take: doubleTake, se_double_take: seDoubleTake, double_pass: doublePass, action },
        theirs.cube,
      );
    }
  }
});

test("a pool plays what one thread plays, whatever the number of workers", async () => {
  const games = { position: START, games: 30_000, seed: 3 };
  const rollout = { position: START, roll: "31", policy: "uniform", trials: 1296, seed: 3 };
  const looked = { position: START, roll: "31", plays: ["8/5 6/5", "24/23 13/10", "13/9"], jsd: 2, policy: "fast" };
  const choice = { position: START, roll: "52", within: 0.05 };
  const doubled = { position: MATCH, cube: true, policy: "fast+cube", trials: 72 };
  const alone = [tavli.playouts(games), tavli.rollout(rollout), tavli.rollout(looked), tavli.decide(choice), tavli.rollout(doubled)].map(values);
  for (const workers of [1, 2, 3]) {
    const pool = await Pool.start({ workers });
    assert.equal(pool.workers, workers);
    await pool.loadPlayer("fast");
    await pool.loadPlayer("strong");
    // All at once: their chunks are mixed.
    const jobs = [pool.playouts(games), pool.rollout(rollout), pool.rollout(looked), pool.decide(choice), pool.rollout(doubled)];
    const shared = await Promise.all(jobs);
    pool.close();
    assert.deepEqual(shared.map(values), alone);
    await assert.rejects(pool.playouts(games), /the pool is closed/);
  }
});

test("a decision ends when its time is out", async (context) => {
  const pool = await Pool.start({ workers: 2 });
  context.after(() => pool.close());
  for (const name of ["fast", "strong"]) await pool.loadPlayer(name);
  const { decision, endedBy } = await pool.decide({ position: START, roll: "52", within: 0, trials: 1e9, seconds: 0.1 });
  assert.equal(endedBy, "time");
  assert.equal(decision.within, 0);
});

/** A pool of two workers with the players of decisions. */
async function deciding(context) {
  const pool = await Pool.start({ workers: 2 });
  context.after(() => pool.close());
  for (const name of ["fast", "strong"]) await pool.loadPlayer(name);
  return pool;
}

test("a decision without time for a trial has the order of the values", async (context) => {
  const pool = await deciding(context);
  for (const [given, rules] of [[{}], [{ cube: true, position: MATCH }], [{ plays: ["13/9 24/21", "13/10 13/9", "24/20 13/10"] }], [{}, "mcgammon"]]) {
    for (const roll of given.plays ? ["43"] : ["43", "21", "65", "52"]) {
      const position = given.position ?? START;
      const asked = { position, roll, rules, within: 0, trials: 1e9, ...given };
      const { trials, candidates, decision, endedBy } = await pool.decide({ ...asked, seconds: 1e-6 });
      assert.deepEqual([trials, endedBy, decision.verdict], [0, "time", "open"]);
      const valued = tavli.evaluatePlays(position, roll, { rules, cube: given.cube });
      const left = new Set(candidates.map(({ positionId }) => positionId));
      const ordered = valued.filter(({ positionId }) => left.has(positionId)).map(({ moves }) => moves);
      assert.deepEqual(candidates.map(({ moves }) => moves), ordered, roll);
      assert.deepEqual([decision.play, ...decision.equalPlays], ordered, roll);
      if (!given.plays) assert.equal(decision.play, valued[0].moves);
    }
  }
});

test("a decision keeps its time on a pool that has just started, and plays in it", async (context) => {
  const pool = await deciding(context);
  for (const seconds of [0.5, 1.5]) {
    const start = performance.now();
    const { trials } = await pool.decide({ position: START, roll: "43", within: 0, trials: 1e9, seconds });
    const late = performance.now() - start - 1000 * seconds;
    assert.ok(late < 150, `${late} ms`);
    if (seconds > 1) assert.ok(trials > 0);
  }
});

test("a decision without time leaves its workers their table of bear-offs to make", async (context) => {
  const { pool, workers } = await withWorkers(() => deciding(context));
  const asked = { position: BEAROFF, roll: "21", within: 0, trials: 1e9 };
  const { trials, decision } = await pool.decide({ ...asked, seconds: 0.05 });
  assert.deepEqual([trials, decision.play], [0, tavli.evaluatePlays(BEAROFF, "21")[0].moves]);
  const again = await pool.decide({ ...asked, seconds: 5 });
  assert.ok(again.trials > 0);
  assert.ok(workers.every(({ threadId }) => threadId > 0), "none was started anew");
});

test("a decision hears an abort at once, and has its plays", async (context) => {
  const pool = await deciding(context);
  for (const wait of [0, 30, 300]) {
    const abort = new AbortController();
    let start;
    setTimeout(() => {
      start = performance.now();
      abort.abort();
    }, wait);
    const asked = { position: START, roll: "43", within: 0, trials: 1e9, signal: abort.signal };
    const error = await pool.decide(asked).catch((error) => error);
    const took = performance.now() - start;
    assert.ok(error instanceof AbortError, error);
    assert.ok(took < 300, `${took} ms`);
    assert.equal(error.result.endedBy, "cancelled");
    if (error.result.trials === 0) assert.equal(error.result.decision.play, "13/10 13/9");
  }
});

test("a worker that ends fails the jobs of its pool", async (context) => {
  for (const isIdle of [false, true]) {
    const { pool, workers } = await withWorkers(() => Pool.start({ workers: 2 }));
    context.after(() => pool.close());
    const [job] = isIdle ? [] : [pool.playouts({ position: START, games: 1e9 }).catch((error) => error)];
    await workers[0].terminate();
    if (job) assert.match((await job).message, /^a worker ended, with status 1: start another pool$/);
    await new Promise(setImmediate);
    for (const later of [
      () => pool.playouts({ position: START, games: 1 }),
      () => pool.rollout({ position: START, policy: "uniform", trials: 1 }),
      () => pool.loadPlayer("fast"),
    ]) {
      await assert.rejects(later, /a worker ended/);
    }
  }
});

test("an abort does not take a worker that is started anew for one that ended", async (context) => {
  const pool = await Pool.start({ workers: 1 });
  context.after(() => pool.close());
  const endless = (signal) => pool.playouts({ position: START, games: 10, policy: "sampled:4000000000", signal });
  // The second is aborted while the worker starts anew for the first.
  const jobs = [endless(AbortSignal.timeout(20)), endless(AbortSignal.timeout(40))];
  for (const job of jobs) await assert.rejects(job, AbortError);
  assert.equal((await pool.playouts({ position: START, games: 20 })).counts.games, 20);
});

test("a listener that fails fails its job, at once or later", async (context) => {
  const pool = await Pool.start({ workers: 2 });
  context.after(() => pool.close());
  const mine = new Error("mine");
  for (const onProgress of [
    () => {
      throw mine;
    },
    async () => {
      throw mine;
    },
    () => new Promise((_, reject) => setTimeout(reject, 300, mine)),
  ]) {
    for (const job of [
      { run: "playouts", games: 1e6 },
      { run: "rollout", policy: "uniform", trials: 30_000 },
    ]) {
      const { run, ...asked } = job;
      await assert.rejects(pool[run]({ position: START, ...asked, onProgress }), mine);
    }
  }
  assert.equal((await pool.playouts({ position: START, games: 20 })).counts.games, 20);
});

test("a job waits for its listener, but not once it is aborted", async (context) => {
  const pool = await Pool.start({ workers: 2 });
  context.after(() => pool.close());
  let done = 0;
  const onProgress = () => new Promise((resolve) => setTimeout(() => resolve((done += 1)), 200));
  let told = 0;
  await pool.playouts({ position: START, games: 300_000, onProgress: () => (told++, onProgress()) });
  assert.ok(told > 0 && done === told, `${done} of ${told}`);
  const abort = new AbortController();
  const never = () => {
    setTimeout(() => abort.abort(), 50);
    return new Promise(() => {});
  };
  await assert.rejects(pool.playouts({ position: START, games: 1e10, signal: abort.signal, onProgress: never }), AbortError);
});

test("options that are null are left out", async (context) => {
  const pool = await Pool.start({ workers: 1 });
  context.after(() => pool.close());
  const nothing = { rules: null, seed: null, policy: null, signal: null, onProgress: null };
  assert.equal((await pool.playouts({ position: START, games: 20, ...nothing })).counts.games, 20);
});

test("a damaged file is refused where it is given, and the sound one stays", async () => {
  const own = await load();
  for (const name of ["td80", "fast", "strong"]) {
    const file = readFileSync(new URL(`../package/players/${name}.player`, import.meta.url));
    const damaged = Uint8Array.from(file);
    damaged[damaged.length >> 1] ^= 0x40;
    const give = () => own.givePlayer(name, damaged);
    assert.throws(give, /cannot use .*\.player: it is damaged/);
    assert.throws(() => own.evaluate(START, { player: name }), /is not loaded/);
    own.givePlayer(name, file);
    assert.throws(give, /it is damaged/);
    assert.deepEqual(own.evaluate(START, { player: name }), tavli.evaluate(START, { player: name }));
  }
});

test("a net is not read at every call", () => {
  const start = performance.now();
  for (let call = 0; call < 50; call++) tavli.evaluate(START, { player: "strong" });
  const took = (performance.now() - start) / 50;
  // Reading it takes 50 ms and more.
  assert.ok(took < 15, `${took} ms a call`);
});

test("what position() returned is read back, and a changed field is not passed over", () => {
  const crosswise = [0, 1, 2, 3].flatMap((log2) =>
    ["0:1:00:0:0:0:0", "1:1:31:2:1:0:7", "1:-1:00:3:4:1:5", "-1:-1:65:0:0:3:0", "0:1:00:24:24:0:25"].map((rest) =>
      `XGID=-b----E-C---eE---c-e----B-:${log2}:${rest}:10`),
  );
  let read = 0;
  for (const text of [START, MATCH, BEAROFF, ...crosswise]) {
    let position;
    try {
      position = tavli.position(text);
    } catch {
      continue; // such as a cube that is owned at 1
    }
    read += 1;
    assert.deepEqual(tavli.position(position), position, text);
    assert.deepEqual(tavli.position(JSON.parse(JSON.stringify(position))), position, text);
    const { positionId, matchId, xgid } = position;
    assert.equal(tavli.position({ positionId, matchId }).positionId, positionId);
    assert.deepEqual(tavli.position({ positionId, xgid }), position, text);
    const over = { score: 1, opponentScore: 1, matchLength: 9, cube: 32, cubeOwner: "both", crawford: 1, jacoby: 1, beavers: 1 };
    const others = { ...over, roll: "22", points: position.points.with(0, -9), pips: 1, matchId: "x", positionId: "y" };
    for (const [name, value] of Object.entries(others)) {
      if (position[name] === value) continue;
      assert.throws(() => tavli.position({ ...position, [name]: value }), new RegExp(`the field "${name}" of a position`), text);
    }
  }
  assert.ok(read > 12, `${read} positions`);
});

test("what users call is all that they see", async (context) => {
  const pool = await Pool.start({ workers: 1 });
  context.after(() => pool.close());
  const shown = (object) => {
    const names = [object, Object.getPrototypeOf(object)].flatMap((level) => Object.getOwnPropertyNames(level));
    return names.filter((name) => name !== "constructor").sort().join(" ");
  };
  assert.equal(Object.getPrototypeOf(Object.getPrototypeOf(tavli)), Object.prototype);
  assert.equal(shown(tavli), "about cubeValues decide evaluate evaluatePlays givePlayer loadPlayer playouts plays position remarks rollout");
  assert.equal(shown(pool), "close decide loadPlayer playouts rollout workers");
});

test("an aborted job has what was played until then", async (context) => {
  const pool = await Pool.start({ workers: 2 });
  context.after(() => pool.close());
  for (const job of [
    (options) => pool.playouts({ position: START, games: 1e10, ...options }),
    (options) => pool.rollout({ position: START, policy: "uniform", trials: 1e12, ...options }),
  ]) {
    const abort = new AbortController();
    let seen = 0;
    const onProgress = (result) => {
      seen = result.trials ?? result.counts.games;
      if (seen > 1000) abort.abort("enough");
    };
    const error = await job({ signal: abort.signal, onProgress }).catch((error) => error);
    assert.ok(error instanceof AbortError, error);
    assert.equal(error.name, "AbortError");
    assert.equal(error.cause, "enough");
    const { result } = error;
    const number = result.trials ?? result.counts.games;
    assert.ok(number >= seen && number < 1e9);
    if (result.counts) {
      assert.deepEqual(values(tavli.playouts({ position: START, games: number })), values(result));
    }
    const nothing = await job({ signal: AbortSignal.abort() }).catch((error) => error);
    assert.equal(nothing.result, null);
  }
});

test("first chunks are short, so that an abort need not wait for a slow player", async (context) => {
  const pool = await Pool.start({ workers: 1 });
  context.after(() => pool.close());
  const abort = new AbortController();
  const job = pool.playouts({ position: START, games: 1000, signal: abort.signal });
  abort.abort();
  const { result } = await job.catch((error) => error);
  // One in work, and one that waits.
  assert.equal(result.counts.games, 2);
});

test("an abort ends a game that takes hours and a table that takes minutes, and leaves the other jobs alone", async (context) => {
  const pool = await Pool.start({ workers: 1 });
  context.after(() => pool.close());
  const endless = "sampled:4000000000";
  // In the home board: the first trial asks a table of minutes.
  const race = [0, 3, 2, ...Array(20).fill(0), -2, -3, 0];
  const solving = "pubeval+bearoff:7x9";
  const other = pool.rollout({ position: START, trials: 3, seed: 5, policy: "uniform" });
  for (const [job, begun] of [
    [(signal) => pool.playouts({ position: START, games: 10, policy: endless, signal }), () => {}],
    // The worker has begun the rollout when it has the player, and its first chunks follow.
    [
      (signal) => pool.rollout({ position: START, trials: 10, truncate: 1, policy: "uniform", evaluator: endless, signal }),
      () => pool.loadPlayer("fast"),
    ],
    [(signal) => pool.playouts({ position: race, games: 10, policy: solving, signal }), () => {}],
    [
      (signal) => pool.rollout({ position: race, trials: 10, policy: solving, signal }),
      () => pool.loadPlayer("fast"),
    ],
    [
      (signal) => pool.rollout({ position: race, trials: 10, policy: "pubeval+bearoff:10", signal }),
      () => pool.loadPlayer("fast"),
    ],
  ]) {
    const abort = new AbortController();
    const running = job(abort.signal).catch((error) => error);
    await begun();
    abort.abort("enough");
    const error = await running;
    assert.ok(error instanceof AbortError, error);
    assert.equal(error.result, null);
  }
  assert.equal((await other).trials, 3);
  const { counts } = await pool.playouts({ position: START, games: 20 });
  assert.deepEqual(counts, tavli.playouts({ position: START, games: 20 }).counts);
});

test("a module that could not be read is read again", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "tavli-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const source = fileURLToPath(new URL("../package/", import.meta.url));
  cpSync(source, folder, { recursive: true, filter: (file) => !file.endsWith(".wasm") });
  const { load } = await import(pathToFileURL(join(folder, "index.js")).href);
  await assert.rejects(load(), /tavli\.wasm/);
  cpSync(join(source, "tavli.wasm"), join(folder, "tavli.wasm"));
  assert.equal((await load()).plays(START, "31").length, 16);
});

test("it runs in a worker", async () => {
  const source = `
    import { parentPort } from "node:worker_threads";
    const { load } = await import(${JSON.stringify(new URL("../package/index.js", import.meta.url).href)});
    parentPort.postMessage((await load()).plays("${START}", "65").length);
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  assert.equal(await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject)), 7);
});

test("bad input is refused in words", async (context) => {
  const pool = await Pool.start({ workers: 1 });
  context.after(() => pool.close());
  const bare = await load();
  const over = Array(26).fill(0).with(6, 1);
  const cases = [
    [() => tavli.position("nonsense"), TavliError, /nonsense/],
    [() => new Pool(), TypeError, /a pool is started by Pool\.start\(\)/],
    [() => tavli.position({ ...tavli.position(START), fen: 1 }), TypeError, /unknown field "fen" of a position: give what position\(\) returned/],
    [() => pool.playouts({ position: { ...tavli.position(START), roll: "31" }, games: 1 }), RangeError, /the field "roll" of a position is "31", but its xgid says null: give a text that says it, such as an XGID/],
    [() => pool.rollout({ position: { ...tavli.position(START), matchLength: 7, score: 3 }, cube: true }), RangeError, /the field "matchLength" of a position is 7, but its xgid says 0/],
    [() => tavli.cubeValues([[0.5, 0, 0, 0, 0]], [{ ...tavli.position(START), cube: 4 }]), RangeError, /the field "cube"/],
    [() => tavli.plays({ ...tavli.position(START), points: Array(26).fill(0) }, "31"), RangeError, /the field "points" of a position is not that of its xgid/],
    [() => tavli.plays(START, [3, 1, 1]), TypeError, /a roll is a text such as "31" or two dice such as \[3, 1\], not \[3,1,1\]/],
    [() => tavli.evaluate(START, { player: "players/fast.player" }), TavliError, /^unknown evaluator 'players\/fast\.player'; choose one of: td80, fast, strong, sampled, sampled:GAMES, sampled:GAMES:POLICY; \+2ply/],
    [() => tavli.evaluate(START, { player: "fast+bearoff:mine.bd" }), TavliError, /^invalid bear-off table 'mine\.bd': it is not a size; write 6x6 for a two-sided table, 6 for a one-sided one, after/],
    [() => tavli.rollout({ position: START, roll: "31", plays: [, "8/5 6/5"], policy: "uniform", trials: 2 }), TypeError, /plays are an array of texts/],
    [() => bare.evaluate(START, { player: "fast" }), TavliError, /^the player 'fast' is not loaded: call loadPlayer\("fast"\) first$/],
    [() => tavli.position("\ud800"), TavliError, /position/],
    [() => tavli.position({ length: 25 }), RangeError, /has 26 of them, not 25/],
    [() => tavli.evaluate(START, { player: "pubeval" + "+1ply".repeat(100_000) }), TavliError, /write 8 at most/],
    [() => tavli.playouts({ position: START, games: 1, signal: AbortSignal.abort() }), TypeError, /unknown option "signal"/],
    [() => tavli.givePlayer("fast"), TypeError, /the file of a player is a Uint8Array, not undefined/],
    [() => tavli.givePlayer("fast", new Int8Array(8)), TypeError, /a Uint8Array, not Int8Array/],
    [() => tavli.givePlayer("fast", runInNewContext("new Uint8Array(9)")), TavliError, /not the file/],
    [() => tavli.givePlayer(7, new Uint8Array(8)), TypeError, /player is a text/],
    [() => tavli.givePlayer("pubeval", new Uint8Array(8)), RangeError, /there is no file of a player "pubeval": choose from td80, fast, strong/],
    [() => tavli.playouts({ position: ROLLED, games: 1, firstRoll: "66" }), TavliError, /the position has the roll 31, and the first roll is 66/],
    [() => tavli.evaluate(ROLLED), TavliError, /a position is valued before its roll, and this one has the roll 31/],
    [() => tavli.cubeValues([[0.5, 0, 0, 0, 0]], [ROLLED]), TavliError, /^row 0: a position is valued before its roll, and this one has the roll 31/],
    [() => tavli.position(), TypeError, /a position is a text/],
    [() => tavli.position([1, 2]), RangeError, /has 26 of them, not 2/],
    [() => tavli.position(Array(26).with(3, 16)), RangeError, /number 0 of a position: give a whole number, -15 to 15, not undefined/],
    [() => tavli.position(Array(26).fill(0).with(3, 16)), RangeError, /number 3 of a position: .*, not 16/],
    [() => tavli.plays(tavli.position(START), [3.5, 1]), TypeError, /two dice such as \[3, 1\], not \[3.5,1\]/],
    [() => tavli.position(Array(26).fill(9)), TavliError, /./],
    [() => tavli.position(START, { rules: "chess" }), TavliError, /chess/],
    [() => tavli.plays(START), TavliError, /name the roll/],
    [() => tavli.plays(START, "70"), TavliError, /70/],
    [() => tavli.plays(START, 31), TypeError, /a roll is a text/],
    [() => tavli.plays(START, ["\ud800", 1]), TavliError, /\ufffd1/],
    [() => tavli.playouts({ position: START }), TypeError, /how many games/],
    [() => tavli.playouts({ position: START, games: 0 }), RangeError, /games: give a whole number from 1 to 10000000000, not 0/],
    [() => tavli.playouts({ position: START, games: 1.5 }), RangeError, /1\.5/],
    [() => tavli.playouts({ position: START, games: 1e11 }), RangeError, /games/],
    [() => tavli.playouts({ position: START, games: 1, truncate: 2 ** 32 }), RangeError, /truncate/],
    [() => tavli.evaluate(START, { "\x1b[31mx\x07": 1 }), TypeError, /unknown option "\\u\{1b\}\[31mx\\u\{7\}": choose/],
    [() => tavli.position(START, "y".repeat(1_000_000)), TypeError, /an object, not "y{100}…"$/],
    [() => tavli.position(Object.create(null)), TypeError, /what position\(\) returned, not \[object Object\]$/],
    [() => tavli.playouts({ position: START, games: 1n }), RangeError, /, not 1n$/],
    [() => tavli.playouts({ position: START, games: [] }), RangeError, /, not \[\]$/],
    [() => tavli.cubeValues(3, [START]), TypeError, /rows of chances are an array or another iterable, not 3/],
    [() => tavli.cubeValues([null], [START]), RangeError, /row 0: chances are five numbers/],
    [() => tavli.decide({ position: START }), TavliError, /the position has no dice: name the roll/],
    [() => tavli.evaluate(START, { playr: "fast" }), TypeError, /unknown option "playr": choose from player, rules/],
    [() => tavli.plays(START, "31", { rule: "mcgammon" }), TypeError, /unknown option "rule"/],
    [() => tavli.playouts({ position: over, games: 1 }), TavliError, /over/],
    [() => tavli.playouts({ position: START, games: 1, seed: -1 }), RangeError, /seed/],
    [() => tavli.playouts({ position: START, games: 1, seed: "18446744073709551616" }), TavliError, /invalid seed/],
    [() => tavli.playouts({ position: START, games: 1, polcy: "fast" }), TypeError, /unknown option "polcy"/],
    [() => tavli.playouts({ position: START, games: 1, policy: "gnubg" }), TavliError, /unknown policy 'gnubg'/],
    [
      () => tavli.playouts({ position: START, games: 1, policy: "pubeval+bearoff:12" }),
      TavliError,
      /a table of 15 checkers on 12 points needs 2225134080 bytes of memory/,
    ],
    [() => bare.playouts({ position: START, games: 1, policy: "strong" }), TavliError, /'strong' is not loaded/],
    [() => bare.evaluate(START), TavliError, /'strong' is not loaded/],
    [() => bare.rollout({ position: START }), TavliError, /'fast' is not loaded/],
    [() => bare.decide({ position: START, roll: "31" }), TavliError, /'strong' is not loaded/],
    [() => tavli.decide({ position: START, roll: "31", within: -1 }), RangeError, /within: give a number from 0 on/],
    [() => tavli.decide({ position: START, roll: "31", policy: "fast" }), TypeError, /unknown option "policy"/],
    [() => tavli.decide({ position: START }), TavliError, /./],
    [() => tavli.rollout({ position: START, trials: NaN }), RangeError, /trials/],
    [() => tavli.rollout({ position: START, standardError: 0 }), RangeError, /standardError: give a number above 0/],
    [() => tavli.rollout({ position: START, plays: ["8/5"] }), TavliError, /name the roll too/],
    [() => tavli.rollout({ position: START, roll: "31", plays: ["8/2"] }), TavliError, /8\/2/],
    [() => tavli.rollout({ position: START, roll: "31", plays: "8/5" }), TypeError, /plays are an array/],
    [() => tavli.evaluate(START, { cube: 1 }), TypeError, /cube is true or false, not 1/],
    [() => tavli.evaluate(START, { cube: true, rules: "hypergammon" }), TavliError, /no efficiency of the cube is known/],
    [() => tavli.rollout({ position: START, cube: true, policy: "uniform" }), TavliError, /gives no outcome probabilities/],
    [() => tavli.rollout({ position: START, cube: true, rules: "hypergammon" }), TavliError, /hypergammon/],
    [() => tavli.cubeValues([[0.5, 0, 0, 0]], [START]), RangeError, /row 0: chances are five numbers/],
    [() => tavli.cubeValues([], [START]), RangeError, /a row of chances for each position, not 0 for 1/],
    [() => tavli.cubeValues([[0.5, 0.6, 0, 0, 0]], [START]), TavliError, /row 0: .* are not chances/],
    [() => tavli.cubeValues([[0.5, 0, 0, 0, 0]], ["nonsense"]), TavliError, /row 0: 'nonsense' is not a position/],
    [() => tavli.cubeValues([[0.5, 0, 0, 0, 0]], ["XGID=-b----E-C---eE---c-e----B-:0:0:1:00:7:3:0:7:10"]), TavliError, /row 0: .*the match is over/],
    [() => tavli.evaluate(START, { player: "pubeval" }), TavliError, /'pubeval' is a policy/],
    [() => tavli.givePlayer("fast", new Uint8Array(9)), TavliError, /not the file of the built-in player 'fast'/],
    [() => tavli.loadPlayer("gnubg"), RangeError, /there is no file of a player "gnubg"/],
    [() => Pool.start({ workers: 0 }), RangeError, /workers/],
    [() => pool.playouts({ position: START, games: 10, policy: "fast" }), TavliError, /'fast' is not loaded/],
    [() => pool.rollout({ position: START, roll: "31", plays: ["8/2"], policy: "uniform" }), TavliError, /8\/2/],
    [() => pool.rollout({ position: START, signal: true }), TypeError, /AbortSignal/],
    [() => pool.rollout({ position: START, onProgress: 1 }), TypeError, /onProgress/],
  ];
  for (const [call, kind, message] of cases) {
    await assert.rejects(async () => call(), (error) => {
      assert.ok(error instanceof kind, `${call}: ${error.stack}`);
      assert.match(error.message, message);
      return true;
    });
  }
  // The module and the pool go on.
  assert.equal(tavli.plays(START, "31").length, 16);
  assert.equal((await pool.playouts({ position: START, games: 10 })).counts.games, 10);
});
