// A play that is put together on the board, move by move, from the plays that there are.
//
// A move goes from slot to slot; one that begins nowhere, as in tic-tac-toe, has null for its first slot.

const isSame = ([from, to], [otherFrom, otherTo]) => from === otherFrom && to === otherTo;

/** The moves of a play that are not yet chosen; null if a chosen move is not one of the play's. */
function rest(moves, chosen) {
  const left = [...moves];
  for (const move of chosen) {
    const at = left.findIndex((other) => isSame(move, other));
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

export class Picker {
  #plays;
  #chosen = [];
  #from = null;

  /** Picks among plays, each by its moves. */
  constructor(plays) {
    this.#plays = plays;
  }

  /** The moves that were chosen so far. */
  get chosen() {
    return this.#chosen;
  }

  /** The first slot of a move whose end is not yet chosen; null if there is none. */
  get from() {
    return this.#from;
  }

  /** The slots that a choice may name next. */
  get open() {
    const moves = this.#plays.flatMap((moves) => rest(moves, this.#chosen) ?? []);
    const slots = moves.flatMap(([from, to]) => (this.#from === null ? [from ?? to] : from === this.#from ? [to] : []));
    return new Set(slots);
  }

  /** Takes a slot: the begin of a move, its end, or neither, which lets go of the begin. Returns the plays that are then whole,
   * by their indices: more than one if the board does not tell them apart. */
  choose(slot) {
    if (slot === this.#from || !this.open.has(slot)) {
      const isOther = slot !== this.#from && this.#from !== null;
      this.#from = null;
      // Another checker is picked up in place of this one.
      return isOther && this.open.has(slot) ? this.choose(slot) : [];
    }
    const begins = this.#plays.some((moves) => rest(moves, this.#chosen)?.some(([from]) => from === slot));
    if (this.#from === null && begins) {
      this.#from = slot;
      return [];
    }
    this.#chosen = [...this.#chosen, [this.#from, slot]];
    this.#from = null;
    return this.#plays.flatMap((moves, at) => (rest(moves, this.#chosen)?.length === 0 ? [at] : []));
  }

  /** Lets go of all that was chosen. */
  letGo() {
    this.#chosen = [];
    this.#from = null;
  }
}
