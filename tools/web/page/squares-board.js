// Boards of squares: draughts and tic-tac-toe.

import { element } from "./points-board.js";

const SIDE = 440;
const EDGE = 28;

const CROWN = "M-9 6L-11 -6L-5 -1L0 -8L5 -1L11 -6L9 6z";

/** A board of `size` by `size` squares, of which `slots` are used: the row and the column of each, from the top left. */
export class SquaresBoard {
  #arrows;
  #places;
  #square;
  svg;
  slots = new Map();

  constructor(svg, { size, slots, label }) {
    this.svg = svg;
    this.#places = slots;
    this.#square = SIDE / size;
    const whole = SIDE + 2 * EDGE;
    svg.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
    element("rect", { class: "wood", width: whole, height: whole, rx: 10 }, svg);
    element("rect", { class: "felt", x: EDGE, y: EDGE, width: SIDE, height: SIDE }, svg);
    for (const slot of slots.keys()) {
      const { x, y } = this.#corner(slot);
      const side = this.#square;
      const group = element("g", { class: "slot", role: "button", tabindex: -1, "data-slot": slot }, svg);
      element("rect", { class: "square", x: x + 1, y: y + 1, width: side - 2, height: side - 2 }, group);
      element("rect", { class: "area", x, y, width: side, height: side }, group);
      element("text", { class: "corner", x: x + 3, y: y + 10 }, group).textContent = label(slot);
      this.slots.set(slot, { group, checkers: element("g", {}, group) });
    }
    this.slots.values().next().value.group.setAttribute("tabindex", 0);
    this.#arrows = element("g", {}, svg);
  }

  /** Draws the piece of a slot anew: "man" or "king" of a side, "x" or "o", or null. */
  piece(slot, kind, side) {
    const { group, checkers } = this.slots.get(slot);
    checkers.replaceChildren();
    const { x, y } = this.#middle(slot);
    const radius = 0.36 * this.#square;
    if (kind === "x") {
      const reach = 0.7 * radius;
      element("path", { class: "mark", d: `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}` }, checkers);
    } else if (kind === "o") {
      element("circle", { class: "mark", cx: x, cy: y, r: 0.75 * radius }, checkers);
    } else if (kind !== null) {
      element("circle", { class: `checker ${side}`, cx: x, cy: y, r: radius }, checkers);
      if (kind === "king") element("path", { class: `crown ${side}`, d: CROWN, transform: `translate(${x} ${y})` }, checkers);
    }
    return group;
  }

  /** Draws moves as arrows, from slot to slot. */
  arrows(steps) {
    this.#arrows.replaceChildren();
    for (const [from, to] of steps) {
      if (from === null) continue;
      const [start, end] = [this.#middle(from), this.#middle(to)];
      element("path", { class: "arrow", d: `M${start.x} ${start.y}L${end.x} ${end.y}` }, this.#arrows);
      element("circle", { class: "tip", cx: end.x, cy: end.y, r: 7 }, this.#arrows);
    }
  }

  /** The slot next to another, for the arrow keys: the next one in its row, or the nearest one in the next row. */
  beside(slot, key) {
    const [row, column] = this.#places.get(slot);
    const away = {
      ArrowLeft: ([r, c]) => (r === row ? column - c : 0),
      ArrowRight: ([r, c]) => (r === row ? c - column : 0),
      ArrowUp: ([r, c]) => 10 * (row - r) + Math.sign(row - r) * Math.abs(c - column),
      ArrowDown: ([r, c]) => 10 * (r - row) + Math.sign(r - row) * Math.abs(c - column),
    }[key];
    if (away === undefined) return undefined;
    const others = [...this.#places].filter(([, place]) => away(place) > 0);
    if (others.length === 0) return slot;
    return others.reduce((best, other) => (away(other[1]) < away(best[1]) ? other : best))[0];
  }

  #corner(slot) {
    const [row, column] = this.#places.get(slot);
    return { x: EDGE + column * this.#square, y: EDGE + row * this.#square };
  }

  #middle(slot) {
    const { x, y } = this.#corner(slot);
    return { x: x + this.#square / 2, y: y + this.#square / 2 };
  }
}
