// The checkers of a position as 26 numbers, and where they can be put by hand.
//
// A slot is where checkers are: 0 the bar of the dark side, 1 to 24 the points of the light side, which is on roll, 25 its
// bar, 26 and 27 the checkers borne off of the light and the dark side. Light checkers count 1, dark ones -1.

export const CHECKERS = 15;
export const LIGHT_OFF = 26;
export const DARK_OFF = 27;
export const DARK_BAR = 0;
export const LIGHT_BAR = 25;

/** The checkers of a slot: above 0 light ones, below 0 dark ones. */
export function count(points, slot) {
  const onBoard = (sign) => points.reduce((sum, number) => sum + Math.max(0, sign * number), 0);
  if (slot === LIGHT_OFF) return CHECKERS - onBoard(1);
  if (slot === DARK_OFF) return onBoard(-1) - CHECKERS;
  return points[slot];
}

/** What a slot is called, and what is on it. */
export function name(points, slot) {
  const number = count(points, slot);
  const others = { [DARK_BAR]: "dark bar", [LIGHT_BAR]: "light bar", [LIGHT_OFF]: "light tray", [DARK_OFF]: "dark tray" };
  const place = others[slot] ?? `point ${slot}`;
  if (number === 0) return `${place}: empty`;
  const side = number > 0 ? "light" : "dark";
  return `${place}: ${Math.abs(number)} ${side}`;
}

/** The points after a checker was moved by hand from one slot to another: on a bar and off the board it lands in its own
 * side's, and a single checker of the other side goes to its bar. Null if the other side holds the slot. */
export function moved(points, from, to) {
  const side = Math.sign(count(points, from));
  if (side === 0) return null;
  const own = [[LIGHT_BAR, DARK_BAR], [LIGHT_OFF, DARK_OFF]].find((slots) => slots.includes(to));
  const target = own ? own[side > 0 ? 0 : 1] : to;
  const after = [...points];
  if (from <= LIGHT_BAR) after[from] -= side;
  if (target > LIGHT_BAR) return after;
  if (side * after[target] < -1) return null;
  if (side * after[target] === -1) {
    after[target] = 0;
    after[side > 0 ? DARK_BAR : LIGHT_BAR] -= side;
  }
  after[target] += side;
  return after;
}

/** The same checkers, seen by the other side. */
export function turned(points) {
  return points.map((_, at) => -points[25 - at] || 0);
}

/** The moves of a play in notation, from slot to slot: "bar/20*", "6/off(2)", "8/5/3". */
export function steps(moves) {
  const slot = (text) => ({ bar: LIGHT_BAR, off: LIGHT_OFF })[text] ?? Number(text);
  return moves.split(" ").flatMap((move) => {
    const stops = move.replace(/\(\d+\)|\*/g, "").split("/").map(slot);
    if (stops.length < 2 || stops.some(Number.isNaN)) return [];
    return stops.slice(1).map((to, at) => [stops[at], to]);
  });
}
