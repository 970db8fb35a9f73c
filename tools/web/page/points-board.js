// The 24 points as they are drawn: stacks of checkers, the moves of a play as arrows, and the slot that keys reach.
//
// A slot is where checkers are, as in checkers.js.

import { DARK_BAR, DARK_OFF, LIGHT_BAR, LIGHT_OFF } from "./checkers.js";

const STEP = 40;
export const RADIUS = 19;
const LEFT = 16;
const TOP = 28;
const HALF = 220;
const BOTTOM = TOP + 2 * HALF;
const BAR = LEFT + 6 * STEP;
const TRAY = LEFT + 13 * STEP + 24;
const SLAB = 12;
/** The most checkers of a stack that are drawn one by one. */
const HIGH = 5;
/** Where a slot is: its left edge, and whether it is in the upper half. */
function place(slot) {
  if (slot === DARK_BAR || slot === LIGHT_BAR) return { x: BAR, upper: slot === DARK_BAR };
  if (slot >= LIGHT_OFF) return { x: TRAY, upper: slot === DARK_OFF };
  const column = slot > 12 ? slot - 13 : 12 - slot;
  return { x: LEFT + STEP * (column + (column >= 6 ? 1 : 0)), upper: slot > 12 };
}

/** An element of a drawing. */
export function element(tag, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

const ROWS = [
  [13, 14, 15, 16, 17, 18, DARK_BAR, 19, 20, 21, 22, 23, 24, DARK_OFF],
  [12, 11, 10, 9, 8, 7, LIGHT_BAR, 6, 5, 4, 3, 2, 1, LIGHT_OFF],
];

/** A board of 24 points and two trays, with a bar or without. */
export class PointsBoard {
  #arrows;
  #rows;
  svg;
  slots = new Map();

  constructor(svg, { bar }) {
    this.svg = svg;
    this.#rows = bar ? ROWS : ROWS.map((row) => row.filter((slot) => slot !== DARK_BAR && slot !== LIGHT_BAR));
    svg.setAttribute("viewBox", "0 0 640 496");
    element("rect", { class: "wood", width: 640, height: 496, rx: 10 }, svg);
    for (const [x, width] of [[LEFT, 6 * STEP], [BAR + STEP, 6 * STEP], [TRAY, STEP]]) {
      element("rect", { class: "felt", x, y: TOP, width, height: 2 * HALF }, svg);
    }
    // In the order in which a tab reaches them.
    for (const row of [[13, 24], [12, 1]]) {
      const step = Math.sign(row[1] - row[0]);
      for (let point = row[0]; point !== row[1] + step; point += step) this.#drawPoint(point);
    }
    [...(bar ? [DARK_BAR, LIGHT_BAR] : []), DARK_OFF, LIGHT_OFF].forEach((slot) => this.#addSlot(slot));
    this.slots.get(13).group.setAttribute("tabindex", 0);
    this.#arrows = element("g", {}, svg);
  }

  #drawPoint(point) {
    const { x, upper } = place(point);
    const tip = upper ? TOP + HALF - 25 : BOTTOM - HALF + 25;
    const edge = upper ? TOP : BOTTOM;
    const odd = point % 2 ? " odd" : "";
    element("path", { class: `point${odd}`, d: `M${x} ${edge}h${STEP}L${x + STEP / 2} ${tip}z` }, this.svg);
    const number = element("text", { class: "number", x: x + STEP / 2, y: upper ? TOP - 9 : BOTTOM + 18 }, this.svg);
    number.textContent = point;
    this.#addSlot(point);
  }

  #addSlot(slot) {
    const { x, upper } = place(slot);
    const group = element("g", { class: "slot", role: "button", tabindex: -1, "data-slot": slot }, this.svg);
    element("rect", { class: "area", x, y: upper ? TOP : TOP + HALF, width: STEP, height: HALF }, group);
    this.slots.set(slot, { group, checkers: element("g", {}, group) });
  }

  /** Draws the checkers of a slot anew, above 0 light ones, below 0 dark ones; `pinned` ones of the other side lie below. */
  stack(slot, number, pinned = 0) {
    const { group, checkers } = this.slots.get(slot);
    checkers.replaceChildren();
    const [side, other] = number > 0 ? ["light", "dark"] : ["dark", "light"];
    const high = Math.abs(number);
    if (slot >= LIGHT_OFF) {
      const { x, upper } = place(slot);
      for (let at = 0; at < high; at++) {
        const y = upper ? TOP + 4 + at * (SLAB + 1) : BOTTOM - 4 - SLAB - at * (SLAB + 1);
        element("rect", { class: `checker ${side}`, x: x + 3, y, width: STEP - 6, height: SLAB, rx: 3 }, checkers);
      }
      return group;
    }
    for (let at = 0; at < Math.min(high + pinned, HIGH); at++) {
      const { x, y } = this.#middle(slot, at);
      element("circle", { class: `checker ${at < pinned ? `${other} pinned` : side}`, cx: x, cy: y, r: RADIUS }, checkers);
    }
    if (high + pinned > HIGH) {
      const { x, y } = this.#middle(slot, HIGH - 1);
      element("text", { class: `many ${side}`, x, y: y + 6 }, checkers).textContent = high;
    }
    return group;
  }

  /** The middle of the `height`-th checker of a slot, from its edge. */
  #middle(slot, height) {
    const { x, upper } = place(slot);
    const away = STEP / 2 + STEP * Math.min(height, HIGH - 1);
    return { x: x + STEP / 2, y: upper ? TOP + away : BOTTOM - away };
  }

  /** Draws moves as arrows, from slot to slot; `high` has the number of checkers of a slot, where the moves are made or are to be
   * made. */
  arrows(steps, high, areMade = false) {
    this.#arrows.replaceChildren();
    for (const [from, to] of steps) {
      const start = this.#middle(from, Math.max(0, high(from) - (areMade ? 0 : 1)));
      const end = this.#middle(to, Math.max(0, high(to) - (areMade ? 1 : 0)));
      const bend = (start.y + end.y) / 2 + (place(from).upper === place(to).upper ? (place(to).upper ? 70 : -70) : 0);
      element("path", { class: "arrow", d: `M${start.x} ${start.y}Q${(start.x + end.x) / 2} ${bend} ${end.x} ${end.y}` }, this.#arrows);
      element("circle", { class: "tip", cx: end.x, cy: end.y, r: 7 }, this.#arrows);
    }
  }

  /** The slot next to another, for the arrow keys. */
  beside(slot, key) {
    const row = this.#rows[0].includes(slot) ? 0 : 1;
    const column = this.#rows[row].indexOf(slot);
    const last = this.#rows[0].length - 1;
    return {
      ArrowLeft: this.#rows[row][Math.max(0, column - 1)],
      ArrowRight: this.#rows[row][Math.min(last, column + 1)],
      ArrowUp: this.#rows[0][column],
      ArrowDown: this.#rows[1][column],
    }[key];
  }
}
