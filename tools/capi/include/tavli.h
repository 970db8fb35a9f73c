/* Tavli for C: plays, playouts, rollouts and searches of backgammon.
 *
 * Made by cbindgen from the source of tavli-capi; changes belong there.
 *
 * POSITIONS are 26 numbers as the player on roll counts: index 0 is the opponent's bar (0 or below), 1 to 24 are
 * the points (the player on roll's checkers positive, the opponent's negative), index 25 is the bar of the player on
 * roll (0 or above). Checkers that are missing from those of the game (15, but 3 in Hypergammon) have been borne off.
 * In a finished game one side may have none left. All results are for the player on roll.
 *
 * STATUS. A function that can fail returns a TavliStatus, and stores results only with TAVLI_STATUS_OK (and with
 * TAVLI_STATUS_BUFFER the size that a buffer takes). tavli_last_error returns a message. No call ends
 * the program, whatever the numbers and texts it is given.
 *
 * REMARKS. tavli_last_remarks returns the last call's remarks, such as on a text that contradicts itself.
 *
 * POINTERS. Each is checked for NULL and alignment, and for nothing else. It must point to as much memory as its
 * function says, which no other thread may change during the call. Pointers to 26 numbers are written "int
 * *points". Texts are UTF-8 and end with a zero. Nothing that is passed in is kept after the call.
 *
 * HANDLES (TavliWorkers, TavliCancel, TavliRollout, TavliSearch, TavliAnyPosition) are freed once, by their own
 * function, and not while a call uses them.
 *
 * OTHER GAMES (draughts, Plakoto, Fevga, tic-tac-toe) are named when a TavliAnyPosition is read; the functions
 * tavli_any_... take the game from the position.
 *
 * THREADS. Every function may be called from every thread at any time. Workers and switches may be used by any
 * number of calls at once. A rollout is changed by one call at a time; a call on a rollout that another one is
 * playing returns TAVLI_STATUS_BUSY at once, and changes nothing, except tavli_rollout_poll and
 * tavli_rollout_cancel, which are for that. tavli_last_error is each thread's own. A process
 * that forks does not take its workers along: start them after the fork.
 *
 * VALUES. Results are decided by positions, settings and game numbers, and are those of the Rust library and the
 * command bit for bit. Threads, pinning and tier change how long it takes, and nothing else.
 */


#ifndef TAVLI_H
#define TAVLI_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header; tavli_version returns that of the library. */
#define TAVLI_VERSION "0.1.0"

/* Bytes that hold a position in any format, and the closing zero. */
#define TAVLI_TEXT_SIZE 256


/**
 * The version of TavliAnyDecisionSettings in this header.
 */
#define TAVLI_ANY_DECISION_SETTINGS_VERSION 1

/**
 * Bytes for the words of an action. The longest are "Never redouble, take (dead cube)", and a zero.
 */
#define TAVLI_ACTION_SIZE 40

/**
 * The room for counts by TavliOutcome in a struct. It and the structs stay the same when outcomes are added.
 */
#define TAVLI_OUTCOMES 8

/**
 * Bytes for the moves of a play. The longest are four of "bar/24*" with blanks between them, and a zero.
 */
#define TAVLI_MOVES_SIZE 32

/**
 * The version of TavliSearchSettings in this header.
 */
#define TAVLI_SEARCH_SETTINGS_VERSION 2

/**
 * The version of TavliSettings in this header.
 */
#define TAVLI_SETTINGS_VERSION 3

/**
 * The version of TavliStop in this header.
 */
#define TAVLI_STOP_VERSION 2

/**
 * The status of a call. tavli_last_error returns the message of an error.
 */
typedef enum {
    /**
     * The call succeeded.
     */
    TAVLI_STATUS_OK = 0,
    /**
     * A pointer is NULL, or not aligned for what it points to.
     */
    TAVLI_STATUS_POINTER = 1,
    /**
     * A text is not UTF-8.
     */
    TAVLI_STATUS_TEXT = 2,
    /**
     * A text or 26 numbers are not a position, or a format is unknown.
     */
    TAVLI_STATUS_POSITION = 3,
    /**
     * A die does not show 1 to 6.
     */
    TAVLI_STATUS_ROLL = 4,
    /**
     * Settings have another size or version, or an invalid value.
     */
    TAVLI_STATUS_SETTINGS = 5,
    /**
     * No games start from the position: the game is over or can never end, or a side has too many checkers for the
     * rules.
     */
    TAVLI_STATUS_GAME = 6,
    /**
     * A candidate is not a play of the roll or is given twice, or there are too few or too many.
     */
    TAVLI_STATUS_CANDIDATE = 7,
    /**
     * A buffer is too small: nothing was written to it, and the size it takes was stored.
     */
    TAVLI_STATUS_BUFFER = 8,
    /**
     * An index is out of range.
     */
    TAVLI_STATUS_INDEX = 9,
    /**
     * The workers could not be started: invalid tier, pinning or number of threads. Or they were started before the
     * process forked.
     */
    TAVLI_STATUS_WORKERS = 10,
    /**
     * Another call is using the rollout.
     */
    TAVLI_STATUS_BUSY = 11,
    /**
     * A text is not a saved rollout that this version continues, or not a saved search.
     */
    TAVLI_STATUS_RECORD = 12,
    /**
     * A fault in the library. The handles that took part in the call can only be freed.
     */
    TAVLI_STATUS_PANIC = 13,
    /**
     * No call is playing the rollout.
     */
    TAVLI_STATUS_IDLE = 14,
    /**
     * A file could not be read or written.
     */
    TAVLI_STATUS_FILE = 15,
    /**
     * The rollouts, or searches, are not shards of one whole.
     */
    TAVLI_STATUS_MERGE = 16,
    /**
     * The call was cancelled before it had a result, while the bear-off table of a player was solved or its file read.
     */
    TAVLI_STATUS_CANCELLED = 17
} TavliStatus;

/**
 * How a decision stands.
 */
typedef enum {
    /**
     * The play is the best of those that raced.
     */
    TAVLI_VERDICT_BEST = 0,
    /**
     * No other play is better by more than the tolerance, `within`.
     */
    TAVLI_VERDICT_NONE_BETTER = 1,
    /**
     * Neither is known yet.
     */
    TAVLI_VERDICT_OPEN = 2
} TavliVerdict;

/**
 * Which rule ended the play of a rollout.
 */
typedef enum {
    /**
     * The number of trials.
     */
    TAVLI_STOP_REASON_TRIALS = 0,
    /**
     * The standard error.
     */
    TAVLI_STOP_REASON_STANDARD_ERROR = 1,
    /**
     * The joint standard deviations.
     */
    TAVLI_STOP_REASON_JSD = 2,
    /**
     * The time.
     */
    TAVLI_STOP_REASON_TIME = 3,
    /**
     * It was cancelled.
     */
    TAVLI_STOP_REASON_CANCELLED = 4,
    /**
     * A decision: one play is the best, or none is better by more than the tolerance, `within`.
     */
    TAVLI_STOP_REASON_DECIDED = 5
} TavliStopReason;

/**
 * How the games of a rollout are divided among its candidates. A dropped candidate stays among the results with the
 * games that it has.
 */
typedef enum {
    /**
     * All candidates have the same number of games.
     */
    TAVLI_ALLOCATION_EVEN = 0,
    /**
     * A candidate is dropped as soon as it is race_jsd joint standard deviations behind the best, and the rollout ends
     * when one is left. The command calls this race:3; what it calls race ends by 95 % confidence.
     */
    TAVLI_ALLOCATION_JSD_RACE = 1,
    /**
     * The worse half is dropped after each of several rounds, and the best have all trials.
     */
    TAVLI_ALLOCATION_HALVING = 2,
    /**
     * A candidate is dropped as soon as it is known to be worse than another. The rollout ends when one is left, or
     * when no other is better than the best by more than 0.01 points. All of this holds with 95 % confidence, however
     * often the race is checked.
     */
    TAVLI_ALLOCATION_DECISION = 3
} TavliAllocation;

/**
 * A format in which a position is written. Reading detects the format of a text.
 */
