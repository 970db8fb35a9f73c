// The examples of the guide are run as they stand, and give what they say.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const REPOSITORY = new URL("../../../", import.meta.url);
const GUIDE = "tools/web/README.md";

const guide = await readFile(new URL(GUIDE, REPOSITORY), "utf8");
const blocks = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block);

/** What an example has under these names when it has run. */
async function run(block, names) {
  const index = new URL("tools/web/package/index.js", REPOSITORY);
  const example = block.replace('from "tavli"', `from "${index}"`);
  const folder = await mkdtemp(join(tmpdir(), "tavli-"));
  try {
    const file = join(folder, "example.mjs");
    await writeFile(file, `${example}\nexport { ${names} };\n`);
    return await import(pathToFileURL(file));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("there are two examples", () => assert.equal(blocks.length, 2));

test("the example of backgammon", async (context) => {
  context.mock.method(console, "log", () => {});
  const { plays, best, rollout, decision, cube } = await run(blocks[0], "plays, best, rollout, decision, cube");
  assert.equal(plays.length, 16);
  assert.equal(best.moves, "8/5 6/5");
  assert.equal(rollout.trials, 1296);
  const { mean, standardError, low, high } = rollout.candidates[0].equity;
  assert.ok(low < mean && mean < high && standardError > 0);
  assert.equal(cube.action, "Double, take");
  assert.deepEqual([decision.play, decision.verdict], ["8/5 6/5", "best"]);
});

test("the example of other games", async (context) => {
  context.mock.method(console, "log", () => {});
  const names = "outcomes, meanPlies, plays, next, best, searched, decision";
  const { outcomes, meanPlies, plays, next, best, searched, decision } = await run(blocks[1], names);
  assert.deepEqual(Object.keys(outcomes), ["win", "draw", "lose"]);
  assert.ok(meanPlies.mean > 69 && meanPlies.mean < 72);
  assert.equal(plays.length, 7);
  assert.deepEqual(next.numbers.side, [-1]);
  assert.match(best.moves, /^\d+\/\d+/);
  assert.equal(searched.simulations, 200_000);
  assert.match(decision.play, /^\d+\/\d+/);
});
