//! Playouts of every game: cut off, recorded, from many positions, and by players.

use std::sync::Arc;

use tavli_backgammon::{NO_STOP, Tier};
use tavli_games::{
    Game, NAMES, PlayableGame, PlayoutEnd, PlayoutStart, Tally, Visitor, playouts_of_rows, read_agent, visit,
};
use tavli_playouts::{GamePlayouts, Run};
use tavli_run::{Cancel, Cpus, Limit, Pinning, Placement, Workers};
use tavli_search::{AgentContext, AgentPlayouts, GameLookAhead, GreedyPlayouts, Nets};
use tavli_testing::tiers::tiers;
use tavli_tictactoe::TicTacToe;
use tavli_variants::{Fevga, Plakoto};

const SEED: u64 = 5;
const GAMES: u64 = 200;

fn game<G: PlayableGame>(tier: Tier) -> G {
    G::by_rules(G::RULES[0], tier, SEED).expect("its own rules")
}

/// Plies after which games are cut off: some before any game is over, and some after most are.
const CUTS: [u32; 7] = [1, 2, 7, 8, 50, 90, 120];

/// Starts of each side, with the chance drawn or given.
fn starts<G: PlayableGame>(game: &G) -> Vec<PlayoutStart<G::Position>> {
    let start = game.start();
    let last = game.chances().len() - 1;
    let after = game.result(&start, last, 0);
    let of = |position| [PlayoutStart::new(position), PlayoutStart::new(position).after_chance(last)];
    [start, after].into_iter().flat_map(of).collect()
}

fn recorded<G: Game>(game: &G, start: &PlayoutStart<G::Position>) -> Vec<PlayoutEnd> {
    start.run_with_ends(game, 3..3 + GAMES, NO_STOP).expect("nothing stops it")
}

struct CutOff;

impl Visitor for CutOff {
    type Output = ();

    fn visit<G: PlayableGame>(self) {
        let specified = game::<G>(Tier::Portable);
        for start in starts(&specified) {
            let whole = recorded(&specified, &start);
            assert!(whole.iter().all(|end| end.points.is_some()));
            for tier in tiers() {
                let game = game::<G>(tier);
                assert_eq!(recorded(&game, &start), whole, "{} {tier}", G::NAME);
                for cut in CUTS {
                    let of_cut = |end: &PlayoutEnd| match end.plies <= cut {
                        true => *end,
                        false => PlayoutEnd { points: None, plies: cut },
                    };
                    let expected: Vec<PlayoutEnd> = whole.iter().map(of_cut).collect();
                    let start = start.truncated_after(cut.try_into().expect("not 0"));
                    assert_eq!(recorded(&game, &start), expected, "{} {tier}, {cut} plies", G::NAME);
                    let mut tally = Tally::default();
                    expected.iter().for_each(|end| tally.add_end(*end));
                    assert_eq!(start.run(&game, 3..3 + GAMES, NO_STOP), Ok(tally.clone()));
                    let cut_off = expected.iter().filter(|end| end.points.is_none()).count() as u64;
                    let counted: u64 = G::OUTCOMES.iter().map(|outcome| tally.count(outcome.points)).sum();
                    assert_eq!((tally.unfinished, counted), (cut_off, GAMES - cut_off));
                    let sum: i32 = expected.iter().filter_map(|end| end.points).sum();
                    assert!((tally.points().mean - f64::from(sum) / GAMES as f64).abs() < 1e-12);
                }
            }
        }
    }
}

/// Cut-off games are the whole ones up to the cut, on every tier, and have no points.
#[test]
fn games_are_cut_off_where_they_are() {
    for name in NAMES {
        visit(name, CutOff).expect("its own name");
    }
}

fn workers(threads: usize) -> Workers {
    let placement = Placement::new(&Cpus::allowed(), Pinning::None, core::num::NonZeroUsize::new(threads));
    Workers::start(&placement.expect("a placement")).expect("workers")
}

struct ManyRows;

impl Visitor for ManyRows {
    type Output = ();

    fn visit<G: PlayableGame>(self) {
        let specified = game::<G>(Tier::Portable);
        for truncation in [None, Some(20)] {
            let cut = |start: PlayoutStart<G::Position>| PlayoutStart {
                truncation: truncation.and_then(core::num::NonZeroU32::new),
                ..start
            };
            let mut rows: Vec<_> = starts(&specified).into_iter().map(cut).collect();
            let plays = specified.results(&specified.start(), 0);
            rows.extend(plays.into_iter().map(PlayoutStart::new).map(cut));
            let alone = |row: &PlayoutStart<G::Position>| row.run(&specified, 9..46, NO_STOP).expect("no stop");
            let expected: Vec<Tally> = rows.iter().map(alone).collect();
            for tier in tiers() {
                let game = Arc::new(game::<G>(tier));
                let all = rows.len() as u64 * 37;
                let found = playouts_of_rows(&*game, &rows, 9..46, 0..all, NO_STOP);
                assert_eq!(found.as_ref(), Ok(&expected), "{} {tier}", G::NAME);
                // Two parts share a row.
                let parts = [0..100, 100..all].map(|part| playouts_of_rows(&*game, &rows, 9..46, part, NO_STOP));
                let [mut first, second] = parts.map(|part| part.expect("no stop"));
                let shared = first.pop().expect("a row");
                assert_eq!(first, expected[..2]);
                let mut whole = second[0].clone();
                whole.merge(&shared);
                assert_eq!((&whole, &second[1..]), (&expected[2], &expected[3..]));
                for threads in [1, 3] {
                    let run = Run::from_rows(GamePlayouts::new(Arc::clone(&game), rows.clone()), 9, 37);
                    let report = run.expect("few games").play(&workers(threads), |_| ());
                    assert_eq!(report.results, expected);
                }
            }
        }
    }
}

