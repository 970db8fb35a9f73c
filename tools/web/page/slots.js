// Slots of a drawing that are reached by pointer and keys: a map from each slot to its `group`.

/** The slot that an element is in; null if it is in none. */
export function slotOf(svg, target) {
  const group = target?.closest?.(".slot");
  return group && svg.contains(group) ? Number(group.dataset.slot) : null;
}

/** Listens to keys on the slots of a board: arrows move, Enter and the space bar choose, Escape lets go. */
export function listenToKeys(board, { choose, letGo }) {
  board.svg.addEventListener("keydown", (event) => {
    const slot = slotOf(board.svg, event.target);
    if (slot === null) return;
    const next = board.beside(slot, event.key);
    if (next !== undefined) {
      board.slots.forEach(({ group }) => group.setAttribute("tabindex", -1));
      board.slots.get(next).group.setAttribute("tabindex", 0);
      board.slots.get(next).group.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      choose(slot);
    } else if (event.key === "Escape") {
      letGo();
    } else {
      return;
    }
    event.preventDefault();
  });
}