typedef enum {
    /**
     * GNU Position ID: 4HPwATDgc/ABMA. It holds the checkers alone.
     */
    TAVLI_FORMAT_POSITION_ID = 0,
    /**
     * GNU Position ID and Match ID: 4HPwATDgc/ABMA:cAkAAAAAAAAE.
     */
    TAVLI_FORMAT_MATCH_ID = 1,
    /**
     * XGID: XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10.
     */
    TAVLI_FORMAT_XGID = 2,
    /**
     * FIBS board line: board:You:Opponent:9999:0:0: and so on.
     */
    TAVLI_FORMAT_FIBS = 3,
    /**
     * 26 numbers: 0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0. They are the checkers alone.
     */
    TAVLI_FORMAT_POINTS = 4
} TavliFormat;

/**
 * The rules of a game; tavli_position_start stores where one begins.
 */
typedef enum {
    /**
     * Backgammon.
     */
    TAVLI_RULES_BACKGAMMON = 0,
    /**
     * The first version of McGammon's game: a player wins as soon as all his checkers are home.
     */
    TAVLI_RULES_MCGAMMON = 1,
    /**
     * Backgammon in which a game is worth 2 points at most.
     */
    TAVLI_RULES_PORTES = 2,
    /**
     * Backgammon with two more checkers back when a game begins.
     */
    TAVLI_RULES_NACKGAMMON = 3,
    /**
     * Backgammon with three checkers a side.
     */
    TAVLI_RULES_HYPERGAMMON = 4,
    /**
     * Backgammon with all checkers on the 24 point when a game begins.
     */
    TAVLI_RULES_LONGGAMMON = 5
} TavliRules;

/**
 * How each game begins; or instead a roll as two digits, such as 31.
 */
typedef enum {
    /**
     * With any of the 36 throws.
     */
    TAVLI_FIRST_ROLL_ANY = 0,
    /**
     * With one of the 15 rolls that are not doubles.
     */
    TAVLI_FIRST_ROLL_OPEN = 1,
    /**
     * With throws that are spread evenly over the games, in an order that the seed shuffles: any 36 consecutive games
     * begin with each throw once, any 1,296 with each pair of throws.
     */
    TAVLI_FIRST_ROLL_STRATIFIED = 2
} TavliFirstRoll;

/**
 * How a game ended for the player on roll in its first position: the place of its count in an array. A later version
 * may add outcomes, such as a tie, in the room that the arrays have.
 */
typedef enum {
    /**
     * He won a single game.
     */
    TAVLI_OUTCOME_WIN_SINGLE = 0,
    /**
     * He won a gammon.
     */
    TAVLI_OUTCOME_WIN_GAMMON = 1,
    /**
     * He won a backgammon.
     */
    TAVLI_OUTCOME_WIN_BACKGAMMON = 2,
    /**
     * He lost a single game.
     */
    TAVLI_OUTCOME_LOSE_SINGLE = 3,
    /**
     * He lost a gammon.
     */
    TAVLI_OUTCOME_LOSE_GAMMON = 4,
    /**
     * He lost a backgammon.
     */
    TAVLI_OUTCOME_LOSE_BACKGAMMON = 5
} TavliOutcome;

/**
 * A position of any game: "backgammon", "tictactoe", "draughts", "plakoto" or "fevga". It does not change, and any
 * number of calls may use it at once.
 */
typedef struct TavliAnyPosition TavliAnyPosition;

/**
 * A switch that ends the calls it was given to, whatever they do.
 */
typedef struct TavliCancel TavliCancel;

/**
 * A rollout: its settings and the trials so far.
 */
typedef struct TavliRollout TavliRollout;

/**
 * The result of a search. It does not change, and any number of calls may use it at once.
 */
typedef struct TavliSearch TavliSearch;

/**
 * Threads that play, and the build of the kernel that they run. They wait without using a CPU until a call plays;
 * several calls may share them at once.
 */
typedef struct TavliWorkers TavliWorkers;

/**
 * How a play is decided on. Begin with tavli_any_decision_settings_default and change what you need.
 */
typedef struct {
    /**
     * sizeof(TavliAnyDecisionSettings), as tavli_any_decision_settings_default sets it.
     */
    uint32_t size;
    /**
     * TAVLI_ANY_DECISION_SETTINGS_VERSION, as tavli_any_decision_settings_default sets it.
     */
    uint32_t version;
    /**
     * The seed of the dice; 1 by default.
     */
    uint64_t seed;
    /**
     * The most trials, games of each play, 1 or more; 2304 by default.
     */
    uint64_t trials;
    /**
     * The decision ends after about this many seconds; 0, the default, is no bound.
     */
    double seconds;
    /**
     * Plays that differ by at most this many points count as equally good, 0 or more; 0.01 by default.
     */
    double within;
    /**
     * Plays that the policy values more than this many points below the best do not race; the best two always do.
     * 0.16 by default; below 0 every play races.
     */
    double filter;
    /**
     * The plies after which games are cut off and valued by the policy; 11 by default, 0 plays games to their end.
     */
    uint32_t plies;
    /**
     * The name of the net that plays both sides, values games that are cut off, and measures the luck: "strong",
     * "strong+1ply" or "strong+2ply", or the file of a net. NULL, the default, is "strong".
     */
    const char *policy;
} TavliAnyDecisionSettings;

/**
 * A mean over the trials of a rollout.
 */
typedef struct {
    /**
     * The mean, in the range of the value; NaN without trials.
     */
    double mean;
    /**
     * The standard deviation of one trial; NaN below two trials.
     */
    double standard_deviation;
    /**
     * The standard error of the mean; NaN below two trials.
     */
    double standard_error;
    /**
     * The lower end of the 95 % confidence interval, which holds with few trials too; NaN without trials.
     */
    double low;
    /**
     * The upper end of that interval.
     */
    double high;
    /**
     * The mean as the trials give it, without bias: with variance reduction it may by chance lie outside of the range,
     * such as below 0 for a share. Everywhere else it is the mean.
     */
    double raw_mean;
} TavliStatistic;

/**
 * The result of one candidate, for the player on roll in the rollout's position. Shares are 0 to 1, points
 * -3 to 3.
 */
typedef struct {
    /**
     * The candidate's index in the rollout.
     */
    uint64_t candidate;
    /**
     * Games of this candidate. A dropped candidate has fewer than the best.
     */
    uint64_t trials;
    /**
     * 1 if the candidate was dropped, otherwise 0.
     */
    uint64_t is_dropped;
    /**
     * Finished games by TavliOutcome; the rest of the room is 0.
     */
    uint64_t outcomes[8];
    /**
     * Games cut off.
     */
    uint64_t unfinished;
    /**
     * The mean probability of each TavliOutcome: the share of the games with it, where games cut off count by the
     * probabilities of the evaluator; the rest of the room is 0. NaN without trials.
     */
    double probabilities[8];
    /**
     * Share of games won, gammons and backgammons included.
     */
    TavliStatistic win;
    /**
     * Share of games won by a gammon or backgammon.
     */
    TavliStatistic win_gammon;
    /**
     * Share of games won by a backgammon.
     */
    TavliStatistic win_backgammon;
    /**
     * Share of games lost, gammons and backgammons included.
     */
    TavliStatistic lose;
    /**
     * Share of games lost by a gammon or backgammon.
     */
    TavliStatistic lose_gammon;
    /**
     * Share of games lost by a backgammon.
     */
    TavliStatistic lose_backgammon;
    /**
     * Mean points of a game without cube.
     */
    TavliStatistic equity;
    /**
     * Points behind the best candidate on the same dice, over the trials of both, with the error of the paired
     * difference; 0 for the best. In rollouts with the cube, by the equity with it.
     */
    TavliStatistic behind;
    /**
     * The difference behind in joint standard deviations; infinite if it has no error.
     */
    double jsd;
    /**
     * Mean equity with the cube, in units of the rollout's cube, in matches equivalent to that: candidates are ranked
     * by it. All numbers are 0 in games without cube.
     */
    TavliStatistic cubeful;
} TavliCandidateResult;

