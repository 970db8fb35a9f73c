// Checkers that are moved by hand, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "../../package/index.js";
import { DARK_OFF, LIGHT_OFF, count, moved, name, steps, turned } from "../../page/checkers.js";

const tavli = await load();
const { points: OPENING } = tavli.position("4HPwATDgc/ABMA");

test("checkers go where they are put, and none is lost", () => {
  const after = moved(OPENING, 6, 5);
  assert.deepEqual([after[6], after[5]], [4, 1]);
  // A dark checker hits it.
  const hit = moved(after, 1, 5);
  assert.deepEqual([hit[1], hit[5], hit[25], name(hit, 25)], [-1, -1, 1, "light bar: 1 light"]);
  // Off the board and back, into the own tray whichever it is put into.
  const off = moved(hit, 25, DARK_OFF);
  assert.deepEqual([count(off, LIGHT_OFF), count(off, DARK_OFF)], [1, 0]);
  assert.equal(count(moved(off, LIGHT_OFF, 3), 3), 1);
  // Onto the own bar whichever it is put onto.
  assert.equal(moved(OPENING, 1, 25)[0], -1);
  assert.equal(moved(OPENING, 6, 12), null, "the dark side holds point 12");
  assert.equal(moved(OPENING, 2, 3), null, "there is no checker");
});

test("any checker moved by hand leaves a position that the package reads", () => {
  for (let from = 0; from <= DARK_OFF; from++) {
    for (let to = 0; to <= DARK_OFF; to++) {
      const after = moved(OPENING, from, to);
      if (after) assert.deepEqual(tavli.position(after).points, after, `${from} to ${to}`);
    }
  }
});

test("a position turned twice is itself, and once as the package turns it", () => {
  assert.deepEqual(turned(turned(OPENING)), OPENING);
  assert.deepEqual(turned(OPENING), OPENING, "the opening looks alike from both sides");
  // The points after a play are those of the next player.
  const [play] = tavli.plays(OPENING, "31").filter(({ moves }) => moves === "8/5 6/5");
  assert.deepEqual(turned(play.points), moved(moved(OPENING, 8, 5), 6, 5));
});

test("the moves of a play are read", () => {
  assert.deepEqual(steps("8/5 6/5"), [[8, 5], [6, 5]]);
  assert.deepEqual(steps("bar/20*/16 6/off(2)"), [[25, 20], [20, 16], [6, LIGHT_OFF]]);
  assert.deepEqual(steps("cannot move"), []);
});

test("every play of every roll from the opening is drawn from and to where its checkers go", () => {
  for (let roll = 11; roll <= 66; roll++) {
    if (roll % 10 === 0 || roll % 10 > 6) continue;
    for (const { moves, points } of tavli.plays(OPENING, String(roll))) {
      const after = turned(points);
      const left = OPENING.flatMap((number, slot) => (number > 0 && after[slot] < number ? [slot] : []));
      const drawn = steps(moves).map(([from]) => from);
      assert.ok(left.every((slot) => drawn.includes(slot)), `${roll}: ${moves}`);
    }
  }
});
