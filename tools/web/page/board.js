// The board, drawn and set up by hand: checkers are dragged, or picked up and put down by clicks or keys.

import { DARK_OFF, LIGHT_OFF, count, moved, name, steps } from "./checkers.js";

const STEP = 40;
const RADIUS = 19;
const LEFT = 16;
const TOP = 28;
const HALF = 220;
const BOTTOM = TOP + 2 * HALF;
const BAR = LEFT + 6 * STEP;
const TRAY = LEFT + 13 * STEP + 24;
const SLAB = 12;
/** The most checkers of a stack that are drawn one by one. */
const HIGH = 5;
/** Pixels that a pointer moves before a checker is dragged. */
const DRAG = 4;

/** Where a slot is: its left edge, and whether it is in the upper half. */
function place(slot) {
  if (slot === 0 || slot === 25) return { x: BAR, upper: slot === 0 };
  if (slot >= LIGHT_OFF) return { x: TRAY, upper: slot === DARK_OFF };
  const column = slot > 12 ? slot - 13 : 12 - slot;
  return { x: LEFT + STEP * (column + (column >= 6 ? 1 : 0)), upper: slot > 12 };
}

/** The slot beside another, for the arrow keys. */
function beside(slot, key) {
  const rows = [[13, 14, 15, 16, 17, 18, 0, 19, 20, 21, 22, 23, 24, DARK_OFF], [12, 11, 10, 9, 8, 7, 25, 6, 5, 4, 3, 2, 1, LIGHT_OFF]];
  const row = rows[0].includes(slot) ? 0 : 1;
  const column = rows[row].indexOf(slot);
  const last = rows[0].length - 1;
  return {
    ArrowLeft: rows[row][Math.max(0, column - 1)],
    ArrowRight: rows[row][Math.min(last, column + 1)],
    ArrowUp: rows[0][column],
    ArrowDown: rows[1][column],
  }[key];
}