/**
 * How far a call is: playouts, a duel, a search or a rollout.
 */
typedef struct {
    /**
     * Games or simulations of this call, or trials of the rollout, including earlier calls.
     */
    uint64_t trials;
    /**
     * About how many there will be.
     */
    double expected_trials;
    /**
     * The share that is done, 0 to 1.
     */
    double fraction;
    /**
     * Games or simulations per second in this call; a trial is a game of each candidate.
     */
    double games_per_second;
    /**
     * Seconds since the start of this call.
     */
    double seconds;
    /**
     * The predicted seconds left; below 0 before they can be predicted.
     */
    double seconds_left;
    /**
     * The interim results of a rollout, the best first: NULL for all else, and from tavli_rollout_poll, which stores
     * them elsewhere.
     */
    const TavliCandidateResult *results;
    /**
     * How many results there are: the candidates of the rollout, 0 for all else.
     */
    size_t candidates;
} TavliProgress;

/**
 * Called about ten times a second while something is played, on the thread that asked for it, with the data that was
 * passed along. The report is valid until the callback returns. The callback must return: neither longjmp nor an
 * exception may leave it. It may throw a switch, and may not play or free what is being played.
 */
typedef void (*TavliProgressCallback)(const TavliProgress *progress, void *data);

/**
 * Which play to make, and how sure that is.
 */
typedef struct {
    /**
     * The index of the play to make, as in tavli_any_play.
     */
    uint64_t play;
    /**
     * How the decision stands.
     */
    TavliVerdict verdict;
    /**
     * What ended it: TAVLI_STOP_REASON_DECIDED, _TRIALS, _TIME or _CANCELLED.
     */
    TavliStopReason ended_by;
    /**
     * How sure the verdict is, 0 to 1; where it is open, how sure it is that no play is better by more than the
     * settings' `within`.
     */
    double sure;
    /**
     * With 95 % confidence no other play is better by more points than these; infinite before two trials.
     */
    double at_most_better;
    /**
     * Plays that did not race.
     */
    uint64_t left_out;
    /**
     * Games of all plays.
     */
    uint64_t games;
} TavliAnyDecision;

/**
 * A play that raced, for the player who makes it.
 */
typedef struct {
    /**
     * The index of the play, as in tavli_any_play.
     */
    uint64_t play;
    /**
     * Games of this play. A dropped play has fewer than the best.
     */
    uint64_t trials;
    /**
     * 1 if the play was dropped, otherwise 0.
     */
    uint64_t is_dropped;
    /**
     * 1 if the play may be as good as the one to make, otherwise 0.
     */
    uint64_t is_rival;
    /**
     * Its value by the policy without games, in points.
     */
    double evaluation;
    /**
     * Mean points of its games less their luck.
     */
    TavliStatistic equity;
    /**
     * Points behind the play to make, on the same dice, over the trials of both.
     */
    TavliStatistic behind;
} TavliAnyRacedPlay;

/**
 * The counts of playouts from a TavliAnyPosition: exact numbers for the player to move in it. The counts of two
 * neighbouring ranges of games add up to the counts of both together, except longest, which is the larger one.
 */
typedef struct {
    /**
     * Playouts.
     */
    uint64_t games;
    /**
     * Playouts that he won.
     */
    uint64_t wins;
    /**
     * Playouts that were drawn.
     */
    uint64_t draws;
    /**
     * Playouts that he lost.
     */
    uint64_t losses;
    /**
     * Playouts that were won or lost, by TavliOutcome: games of two points are gammons, whatever the game calls them.
     * The rest of the room is 0.
     */
    uint64_t outcomes[8];
    /**
     * The sum of his points.
     */
    int64_t points;
    /**
     * Plies.
     */
    uint64_t plies;
    /**
     * Plies of the longest playout.
     */
    uint64_t longest;
} TavliAnyTally;

/**
 * A play that was searched, with its counts, for the player to move.
 */
typedef struct {
    /**
     * The index of the play, as in tavli_any_play.
     */
    uint64_t play;
    /**
     * Simulations that began with it.
     */
    uint64_t visits;
    /**
     * The sum of their values.
     */
    int64_t sum;
    /**
     * The mean value; NaN without visits.
     */
    double value;
    /**
     * Its standard error; NaN below two visits.
     */
    double standard_error;
} TavliAnySearchPlay;

/**
 * The values of a position with the cube for the player on roll, before the roll: in money games as shares of the cube
 * before a double, in matches equivalent to that, where -1 is a lost and +1 a won single game.
 */
typedef struct {
    /**
     * The player on roll does not double.
     */
    double no_double;
    /**
     * He doubles and the opponent takes, whether he may double or not.
     */
    double double_take;
    /**
     * He doubles and the opponent passes: 1.
     */
    double double_pass;
    /**
     * Without a cube, or with one that is never turned.
     */
    double cubeless;
    /**
     * The right action, in GNU Backgammon's words, such as "Double, take", ended by a zero.
     */
    char action[40];
} TavliCubeValues;

/**
 * The value of a position for the player on roll.
 */
typedef struct {
    /**
     * The probability of each TavliOutcome, 0 to 1; the rest of the room is 0.
     */
    double probabilities[8];
    /**
     * Mean points without cube, -3 to 3.
     */
    double equity;
} TavliEvaluation;

/**
 * The value of a position for the player on roll, without the cube and with it.
 */
typedef struct {
    /**
     * Without the cube.
     */
    TavliEvaluation cubeless;
    /**
     * With the cube and the score of the position. If the game is over, the values are the points of its end, and the
     * action is "Not available".
     */
    TavliCubeValues cube;
} TavliCubeEvaluation;

/**
 * A mean and its standard error; for many playouts the 95 % interval is the mean ± 1.96 standard errors.
 */
typedef struct {
    /**
     * The sample mean; NaN without playouts.
     */
    double mean;
    /**
     * The standard deviation of the mean; NaN below two playouts.
     */
    double standard_error;
} TavliEstimate;

/**
 * Results of the games of two players, for the first of them.
 */
typedef struct {
    /**
     * Games that were played, two of each pair.
     */
    uint64_t games;
    /**
     * Games by TavliOutcome; the rest of the room is 0.
     */
    uint64_t outcomes[8];
    /**
     * Points of a game, -3 to 3, with the standard error of the means of pairs; NaN without games.
     */
    TavliEstimate points_per_game;
} TavliScore;

/**
 * The counts of playouts: exact numbers for the player on roll in their first position. The counts of two neighbouring
 * ranges of games add up to the counts of both together, except longest, which is the larger one.
 */
typedef struct {
    /**
     * Playouts.
     */
    uint64_t games;
    /**
     * Finished playouts, by TavliOutcome; the rest of the room is 0.
     */
    uint64_t outcomes[8];
    /**
     * Playouts that were cut off.
     */
    uint64_t unfinished;
    /**
     * Plies, passes and the winning ply included.
     */
    uint64_t plies;
    /**
     * Sum over the playouts of the square of their plies.
     */
    uint64_t plies_squared;
    /**
     * Distinct plays offered, summed over all plies.
     */
    uint64_t plays;
    /**
     * Plies of the longest playout.
     */
    uint64_t longest;
} TavliTally;

/**
 * The means of playouts.
 */
typedef struct {
    /**
     * Share of games won, 0 to 1.
     */
    TavliEstimate win;
    /**
     * Share of each TavliOutcome; the rest of the room is 0.
     */
    TavliEstimate outcomes[8];
    /**
     * Share of games cut off.
     */
    TavliEstimate unfinished;
    /**
     * Points without cube, -3 to 3; games cut off count 0.
     */
    TavliEstimate equity;
    /**
     * Plies of a game.
     */
    TavliEstimate plies;
    /**
     * Distinct plays offered per ply.
     */
    double plays;
} TavliEstimates;

/**
 * The settings of games: with the positions and the numbers of the games they decide all values. Begin with
 * tavli_settings_default and change what you need.
 */
