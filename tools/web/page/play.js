// The page of the games other than backgammon: a person plays against the program.

import { Dice } from "./dice.js";
import { Picker } from "./picker.js";
import { PLAYED } from "./played-games.js";
import { listenToKeys, slotOf } from "./slots.js";
import { GamesPool, loadGames } from "./tavli/index.js";

/** The seed of every search: the same game has the same replies, if the dice are the same. */
const SEED = 1;

const part = (id) => document.getElementById(id);
const svg = part("board");

let games;
/** Workers, once a search is asked for, and the games whose net has come. */
let pool = null;
const loaded = new Set();

/** The game, by its name and as it is played. */
let name;
let game;
let board;
/** The person's side, 1 for the one that begins, or -1. */
let human = 1;
/** The positions so far, each with the side whose turn it is, its roll, and the moves that led there. */
let line = [];
let plays = [];
let picker = new Picker([]);
/** Ends what the program thinks about. */
let thinking = new AbortController();

const now = () => line.at(-1);
const isHis = (turn) => turn === human;
const hasDice = () => games.about.games.find((known) => known.name === name).hasDice;
const fill = (select, options) => select.replaceChildren(...Object.entries(options).map(([value, text]) => new Option(text, value)));

const dice = new Dice([part("first"), part("second")], () => {
  now().roll = dice.roll;
  listPlays();
});

