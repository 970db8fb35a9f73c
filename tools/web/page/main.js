// The page: a position, the plays of a roll, and a rollout of them.

import { Board } from "./board.js";
import { turned } from "./checkers.js";
import { Dice } from "./dice.js";
import { Results } from "./results.js";
import { Pool, load } from "./tavli/index.js";

/** The player whose values order the plays. */
const JUDGE = "strong";
/** The default player of rollouts. */
const PLAYER = "fast";
/** The rules whose goal no net has learned. */
const UNLEARNED = ["mcgammon"];
/** The players whose nets are fetched when they are first needed. */
const NETS = ["td80", "fast", "strong"];
/** The seed of every rollout: the same question has the same answer. */
const SEED = 1;
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

const board = new Board(part("board"), { onChange: setUp, say });
const dice = new Dice([part("first"), part("second")], listPlays);
const results = new Results(Object.fromEntries(["result", "what", "progress", "speed", "rows"].map((id) => [id, part(id)])));

/** Takes a position that was set up, in any format. */
function setUp(position) {
  try {
    const found = tavli.position(position, { rules: part("rules").value });
    points = found.points;
    board.set(points);
    part("text").value = found.positionId;
    part("pips").textContent = `Light, on roll: ${found.pips} pips. Dark: ${found.opponentPips} pips.`;
    history.replaceState(null, "", `#${found.positionId}`);
    if (found.roll) dice.roll = found.roll;
    say(found.outcome ? "This game is over." : "");
    listPlays();
  } catch (error) {
    // Checkers that are being set up need not be a position yet: they stay as they are.
    if (Array.isArray(position)) {
      points = position;
      board.set(points);
      plays = [];
      showPlays();
    }
    say(error.message);
  }
}

/** Whether the judge has come, and knows the rules. */
const isJudged = () => judged && !UNLEARNED.includes(part("rules").value);

/** Lists the plays of the roll, the best first if they are judged. */
function listPlays() {
  const rules = part("rules").value;
  try {
    plays = tavli.plays(points, dice.roll, { rules });
    if (isJudged()) {
      const byId = new Map(plays.map((play) => [play.positionId, play]));
      const ranked = tavli.evaluatePlays(points, dice.roll, { rules, player: JUDGE });
      plays = ranked.map(({ positionId, equity }) => ({ ...byId.get(positionId), equity }));
    }
  } catch (error) {
    plays = [];
    say(error.message);
  }
  showPlays();
}

function showPlays() {
  const number = plays.length;
  const order = isJudged() ? `, by the equity that ${JUDGE} sees` : "";
  part("count").textContent = number === 0 ? "No plays." : `${number} ${number === 1 ? "play" : "plays"}${order}`;
  part("plays").replaceChildren(...plays.map(playItem));
  part("go").disabled = tavli === undefined || (number === 0 && playing === null);
}

function playItem(play) {
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
  button.addEventListener("click", () => setUp(play.positionId));
  const item = document.createElement("li");
  item.append(button);
  return item;
}

/** The pool, with the nets that a player needs. */
async function poolFor(policy) {
  pool ??= await Pool.start();
  if (NETS.includes(policy) && !loaded.has(policy)) {
    await pool.loadPlayer(policy);
    loaded.add(policy);
  }
  return pool;
}

async function rollOut() {
  const [policy, rules, of] = ["policy", "rules", "of"].map((id) => part(id).value);
  const trials = Number(part("trials").value);
  const position = points;
  const roll = of === "position" ? null : dice.roll;
  const chosen = of === "all" ? plays : plays.slice(0, Number(of));
  const asked = roll === null ? { position } : { position, roll, plays: chosen.map(({ moves }) => moves) };
  playing = new AbortController();
  const { signal } = playing;
  part("go").textContent = "Stop";
  const question = [part("text").value, ...(roll === null ? [] : [`roll ${roll}`]), rules, `played by ${policy}`, `seed ${SEED}`];
  results.begin(question.join(", "));
  try {
    const workers = await poolFor(policy);
    const onProgress = (result) => results.show(result, trials);
    const played = await workers.rollout({ ...asked, trials, policy, rules, seed: SEED, signal, onProgress });
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
    part("go").textContent = "Roll out";
    showPlays();
  }
}

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  playing === null ? rollOut() : playing.abort();
});
part("start").addEventListener("click", () => setUp(OPENING));
part("clear").addEventListener("click", () => setUp(new Array(26).fill(0)));
part("swap").addEventListener("click", () => setUp(turned(points)));
part("throw").addEventListener("click", () => {
  dice.throw();
  listPlays();
});
part("text").addEventListener("change", ({ target }) => setUp(target.value));
part("rules").addEventListener("change", () => setUp(points));
addEventListener("hashchange", () => setUp(decodeURIComponent(location.hash.slice(1)) || OPENING));

try {
  tavli = await load();
  const { version, tier, rules, players } = tavli.about;
  options(part("rules"), rules);
  options(part("policy"), players);
  part("policy").value = PLAYER;
  part("about").textContent = `Version ${version}, ${tier}, ${navigator.hardwareConcurrency} cores.`;
  dice.roll = "31";
  setUp(decodeURIComponent(location.hash.slice(1)) || OPENING);
  await tavli.loadPlayer(JUDGE);
  judged = true;
  listPlays();
} catch (error) {
  part("about").textContent = `The page cannot play: ${error.message}`;
}
