// The games that the page plays: how each is drawn, and what its program plays by.

import { DARK_OFF, LIGHT_OFF, steps } from "./checkers.js";
import { PointsBoard } from "./points-board.js";
import { SquaresBoard } from "./squares-board.js";

/** The numbers of simulations that a program may search with. */
const SEARCHES = { "1000": "1,000 games", "20000": "20,000 games", "200000": "200,000 games" };
/** The players that a program may value plays by, first the one that it has at the beginning. */
const NETS = { strong: "strong", "strong+1ply": "strong, a ply ahead", tavli3d: "tavli3d" };

const byNumber = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** Draughts. Squares are numbered as in PDN; the squares of the player on this side of the board are below. */
const draughts = {
  sides: { 1: "Black, who begins", "-1": "White" },
  program: SEARCHES,
  board(svg, human) {
    const place = (square) => {
      const row = Math.floor((square - 1) / 4);
      const column = 2 * ((square - 1) % 4) + (row % 2 === 0 ? 1 : 0);
      return human === 1 ? [7 - row, 7 - column] : [row, column];
    };
    const slots = new Map(byNumber(1, 32).map((square) => [square, place(square)]));
    return new SquaresBoard(svg, { size: 8, slots, label: (square) => square });
  },
  show(board, { numbers }) {
    numbers.squares.forEach((piece, at) => {
      const kind = [null, "man", "king"][Math.abs(piece)];
      const side = piece > 0 ? "dark" : "light";
      const group = board.piece(at + 1, kind, side);
      const name = kind === null ? "empty" : `${piece > 0 ? "black" : "white"} ${kind}`;
      group.setAttribute("aria-label", `square ${at + 1}: ${name}`);
    });
  },
  /** A play goes from its first square to its last. */
  moves(text) {
    const squares = text.split(/[-x]/).map(Number);
    return [[squares[0], squares.at(-1)]];
  },
  arrows(text) {
    const squares = text.split(/[-x]/).map(Number);
    return squares.slice(1).map((to, at) => [squares[at], to]);
  },
};

const tictactoe = {
  sides: { 1: "X, who begins", "-1": "O" },
  program: SEARCHES,
  board(svg) {
    const slots = new Map(byNumber(0, 8).map((square) => [square, [Math.floor(square / 3), square % 3]]));
    return new SquaresBoard(svg, { size: 3, slots, label: (square) => "abc"[square % 3] + (3 - Math.floor(square / 3)) });
  },
  show(board, { numbers }) {
    numbers.squares.forEach((mark, square) => {
      const kind = mark === 0 ? null : mark > 0 ? "x" : "o";
      const name = "abc"[square % 3] + (3 - Math.floor(square / 3));
      board.piece(square, kind).setAttribute("aria-label", `square ${name}: ${kind?.toUpperCase() ?? "empty"}`);
    });
  },
  moves: (text) => [[null, 3 * (3 - Number(text[1])) + "abc".indexOf(text[0])]],
  arrows: () => [],
};

/** A game on 24 points, where `across` is the number that a point has for the other player. */
const onPoints = (across) => ({
  sides: { 1: "first", "-1": "second" },
  program: NETS,
  net: "strong",
  board: (svg) => new PointsBoard(svg, { bar: false }),
  /** Checkers of the person are light, and points have his numbers: `isHis` says whether the position is seen by him. */
  show(board, { numbers }, isHis) {
    const sign = isHis ? 1 : -1;
    const high = new Map();
    for (const point of byNumber(1, 24)) {
      const number = sign * numbers.points[point - 1];
      const pinned = numbers.pinned[point - 1];
      const slot = isHis ? point : across(point);
      high.set(slot, Math.abs(number) + pinned);
      const [side, other] = number > 0 ? ["light", "dark"] : ["dark", "light"];
      const name = number === 0 ? "empty" : `${Math.abs(number)} ${side}${pinned ? `, ${other} pinned` : ""}`;
      board.stack(slot, number, pinned).setAttribute("aria-label", `point ${slot}: ${name}`);
    }
    numbers.off.forEach((off, at) => {
      const isLight = (at === 0) === isHis;
      const slot = isLight ? LIGHT_OFF : DARK_OFF;
      high.set(slot, off);
      const name = `${isLight ? "light" : "dark"} tray: ${off === 0 ? "empty" : off}`;
      board.stack(slot, isLight ? off : -off).setAttribute("aria-label", name);
    });
    return (slot) => high.get(slot);
  },
  moves: (text) =>
    text.split(" ").flatMap((move) => {
      const times = Number(move.match(/\((\d)\)$/)?.[1] ?? 1);
      return Array.from({ length: times }, () => steps(move)).flat();
    }),
  arrows(text, isHis) {
    const slot = (at) => (at === LIGHT_OFF ? DARK_OFF : across(at));
    return steps(text).map((move) => (isHis ? move : move.map(slot)));
  },
});

/** By name. `show` draws a position and returns the height of each slot where arrows need it; `moves` and `arrows` read the
 * moves of a play, seen by the person or not. */
export const PLAYED = {
  draughts,
  plakoto: onPoints((point) => 25 - point),
  fevga: onPoints((point) => ((point + 11) % 24) + 1),
  tictactoe,
};