/** Chooses a game, and begins one. */
function choose(wanted) {
  name = Object.hasOwn(PLAYED, wanted) ? wanted : Object.keys(PLAYED)[0];
  game = PLAYED[name];
  for (const link of document.querySelectorAll("[data-game]")) {
    if (link.dataset.game === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  part("dice").hidden = !hasDice();
  fill(part("side"), game.sides);
  part("side").value = 1;
  fill(part("program"), game.program);
  part("program").selectedIndex = game.net ? 0 : 1;
  human = 1;
  begin(games.position(name), 1);
}

/** Begins a game in a position. */
function begin(position, turn) {
  svg.replaceChildren();
  board = game.board(svg, human);
  line = [{ position, turn }];
  next();
}

/** Draws the position, or for a while the one after a play, with moves as arrows. */
function draw(play = null) {
  const { position, turn, moves } = now();
  const high = game.show(board, position, isHis(turn));
  if (play) game.show(board, play.position, !isHis(turn));
  if (play) board.arrows(game.arrows(play.moves, true), high);
  else if (picker.chosen.length > 0 || !moves) board.arrows(picker.chosen, high);
  else board.arrows(game.arrows(moves, !isHis(turn)), high, true);
  for (const [slot, { group }] of board.slots) {
    group.classList.toggle("picked", slot === picker.from);
    group.classList.toggle("grown", picker.from !== null && picker.open.has(slot));
  }
}

/** The next turn: the person's plays, or the program's play. */
async function next() {
  thinking.abort();
  thinking = new AbortController();
  const { signal } = thinking;
  const { position, turn } = now();
  plays = [];
  picker = new Picker([]);
  if (hasDice() && position.outcome === null) {
    if (now().roll) dice.roll = now().roll;
    else dice.throw();
    now().roll = dice.roll;
  }
  part("text").value = position.state;
  part("message").textContent = "";
  part("undo").disabled = !line.slice(0, -1).some((earlier) => isHis(earlier.turn));
  for (const field of ["first", "second"]) part(field).disabled = !isHis(turn);
  part("line").textContent = line.slice(1).map(({ moves, of }) => (of ? `${of}: ${moves}` : moves)).join(", ");
  if (position.outcome !== null) {
    part("status").textContent = ended(position, turn);
    return showPlays();
  }
  if (isHis(turn)) return listPlays();
  part("status").textContent = "The program is thinking.";
  showPlays();
  try {
    const play = await reply(signal);
    if (!signal.aborted) make(play);
  } catch (error) {
    if (!signal.aborted) part("message").textContent = error.message;
  }
}

/** How a game has ended, in words. */
function ended({ points }, turn) {
  const his = isHis(turn) ? points : -points;
  const more = Math.abs(points) > 1 ? `, ${Math.abs(points)} points` : "";
  return his === 0 ? "The game is drawn." : `${his > 0 ? "You have won" : "The program has won"}${more}.`;
}

/** The program's play. */
async function reply(signal) {
  const { position, roll } = now();
  const by = part("program").value;
  const found = games.plays(position, roll);
  // The page shows the request before the module is busy.
  await new Promise((resolve) => setTimeout(resolve));
  if (found.length === 1) return found[0];
  if (!game.net) {
    pool ??= await GamesPool.start();
    const searched = await pool.search({ position, simulations: Number(by), seed: SEED, signal });
    return searched.plays[0];
  }
  if (by.startsWith(game.net) && !loaded.has(name)) {
    const wanted = name;
    await games.loadPlayer(wanted, game.net);
    loaded.add(wanted);
    signal.throwIfAborted();
  }
  return games.evaluatePlays(position, roll, { player: by })[0];
}

/** Makes a play. */
function make(play) {
  const { turn, roll } = now();
  line.push({ position: play.position, turn: -turn, moves: play.moves, of: roll });
  next();
}

/** Lists the person's plays. */
function listPlays() {
  const { position, roll } = now();
  plays = games.plays(position, roll);
  const moves = plays.map((play) => game.moves(play.moves));
  picker = new Picker(moves);
  part("status").textContent = roll ? `Your turn, with ${roll}.` : "Your turn.";
  showPlays();
}

function showPlays() {
  part("count").textContent = plays.length === 0 ? "No plays." : `${plays.length} ${plays.length === 1 ? "play" : "plays"}`;
  part("plays").replaceChildren(...plays.map(playItem));
  draw();
}

function playItem(play) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = play.moves;
  button.title = "Show the play; a click makes it";
  for (const coming of ["pointerenter", "focus"]) button.addEventListener(coming, () => draw(play));
  for (const leaving of ["pointerleave", "blur"]) button.addEventListener(leaving, () => draw());
  button.addEventListener("click", () => make(play));
  const item = document.createElement("li");
  item.append(button);
  return item;
}

/** A choice on the board. */
function pick(slot) {
  if (plays.length === 0) return;
  const whole = picker.choose(slot);
  if (whole.length === 1) return make(plays[whole[0]]);
  part("message").textContent = whole.length > 1 ? "Several plays have these moves: choose one in the list." : "";
  if (whole.length > 1) picker.letGo();
  draw();
}

svg.addEventListener("click", ({ target }) => {
  const slot = slotOf(svg, target);
  if (slot !== null) pick(slot);
});
const keys = { svg, get slots() { return board.slots; }, beside: (slot, key) => board.beside(slot, key) };
listenToKeys(keys, {
  choose: pick,
  letGo: () => {
    picker.letGo();
    draw();
  },
});
part("new").addEventListener("click", () => begin(games.position(name), 1));
part("side").addEventListener("change", ({ target }) => {
  human = Number(target.value);
  begin(games.position(name), 1);
});
part("undo").addEventListener("click", () => {
  // The person's last play, and what the program replied.
  do line.pop();
  while (line.length > 1 && !isHis(now().turn));
  next();
});
part("text").addEventListener("change", ({ target }) => {
  try {
    const position = games.position(name, target.value);
    begin(position, position.numbers.side?.[0] ?? human);
  } catch (error) {
    part("message").textContent = error.message;
  }
});
addEventListener("hashchange", () => choose(location.hash.slice(1)));

try {
  games = await loadGames();
  const { version, tier } = games.about;
  part("about").textContent = `Version ${version}, ${tier}, ${navigator.hardwareConcurrency} cores.`;
  choose(location.hash.slice(1));
} catch (error) {
  part("about").textContent = `The page cannot play: ${error.message}`;
}