#[test]
fn rows_are_the_positions_alone() {
    for name in NAMES {
        visit(name, ManyRows).expect("its own name");
    }
}

fn by_agents<G: PlayableGame>(names: [&str; 2]) -> AgentPlayouts<G> {
    let game = Arc::new(game::<G>(Tier::best()));
    let mut nets = Nets::new();
    let agents = names.map(|name| read_agent(&*game, name, &mut nets, NO_STOP).expect("an agent"));
    let context = AgentContext { rules: G::RULES[0].to_owned(), tier: Tier::best(), tables: None, nets };
    AgentPlayouts::new(game, context, agents, SEED)
}

#[test]
fn agents_at_random_play_the_games_without_a_batch() {
    let game = game::<TicTacToe>(Tier::best());
    let of_agents = PlayoutStart::new(game.start()).run(&by_agents::<TicTacToe>(["random", "random"]), 0..500, NO_STOP);
    assert_eq!(of_agents, PlayoutStart::new(game.start()).run(&game, 0..500, NO_STOP));
    // The first never loses, and the second loses sometimes.
    for (agents, sign) in [(["minimax:9:ends", "random"], 1), (["random", "minimax:9:ends"], -1)] {
        let tally =
            PlayoutStart::new(game.start()).run(&by_agents::<TicTacToe>(agents), 0..20, NO_STOP).expect("no stop");
        assert_eq!(tally.count(-sign), 0, "{agents:?}");
        assert!(tally.count(sign) > 5, "{agents:?}");
    }
}

fn check_nets<G: PlayableGame>() {
    let by_net = by_agents::<G>(["strong", "strong"]);
    let game = Arc::new(game::<G>(Tier::best()));
    let net = tavli_games::built_in_net(&*game, "strong").expect("a net");
    let greedy = GreedyPlayouts::new(Arc::clone(&game), GameLookAhead::new(Arc::clone(&game), net, 0), SEED);
    let start = PlayoutStart::new(game.start());
    let played = start.run_with_ends(&by_net, 0..12, NO_STOP).expect("no stop");
    for (number, end) in (0..).zip(&played) {
        let expected = greedy.play(&game.start(), number, NO_STOP).expect("no stop");
        assert_eq!((end.points, end.plies), (Some(expected.points), expected.plies), "{number}");
    }
    let mixed = Arc::new(by_agents::<G>(["tavli3d", "strong"]));
    let expected = start.run(&*mixed, 0..20, NO_STOP).expect("no stop");
    for threads in [1, 2] {
        let playouts = GamePlayouts { first_games_a_worker: 1, ..GamePlayouts::new(Arc::clone(&mixed), start) };
        let run = Run::new(playouts, Limit::Items(20));
        assert_eq!(run.play(&workers(threads), |_| ()).results, expected);
    }
}

/// Playouts by a net are the same games as in rollouts.
#[test]
fn nets_play_the_games_of_rollouts() {
    check_nets::<Plakoto>();
    check_nets::<Fevga>();
}

#[test]
fn lines_of_games_come_in_order() {
    let game = Arc::new(game::<Fevga>(Tier::best()));
    let start = PlayoutStart::new(game.start()).truncated_after(70.try_into().expect("not 0"));
    let expected = start.run_with_ends(&*game, 17..3017, NO_STOP).expect("no stop");
    for threads in [1, 3] {
        let run =
            Run::new(GamePlayouts::new(Arc::clone(&game), start), Limit::Items(3000)).from_game(17).expect("few games");
        let mut output = Vec::new();
        let line = |&(number, end): &(u64, PlayoutEnd), lines: &mut Vec<u8>| {
            lines.extend_from_slice(format!("{number} {end:?}\n").as_bytes());
        };
        let report = run.play_with_lines(&workers(threads), |_| (), line, &mut output).expect("a vector takes all");
        assert_eq!(report.results, start.run(&*game, 17..3017, NO_STOP).expect("no stop"));
        let lines = (17..).zip(&expected).map(|(number, end)| format!("{number} {end:?}\n"));
        assert_eq!(String::from_utf8(output).expect("text"), lines.collect::<String>());
    }
    let stopped = Cancel::new();
    stopped.cancel();
    let none =
        Run::new(GamePlayouts::new(game, start), Limit::Items(10)).cancelled_by(&stopped).play(&workers(1), |_| ());
    assert_eq!((none.results.games, none.cancelled), (0, true));
}
