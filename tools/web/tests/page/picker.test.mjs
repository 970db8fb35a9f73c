// Plays that are put together on the board, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Picker } from "../../page/picker.js";
import { PLAYED } from "../../page/played-games.js";

const plays = (game, ...texts) => new Picker(texts.map((text) => PLAYED[game].moves(text)));

test("a play is whole when all of its moves are chosen", () => {
  const picker = plays("plakoto", "24/23 24/21", "24/20");
  assert.deepEqual([...picker.open], [24]);
  assert.deepEqual(picker.choose(24), []);
  assert.deepEqual([...picker.open], [23, 21, 20]);
  assert.deepEqual(picker.choose(21), []);
  assert.deepEqual(picker.chosen, [[24, 21]]);
  assert.deepEqual([...picker.open], [24]);
  picker.choose(24);
  assert.deepEqual([...picker.open], [23]);
  assert.deepEqual(picker.choose(23), [0]);
  picker.letGo();
  picker.choose(24);
  assert.deepEqual(picker.choose(20), [1]);
});

test("moves that are made several times are chosen several times, and pins and trays are read", () => {
  const picker = plays("plakoto", "13/1*(2)", "2/off 13/1*");
  for (const [slot, whole] of [[13, []], [1, []], [13, []], [1, [0]]]) assert.deepEqual(picker.choose(slot), whole);
  picker.letGo();
  for (const [slot, whole] of [[2, []], [26, []], [13, []], [1, [1]]]) assert.deepEqual(picker.choose(slot), whole);
});

test("another piece is picked up in place of one, which is let go by its own slot or by one that no move ends at", () => {
  const picker = plays("draughts", "9-13", "9-14", "10-14", "6x15x22x31");
  picker.choose(9);
  picker.choose(10);
  assert.equal(picker.from, 10);
  picker.choose(10);
  assert.equal(picker.from, null);
  picker.choose(9);
  picker.choose(32);
  assert.equal(picker.from, null);
  picker.choose(6);
  assert.deepEqual(picker.choose(31), [3]);
});

test("captures with the same ends are not told apart, and a mark is one choice", () => {
  const captures = plays("draughts", "31x24x15", "31x22x15");
  captures.choose(31);
  assert.deepEqual(captures.choose(15), [0, 1]);
  const marks = plays("tictactoe", "a3", "b2", "c1");
  assert.deepEqual([...marks.open], [0, 4, 8]);
  assert.deepEqual(marks.choose(4), [1]);
  assert.deepEqual(marks.choose(5), []);
});
