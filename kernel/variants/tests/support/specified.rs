//! Converts positions and rules of the library to those of the specification.

use tavli_game::PlayableGame;
use tavli_simd::Tier;
use tavli_variants::{
    BeforeStart, Blocking, Fevga, FevgaRules, Plakoto, PlakotoRules, Position, SideCheckers, StartQuadrant,
};

use super::specification::{self, Rules};

/// The needs of the tests beside [`PlayableGame`].
pub(crate) trait Specified: PlayableGame<Position = Position> {
    fn specified_rules(&self) -> Rules;
}

impl Specified for Plakoto {
    fn specified_rules(&self) -> Rules {
        let &PlakotoRules { mother_wins_at_once, pinned_may_stay } = self.rules();
        Rules::Plakoto { mother_wins_at_once, pinned_may_stay }
    }
}

impl Specified for Fevga {
    fn specified_rules(&self) -> Rules {
        let &FevgaRules { start_quadrant, before_start, blocking, passes_on_start } = self.rules();
        Rules::Fevga {
            start_quadrant: match start_quadrant {
                StartQuadrant::NotAtEnd => specification::StartQuadrant::NotAtEnd,
                StartQuadrant::Never => specification::StartQuadrant::Never,
                StartQuadrant::Allowed => specification::StartQuadrant::Allowed,
            },
            before_start: match before_start {
                BeforeStart::Forbidden => specification::BeforeStart::Forbidden,
                BeforeStart::ForbiddenWhileOccupied => specification::BeforeStart::ForbiddenWhileOccupied,
                BeforeStart::Allowed => specification::BeforeStart::Allowed,
            },
            blocking: match blocking {
                Blocking::Forbidden => specification::Blocking::Forbidden,
                Blocking::Duty => specification::Blocking::Duty,
                Blocking::Allowed => specification::Blocking::Allowed,
            },
            passed: if passes_on_start { 12 } else { 11 },
        }
    }
}

fn side(side: &SideCheckers) -> specification::SideCheckers {
    specification::SideCheckers {
        free: core::array::from_fn(|point| if point == 0 { 0 } else { side.free(point) as u8 }),
        pinned: core::array::from_fn(|point| point > 0 && side.is_pinned(point)),
    }
}

pub(crate) fn position(position: &Position) -> specification::Position {
    specification::Position { mover: side(position.own()), other: side(position.opponent()) }
}

pub(crate) fn dice(roll: &str) -> [usize; 2] {
    let digits: Vec<usize> = roll.bytes().map(|digit| usize::from(digit - b'0')).collect();
    // The specification takes dice in any order.
    [digits[1], digits[0]]
}

/// The game by these rules, with the playouts of a seed.
pub(crate) fn game<G: PlayableGame>(rules: &str, tier: Tier, seed: u64) -> G {
    G::by_rules(rules, tier, seed).unwrap_or_else(|error| panic!("{error}"))
}

/// Calls a function with the type of a game as its parameter.
macro_rules! of_game {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        match $name {
            "plakoto" => $function::<tavli_variants::Plakoto>($($argument),*),
            "fevga" => $function::<tavli_variants::Fevga>($($argument),*),
            other => panic!("no game '{other}'"),
        }
    };
}
pub(crate) use of_game;
