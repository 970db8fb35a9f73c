// Types of the package. Positions are seen by the player on roll, and so are all values.

/** A text in any format that the library reads (GNU Position ID, Position ID:Match ID, XGID, OGID, FIBS), 26 numbers, or what
 * `position` returned, with no field changed. Of the numbers index 0 is the opponent's bar (0 or less), 1 to 24 are the points
 * as the player on roll counts them, his checkers positive, and 25 is his bar. */
export type AnyPosition = string | ArrayLike<number> | Position;

/** Two dice, such as "31" or [3, 1]. */
export type AnyRoll = string | readonly [number, number];

/** Remarks for people, in the words of the command: on a text that contradicts itself, such as one with a mark of the Crawford
 * game at a score that has none, on values by a player that has not learned the rules, and on a search with too few
 * simulations. */
export type Remarks = readonly string[];

/** The name of rules: `about.rules` lists them. */
export type Rules = "backgammon" | "mcgammon" | "portes" | "nackgammon" | "hypergammon" | "longgammon";

export interface Position {
  readonly positionId: string;
  readonly xgid: string;
  readonly points: readonly number[];
  readonly pips: number;
  readonly opponentPips: number;
  /** The dice of the position. */
  readonly roll: string | null;
  /** "win_single" and so on, if the game is over. */
  readonly outcome: string | null;
  readonly matchId: string;
  /** 1, 2, 4 and so on. */
  readonly cube: number;
  /** Null while the cube is in the middle. */
  readonly cubeOwner: "on_roll" | "opponent" | null;
  /** The points that win the match; 0 in a money game. */
  readonly matchLength: number;
  readonly score: number;
  readonly opponentScore: number;
  /** Whether it is the Crawford game of a match. */
  readonly crawford: boolean;
  /** Rules of money games. */
  readonly jacoby: boolean;
  readonly beavers: boolean;
}

export interface Play {
  /** In notation, such as "8/5 6/5". */
  readonly moves: string;
  /** The position after it, seen by the player next on roll. */
  readonly positionId: string;
  readonly points: readonly number[];
  /** How many checkers it hits. */
  readonly hits: number;
}

/** Probabilities are 0 to 1; gammons include backgammons. The equity is in points, -3 to 3, without the cube. */
export interface Value {
  readonly equity: number;
  readonly win: number;
  readonly winGammon: number;
  readonly winBackgammon: number;
  readonly lose: number;
  readonly loseGammon: number;
  readonly loseBackgammon: number;
}

/** The values of a position before the roll, by the action with the cube, for the player on roll: in money games in units of
 * the cube before a double, in matches equivalent to that. */
export interface CubeValues {
  readonly noDouble: number;
  readonly doubleTake: number;
  readonly doublePass: number;
  /** Without a cube, or with one that is never turned. */
  readonly cubeless: number;
  /** What is right, in GNU Backgammon's words, such as "No double, take". */
  readonly action: string;
}

export interface ValuedPosition extends Value {
  /** Null by default, and if the game is over. */
  readonly cube: CubeValues | null;
}

export interface ValuedPlay extends Value {
  /** The equity with the cube, by which plays are ranked; null by default. */
  readonly cubeful: number | null;
  readonly moves: string;
  readonly positionId: string;
}

export interface Estimate {
  readonly mean: number | null;
  /** Null below two games. */
  readonly standardError: number | null;
}

