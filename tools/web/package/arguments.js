// Checks the types and ranges of what callers pass, before it goes to the module. The module itself checks what a position
// or a roll says.

import { shown } from "./errors.js";
import { PLAYERS } from "./files.js";

/** A text whose lone surrogates are replaced, which no text in UTF-8 has. */
const withoutLoneSurrogates = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** The fields of what position() returns; `outcome` depends on rules that it does not name. */
const POSITION = [
  ..."positionId xgid points pips opponentPips roll matchId cube cubeOwner matchLength score opponentScore crawford".split(" "),
  ..."jacoby beavers outcome".split(" "),
];
/** Those of another game. */
const GAME_POSITION = ["game", "rules", "text", "state", "outcome", "points", "numbers"];

/** Fails for a field of a position that is not known: its text would say something else. */
function knownFields(value, names, remedy) {
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) throw new TypeError(`unknown field ${shown(name)} of a position: ${remedy}`);
  }
}

/** Whether a field is what the module says: a number, a text, or numbers. */
function isSame(given, said) {
  if (typeof said !== "object" || said === null) return (given ?? null) === said;
  const names = Object.keys(said);
  if (typeof given !== "object" || given === null || Object.keys(given).length !== names.length) return false;
  return names.every((name) => isSame(given[name], said[name]));
}

/** Fails for a field of a position that was changed: it is read by `text`, the field that says all. */
function unchanged(value, said, text, remedy) {
  for (const [name, field] of Object.entries(value)) {
    if (!(name in said) || isSame(field, said[name])) continue;
    const isShort = typeof said[name] !== "object" || said[name] === null;
    const says = isShort ? `is ${shown(field)}, but its ${text} says ${shown(said[name])}` : `is not that of its ${text}`;
    throw new RangeError(`the field ${shown(name)} of a position ${says}: ${remedy}`);
  }
}

/** A position: a text or 26 numbers, under the key that says which. Of what position() returned the module says whether
 * it has the fields that its text has. */
export function position(value, module) {
  if (typeof value === "string") return { text: withoutLoneSurrogates(value) };
  if (typeof value?.positionId === "string") {
    knownFields(value, POSITION, "give what position() returned, or a text such as its positionId");
    const { positionId, xgid, matchId } = value;
    const name = typeof xgid === "string" ? "xgid" : "positionId";
    const whole = typeof matchId === "string" ? `${positionId}:${matchId}` : positionId;
    const read = position(name === "xgid" ? xgid : whole);
    const { outcome: _, ...said } = module.ask("position", { position: read, rules: null });
    unchanged(value, said, name, "give a text that says it, such as an XGID");
    return read;
  }
  if (typeof value === "object" && typeof value?.length === "number") {
    if (value.length !== 26) throw new RangeError(`a position as numbers has 26 of them, not ${value.length}`);
    const points = Array.from(value);
    const wrong = points.findIndex((checkers) => !Number.isInteger(checkers) || Math.abs(checkers) > 15);
    if (wrong < 0) return { points };
    throw new RangeError(`number ${wrong} of a position: give a whole number, -15 to 15, not ${shown(points[wrong])}`);
  }
  throw new TypeError(`a position is a text, 26 numbers or what position() returned, not ${shown(value)}`);
}

/** A position of a game other than backgammon, by what `position()` or `plays()` returned, or by the names of its game and
 * rules and its text. */
export function gamePosition(value, module) {
  if (typeof value !== "object" || value === null) {
    throw new TypeError(`a position is what position() or plays() returned, or { game, text }, not ${shown(value)}`);
  }
  const { game, rules, text: short, state, ...others } = value;
  if (typeof game !== "string") throw new TypeError(`game is the name of a game such as "draughts", not ${shown(game)}`);
  knownFields(value, GAME_POSITION, "choose from game, text, rules");
  const read = { game: text("game", game), rules: text("rules", rules), text: text("a position", state ?? short) };
  if (state !== undefined || Object.keys(others).length > 0) {
    const said = module.ask("position", { position: read });
    const { rules: _, ...fields } = value;
    unchanged(fields, said, state === undefined ? "text" : "state", "give { game, text, rules } alone");
  }
  return read;
}

