//! Games with tables and heavy playouts: in plain code, and in play.

use std::sync::{Arc, LazyLock};

use rand_xoshiro::rand_core::Rng;
use tavli_base::NO_STOP;
use tavli_draughts::{Draughts, Endgames, Position};
use tavli_game::streams::{StreamKey, generator};
use tavli_game::{Game, PlayableGame, PlayoutStart, SolvedPositions, SolvedValue, Tally, pick, play_out_one_by_one};
use tavli_run::Cancel;
use tavli_search::{Agent, AgentContext, GameWithTables, HeavyPlayouts, Nets, TablesAndHeavyPlayouts};
use tavli_simd::Tier;

fn draughts(seed: u64) -> Draughts {
    Draughts::by_rules("english", Tier::Portable, seed).expect("rules")
}

/// The endgames of three pieces, through bytes.
static TABLES: LazyLock<Arc<dyn SolvedPositions<Position>>> = LazyLock::new(|| {
    let solved = Endgames::solve(3, 2.try_into().expect("threads"), NO_STOP, &mut |_| ()).expect("nothing stops it");
    draughts(1).solved_positions(&solved.to_bytes()).expect("its own bytes")
});

fn aided(tables: bool, share: f64, evaluator: usize) -> GameWithTables<Draughts> {
    let added = TablesAndHeavyPlayouts {
        tables: tables.then(|| Arc::clone(&TABLES)),
        playouts: Some(HeavyPlayouts { evaluator, share }),
    };
    GameWithTables::new(Arc::new(draughts(5)), added, 5)
}

fn tally<G: Game>(game: &G, position: &G::Position) -> Tally {
    PlayoutStart::new(*position).run(game, 0..300, NO_STOP).expect("nothing stops it")
}

#[test]
fn without_greed_and_tables_playouts_are_the_games_own() {
    let start = draughts(5).start();
    assert_eq!(tally(&aided(false, 0.0, 0), &start), tally(&draughts(5), &start));
    let plain = GameWithTables::new(Arc::new(draughts(5)), TablesAndHeavyPlayouts::default(), 77);
    assert_eq!(tally(&plain, &start), tally(&draughts(5), &start));
}

/// Heavy playouts in plain code.
#[test]
fn heavy_playouts_are_as_documented() {
    let game = draughts(5);
    let (evaluator, share) = (1, 0.25);
    let mut expected = Tally::default();
    for number in 0..300 {
        let mut words = generator(StreamKey::new(5).state(number));
        let (mut position, mut plies) = (game.start(), 0);
        let points = loop {
            if let Some(points) = game.points(&position) {
                break points;
            }
            let results = game.results(&position, 0);
            let drawn = pick(words.next_u32(), results.len());
            let is_greedy = f64::from(words.next_u32()) < share * 4_294_967_296.0;
            let value = |choice: usize| {
                let result = &results[choice % results.len()];
                game.points(result).map_or_else(|| -game.value(result, evaluator), |points| f64::from(-points))
            };
            let mut choice = drawn;
            if is_greedy {
                for other in drawn..drawn + results.len() {
                    if value(other) > value(choice) {
                        choice = other;
                    }
                }
            }
            position = results[choice % results.len()];
            plies += 1;
        };
        expected.add(if plies % 2 == 0 { points } else { -points }, plies);
    }
    assert_eq!(tally(&aided(false, share, evaluator), &game.start()), expected);
}

#[test]
fn games_end_where_the_tables_know() {
    let position = draughts(5).read("B:W17,K30,31:BK1,K2,6").expect("a position");
    let (short, long) = (tally(&aided(true, 0.0, 0), &position), tally(&draughts(5), &position));
    assert!(short.mean_plies().mean < long.mean_plies().mean - 3.0);
    let mut by_itself = Tally::default();
    let game = aided(true, 0.0, 0);
    play_out_one_by_one(&game, &StreamKey::new(5), &mut Once::new(&position, &mut by_itself), NO_STOP);
    assert_eq!(short, by_itself);
}

/// Three hundred games from a position.
struct Once<'a> {
    position: &'a Position,
    games: std::ops::Range<u64>,
    tally: &'a mut Tally,
}

impl<'a> Once<'a> {
    fn new(position: &'a Position, tally: &'a mut Tally) -> Once<'a> {
        let games = 0..300;
        Once { position, games, tally }
    }
}

impl tavli_game::GameSource<Position> for Once<'_> {
    fn next(&mut self) -> Option<tavli_game::GameStart<Position>> {
        let game = self.games.next()?;
        Some(tavli_game::GameStart { position: *self.position, chance: None, game, tag: game })
    }

    fn end(&mut self, _: u64, points: i32, plies: u32) {
        self.tally.add(points, plies);
    }
}

/// Two kings against one win in the number of plies that the tables have, whatever the loser plays.
#[test]
fn a_won_endgame_is_won_in_time() {
    let context = AgentContext {
        rules: "english".to_owned(),
        tier: Tier::Portable,
        tables: Some(Arc::clone(&TABLES)),
        nets: Nets::new(),
    };
    let game = draughts(1);
    let mut position = game.read("B:WK1:BK18,K31").expect("a position");
    let Some(SolvedValue { points: 1, plies }) = TABLES.known(&position) else {
        panic!("a win: {:?}", TABLES.known(&position));
    };
    let agents = ["uct:10+proofs", "minimax:1"].map(|text| Agent::read::<Draughts>(text).expect("an agent"));
    let mut played = 0;
    while game.points(&position).is_none() {
        let agent = &agents[played as usize % 2];
        let choice = agent.choose::<Draughts>(&context, &position, 0, u64::from(played), &Cancel::new());
        position = game.result(&position, 0, choice.expect("not cancelled"));
        played += 1;
    }
    assert_eq!((game.points(&position), played), (Some(-1), plies));
}

/// Near the end of the draw rule a position is known only if it is drawn, or is won in time.
#[test]
fn the_draw_rule_limits_what_is_known() {
    let game = draughts(1);
    let known = |quiet: u32| TABLES.known(&game.read(&format!("B:WK1:BK18,K31:H{quiet}")).expect("a position"));
    let plies = known(1).expect("a win").plies;
    assert!(known(80 - plies).is_some() && known(81 - plies).is_none());
    let drawn = game.read("B:WK1:BK5:H79").expect("a position");
    assert_eq!(TABLES.known(&drawn).map(|known| known.points), Some(0));
    // An agent still plays on: by search, without the value of the root.
    let context = AgentContext {
        rules: "english".to_owned(),
        tier: Tier::Portable,
        tables: Some(Arc::clone(&TABLES)),
        nets: Nets::new(),
    };
    let late = game.read(&format!("B:WK1:BK18,K31:H{}", 81 - plies)).expect("a position");
    for text in ["uct:50", "alphabeta:3", "minimax:2"] {
        let agent = Agent::read::<Draughts>(text).expect("an agent");
        assert!(agent.choose::<Draughts>(&context, &late, 0, 1, &Cancel::new()).is_some());
    }
}
