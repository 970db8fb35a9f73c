// The page: a position, the plays of a roll, and a rollout of them.

import { Board } from "./board.js";
import { turned } from "./checkers.js";
import { Dice } from "./dice.js";
import { Results } from "./results.js";
import { Pool, load } from "./tavli/index.js";

/** The player whose values order the plays. */
const JUDGE = "fast";
/** The players whose nets are fetched when they are first needed. */
const NETS = ["td80", "fast", "strong"];
const OPENING = "4HPwATDgc/ABMA";

const part = (id) => document.getElementById(id);
const say = (text) => (part("message").textContent = text);
const options = (select, names) => select.append(...names.map((name) => new Option(name)));

let tavli;
/** Whether the judge has come. */
let judged = false;
let points;
let plays = [];
/** Workers, once something is rolled out, with the nets that they have. */
let pool = null;
const loaded = new Set();
/** Ends the rollout that is being played. */
let playing = null;

const board = new Board(part("board"), { onChange: set_up, say });
const dice = new Dice([part("first"), part("second")], list_plays);
const results = new Results({ result: part("result"), progress: part("progress"), speed: part("speed"), rows: part("rows") });

/** Takes a position that was set up, in any format. */
function set_up(position) {
  try {
    const found = tavli.position(position, { rules: part("rules").value });
    points = found.points;
    board.set(points);
    part("text").value = found.positionId;
    part("pips").textContent = `Light, on roll: ${found.pips} pips. Dark: ${found.opponentPips} pips.`;
    history.replaceState(null, "", `#${found.positionId}`);
    if (found.roll) dice.roll = found.roll;
    say(found.outcome ? "This game is over." : "");
    list_plays();
  } catch (error) {
    // What is being set up need not be a position yet: its checkers stay as they are.
    if (Array.isArray(position)) {
      points = position;
      board.set(points);
    }
    plays = [];
    show_plays();
    say(error.message);
  }
}

/** Lists the plays of the roll, the best first if the judge has come. */
function list_plays() {
  const rules = part("rules").value;
  try {
    plays = tavli.plays(points, dice.roll, { rules });
    if (judged) {
      const byId = new Map(plays.map((play) => [play.positionId, play]));
      const ranked = tavli.evaluatePlays(points, dice.roll, { rules, player: JUDGE });
      plays = ranked.map(({ positionId, equity }) => ({ ...byId.get(positionId), equity }));
    }
  } catch (error) {
    plays = [];
    say(error.message);
  }
  show_plays();
}

function show_plays() {
  const number = plays.length;
  const order = judged ? `, by the equity that ${JUDGE} sees` : "";
  part("count").textContent = number === 0 ? "No plays." : `${number} ${number === 1 ? "play" : "plays"}${order}`;
  part("plays").replaceChildren(...plays.map(play_item));
  part("go").disabled = tavli === undefined || (number === 0 && playing === null);
}

function play_item(play) {
  const button = document.createElement("button");
  button.type = "button";
  const equity = document.createElement("span");
  equity.className = "equity";
  equity.textContent = play.equity === undefined ? "" : `${play.equity < 0 ? "−" : "+"}${Math.abs(play.equity).toFixed(3)}`;
  button.append(play.moves, equity);
  button.title = "Show the play; a click makes it";
  const show = () => board.show(turned(play.points), play.moves);
  button.addEventListener("pointerenter", show);
  button.addEventListener("focus", show);
  for (const leaving of ["pointerleave", "blur"]) button.addEventListener(leaving, () => board.restore());
  button.addEventListener("click", () => set_up(play.positionId));
  const item = document.createElement("li");
  item.append(button);
  return item;
}

/** The pool, with the nets that a player needs. */
async function pool_for(policy) {
  pool ??= Pool.start();
  const workers = await pool;
  for (const net of NETS.filter((net) => policy === net && !loaded.has(net))) {
    await workers.loadPlayer(net);
    loaded.add(net);
  }
  return workers;
}

async function roll_out() {
  const policy = part("policy").value;
  const trials = Number(part("trials").value);
  const of = part("of").value;
  const candidates = of === "all" ? plays : plays.slice(0, Number(of));
  playing = new AbortController();
  part("go").textContent = "Stop";
  results.begin();
  try {
    const workers = await pool_for(policy);
    const roll = { roll: dice.roll, plays: candidates.map(({ moves }) => moves) };
    const played = await workers.rollout({
      position: points,
      ...(of === "position" ? {} : roll),
      trials,
      policy,
      rules: part("rules").value,
      signal: playing.signal,
      onProgress: (result) => results.show(result, trials),
    });
    results.show(played, trials);
    results.end("done", "done");
  } catch (error) {
    if (error.name === "AbortError") {
      if (error.result) results.show(error.result, trials);
      results.end("stopped", "stopped");
    } else {
      results.end("failed", error.message);
    }
  } finally {
    playing = null;
    part("go").textContent = "Start";
    show_plays();
  }
}

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  playing === null ? roll_out() : playing.abort();
});
part("start").addEventListener("click", () => set_up(OPENING));
part("clear").addEventListener("click", () => set_up(new Array(26).fill(0)));
part("swap").addEventListener("click", () => set_up(turned(points)));
part("throw").addEventListener("click", () => {
  dice.throw();
  list_plays();
});
part("text").addEventListener("change", ({ target }) => set_up(target.value));
part("rules").addEventListener("change", () => set_up(points));
addEventListener("hashchange", () => set_up(decodeURIComponent(location.hash.slice(1)) || OPENING));

try {
  tavli = await load();
  const { version, tier, rules, players } = tavli.about;
  options(part("rules"), rules);
  options(part("policy"), players);
  part("policy").value = JUDGE;
  part("about").textContent = `Version ${version}, ${tier}, ${navigator.hardwareConcurrency} cores.`;
  dice.roll = "31";
  set_up(decodeURIComponent(location.hash.slice(1)) || OPENING);
  await tavli.loadPlayer(JUDGE);
  judged = true;
  list_plays();
} catch (error) {
  part("about").textContent = `The page cannot play: ${error.message}`;
}