/** A text, or nothing. */
export function text(what, value) {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return withoutLoneSurrogates(value);
  throw new TypeError(`${what} is a text, not ${shown(value)}`);
}

/** Bytes. */
export function bytes(what, value) {
  // Arrays of another realm, such as a test's, are not instances of this realm's class.
  if (value?.[Symbol.toStringTag] === "Uint8Array") return value;
  throw new TypeError(`${what} is a Uint8Array, not ${ArrayBuffer.isView(value) ? value.constructor.name : shown(value)}`);
}

/** A roll: a text such as "31" or two dice; or nothing. */
export function roll(value) {
  const isDice = Array.isArray(value) && value.length === 2 && value.every((die) => typeof die === "string" || Number.isInteger(die));
  const dice = isDice ? value.join("") : value;
  if (dice !== undefined && dice !== null && typeof dice !== "string") {
    throw new TypeError(`a roll is a text such as "31" or two dice such as [3, 1], not ${shown(value)}`);
  }
  return text("a roll", dice);
}

/** The name of a player that has a file. */
export function player(value) {
  const name = text("player", value);
  if (PLAYERS.includes(name)) return name;
  throw new RangeError(`there is no file of a player ${shown(name)}: choose from ${PLAYERS.join(", ")}`);
}

/** The names of a game and of its net, which may not be read as another player of the game. */
export function net(game, value, { games }) {
  const [of, name] = [text("game", game) ?? "", text("player", value) ?? ""];
  if (!/\p{L}/u.test(name) || name.includes("+")) {
    throw new RangeError(`the name of a net has a letter and no "+", unlike ${shown(name)}: choose another`);
  }
  if (games.find((known) => known.name === of)?.evaluators.includes(name)) {
    throw new RangeError(`${shown(name)} is an evaluator of ${of}: choose another name for the net`);
  }
  return { game: of, name };
}

/** A whole number from 1 to `most`, or nothing. */
export function whole(what, value, most = Number.MAX_SAFE_INTEGER) {
  if (value === undefined || value === null) return null;
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new RangeError(`${what}: give a whole number from 1 to ${most}, not ${shown(value)}`);
}

/** Whether something is wanted; by default it is not. */
export function flag(what, value) {
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  throw new TypeError(`${what} is true or false, not ${shown(value)}`);
}

/** The rows of cube values: five chances and a position each. */
export function cubeRows(probabilities, positions, module) {
  const all = (what, values) => {
    if (typeof values?.[Symbol.iterator] === "function") return Array.from(values);
    throw new TypeError(`${what} are an array or another iterable, not ${shown(values)}`);
  };
  const ids = all("positions", positions);
  const rows = all("rows of chances", probabilities).map((chances) => Array.from(chances ?? []));
  if (rows.length !== ids.length) throw new RangeError(`give a row of chances for each position, not ${rows.length} for ${ids.length}`);
  return rows.map((chances, row) => {
    if (chances.length !== 5 || !chances.every(Number.isFinite)) {
      throw new RangeError(`row ${row}: chances are five numbers, to win, win a gammon, win a backgammon, lose a gammon and lose a backgammon`);
    }
    return { chances, position: position(ids[row], module) };
  });
}

/** A number above 0, or nothing. */
export function above0(what, value) {
  if (value === undefined || value === null) return null;
  if (Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`${what}: give a number above 0, not ${shown(value)}`);
}

/** A number from 0 on, or nothing. */
function notBelow0(what, value) {
  if (value === undefined || value === null) return null;
  if (Number.isFinite(value) && value >= 0) return value;
  throw new RangeError(`${what}: give a number from 0 on, not ${shown(value)}`);
}

/** A seed, 0 to 2^64 - 1, as a text; or nothing. */
export function seed(value) {
  if (value === undefined || value === null) return null;
  if (Number.isSafeInteger(value) && value >= 0) return String(value);
  if (typeof value === "bigint" && value >= 0n && value < 1n << 64n) return String(value);
  if (typeof value === "string" && /^\d+$/.test(value)) return value;
  throw new RangeError(`seed: give a whole number 0 to 2^53 - 1, or a BigInt or a text of digits below 2^64, not ${shown(value)}`);
}

