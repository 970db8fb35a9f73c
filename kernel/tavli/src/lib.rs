//! Backgammon and other games, exact and fast: plays, playouts, rollouts, searches, duels and values of positions.
//! Draughts, Plakoto, Fevga and tic-tac-toe are in [`games`]; the rest of this page is about backgammon.
//!
//! A *play* is a distinct resulting position, whatever the order of the dice and the checkers that reach
//! it. The library counts the plays of a roll in closed form, lists them without allocating, and finds any
//! one by its index; a *playout* is a game in which every ply is drawn evenly from them. A game is a pure
//! function of its starting position, rules, seed and number, so any game of any run can be played again
//! on any machine.
//!
//! # A first example
//! ```
//! use tavli::plays::Plays;
//! use tavli::{NO_STOP, Playouts, Position, RuleSet, Tier};
//!
//! // Read in any of six formats; this is a GNU Position ID, the opening.
//! let position: Position = "4HPwATDgc/ABMA".parse()?;
//! let board = position.board();
//!
//! // The plays of a roll, and one of them in words.
//! let plays = Plays::new(board, "65".parse()?, RuleSet::Backgammon);
//! assert_eq!(plays.len(), 7);
//! let play = plays.get(0).expect("there are seven");
//! assert_eq!(plays.moves(&play).to_string(), "8/3 8/2");
//!
//! // A thousand games with seed 42: the same outcomes here as anywhere.
//! let playouts = Playouts::new(*board, RuleSet::Backgammon, 42)?;
//! let tally = playouts.run(Tier::best(), 0..1000, NO_STOP)?.tally;
//! assert_eq!((tally.wins(), tally.longest), (519, 293));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`run`] plays them on every core.
//!
//! # Modules
//! * [`board`]: the [`Board`], one cache line, and the [`Position`] around it with its codecs: GNU Position
//!   ID and Match ID, XGID, OGID, FIBS board line, 26 numbers.
//! * [`plays`]: the plays of a [`Roll`]; the [reference generator](mod@plays::reference), the rules word
//!   for word; move [notation](plays::notation); [perft](plays::perft()); the
//!   [algebra](plays::algebra) behind the counting.
//! * [`playout`]: [`Playouts`], how a ply is drawn, exact [tallies](Tally), and the [signature](playout::signature()),
//!   which changes if any game changes.
//! * [`profile`]: where the time of playouts goes; not a stable interface.
//! * [`stepping`]: one game ply by ply, or thousands side by side with all their plays as arrays.
//! * [`policies`]: the trait that picks the plays, and the games that two policies play; [`evaluators`]: the values of
//!   positions.
//! * [`rollout`]: many games from a position or from each candidate play, with statistics that may be saved,
//!   extended, shared among machines and merged.
//! * [`duel`]: two players against each other, on the same dice from both sides.
//! * [`engine`]: an engine that frontends ask for plays and cube decisions.
//! * [`evaluation`]: values of positions and plays by an evaluator, on every core.
//! * [`named`]: players by name or by file; every program looks them up there.
//! * [`net`]: positions as inputs of nets, and nets that value them.
//! * [`cube`](mod@cube): the doubling cube: cubeful values, match equity tables, right actions.
//! * [`bearoff`]: exact tables of bear-offs, and GNU Backgammon's files of them.
//! * [`file`](mod@file): files written whole, by one process at a time.
//! * [`hypergammon`]: every position of the game with three checkers a side, solved.
//! * [`transcript`]: matches as they were played, read, analysed and written.
//! * [`search`]: the best choice by Monte-Carlo tree search, expectimax or alpha-beta, at any game.
//! * [`games`]: the traits of games, and all games by name: backgammon, draughts, Plakoto, Fevga and tic-tac-toe.
//! * [`draughts`]: English draughts: positions, plays in PDN, and solved endgames.
//! * [`variants`]: Plakoto and Fevga: positions, plays, playouts and nets.
//! * [`tictactoe`]: tic-tac-toe, the pattern of a new game.
//! * [`trials`]: what rollouts of any game are made of: sessions, end rules, races and intervals.
//! * [`run`]: playouts on every core: which CPUs, how workers are bound to them, progress, cancelling.
//!
//! # Where to begin
//! | to | take |
//! |---|---|
//! | play random games of a position, and sum them up | [`Playouts`] on one thread, [`run::Run`] on every core |
//! | play random games of many positions | [`playout::ManyPlayouts`], [`run::Run::from_rows`] |
//! | let players pick the plays | [`policies::PolicyPair`]: `run` on one thread, [`run::BackgammonPlayouts`] on every core |
//! | stream games in and out, each from its own position | [`playout::Batch`] |
//! | step through one game, or make its plays | [`stepping::SteppedGame`] |
//! | step through thousands side by side, with all plays as arrays | [`stepping::Games`] |
//! | value positions, or rank plays | [`evaluation::Evaluation`] |
//! | find the best play, or a value, with its error | [`rollout::RolloutRequest`], or a [`search::SearchRequest`] |
//! | let two players compete | [`duel::Duel`] |
//! | do any of this in other games | [`games::AnyPosition`], [`run::GamePlayouts`], [`duel::GameDuel`] |
//!
//! A [`RuleSet`] names the rules. The code that counts, lists and draws plays has one build for each goal: bearing off,
//! or bringing all checkers home. A [`Tier`] is a build of the playouts for an instruction set; it changes nothing but
//! the speed. The only Cargo feature, `nets`, is on by default: with it the files of the built-in nets are part of the
//! program.
//!
//! # Stability of values
//! The streams of random numbers, the draw of a ply, the order of plays and so the course of every game are part of the
//! interface: changing any of them is a breaking change.
#![deny(missing_docs)]

pub mod file;
pub mod run;

#[doc(inline)]
pub use tavli_analysis::{cube, engine, evaluation, search, transcript};
#[doc(inline)]
pub use tavli_backgammon::*;
#[doc(inline)]
pub use tavli_base::{has_memory, time_of_reading};
#[doc(inline)]
pub use tavli_draughts as draughts;
#[doc(inline)]
pub use tavli_duel as duel;
#[doc(inline)]
pub use tavli_games as games;
#[doc(inline)]
pub use tavli_hypergammon as hypergammon;
#[doc(inline)]
pub use tavli_players::{
    Greedy, LookAhead, Luck, LuckShares, MoveFilters, bearoff, cubeful_evaluator, named, net, with_known_values,
};
#[doc(inline)]
pub use tavli_playouts::{TIER_VARIABLE, TierVariableError, tier_variable};
#[doc(inline)]
pub use tavli_rollout as rollout;
#[doc(inline)]
pub use tavli_tictactoe as tictactoe;
#[doc(inline)]
pub use tavli_trials as trials;
#[doc(inline)]
pub use tavli_variants as variants;

/// The examples of the repository's first page and of the guide to the library, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../kernel/README.md")]
struct Documents;