typedef struct {
    /**
     * sizeof(TavliSettings), as tavli_settings_default sets it.
     */
    uint32_t size;
    /**
     * TAVLI_SETTINGS_VERSION, as tavli_settings_default sets it.
     */
    uint32_t version;
    /**
     * The seed of the random numbers; 1 by default.
     */
    uint64_t seed;
    /**
     * A TavliRules; backgammon by default.
     */
    uint32_t rules;
    /**
     * A TavliFirstRoll, or a roll as two digits; TAVLI_FIRST_ROLL_ANY by default. Of candidate plays, the
     * roll after the play.
     */
    uint32_t first_roll;
    /**
     * Truncation: the plies after which games are cut off. The evaluator values their last positions; in playouts such
     * games count 0 points. 0, the default, plays games to their end.
     */
    uint32_t truncate;
    /**
     * The name of the policy that picks the plays of the player on roll in the first position: "uniform" (each play as
     * likely as any other), "pubeval" (Tesauro's linear evaluation), "td80", "fast" or "strong" (nets, the last the
     * best), or the file of a player. NULL, the default, is in playouts "uniform", and in rollouts "fast", or
     * "uniform" under TAVLI_RULES_MCGAMMON, whose goal no net has learned.
     */
    const char *policy;
    /**
     * The name of the policy that picks the opponent's plays. NULL, the default, is the same policy.
     */
    const char *policy_opponent;
    /**
     * The name of the evaluator that values the positions in which the games of a rollout are cut off: "td80", "fast",
     * "strong", "sampled" (by the ends of 36 games from it, every play equally likely), "sampled:GAMES" or
     * "sampled:GAMES:POLICY", or the file of a player. NULL, the default, is the player on roll if he values
     * positions, or "sampled". With "none" such games count 0 points; with a cube or `luck` "none" is an error.
     * Playouts take no evaluator.
     */
    const char *evaluator;
    /**
     * Variance reduction: the name of the evaluator, as above, that measures the luck of the rolls. A rollout
     * subtracts it from each game (luck-adjusted results), which changes no mean, however wrong the evaluator is.
     * NULL, the default, subtracts nothing. Playouts take none.
     */
    const char *luck;
} TavliSettings;

/**
 * How one playout ended.
 */
typedef struct {
    /**
     * A TavliOutcome, for the player on roll in the first position; -1 if it was cut off.
     */
    int32_t outcome;
    /**
     * Plies, passes and the winning ply included.
     */
    uint32_t plies;
} TavliGame;

/**
 * A play, or if there is no play the position that is rolled out.
 */
typedef struct {
    /**
     * The position after the play, seen by the player next on roll. After a play that bears off the last
     * checker, the winner has none in it (no negative numbers): the game is over, and there are no plays.
     */
    int points[26];
    /**
     * The moves, such as "8/5 6/5" or "cannot move", ended by a zero; empty if there is no play.
     */
    char moves[32];
} TavliPlay;

/**
 * The rules that end a rollout, as soon as one of them holds, and how its games are divided meanwhile. Begin with
 * tavli_stop_default and change what you need.
 */
typedef struct {
    /**
     * sizeof(TavliStop), as tavli_stop_default sets it.
     */
    uint32_t size;
    /**
     * TAVLI_STOP_VERSION, as tavli_stop_default sets it.
     */
    uint32_t version;
    /**
     * The trials after which it ends, 1 to 2^56; 0, the default, is 46656, or unlimited if another rule is given.
     */
    uint64_t trials;
    /**
     * It ends when the standard error of every equity is at most this, in points; 0, the default, is no rule.
     */
    double standard_error;
    /**
     * It ends when every other candidate is at least jsd joint standard deviations behind the best; 0, the default, is
     * no rule.
     */
    double jsd;
    /**
     * It ends after this many seconds of playing, over all sessions; 0, the default, is no rule. Only by this rule
     * does the number of trials depend on the machine.
     */
    double seconds;
    /**
     * In a race, the joint standard deviations behind the best at which a candidate is dropped; 3 by default. With
     * another allocation it stays 3.
     */
    double race_jsd;
    /**
     * A TavliAllocation; TAVLI_ALLOCATION_EVEN by default.
     */
    uint32_t allocation;
} TavliStop;

/**
 * The facts of a rollout as a whole; each candidate has a TavliCandidateResult.
 */
typedef struct {
    /**
     * Candidates; one if a position is rolled out.
     */
    uint64_t candidates;
    /**
     * The number of the first trial; 0 except in a shard.
     */
    uint64_t first_trial;
    /**
     * Trials played, each of them a game of every candidate that was not dropped before it: games number first_trial
     * and on of the seed.
     */
    uint64_t trials;
    /**
     * Games played, of all candidates together.
     */
    uint64_t games;
    /**
     * The seed.
     */
    uint64_t seed;
    /**
     * Seconds of playing in all; of merged rollouts the sum.
     */
    double seconds;
    /**
     * Which shard of a rollout it is, from 1 on; 0 for a whole.
     */
    uint64_t shard;
    /**
     * How many shards there are; 0 for a whole.
     */
    uint64_t shards;
    /**
     * The larger die of the roll whose plays are compared; 0 if a position is rolled out.
     */
    uint32_t die;
    /**
     * The other die.
     */
    uint32_t other_die;
    /**
     * 1 if all trials have been played, otherwise 0.
     */
    uint32_t is_complete;
    /**
     * 1 if the games have a cube, otherwise 0.
     */
    uint32_t has_cube;
} TavliSummary;

/**
 * The difference of two candidates, the first minus the second, on the same dice, in the trials in which both were
 * played: for the player on roll in the rollout's position. Shares are -1 to 1, points -6 to 6. Errors belong to
 * paired differences.
 */
typedef struct {
    /**
     * The first candidate's index in the rollout.
     */
    uint64_t candidate;
    /**
     * The second candidate's index.
     */
    uint64_t other;
    /**
     * The trials in which both were played.
     */
    uint64_t trials;
    /**
     * Share of games won, gammons and backgammons included.
     */
    TavliStatistic win;
    /**
     * Share of games won by a gammon or backgammon.
     */
    TavliStatistic win_gammon;
    /**
     * Share of games won by a backgammon.
     */
    TavliStatistic win_backgammon;
    /**
     * Share of games lost, gammons and backgammons included.
     */
    TavliStatistic lose;
    /**
     * Share of games lost by a gammon or backgammon.
     */
    TavliStatistic lose_gammon;
    /**
     * Share of games lost by a backgammon.
     */
    TavliStatistic lose_backgammon;
    /**
     * Mean points of a game without cube.
     */
    TavliStatistic equity;
    /**
     * The difference of the equities in joint standard deviations; infinite if it has no error.
     */
    double jsd;
    /**
     * Mean equity with the cube, as in TavliCandidateResult; all numbers are 0 in games without cube.
     */
    TavliStatistic cubeful;
} TavliDifference;

/**
 * The decision of a rollout about a double. Values are in units of the cube before it, in matches equivalent to that.
 */
typedef struct {
    /**
     * Without a double.
     */
    TavliStatistic no_double;
    /**
     * After a double that is taken; if the player on roll may not double, all numbers are NaN.
     */
    TavliStatistic double_take;
    /**
     * The means of both, and the right action by them. If the player on roll may not double, the value after a double
     * is the value without one.
     */
    TavliCubeValues values;
} TavliCubeDecision;

/**
 * How a play is searched for. Begin with tavli_search_settings_default and change what you need.
 */
