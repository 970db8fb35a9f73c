// The example of the guide is run as it stands, and gives what it says.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const REPOSITORY = new URL("../../../", import.meta.url);
const GUIDE = "tools/web/README.md";

test("the example of the guide", async (context) => {
  context.mock.method(console, "log", () => {});
  const guide = await readFile(new URL(GUIDE, REPOSITORY), "utf8");
  const blocks = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block);
  assert.equal(blocks.length, 1);
  const index = new URL("tools/web/package/index.js", REPOSITORY);
  const example = blocks[0].replace('from "tavli"', `from "${index}"`);
  const folder = await mkdtemp(join(tmpdir(), "tavli-"));
  try {
    const file = join(folder, "example.mjs");
    await writeFile(file, `${example}\nexport { plays, best, rollout, decision, cube };\n`);
    const { plays, best, rollout, decision, cube } = await import(pathToFileURL(file));
    assert.equal(plays.length, 16);
    assert.equal(best.moves, "8/5 6/5");
    assert.equal(rollout.trials, 1296);
    const { mean, standardError, low, high } = rollout.candidates[0].equity;
    assert.ok(low < mean && mean < high && standardError > 0);
    assert.equal(cube.action, "Double, take");
    assert.deepEqual([decision.play, decision.verdict], ["8/5 6/5", "best"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
