// The board of backgammon, set up by hand: checkers are dragged, or picked up and put down by clicks or keys.

import { count, moved, name, steps } from "./checkers.js";
import { PointsBoard, RADIUS, element } from "./points-board.js";
import { listenToKeys, slotOf } from "./slots.js";

/** Pixels that a pointer moves before a checker is dragged. */
const DRAG = 4;

export class Board extends PointsBoard {
  #points;
  #picked = null;
  #drag = null;
  #onChange;
  #say;

  /** Draws into `svg`. `onChange` hears of positions that were set up by hand, `say` of checkers that cannot be put down. */
  constructor(svg, { onChange, say }) {
    super(svg, { bar: true });
    this.#onChange = onChange;
    this.#say = say;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#drop());
    listenToKeys(this, { choose: (slot) => this.#choose(slot), letGo: () => this.#pick(null) });
  }

  /** Shows a position. */
  set(points) {
    this.#points = points;
    this.#pick(null);
    this.show(points, "");
  }

  /** Shows other points for a while, with the moves that lead there. */
  show(points, moves) {
    for (const slot of this.slots.keys()) {
      const group = this.stack(slot, count(points, slot));
      group.setAttribute("aria-label", name(points, slot));
      const more = Math.abs(count(points, slot)) - Math.abs(count(this.#points, slot));
      group.classList.toggle("grown", moves !== "" && more > 0);
    }
    this.arrows(steps(moves), (slot) => Math.abs(count(this.#points, slot)));
  }

  /** Shows the position again. */
  restore() {
    this.show(this.#points, "");
  }

  #pick(slot) {
    this.slots.get(this.#picked)?.group.classList.remove("picked");
    this.#picked = slot;
    this.slots.get(slot)?.group.classList.add("picked");
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

  #down(event) {
    const slot = slotOf(this.svg, event.target);
    if (slot === null || event.button !== 0) return;
    this.#drag = { slot, x: event.clientX, y: event.clientY, carried: null };
    this.svg.setPointerCapture(event.pointerId);
  }

  #move({ clientX, clientY }) {
    if (!this.#drag) return;
    const { slot, x, y, carried } = this.#drag;
    const number = this.#picked === null ? count(this.#points, slot) : 0;
    if (!carried && number !== 0 && Math.hypot(clientX - x, clientY - y) > DRAG) {
      this.#drag.carried = element("circle", { class: `checker carried ${number > 0 ? "light" : "dark"}`, r: RADIUS }, this.svg);
      this.slots.get(slot).group.classList.add("picked");
    }
    if (this.#drag.carried) {
      const at = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      this.#drag.carried.setAttribute("cx", at.x);
      this.#drag.carried.setAttribute("cy", at.y);
    }
  }

  #up({ clientX, clientY }) {
    const drag = this.#drop();
    if (!drag) return;
    const target = slotOf(this.svg, document.elementFromPoint(clientX, clientY));
    if (!drag.carried) this.#choose(drag.slot);
    else if (target !== null && target !== drag.slot) this.#put(drag.slot, target);
  }

  /** Lets go of what the pointer holds, and returns it. */
  #drop() {
    const drag = this.#drag;
    this.#drag = null;
    drag?.carried?.remove();
    if (drag?.carried) this.slots.get(drag.slot).group.classList.remove("picked");
    return drag;
  }
}