typedef struct {
    /**
     * sizeof(TavliSearchSettings), as tavli_search_settings_default sets it.
     */
    uint32_t size;
    /**
     * TAVLI_SEARCH_SETTINGS_VERSION, as tavli_search_settings_default sets it.
     */
    uint32_t version;
    /**
     * The seed of the random numbers; 1 by default.
     */
    uint64_t seed;
    /**
     * The search ends after this many simulations; 0, the default, is 1,000,000, or unlimited if there are seconds.
     */
    uint64_t simulations;
    /**
     * The search ends after about this many seconds; 0, the default, is no rule.
     */
    double seconds;
    /**
     * The search ends when the value of the best play is gap standard errors ahead of the second; 0, the default, is
     * no rule.
     */
    double gap;
    /**
     * The factor of exploration in v + C sqrt(ln n_p / n), 0 to 1000; 1 by default. c, memory, expand and
     * chance_sampling are for "uct"; other methods accept only their defaults.
     */
    double c;
    /**
     * Bytes for all trees; a tree that reaches its share stops growing, and the search goes on. 2,000,000,000 by
     * default.
     */
    uint64_t memory;
    /**
     * A TavliRules; backgammon by default.
     */
    uint32_t rules;
    /**
     * The number of trees, whose visits are added up, 1 to 65,536; 16 by default.
     */
    uint32_t trees;
    /**
     * The playouts of one tree that may be played at the same time, 1 to 65,536; 256 by default.
     */
    uint32_t in_flight;
    /**
     * The plays of a roll are added to the tree once the position was visited more than this many times with that
     * roll; 1 or more, 1 by default.
     */
    uint32_t expand;
    /**
     * Grow the trees of shard number shard, from 1 on, of shards. 0 of 0, the default, are all trees.
     */
    uint32_t shard;
    /**
     * How many shards there are.
     */
    uint32_t shards;
    /**
     * The name of the policy of the playouts, as in TavliSettings. NULL, the default, is "uniform".
     */
    const char *policy;
    /**
     * How simulations are divided among the plays: "uct", by trees, which grow where plays are good; "flat", evenly;
     * "halving", in rounds, each on the better half of the plays. NULL, the default, is "uct".
     */
    const char *method;
    /**
     * What a game counts: "points" or "wins" (1 and -1). NULL, the default, is "points".
     */
    const char *reward;
    /**
     * How trees draw throws: "random", or "stratified" (the visits to a position get each of the 36 throws once before
     * any repeats). NULL, the default, is "random".
     */
    const char *chance_sampling;
    /**
     * Which play is the best: "value", of the highest value; "visits", with the most visits; or "visits-then-value",
     * the highest value of those with the most visits. NULL, the default, is "value".
     */
    const char *best_by;
    /**
     * The name of the evaluator that guides the trees of uct by bias and unprune, as in TavliSettings, or "pubeval",
     * whose value is not an equity. NULL, the default, is "fast" (in mcgammon "sampled") if bias or unprune ask for
     * one, and otherwise none. An evaluator without bias and unprune would do nothing and is an error.
     */
    const char *evaluator;
    /**
     * Progressive bias, by which plays that the evaluator values highly are tried first: bias times the play's equity,
     * divided by its visits + 1, is added to its bound. From 0, the default, which adds nothing, to 1000.
     */
    double bias;
    /**
     * 1 for progressive unpruning: only the plays that the evaluator ranks first are selected from, 5 at first, more
     * with more visits. 0 by default.
     */
    uint32_t unprune;
} TavliSearchSettings;

/**
 * A play that was searched, with its counts, for the player on roll.
 */
typedef struct {
    /**
     * The play.
     */
    TavliPlay play;
    /**
     * Simulations that began with it.
     */
    uint64_t visits;
    /**
     * The sum of their values.
     */
    int64_t sum;
    /**
     * The sum of the squares of their values.
     */
    uint64_t squares;
    /**
     * The mean value; NaN without visits.
     */
    double value;
    /**
     * Its standard error; NaN below two visits.
     */
    double standard_error;
} TavliSearchPlay;

/**
 * The facts of a search as a whole.
 */
typedef struct {
    /**
     * All simulations.
     */
    uint64_t simulations;
    /**
     * Positions stored.
     */
    uint64_t nodes;
    /**
     * Bytes that the trees took.
     */
    uint64_t bytes;
    /**
     * Plies of the playouts.
     */
    uint64_t playout_plies;
    /**
     * The most plays that a simulation has made before its playout.
     */
    uint64_t depth;
    /**
     * Plays of the roll.
     */
    uint64_t plays;
    /**
     * The number of the first of its trees.
     */
    uint64_t first_tree;
    /**
     * The number of its trees.
     */
    uint64_t trees;
    /**
     * 1 if it was cancelled before its end, otherwise 0.
     */
    uint64_t is_interrupted;
    /**
     * Seconds of searching; of merged shards the sum.
     */
    double seconds;
    /**
     * Simulations a second.
     */
    double simulations_per_second;
    /**
     * Plies of playouts a second.
     */
    double playout_plies_per_second;
    /**
     * 1 if the system refused memory to a tree, which stopped growing before it had its share of the settings'
     * `memory`, otherwise 0.
     */
    uint64_t is_memory_refused;
} TavliSearchSummary;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * Plays within 0.16 points by the net strong, games of eleven plies, within 0.01 points, 2,304 trials, seed 1.
 */
TavliAnyDecisionSettings tavli_any_decision_settings_default(void);

/**
 * Decides which play of a roll to make in plakoto or fevga, the games that have a net. The plays that the net values
 * near the best race on the same dice: their games are truncated and luck-adjusted. The race ends when one play is the
 * best with 95 % confidence, or none of the others is better by more than `within` points.
 *
 * Stores the decision, and the plays that raced into a buffer for capacity of them: the play to make, then those still
 * played, then those dropped, each the best first. Their number is stored in count, which may be NULL; if the buffer
 * is too small nothing is stored, and the status is TAVLI_STATUS_BUFFER. A buffer for as many as tavli_any_plays_count
 * counts is large enough.
 *
 * The result depends on the position, the roll and the settings alone, but for the time. settings may be NULL: the
 * default ones. callback may be NULL. cancel may be NULL; a call that is cancelled stores its result so far, or
 * returns TAVLI_STATUS_CANCELLED if the net had not valued the plays, or a table of bear-offs was being solved.
 */
TavliStatus tavli_any_decide(const TavliAnyPosition *position,
                             const char *roll,
                             const TavliAnyDecisionSettings *settings,
                             const TavliWorkers *workers,
                             const TavliCancel *cancel,
                             TavliProgressCallback callback,
                             void *data,
                             TavliAnyDecision *decision,
                             TavliAnyRacedPlay *buffer,
                             size_t capacity,
                             size_t *count);

/**
 * Reads a position of a game, by rules of that game; NULL for rules is the game's usual ones. The text is what the
 * game writes, such as a FEN of draughts; NULL is the position in which a game begins. A text with dice is refused:
 * functions on plays take the roll.
 */
TavliStatus tavli_any_position_read(const char *game,
                                    const char *rules,
                                    const char *text,
                                    TavliAnyPosition **position);

/**
 * Frees a position; NULL is allowed.
 */
void tavli_any_position_free(TavliAnyPosition *position);

/**
 * Writes a position as tavli_any_position_read takes it, with all that it holds. The text ends with a zero; its number
 * of bytes, the zero included, is stored in size, which may be NULL. TAVLI_TEXT_SIZE bytes hold any.
 */
TavliStatus tavli_any_position_write(const TavliAnyPosition *position,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *size);

/**
 * Stores whether the game is over in a position, 1 or 0, and its points for the player whose turn it would be then, 0
 * while it goes on.
 */
TavliStatus tavli_any_position_points(const TavliAnyPosition *position,
                                      int *is_over,
                                      int *points);

/**
 * Counts the plays of a position. The roll is two digits, such as "31", and NULL in a game without dice. A play is a
 * distinct resulting position.
 */
TavliStatus tavli_any_plays_count(const TavliAnyPosition *position,
                                  const char *roll,
                                  size_t *count);

/**
 * Makes the play of this index, from 0 on, in the order in which playouts count them: stores the position after it,
 * seen by the next player, in after. Its moves in the game's notation go into the buffer as in
 * tavli_any_position_write; if the buffer is too small, no play is made.
 */
TavliStatus tavli_any_play(const TavliAnyPosition *position,
                           const char *roll,
                           size_t play,
                           TavliAnyPosition **after,
                           char *buffer,
                           size_t capacity,
                           size_t *size);

/**
 * Plays games from a position on this thread, numbers first_game to first_game + games - 1 of a seed, each play as
 * likely as any other, and stores their tally. cancel may be NULL. A call that is cancelled succeeds: it tallies the
 * first tally.games games from first_game on. The workers give the tier, and do not play.
 */
