// Games other than backgammon on one thread, by a module of their own.

import * as given from "./arguments.js";
import { gamePlayers, gamesProgram } from "./files.js";
import { Module, compiler, timed } from "./module.js";

const compiled = compiler(gamesProgram);

/** Loads the module of the other games. */
export async function loadGames() {
  return Games.start(await compiled());
}

/** The other games. All functions return when they are done: a {@link GamesPool} plays in the background. */
export class Games extends Module {
  /** A position of a game, by its text; without one, that in which the game begins. */
  position(game, text, options = {}) {
    given.known(options, ["rules"]);
    const { rules } = options;
    return this.ask("position", { position: given.gamePosition({ game, text, rules }) });
  }

  /** A drawing of a position in lines of text. */
  drawing(position) {
    return this.ask("drawing", { position: given.gamePosition(position) });
  }

  /** The plays of a roll, or of a turn in a game without dice. */
  plays(position, roll) {
    return this.ask("plays", { position: given.gamePosition(position), roll: given.roll(roll) });
  }

  /** What a position is worth by a player, for the player on roll or to move. */
  evaluate(position, options = {}) {
    given.known(options, ["player"]);
    return this.ask("evaluate", {
      position: given.gamePosition(position),
      player: given.text("player", options.player),
    });
  }

  /** The plays of a roll, or of a turn, by their value, the best first. */
  evaluatePlays(position, roll, options = {}) {
    given.known(options, ["player"]);
    return this.ask("evaluatePlays", {
      position: given.gamePosition(position),
      roll: given.roll(roll),
      player: given.text("player", options.player),
    });
  }

  /** Fetches the built-in net of a game: "strong" of "plakoto" and "fevga". */
  async loadPlayer(game, name) {
    this.givePlayer(game, name, await gamePlayers(given.text("game", game), given.text("player", name)));
  }

  /** Takes the bytes of a net's file, under a name. */
  givePlayer(game, name, bytes) {
    const request = { game: given.text("game", game) ?? "", name: given.text("player", name) ?? "" };
    this.give("givePlayer", request, given.bytes("the file of a player", bytes));
  }

  /** Plays games at random. */
  playouts(options) {
    const { request, games } = given.gamePlayouts(options, []);
    const start = performance.now();
    const counts = this.countGames(request, 0, games);
    return timed(this.addGames(request, [counts]), games, start);
  }

  /** Searches for the best play. */
  search(options) {
    const request = given.search(options, []);
    const start = performance.now();
    const arms = this.countTrees(request, 0, this.about.trees);
    return searched(this.addTrees(request, [arms]), start);
  }

  countGames(request, first, count) {
    return this.ask("countGames", { ...request, first, count });
  }

  addGames({ position }, parts) {
    return this.ask("addGames", { position, parts });
  }

  countTrees(request, first, end) {
    return this.ask("countTrees", { search: request, first, end });
  }

  addTrees(request, parts) {
    return this.ask("addTrees", { search: request, parts });
  }
}

/** The result of a search, with its time and rate. */
export const searched = (result, start) => timed(result, result.simulations, start, "simulationsPerSecond");
