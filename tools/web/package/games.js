// Games other than backgammon on one thread.

import * as given from "./arguments.js";
import { gamePlayers } from "./files.js";
import { searched, start } from "./games-module.js";
import { timed } from "./module.js";
import { playTrials } from "./trials.js";

/** Loads the module of the other games. */
export async function loadGames() {
  return new Games(await start());
}

/** The other games. All functions return when they are done: a {@link GamesPool} plays in the background. */
class Games {
  #module;
  #decisions = 0;

  constructor(module) {
    this.#module = module;
  }

  /** What the module is and has. */
  get about() {
    return this.#module.about;
  }

  /** The remarks on the last call. */
  get remarks() {
    return [...this.#module.remarks];
  }

  /** A position of a game, by its text; without one, that in which the game begins. */
  position(game, text, options = {}) {
    given.known(options, ["rules"]);
    const { rules } = options;
    return this.#module.ask("position", { position: given.gamePosition({ game, text, rules }, this.#module) });
  }

  /** A drawing of a position in lines of text. */
  drawing(position) {
    return this.#module.ask("drawing", { position: given.gamePosition(position, this.#module) });
  }

  /** The plays of a roll, or of a turn in a game without dice. */
  plays(position, roll) {
    return this.#module.ask("plays", { position: given.gamePosition(position, this.#module), roll: given.roll(roll) });
  }

  /** The value of a position by a player, for the player on roll or to move. */
  evaluate(position, options = {}) {
    given.known(options, ["player"]);
    return this.#module.ask("evaluate", {
      position: given.gamePosition(position, this.#module),
      player: given.text("player", options.player),
    });
  }

  /** The plays of a roll, or of a turn, by their value, the best first. */
  evaluatePlays(position, roll, options = {}) {
    given.known(options, ["player"]);
    return this.#module.ask("evaluatePlays", {
      position: given.gamePosition(position, this.#module),
      roll: given.roll(roll),
      player: given.text("player", options.player),
    });
  }

  /** Fetches the built-in net of a game: "strong" of "plakoto" and "fevga". */
  async loadPlayer(game, name) {
    const bytes = await gamePlayers(given.text("game", game), given.text("player", name));
    this.#module.givePlayer(game, name, bytes);
  }

  /** Takes the bytes of a net's file, under a name. */
  givePlayer(game, name, bytes) {
    const named = given.net(game, name, this.about);
    this.#module.givePlayer(named.game, named.name, given.bytes("the file of a player", bytes));
  }

  /** Plays games at random. */
  playouts(options) {
    const { request, games } = given.gamePlayouts(options, [], this.#module);
    const begun = performance.now();
    const counts = this.#module.countGames(request, 0, games);
    return timed(this.#module.addGames(request, [counts]), games, begun);
  }

  /** Searches for the best play. */
  search(options) {
    const request = given.search(options, [], this.#module);
    const begun = performance.now();
    const counts = this.#module.countTrees(request, 0, this.about.trees, null);
    return searched(this.#module.searchResult(request, [counts]), begun);
  }
  /** Decides which play of a roll to make. */
  decide(options) {
    const request = given.gameDecision(options, [], this.#module);
    return playTrials(this.#module, ++this.#decisions, "beginDecision", request);
  }
}