TavliStatus tavli_any_playouts(const TavliAnyPosition *position,
                               uint64_t seed,
                               uint64_t first_game,
                               uint64_t games,
                               const TavliWorkers *workers,
                               const TavliCancel *cancel,
                               TavliAnyTally *tally);

/**
 * Searches for the best play of a position by UCT with playouts in which each play is as likely as any other, and
 * stores the plays into a buffer for capacity of them, the play of the best value first. Their number is stored in
 * count, which may be NULL; if the buffer is too small nothing is stored, and the status is TAVLI_STATUS_BUFFER.
 *
 * The result depends on the position, the roll, the simulations and the seed alone. 0 simulations mean 1,000,000.
 * cancel may be NULL; a call that is cancelled stores its result so far.
 */
TavliStatus tavli_any_search(const TavliAnyPosition *position,
                             const char *roll,
                             uint64_t simulations,
                             uint64_t seed,
                             const TavliWorkers *workers,
                             const TavliCancel *cancel,
                             TavliAnySearchPlay *buffer,
                             size_t capacity,
                             size_t *count);

/**
 * Makes a switch that is not thrown.
 */
TavliStatus tavli_cancel_new(TavliCancel **cancel);

/**
 * Ends the calls that were given this switch, within a few hundredths of a second: the games that are being played are
 * abandoned, and those before them, an unbroken range, are the result. The switch stays thrown: a call that is given
 * it later plays nothing. This function may be called from any thread, and from a signal handler: whatever the
 * pointer, it takes no memory and waits for nothing. So it alone leaves tavli_last_error as it is when it returns
 * TAVLI_STATUS_POINTER.
 */
TavliStatus tavli_cancel_throw(const TavliCancel *cancel);

/**
 * Frees a switch; NULL is allowed.
 */
void tavli_cancel_free(TavliCancel *cancel);

/**
 * Values a position with the cube and the score of its text, such as "PositionID:MatchID" or an XGID, and finds the
 * right action with the cube.
 *
 * The chances are the player on roll's, before the roll, to win, win a gammon, win a backgammon, lose a gammon and
 * lose a backgammon: sums of the probabilities that tavli_evaluate gives, as wins count gammons, and gammons count
 * backgammons. The values come from Janowski's model with the efficiencies and the match equity table of GNU
 * Backgammon; bear-offs of at most six checkers a side have exact equities in money games, to 0.0001 of a cube: their
 * table has steps of 16 bits. A text with dice is refused: the chances would belong to another position.
 */
TavliStatus tavli_cube_values(const double *chances,
                              const char *position,
                              TavliCubeValues *values);

/**
 * Values many positions as tavli_cube_values does: five chances after five at `double *chances`, and a text for each
 * position, `const char *texts[positions]`. The values are stored in a buffer for one of each. If one position cannot
 * be valued nothing is stored, and the message names the position, counted from 0, and its chances or its text.
 */
TavliStatus tavli_cube_values_many(const double *chances,
                                   const char *const *texts,
                                   size_t positions,
                                   TavliCubeValues *buffer);

/**
 * Values positions with a player under a TavliRules, as tavli_evaluate does, and with the cube and the score of each:
 * `const char *texts[positions]`, such as "PositionID:MatchID" or an XGID. The values are stored in a buffer for one
 * of each.
 *
 * A text with dice is refused, since values are for the player before the roll. player, rules, cancel and count are as
 * in tavli_evaluate. "strong+1ply" and other players that look ahead do so without the cube, whose values then follow
 * from the chances that they find. Hypergammon has no values with the cube.
 */
TavliStatus tavli_evaluate_with_cube(const char *const *texts,
                                     size_t positions,
                                     const char *player,
                                     uint32_t rules,
                                     const TavliWorkers *workers,
                                     const TavliCancel *cancel,
                                     TavliCubeEvaluation *buffer,
                                     size_t *count);

/**
 * Plays an even number of games between two players, from the start of a TavliRules, and stores the first player's
 * results.
 *
 * Games come in pairs with the same dice: player begins the first of a pair, opponent the second. The first roll is
 * not a double. A player is named, such as "fast" or "pubeval", or is the path of its file: a policy as in
 * TavliSettings. cancel and progress, which counts games, may be NULL. A call that is cancelled succeeds, with the
 * score of the first pairs, which were played.
 */
TavliStatus tavli_duel(const char *player,
                       const char *opponent,
                       uint64_t games,
                       uint64_t seed,
                       uint32_t rules,
                       const TavliWorkers *workers,
                       const TavliCancel *cancel,
                       TavliProgressCallback progress,
                       void *data,
                       TavliScore *score);

/**
 * Works out the means of playouts and their standard errors from a tally.
 */
TavliStatus tavli_tally_estimates(const TavliTally *tally, TavliEstimates *estimates);

/**
 * Values positions, `int points[positions][26]`, under a TavliRules, and stores the values in a buffer for one of
 * each. If the game is over, its outcome has the probability 1.
 *
 * The player is named, such as "strong", "strong+1ply" or "strong+bearoff", or is the path of its file: an evaluator
 * as in TavliSettings. NULL is every program's default: "strong+bearoff:6+bearoff:6x6", which is exact in bear-offs of
 * at most six checkers a side and nearly so in larger ones, and in mcgammon "sampled". "uniform" and "pubeval" pick
 * plays and value nothing. cancel may be NULL. A call that is cancelled succeeds: count, which may be NULL, is the
 * number of positions that were valued, from the first on.
 */
TavliStatus tavli_evaluate(const int (*points)[26],
                           size_t positions,
                           const char *player,
                           uint32_t rules,
                           const TavliWorkers *workers,
                           const TavliCancel *cancel,
                           TavliEvaluation *buffer,
                           size_t *count);

/**
 * Saves a rollout as a file, replacing the file as a whole: a reader finds the old contents or the new. The command
 * tavli continues and merges it.
 */
TavliStatus tavli_rollout_save(const TavliRollout *rollout,
                               const char *path);

/**
 * Reads a rollout from a file that tavli_rollout_save or the command tavli wrote, to be played on. cancel is as in
 * tavli_rollout_of_position.
 */
TavliStatus tavli_rollout_load(const char *path,
                               const TavliCancel *cancel,
                               TavliRollout **rollout);

/**
 * Saves a rollout in a file when a call begins to play it, every `seconds` (a number above 0) while it is played, and
 * when the call ends; the file is replaced as a whole each time. If the process is killed, the work since the last
 * save is lost. A path that is NULL ends the saving.
 */
TavliStatus tavli_rollout_checkpoint(const TavliRollout *rollout,
                                     const char *path,
                                     double seconds);

/**
 * Plays as tavli_playouts does, and stores how each game ended into a buffer for games of them, in the order of their
 * numbers. The number of games stored goes into count, which may be NULL: all games, or fewer if the call is
 * cancelled.
 */
TavliStatus tavli_playout_games(const int *points,
                                const TavliSettings *settings,
                                uint64_t first_game,
                                size_t games,
                                const TavliWorkers *workers,
                                const TavliCancel *cancel,
                                TavliProgressCallback progress,
                                void *data,
                                TavliGame *buffer,
                                size_t *count);

/**
 * Why the last call on this thread that failed did so, in words; an empty text before the first. It is valid
 * until the next call on this thread fails, and calls that succeed leave it as it is.
 */
const char *tavli_last_error(void);

/**
 * Plays games from a position, numbers first_game to first_game + games - 1, and stores their tally.
 *
 * Settings that are NULL are the default. cancel and progress may be NULL. A call that is cancelled succeeds: it
 * tallies the first tally.games games from first_game on.
 */
TavliStatus tavli_playouts(const int *points,
                           const TavliSettings *settings,
                           uint64_t first_game,
                           uint64_t games,
                           const TavliWorkers *workers,
                           const TavliCancel *cancel,
                           TavliProgressCallback progress,
                           void *data,
                           TavliTally *tally);