/** A mean over the trials of a rollout, with its interval of 95 %. */
export interface Statistic extends Estimate {
  /** The mean before it was moved into the range of the value, which it may leave by chance if values are luck-adjusted. */
  readonly rawMean: number | null;
  readonly standardDeviation: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Exact counts of games. */
export interface Counts {
  readonly games: number;
  /** Single wins, gammons and backgammons won, then lost. */
  readonly outcomes: readonly number[];
  readonly plies: number;
  readonly pliesSquared: number;
  readonly plays: number;
  readonly longest: number;
}

export interface PlayoutsResult {
  readonly counts: Counts;
  /** Games that were cut off. */
  readonly unfinished: number;
  readonly win: Estimate;
  readonly equity: Estimate;
  readonly meanPlies: Estimate;
  readonly meanPlays: number | null;
  readonly remarks: Remarks;
  readonly seconds: number;
  readonly gamesPerSecond: number;
}

export interface Candidate {
  /** The play; null if the position itself is rolled out. */
  readonly moves: string | null;
  readonly positionId: string;
  readonly trials: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly unfinished: number;
  readonly equity: Statistic;
  readonly win: Statistic;
  readonly winGammon: Statistic;
  readonly winBackgammon: Statistic;
  readonly lose: Statistic;
  readonly loseGammon: Statistic;
  readonly loseBackgammon: Statistic;
  /** Points behind the best, on the same dice. */
  readonly behind: Statistic;
  /** How far behind the best in joint standard deviations; null if it is infinite. */
  readonly jsd: number | null;
  /** What the player on roll does with the cube; null for a play, and in a rollout without the cube. */
  readonly cube: "no_double" | "double_take" | null;
  /** The equity with the cube, in units of the rollout's cube or equivalent to that; null in a rollout without the cube.
   * Candidates are ranked by it. */
  readonly cubeful: Statistic | null;
}

/** The decision of a rollout about a double. Values of a double are null if the player on roll may not double. */
export interface CubeDecision {
  readonly noDouble: number;
  readonly doubleTake: number | null;
  readonly doublePass: number;
  /** Standard errors; null if there are too few trials. */
  readonly seNoDouble: number | null;
  readonly seDoubleTake: number | null;
  /** What is right, in GNU Backgammon's words. */
  readonly action: string;
}

/** Which play to make, and how sure that is. */
export interface Decision {
  /** The play. */
  readonly play: string | null;
  /** "best": it is the best of the plays that raced; "none_better": none is better by more than `within` points; "open". */
  readonly verdict: "best" | "none_better" | "open";
  /** How sure the verdict is, 0 to 1. */
  readonly sure: number;
  readonly within: number;
  /** With 95 % confidence no other play is better by more points than this; null until it is known. */
  readonly atMostBetter: number | null;
  /** Other plays that may be as good. */
  readonly equalPlays: readonly (string | null)[];
  /** Plays that did not race, since "strong" values them too far below the best. */
  readonly leftOut: number;
  /** How many games without variance reduction would give the same certainty. */
  readonly equivalentGames: number | null;
}

export interface RolloutResult {
  readonly positionId: string;
  readonly roll: string | null;
  readonly rules: Rules;
  readonly seed: string;
  readonly policy: string;
  readonly policyOpponent: string;
  readonly trials: number;
  /** The best first. */
  readonly candidates: readonly Candidate[];
  /** What `decide` found; null in other rollouts. */
  readonly decision: Decision | null;
  /** What a rollout with the cube and without a roll says about a double; null in others. */
  readonly cube: CubeDecision | null;
  readonly remarks: Remarks;
  /** "trials", "standard_error", "jsd", "decided", "time" or "cancelled"; null while it is played. */
  readonly endedBy: string | null;
  readonly seconds: number;
  readonly gamesPerSecond: number;
}

/** Which games are played. */
export interface GamesOptions {
  position: AnyPosition;
  rules?: Rules;
  /** 0 to 2^64 - 1; 1 by default. */
  seed?: number | bigint | string;
  /** The policy of the side on roll: "uniform", "pubeval", or a player that is loaded: "td80", "fast", "strong",
   * "fast+1ply" and so on. By default "uniform" in playouts, and "fast" in rollouts; there "uniform" under the rules
   * "mcgammon", whose goal no net has learned. */
  policy?: string;
  /** The player of the other side; the same by default. */
  policyOpponent?: string;
  /** "any", "open", "stratified" or a roll. In playouts the default is the dice of the position, or "any". */
  firstRoll?: string;
  /** Plies after which games are cut off. In playouts they count as neither won nor lost, 0 points. */
  truncate?: number;
}

export interface PlayoutsOptions extends GamesOptions {
  /** 1 to 10^10. */
  games: number;
}

export interface RolloutOptions extends GamesOptions {
  /** The roll whose plays are compared; by default the dice of the position, or without dice the position itself. */
  roll?: AnyRoll;
  /** The plays that are compared, by their moves; by default all of the roll, which may have 512 at most. */
  plays?: readonly string[];
  /** The evaluator of games that are cut off: a player that is loaded ("td80", "fast", "strong"), "sampled", "sampled:GAMES"
   * or "sampled:GAMES:POLICY". With "none" these games count 0 points, and a cube is an error. By default it is the player on
   * roll, if that player values positions, otherwise "sampled". */
  evaluator?: string;
  /** Plays with the cube and the score of the position. Without a roll, "no double" is compared with "double, take". The players
   * must value positions. False by default. */
  cube?: boolean;
  /** Ends after this many games of each candidate: 46,656 by default, or unlimited if another rule is given. */
  trials?: number;
  /** Ends when the standard error of every equity is at most this, in points. */
  standardError?: number;
  /** Ends when every other candidate is at least this many joint standard deviations behind the best. */
  jsd?: number;
}

/** How positions and plays are valued. */
export interface ValueOptions {
  player?: string;
  rules?: Rules;
  /** With the cube and the score of the position, which without any is the cube of a money game at 1. False by default. */
  cube?: boolean;
}

/** Which play of a roll is to be chosen. The players "strong" and "fast" must be loaded; under the rules "hypergammon"
 * and "longgammon" "fast" alone, and under "mcgammon" none. */
export interface DecisionOptions {
  position: AnyPosition;
  /** By default the dice of the position. */
  roll?: AnyRoll;
  /** The plays to choose from, by their moves; by default those that "strong" values near the best, and all where no net has
   * learned the rules ("mcgammon", "hypergammon", "longgammon"). */
  plays?: readonly string[];
  rules?: Rules;
  /** 0 to 2^64 - 1; 1 by default. */
  seed?: number | bigint | string;
  /** Plays that differ by at most this many points count as equally good: 0.01 by default. */
  within?: number;
  /** Ends after this many trials of each play: 2,304 by default, or unlimited if `seconds` are given. */
  trials?: number;
  /** Plays with the cube and the score of the position. False by default. */
  cube?: boolean;
}

/** A job of a pool. */
export interface Job<Progress> {
  /** Ends the job: it rejects with an {@link AbortError}, within about a tenth of a second. */
  signal?: AbortSignal | null;
  /** Called about ten times a second. If it throws, or a promise that it returns rejects, the job rejects with that error. A job
   * that is not aborted waits for these promises. */
  onProgress?: ((progress: Progress) => void | Promise<void>) | null;
}

/** The library on the calling thread. All functions return when they are done. They throw a {@link TavliError} for what is
 * not a position, a roll, a player or a setting, and a TypeError or RangeError for an argument of another type or range. */
export interface Engine {
  readonly about: {
    readonly version: string;
    /** "simd128": the tier that plays. */
    readonly tier: string;
    readonly rules: readonly Rules[];
    readonly players: readonly string[];
  };
  /** The remarks on the last call; remarks on playouts, rollouts and decisions are in the results, too. */
  readonly remarks: Remarks;
  position(position: AnyPosition, options?: { rules?: Rules }): Position;
  /** The plays of a roll: the distinct positions that it leads to. The default roll is the dice of the position. */
  plays(position: AnyPosition, roll?: AnyRoll, options?: { rules?: Rules }): Play[];
  /** The value of a position before the roll, without dice, by a player that is loaded, or "sampled". The default is
   * "strong+bearoff:6+bearoff:6x6", for which "strong" must be loaded; under the rules "mcgammon" "sampled". */
  evaluate(position: AnyPosition, options?: ValueOptions): ValuedPosition;
  /** The plays of a roll by their value as in `evaluate`, the best first. */
  evaluatePlays(position: AnyPosition, roll?: AnyRoll, options?: ValueOptions): ValuedPlay[];
  /** The values of positions before the roll, without dice, with their cubes and scores, and the right action with the cube.
   * A row of `probabilities` has the chances of the player on roll to win, win a gammon, win a backgammon, lose a gammon and
   * lose a backgammon: wins count gammons, and gammons count backgammons. A position is a text such as "PositionID:MatchID" or
   * an XGID. */
  cubeValues(probabilities: Iterable<ArrayLike<number>>, positions: Iterable<AnyPosition>): CubeValues[];
  /** Fetches the net of a built-in player. */
  loadPlayer(name: "td80" | "fast" | "strong"): Promise<void>;
  /** Takes the bytes of a built-in player's file, and reads them. */
  givePlayer(name: "td80" | "fast" | "strong", bytes: Uint8Array): void;
  playouts(options: PlayoutsOptions): PlayoutsResult;
  rollout(options: RolloutOptions): RolloutResult;
  /** Decides which play of a roll to make, as `tavli rollout POSITION ROLL` does. */
  decide(options: DecisionOptions): RolloutResult;
}

/** Loads the module of WebAssembly, and starts it on this thread. */
export function load(): Promise<Engine>;

/** Workers that play in the background. Results are an {@link Engine}'s, digit for digit, whatever the number of workers. */
export class Pool {
  private constructor();
  /** Starts `workers` workers; by default one per core. */
  static start(options?: { workers?: number }): Promise<Pool>;
  readonly workers: number;
  loadPlayer(name: "td80" | "fast" | "strong"): Promise<void>;
  playouts(options: PlayoutsOptions & Job<PlayoutsResult>): Promise<PlayoutsResult>;
  rollout(options: RolloutOptions & Job<RolloutResult>): Promise<RolloutResult>;
  /** Decides which play of a roll to make, within `seconds` if they are given. The first decision near a bear-off may take some
   * tenths of a second more, in which the calling thread and each worker make the table of "strong+bearoff:6x6". If the time is
   * up, or the job is aborted, before the first trial, the plays are in the order of their values by "strong" (under the rules
   * "mcgammon" by "sampled"). */
  decide(options: DecisionOptions & { seconds?: number } & Job<RolloutResult>): Promise<RolloutResult>;
  /** Ends the workers, for which Node waits before it ends. Jobs that are under way fail. */
  close(): void;
}

/** The games of {@link Games}. */
export type GameName = "draughts" | "plakoto" | "fevga" | "tictactoe";

/** A position of a game other than backgammon: what `position` or `plays` returned, with no field changed except the rules; or
 * the game and a text. The text is as the game writes it (a FEN of draughts), or "start", which is also the default. */
export type AnyGamePosition = GamePosition | { game: GameName; text?: string; rules?: string };

export interface GamePosition {
  readonly game: GameName;
  readonly rules: string;
  /** The text in the game's usual notation. */
  readonly text: string;
  /** The text with what the usual notation leaves out: in draughts the plies without a capture or a move of a man, which the
   * draw rule counts. */
  readonly state: string;
  /** How the game has ended, for the player whose turn it would be: "win", "draw", "lose", "win_gammon", "tie" and so on. Null
   * while it goes on. */
  readonly outcome: string | null;
  /** The points of that player; null while the game goes on. */
  readonly points: number | null;
  readonly numbers: GameNumbers;
}

/** What is on the board. */
export interface GameNumbers {
  /** Draughts: squares 1 to 32, 1 a black man, 2 a black king, -1 and -2 white ones. Tic-tac-toe: row by row from the top, 1 for X
   * and -1 for O. 0 is empty. */
  readonly squares?: readonly number[];
  /** Who is to move: 1 for black or X, -1 for white or O. Positions of Plakoto and Fevga are seen by the player on roll. */
  readonly side?: readonly [1 | -1];
  /** Draughts: plies without a capture or a move of a man. */
  readonly quiet?: readonly [number];
  /** Plakoto and Fevga: the checkers on points 1 to 24 as the player on roll counts them, his positive. A pinned checker is not
   * counted. */
  readonly points?: readonly number[];
  /** 1 where the checkers of `points` pin a checker of the other side. */
  readonly pinned?: readonly number[];
  /** Checkers borne off, of the player on roll and of the other. */
  readonly off?: readonly [number, number];
  readonly pips?: readonly [number, number];
}

export interface GamePlay {
  /** In the game's notation: "9-13", "9x18x25", "24/23 24/21", "b2". */
  readonly moves: string;
  /** The position after it, seen by the other player. */
  readonly position: GamePosition;
}

/** A value in points for the player on roll or to move, before a roll. */
export interface GameValue {
  readonly equity: number;
  /** How many plies the player looked ahead. */
  readonly plies: number;
}

/** A play with its value for the player who makes it. */
export interface ValuedGamePlay extends GamePlay, GameValue {
  /** Points behind the best. */
  readonly behind: number;
}

export interface GamePlayoutsResult {
  readonly counts: {
    readonly games: number;
    /** In the order of `about.games`. */
    readonly outcomes: readonly number[];
    readonly plies: number;
    readonly pliesSquared: number;
    readonly longest: number;
  };
  /** Games by the name of their outcome, for the player whose turn it is in the position. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly win: Estimate;
  readonly equity: Estimate;
  readonly meanPlies: Estimate;
  readonly seconds: number;
  readonly gamesPerSecond: number;
}

export interface SearchedGamePlay extends GamePlay {
  /** Simulations that began with it. */
  readonly visits: number;
  /** The sum of their values. */
  readonly sum: number;
  /** The mean value in points, for the player who makes it; null without visits. */
  readonly value: number | null;
  /** Null below two visits. */
  readonly standardError: number | null;
}

export interface SearchResult {
  readonly simulations: number;
  /** The best first. */
  readonly plays: readonly SearchedGamePlay[];
  readonly remarks: Remarks;
  readonly seconds: number;
  readonly simulationsPerSecond: number;
}

/** A play that raced, for the player who makes it. */
export interface GameCandidate extends GamePlay {
  readonly trials: number;
  /** Its value by the net without trials, in points. */
  readonly evaluation: number;
  /** Mean points of its games minus their luck. */
  readonly equity: Statistic;
  /** Points behind the best, on the same dice. */
  readonly behind: Statistic;
  /** Whether it was dropped for being worse than another. */
  readonly dropped: boolean;
}

export interface GameDecisionResult {
  readonly position: GamePosition;
  readonly roll: string;
  readonly seed: string;
  /** The net that plays and values. */
  readonly policy: string;
  readonly trials: number;
  /** The best first. */
  readonly candidates: readonly GameCandidate[];
  readonly decision: Decision;
  readonly remarks: Remarks;
  /** "decided", "trials", "time" or "cancelled"; null while it is played. */
  readonly endedBy: string | null;
  readonly seconds: number;
  readonly gamesPerSecond: number;
}

export interface GamePlayoutsOptions {
  position: AnyGamePosition;
  /** 1 to 10^10. */
  games: number;
  /** 0 to 2^64 - 1; 1 by default. */
  seed?: number | bigint | string;
}

/** A search by UCT, with playouts in which each play is as likely as any other. The position, the roll, the simulations and the
 * seed decide its result. */
export interface SearchOptions {
  position: AnyGamePosition;
  /** In a game with dice. */
  roll?: AnyRoll | null;
  /** 1 to 2^33. */
  simulations: number;
  /** 0 to 2^64 - 1; 1 by default. */
  seed?: number | bigint | string;
}

/** Which play of a roll is to be chosen in Plakoto or Fevga, whose net "strong" must be loaded. */
export interface GameDecisionOptions {
  position: AnyGamePosition;
  roll: AnyRoll;
  /** The plays to choose from, by their moves or the positions after them; by default those that "strong" values near the best. */
  plays?: readonly string[];
  /** 0 to 2^64 - 1; 1 by default. */
  seed?: number | bigint | string;
  /** Plays that differ by at most this many points count as equally good: 0.01 by default. */
  within?: number;
  /** Ends after this many trials of each play: 2,304 by default, or unlimited if `seconds` are given. */
  trials?: number;
}

/** Games other than backgammon on the calling thread, by a module of their own. Functions and errors are as in an
 * {@link Engine}. Rolls are for games with dice. */
export interface Games {
  readonly about: {
    readonly version: string;
    readonly tier: string;
    readonly games: readonly {
      readonly name: GameName;
      /** The names of its sets of rules, the default first. */
      readonly rules: readonly string[];
      readonly hasDice: boolean;
      readonly outcomes: readonly string[];
      /** What values its positions without a net, the default first. */
      readonly evaluators: readonly string[];
    }[];
    /** The trees of a search. */
    readonly trees: number;
  };
  /** The remarks on the last call; remarks on searches and decisions are in the results, too. */
  readonly remarks: Remarks;
  /** A position of a game by its text, or the position in which the game begins. */
  position(game: GameName, text?: string, options?: { rules?: string }): GamePosition;
  /** A drawing in lines of text. */
  drawing(position: AnyGamePosition): string;
  /** The plays of a roll, or of a turn in a game without dice: the distinct positions that it leads to. */
  plays(position: AnyGamePosition, roll?: AnyRoll | null): GamePlay[];
  /** The value of a position by a player: one of the game's evaluators, or a net that is loaded ("strong", "strong+1ply",
   * "strong+2ply"). The default is "strong" in Plakoto and Fevga, in other games the first evaluator. */
  evaluate(position: AnyGamePosition, options?: { player?: string }): GameValue;
  /** The plays by their value as in `evaluate`, the best first. */
  evaluatePlays(position: AnyGamePosition, roll?: AnyRoll | null, options?: { player?: string }): ValuedGamePlay[];
  /** Fetches the built-in net of a game. */
  loadPlayer(game: "plakoto" | "fevga", name: "strong"): Promise<void>;
  /** Takes the bytes of a net that `tavli train` wrote, under a name with a letter and without "+", which is not an evaluator's. */
  givePlayer(game: GameName, name: string, bytes: Uint8Array): void;
  /** Plays games at random. */
  playouts(options: GamePlayoutsOptions): GamePlayoutsResult;
  /** Searches for the best play. */
  search(options: SearchOptions): SearchResult;
  /** Decides which play of a roll to make, as `tavli rollout POSITION ROLL --game GAME` does. */
  decide(options: GameDecisionOptions): GameDecisionResult;
}

/** Loads the module of the other games, and starts it on this thread. */
export function loadGames(): Promise<Games>;

/** Workers that play other games in the background. Results are those of {@link Games}, digit for digit, with any number of
 * workers. */
export class GamesPool {
  private constructor();
  /** Starts `workers` workers; by default one per core. */
  static start(options?: { workers?: number }): Promise<GamesPool>;
  readonly workers: number;
  /** Fetches the built-in net of a game. */
  loadPlayer(game: "plakoto" | "fevga", name: "strong"): Promise<void>;
  playouts(options: GamePlayoutsOptions & Job<GamePlayoutsResult>): Promise<GamePlayoutsResult>;
  search(options: SearchOptions & Job<SearchResult>): Promise<SearchResult>;
  /** Decides which play of a roll to make, within `seconds` if they are given. If the time is up, or the job is aborted, before
   * the first trial, the plays are in the order of their values by the net. */
  decide(options: GameDecisionOptions & { seconds?: number } & Job<GameDecisionResult>): Promise<GameDecisionResult>;
  /** Ends the workers, for which Node waits before it ends. Jobs that are under way fail. */
  close(): void;
}

/** A request that cannot be answered. */
export class TavliError extends Error {
  readonly kind: "position" | "roll" | "player" | "settings";
}

/** A job that its signal ended. */
export class AbortError<
  Result = PlayoutsResult | RolloutResult | GamePlayoutsResult | SearchResult | GameDecisionResult,
> extends Error {
  /** The result until then. If nothing was played it is null; a decision then has its plays in the order of their values. */
  readonly result: Result | null;
}