function element(tag, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

export class Board {
  #svg;
  #slots = new Map();
  #arrows;
  #points;
  #picked = null;
  #drag = null;
  #onChange;
  #say;

  /** Draws into `svg`. `onChange` hears of positions that were set up by hand, `say` of checkers that cannot be put down. */
  constructor(svg, { onChange, say }) {
    this.#svg = svg;
    this.#onChange = onChange;
    this.#say = say;
    element("rect", { class: "wood", width: 640, height: 496, rx: 10 }, svg);
    for (const [x, width] of [[LEFT, 6 * STEP], [BAR + STEP, 6 * STEP], [TRAY, STEP]]) {
      element("rect", { class: "felt", x, y: TOP, width, height: 2 * HALF }, svg);
    }
    // In the order in which a tab reaches them.
    for (const row of [[13, 24], [12, 1]]) {
      const step = Math.sign(row[1] - row[0]);
      for (let point = row[0]; point !== row[1] + step; point += step) this.#drawPoint(point);
    }
    [0, 25, DARK_OFF, LIGHT_OFF].forEach((slot) => this.#addSlot(slot, svg));
    this.#slots.get(13).group.setAttribute("tabindex", 0);
    this.#arrows = element("g", {}, svg);
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#drop());
    svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows a position. */
  set(points) {
    this.#points = points;
    this.#pick(null);
    this.show(points, "");
  }

  /** Shows other points for a while, with the moves that lead there. */
  show(points, moves) {
    for (const [slot, { group, checkers }] of this.#slots) {
      group.setAttribute("aria-label", name(points, slot));
      const more = Math.abs(count(points, slot)) - Math.abs(count(this.#points, slot));
      group.classList.toggle("grown", moves !== "" && more > 0);
      checkers.replaceChildren();
      this.#stack(slot, count(points, slot), checkers);
    }
    this.#arrows.replaceChildren();
    steps(moves).forEach(([from, to]) => this.#arrow(from, to));
  }

  /** Shows the position again. */
  restore() {
    this.show(this.#points, "");
  }

  #drawPoint(point) {
    const { x, upper } = place(point);
    const tip = upper ? TOP + HALF - 25 : BOTTOM - HALF + 25;
    const edge = upper ? TOP : BOTTOM;
    const odd = point % 2 ? " odd" : "";
    element("path", { class: `point${odd}`, d: `M${x} ${edge}h${STEP}L${x + STEP / 2} ${tip}z` }, this.#svg);
    const number = element("text", { class: "number", x: x + STEP / 2, y: upper ? TOP - 9 : BOTTOM + 18 }, this.#svg);
    number.textContent = point;
    this.#addSlot(point, this.#svg);
  }

  #addSlot(slot, parent) {
    const { x, upper } = place(slot);
    const group = element("g", { class: "slot", role: "button", tabindex: -1, "data-slot": slot }, parent);
    element("rect", { class: "area", x, y: upper ? TOP : TOP + HALF, width: STEP, height: HALF }, group);
    this.#slots.set(slot, { group, checkers: element("g", {}, group) });
  }

  /** The middle of the `height`-th checker of a slot, from its edge. */
  #middle(slot, height) {
    const { x, upper } = place(slot);
    const away = STEP / 2 + STEP * Math.min(height, HIGH - 1);
    return { x: x + STEP / 2, y: upper ? TOP + away : BOTTOM - away };
  }

  #stack(slot, number, parent) {
    const side = number > 0 ? "light" : "dark";
    const high = Math.abs(number);
    if (slot >= LIGHT_OFF) {
      const { x, upper } = place(slot);
      for (let at = 0; at < high; at++) {
        const y = upper ? TOP + 4 + at * (SLAB + 1) : BOTTOM - 4 - SLAB - at * (SLAB + 1);
        element("rect", { class: `checker ${side}`, x: x + 3, y, width: STEP - 6, height: SLAB, rx: 3 }, parent);
      }
      return;
    }
    for (let at = 0; at < Math.min(high, HIGH); at++) {
      const { x, y } = this.#middle(slot, at);
      element("circle", { class: `checker ${side}`, cx: x, cy: y, r: RADIUS }, parent);
    }
    if (high > HIGH) {
      const { x, y } = this.#middle(slot, HIGH - 1);
      element("text", { class: `many ${side}`, x, y: y + 6 }, parent).textContent = high;
    }
  }

  #arrow(from, to) {
    const height = (slot) => Math.max(0, Math.abs(count(this.#points, slot)) - (slot === from ? 1 : 0));
    const start = this.#middle(from, height(from));
    const end = this.#middle(to, height(to));
    const bend = (start.y + end.y) / 2 + (place(from).upper === place(to).upper ? (place(to).upper ? 70 : -70) : 0);
    element("path", { class: "arrow", d: `M${start.x} ${start.y}Q${(start.x + end.x) / 2} ${bend} ${end.x} ${end.y}` }, this.#arrows);
    element("circle", { class: "tip", cx: end.x, cy: end.y, r: 7 }, this.#arrows);
  }

  #pick(slot) {
    this.#slots.get(this.#picked)?.group.classList.remove("picked");
    this.#picked = slot;
    this.#slots.get(slot)?.group.classList.add("picked");
  }

  /** A click or Enter on a slot: picks a checker up there, or puts down the one that was picked up. */
  #choose(slot) {
    if (this.#picked !== null) {
      const from = this.#picked;
      this.#pick(null);
      if (from !== slot) this.#put(from, slot);
    } else if (count(this.#points, slot) !== 0) {
      this.#pick(slot);
    }
  }

  #put(from, to) {
    const after = moved(this.#points, from, to);
    if (after === null) {
      this.#say(`The other side holds point ${to}: take its checkers away first.`);
      return;
    }
    this.#say("");
    this.set(after);
    this.#onChange(after);
  }

  #slotOf(target) {
    const group = target?.closest?.(".slot");
    return group && this.#svg.contains(group) ? Number(group.dataset.slot) : null;
  }

  #down(event) {
    const slot = this.#slotOf(event.target);
    if (slot === null || event.button !== 0) return;
    this.#drag = { slot, x: event.clientX, y: event.clientY, carried: null };
    this.#svg.setPointerCapture(event.pointerId);
  }

  #move({ clientX, clientY }) {
    if (!this.#drag) return;
    const { slot, x, y, carried } = this.#drag;
    const number = this.#picked === null ? count(this.#points, slot) : 0;
    if (!carried && number !== 0 && Math.hypot(clientX - x, clientY - y) > DRAG) {
      this.#drag.carried = element("circle", { class: `checker carried ${number > 0 ? "light" : "dark"}`, r: RADIUS }, this.#svg);
      this.#slots.get(slot).group.classList.add("picked");
    }
    if (this.#drag.carried) {
      const at = new DOMPoint(clientX, clientY).matrixTransform(this.#svg.getScreenCTM().inverse());
      this.#drag.carried.setAttribute("cx", at.x);
      this.#drag.carried.setAttribute("cy", at.y);
    }
  }

  #up({ clientX, clientY }) {
    const drag = this.#drop();
    if (!drag) return;
    const target = this.#slotOf(document.elementFromPoint(clientX, clientY));
    if (!drag.carried) this.#choose(drag.slot);
    else if (target !== null && target !== drag.slot) this.#put(drag.slot, target);
  }

  /** Lets go of what the pointer holds, and returns it. */
  #drop() {
    const drag = this.#drag;
    this.#drag = null;
    drag?.carried?.remove();
    if (drag?.carried) this.#slots.get(drag.slot).group.classList.remove("picked");
    return drag;
  }

  #key(event) {
    const slot = this.#slotOf(event.target);
    if (slot === null) return;
    const next = beside(slot, event.key);
    if (next !== undefined) {
      this.#slots.get(slot).group.setAttribute("tabindex", -1);
      this.#slots.get(next).group.setAttribute("tabindex", 0);
      this.#slots.get(next).group.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(slot);
    } else if (event.key === "Escape") {
      this.#pick(null);
    } else {
      return;
    }
    event.preventDefault();
  }
}