/**
 * Plays games, numbers first_game to first_game + games - 1, from each of many positions: `int points[positions][26]`.
 *
 * The tallies are stored in a buffer for as many as there are positions. Each equals what tavli_playouts stores for
 * the position alone, except that plays are not counted: they are 0. If the game is over in a position, all games have
 * its outcome. A batch plays the positions together: a thousand positions of 36 games each take as long as one
 * position of 36,000.
 *
 * Settings that are NULL are the default. cancel and progress, which counts games, may be NULL. A call that is
 * cancelled succeeds: count, which may be NULL, is the number of positions whose games are all played, from the first
 * on, and the tallies of the others are not stored.
 */
TavliStatus tavli_playouts_many(const int (*points)[26],
                                size_t positions,
                                const TavliSettings *settings,
                                uint64_t first_game,
                                uint64_t games,
                                const TavliWorkers *workers,
                                const TavliCancel *cancel,
                                TavliProgressCallback progress,
                                void *data,
                                TavliTally *buffer,
                                size_t *count);

/**
 * Counts the plays of a roll of two dice under TavliRules, in constant time. A play is a distinct resulting
 * position; a forced pass is one.
 */
TavliStatus tavli_plays_count(const int *points, int die, int other_die, uint32_t rules, size_t *count);

/**
 * Lists the plays of a roll of two dice under TavliRules into a buffer for capacity plays, in their fixed order. Their
 * number is stored in count, which may be NULL; if the buffer is too small nothing is listed, and the status is
 * TAVLI_STATUS_BUFFER.
 */
TavliStatus tavli_plays(const int *points,
                        int die,
                        int other_die,
                        uint32_t rules,
                        TavliPlay *buffer,
                        size_t capacity,
                        size_t *count);

/**
 * Stores the position in which a game of TavliRules begins as 26 numbers.
 */
TavliStatus tavli_position_start(uint32_t rules, int *points);

/**
 * Reads a position in any format into 26 numbers. Cube, score and dice of a text are ignored; tavli_position_convert
 * keeps them. tavli_last_remarks has the contradictions in a text, such as the mark of the Crawford game at a score
 * that has none.
 */
TavliStatus tavli_position_read(const char *text,
                                int *points);

/**
 * Writes a position in a TavliFormat: in a money game, cube in the middle, dice not rolled. The text ends with a zero;
 * its number of bytes, the zero included, is stored in size, which may be NULL. TAVLI_TEXT_SIZE bytes hold any format.
 */
TavliStatus tavli_position_write(const int *points,
                                 uint32_t format,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *size);

/**
 * Writes a position that is given in one format in another TavliFormat, with the parts of cube, score and dice that
 * both formats hold. Buffer and size are as in tavli_position_write.
 */
TavliStatus tavli_position_convert(const char *text,
                                   uint32_t format,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *size);

/**
 * The remarks of the last call on this thread that could fail, a line each, in the words of the command; an empty text
 * if there are none. A call that succeeds remarks on a text that contradicts itself, such as one with a mark of the
 * Crawford game at a score that has none, on a game of draughts that was played by other rules, on a cube and score
 * that a TavliAnyPosition does not keep, on values by a player that has not learned the rules, and on a search with
 * too few simulations. The text is valid until the next call on this thread.
 */
const char *tavli_last_remarks(void);

/**
 * Makes a rollout of the position of the player on roll. Settings and stop that are NULL are the default.
 *
 * cancel may be NULL. If it is thrown meanwhile, such as while the bear-off table of a player is solved, no rollout is
 * made, and the status is TAVLI_STATUS_CANCELLED.
 */
TavliStatus tavli_rollout_of_position(const int *points,
                                      const TavliSettings *settings,
                                      const TavliStop *stop,
                                      const TavliCancel *cancel,
                                      TavliRollout **rollout);

/**
 * Makes a rollout with the cube and the score of a text, such as "PositionID:MatchID" or an XGID; a text without them
 * is for a money game, the cube at 1 in the middle. Settings and stop that are NULL are the default, and cancel is as
 * in tavli_rollout_of_position.
 *
 * With the dice of the text the candidates are the plays of the roll. Without dice they are no double, candidate 0,
 * and if the player on roll may double, double and take, candidate 1. Both are played to the end: only trials,
 * standard errors and seconds end such a rollout. The players decide about the cube by their own values, so they must
 * be evaluators. tavli_rollout_cube has the decision.
 */
TavliStatus tavli_rollout_with_cube(const char *text,
                                    const TavliSettings *settings,
                                    const TavliStop *stop,
                                    const TavliCancel *cancel,
                                    TavliRollout **rollout);

/**
 * Makes a rollout of every play of a roll of two dice, at most 512, on the same dice. Settings and stop that are NULL
 * are the default, and cancel is as in tavli_rollout_of_position.
 */
TavliStatus tavli_rollout_of_plays(const int *points,
                                   int die,
                                   int other_die,
                                   const TavliSettings *settings,
                                   const TavliStop *stop,
                                   const TavliCancel *cancel,
                                   TavliRollout **rollout);

/**
 * Makes a rollout of some plays of a roll of two dice, on the same dice: count of them, 1 to 512, each one given by
 * the position after it as in TavliPlay. Settings and stop that are NULL are the default, and cancel is as in
 * tavli_rollout_of_position.
 */
TavliStatus tavli_rollout_of_candidates(const int *points,
                                        int die,
                                        int other_die,
                                        const TavliPlay *plays,
                                        size_t count,
                                        const TavliSettings *settings,
                                        const TavliStop *stop,
                                        const TavliCancel *cancel,
                                        TavliRollout **rollout);

/**
 * Reads a rollout that tavli_rollout_to_json wrote, here or in the command tavli, to be played on. cancel is as in
 * tavli_rollout_of_position.
 */
TavliStatus tavli_rollout_from_json(const char *json,
                                    const TavliCancel *cancel,
                                    TavliRollout **rollout);

/**
 * Writes a rollout as JSON, with all that is needed to play on. Buffer and size are as in tavli_position_write; with a
 * capacity of 0 the size of the text is stored, and the status is TAVLI_STATUS_BUFFER.
 */
TavliStatus tavli_rollout_to_json(const TavliRollout *rollout,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *size);

/**
 * Plays until a rule of the rollout's stop holds or it is cancelled, and stores the rule in reason, which may be NULL.
 * A later call continues a cancelled rollout; after its end it plays nothing.
 *
 * cancel and progress may be NULL. While it plays, other threads may call tavli_rollout_poll and tavli_rollout_cancel.
 * With a tavli_rollout_checkpoint the rollout is saved; if saving fails at the end the status is TAVLI_STATUS_FILE,
 * and the rollout keeps its trials.
 */
TavliStatus tavli_rollout_play(const TavliRollout *rollout,
                               const TavliWorkers *workers,
                               const TavliCancel *cancel,
                               TavliProgressCallback progress,
                               void *data,
                               TavliStopReason *reason);

/**
 * Reports the progress of a rollout that another thread is playing: its last report, the interim results, the best
 * first, into a buffer for capacity results, and their number in count, which may be NULL. With a capacity of 0 the
 * buffer may be NULL, and only the progress is stored. While no call plays the rollout the status is
 * TAVLI_STATUS_IDLE.
 */
TavliStatus tavli_rollout_poll(const TavliRollout *rollout,
                               TavliProgress *progress,
                               TavliCandidateResult *buffer,
                               size_t capacity,
                               size_t *count);

/**
 * Ends the call in which another thread is playing a rollout, within a few hundredths of a second, as its switch
 * would; the switch stays as it is. While no call plays the rollout the status is TAVLI_STATUS_IDLE.
 */
TavliStatus tavli_rollout_cancel(const TavliRollout *rollout);

/**
 * Changes when a rollout ends; more trials than before extend it. A stop that is NULL is the default. The allocation
 * can be changed only before the first game.
 */
TavliStatus tavli_rollout_until(const TavliRollout *rollout,
                                const TavliStop *stop);

/**
 * Stores the facts of a rollout as a whole.
 */
TavliStatus tavli_rollout_summary(const TavliRollout *rollout, TavliSummary *summary);