/** Plays by their moves, or nothing. */
function plays(value) {
  if (value === undefined || value === null) return null;
  // Each place of an array with holes is checked, too.
  if (Array.isArray(value) && Array.from(value).every((play) => typeof play === "string")) return value.map(withoutLoneSurrogates);
  throw new TypeError(`plays are an array of texts such as "8/5 6/5", not ${shown(value)}`);
}

const GAMES = ["position", "rules", "seed", "policy", "policyOpponent", "firstRoll", "truncate"];
/** The most games whose sums are still exact, squared plies included. */
const MAX_GAMES = 1e10;
/** The most simulations for which the sums of the values in each tree are exact. */
const MAX_SIMULATIONS = 2 ** 33;

/** Fails for a name that is not known: a misspelt option is not ignored. */
export function known(options, names) {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`the options are an object, not ${shown(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new TypeError(`unknown option ${shown(name)}: choose from ${names.join(", ")}`);
  }
}

function games(options, module) {
  return {
    position: position(options.position, module),
    rules: text("rules", options.rules),
    seed: seed(options.seed),
    policy: text("policy", options.policy),
    policyOpponent: text("policyOpponent", options.policyOpponent),
    firstRoll: text("firstRoll", options.firstRoll),
    truncate: whole("truncate", options.truncate, 2 ** 32 - 1),
  };
}

/** The number of `what`, which must be named. */
function needed(what, value, most) {
  const number = whole(what, value, most);
  if (number === null) throw new TypeError(`${what}: say how many ${what} to play`);
  return number;
}

/** The request of playouts, and how many there are; `others` are options that the caller reads. */
export function playouts(options, others, module) {
  known(options, [...GAMES, ...others, "games"]);
  return { request: games(options, module), games: needed("games", options.games, MAX_GAMES) };
}

/** The request of playouts of another game, and how many there are; `others` are options that the caller reads. */
export function gamePlayouts(options, others, module) {
  known(options, ["position", "seed", "games", ...others]);
  const request = { position: gamePosition(options.position, module), seed: seed(options.seed) };
  return { request, games: needed("games", options.games, MAX_GAMES) };
}

/** The request of a search; `others` are options that the caller reads. */
export function search(options, others, module) {
  known(options, ["position", "roll", "simulations", "seed", ...others]);
  return {
    position: gamePosition(options.position, module),
    roll: roll(options.roll),
    simulations: needed("simulations", options.simulations, MAX_SIMULATIONS),
    seed: seed(options.seed),
  };
}

/** The request of a rollout; `others` are options that the caller reads. */
export function rollout(options, others, module) {
  known(options, [...GAMES, ...others, "roll", "plays", "evaluator", "trials", "standardError", "jsd", "cube"]);
  return {
    games: games(options, module),
    roll: roll(options.roll),
    plays: plays(options.plays),
    evaluator: text("evaluator", options.evaluator),
    cube: flag("cube", options.cube),
    trials: whole("trials", options.trials),
    standardError: above0("standardError", options.standardError),
    jsd: above0("jsd", options.jsd),
  };
}

/** The most trials of a decision. As in the command, there is no default if time ends it. */
function mostTrials({ trials, seconds }) {
  const unbound = seconds === undefined || seconds === null ? null : Number.MAX_SAFE_INTEGER;
  return whole("trials", trials) ?? unbound;
}

/** The request of a decision; `others` are options that the caller reads. */
export function decision(options, others, module) {
  known(options, ["position", "rules", "seed", ...others, "roll", "plays", "within", "trials", "cube"]);
  return {
    position: position(options.position, module),
    rules: text("rules", options.rules),
    seed: seed(options.seed),
    roll: roll(options.roll),
    plays: plays(options.plays),
    within: notBelow0("within", options.within),
    cube: flag("cube", options.cube),
    trials: mostTrials(options),
  };
}

/** The request of a decision in another game; `others` are options that the caller reads. */
export function gameDecision(options, others, module) {
  known(options, ["position", "seed", ...others, "roll", "plays", "within", "trials"]);
  return {
    position: gamePosition(options.position, module),
    seed: seed(options.seed),
    roll: roll(options.roll),
    plays: plays(options.plays),
    within: notBelow0("within", options.within),
    trials: mostTrials(options),
  };
}