/**
 * Lists the results of a rollout's candidates, the best first, into a buffer for capacity results. Their number is
 * stored in count, which may be NULL; if the buffer is too small nothing is listed, and the status is
 * TAVLI_STATUS_BUFFER.
 */
TavliStatus tavli_rollout_results(const TavliRollout *rollout,
                                  TavliCandidateResult *buffer,
                                  size_t capacity,
                                  size_t *count);

/**
 * Stores a candidate of a rollout by its index: its moves, and the position that is rolled out. Without a roll there
 * are no moves, and the position is the rollout's own, seen by the player on roll.
 */
TavliStatus tavli_rollout_candidate(const TavliRollout *rollout,
                                    uint64_t index,
                                    TavliPlay *play);

/**
 * Frees a rollout; NULL is allowed.
 */
void tavli_rollout_free(TavliRollout *rollout);

/**
 * Stores the position of a rollout, 26 numbers as the player on roll counts.
 */
TavliStatus tavli_rollout_position(const TavliRollout *rollout, int *points);

/**
 * Stores the settings of a rollout. The names in them are valid until the rollout is freed.
 */
TavliStatus tavli_rollout_settings(const TavliRollout *rollout, TavliSettings *settings);

/**
 * Stores when a rollout ends, and how its games are divided among the candidates.
 */
TavliStatus tavli_rollout_stop(const TavliRollout *rollout, TavliStop *stop);

/**
 * Writes the name of a policy, such as "uniform": the player on roll's, or the opponent's if opponent is not 0. Buffer
 * and size are as in tavli_position_write.
 */
TavliStatus tavli_rollout_policy(const TavliRollout *rollout,
                                 int opponent,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *size);

/**
 * Stores the difference of two candidates of a rollout, each given by its index: the first minus the other, over the
 * trials in which both were played.
 */
TavliStatus tavli_rollout_difference(const TavliRollout *rollout,
                                     uint64_t candidate,
                                     uint64_t other,
                                     TavliDifference *difference);

/**
 * Lists the difference of every pair of candidates into a buffer for capacity differences: each candidate minus every
 * later one, in the order of the results. Their number, n (n - 1) / 2 for n candidates, is stored in count, which may
 * be NULL; if the buffer is too small nothing is listed, and the status is TAVLI_STATUS_BUFFER.
 */
TavliStatus tavli_rollout_differences(const TavliRollout *rollout,
                                      TavliDifference *buffer,
                                      size_t capacity,
                                      size_t *count);

/**
 * Stores the decision about a double by the trials of a rollout so far. In a rollout without the cube, or of plays,
 * and before the first trial, all numbers are NaN, and the action is empty.
 */
TavliStatus tavli_rollout_cube(const TavliRollout *rollout,
                               TavliCubeDecision *decision);

/**
 * A million simulations by UCT with uniform playouts and full rules, seed 1.
 */
TavliSearchSettings tavli_search_settings_default(void);

/**
 * Searches for the best play of a roll of two dice until an end of the settings holds or it is cancelled, and stores
 * the search. A search that is cancelled succeeds, with the result so far; cancelled while the bear-off table of its
 * player is solved, it has no result, and the status is TAVLI_STATUS_CANCELLED.
 *
 * Settings that are NULL are the default. cancel and progress, which counts simulations, may be NULL.
 */
TavliStatus tavli_search_run(const int *points,
                             int die,
                             int other_die,
                             const TavliSearchSettings *settings,
                             const TavliWorkers *workers,
                             const TavliCancel *cancel,
                             TavliProgressCallback progress,
                             void *data,
                             TavliSearch **search);

/**
 * Stores the plays of a search, the best first, in a buffer for capacity plays, and their number in count, which may
 * be NULL.
 */
TavliStatus tavli_search_plays(const TavliSearch *search,
                               TavliSearchPlay *buffer,
                               size_t capacity,
                               size_t *count);

/**
 * Stores the facts of a search as a whole.
 */
TavliStatus tavli_search_summary(const TavliSearch *search, TavliSearchSummary *summary);

/**
 * Writes the expected line of a search's best play, each roll with its play, such as "31: 8/5 6/5, 62: 24/18". Buffer
 * and size are as in tavli_position_write; with a capacity of 0 the size of the text is stored, and the status is
 * TAVLI_STATUS_BUFFER.
 */
TavliStatus tavli_search_line(const TavliSearch *search,
                              char *buffer,
                              size_t capacity,
                              size_t *size);

/**
 * Writes the first levels of a search's trees as an SVG picture. Buffer and size are as in tavli_search_line.
 */
TavliStatus tavli_search_svg(const TavliSearch *search, char *buffer, size_t capacity, size_t *size);

/**
 * Writes a search as JSON, which tavli_search_from_json and the command read. Buffer and size are as in
 * tavli_search_line.
 */
TavliStatus tavli_search_to_json(const TavliSearch *search, char *buffer, size_t capacity, size_t *size);

/**
 * Reads a search that tavli_search_to_json wrote, or the command saved.
 */
TavliStatus tavli_search_from_json(const char *json, TavliSearch **search);

/**
 * Puts the shards of a search together, count of them in any order: a new search, equal to the search of one process.
 * The shards must hold each tree once; tavli_last_error names the first conflict, by the indices of parts, from 0 on.
 */
TavliStatus tavli_search_merge(const TavliSearch *const *parts,
                               size_t count,
                               TavliSearch **search);

/**
 * Frees a search; NULL is allowed.
 */
void tavli_search_free(TavliSearch *search);

/**
 * Backgammon, seed 1, any first roll, games played to their end; uniform play in playouts, and play by the net fast in
 * rollouts.
 */
TavliSettings tavli_settings_default(void);

/**
 * Turns a rollout that has not begun into shard number shard, from 1 on, of shards. It then ends by the number of
 * trials alone, and drops no candidates. Shards are whole blocks of 1,296 trials, so there are at most as many shards
 * as blocks.
 */
TavliStatus tavli_rollout_shard(const TavliRollout *rollout,
                                uint64_t shard,
                                uint64_t shards);

/**
 * Puts the shards of a rollout together, count of them in any order: a new rollout, equal to the rollout played as a
 * whole. The shards must hold each trial once; tavli_last_error names the first conflict, by the indices of parts,
 * from 0 on.
 */
TavliStatus tavli_rollout_merge(const TavliRollout *const *parts,
                                size_t count,
                                TavliRollout **rollout);

/**
 * After 46,656 trials, 36 times 1,296.
 */
TavliStop tavli_stop_default(void);

/**
 * The version of the library that is linked, such as "0.1.0"; the header's is TAVLI_VERSION.
 */
const char *tavli_version(void);

/**
 * Starts threads, 1 to 4096. With 0 there is one for each place that the pinning names, within the grant of control
 * groups.
 *
 * The pinning says which CPUs they are bound to, in the words of the command's option --pin: "none", "cores",
 * "numa:spread:no-smt", a list such as "0,2-5" and others. NULL is "auto", the default of the command: "cores" if
 * every core gets a thread and no CPU gets two, and otherwise "none", so that several programs share the machine.
 *
 * The tier is the build of the kernel, "avx512", "x86-64-v4", "avx2", "neon", "simd128" or "portable"; it changes the
 * speed, never the results. NULL is the one that the environment variable TAVLI_ISA names, or else the fastest that
 * this CPU has. A tier that the CPU lacks is an error.
 */
TavliStatus tavli_workers_start(uint32_t threads,
                                const char *pinning,
                                const char *tier,
                                TavliWorkers **workers);

/**
 * Stores the number of threads.
 */
TavliStatus tavli_workers_count(const TavliWorkers *workers, size_t *count);

/**
 * Writes the name of the tier that the threads run. Buffer and size are as in tavli_position_write.
 */
TavliStatus tavli_workers_tier(const TavliWorkers *workers, char *buffer, size_t capacity, size_t *size);

/**
 * Ends the threads and frees the handle; NULL is allowed. A process that was forked after their start lacks these
 * threads: there the handle is left as it is.
 */
void tavli_workers_free(TavliWorkers *workers);

#ifdef __cplusplus
}  // extern "C"
#endif  /* __cplusplus */

#endif  /* TAVLI_H */
