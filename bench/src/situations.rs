//! Positions with a roll to play, drawn from random play, by the demands of the roll on a generator.
//!
//! The sample is a pure function of rules, category and number. The candidate of playout `g` of [`SEED`] is its
//! position after `g mod` [`PLIES`] plies, with the throw `g mod 36`. It is kept if the game is not over and the
//! category applies. So plies are as frequent as in random play (of games shorter than [`PLIES`]), no two situations
//! come from one game, and throws are as frequent as with dice.

use core::num::NonZeroU32;

use tavli::plays::Plays;
use tavli::{BAR, Board, Playouts, Roll, RuleSet, Stopped};

/// The seed of the playouts that the situations are taken from.
pub const SEED: u64 = 0x7461_766c_6900_0001;

/// Positions are taken after fewer plies than this. It is prime, so every throw occurs with every ply. Of full games of
/// backgammon 1 in 1000 is longer.
pub const PLIES: u64 = 397;

/// A position and the roll to play in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Situation {
    /// The position, seen by the player on roll.
    pub board: Board,
    /// His roll.
    pub roll: Roll,
}

/// A category of situations. Every situation belongs to exactly one of the [`PARTS`](Category::PARTS); other categories
/// overlap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Category {
    /// All situations, as frequent as in random play.
    Any,
    /// Two different dice, no checker on the bar, not all home.
    NonDouble,
    /// A double, no checker on the bar, not all home.
    Double,
    /// One checker on the bar.
    OneOnBar,
    /// Two or more checkers on the bar.
    ManyOnBar,
    /// The sides have not passed each other.
    Contact,
    /// The sides have passed each other, and not all checkers of the player on roll are home.
    Race,
    /// All checkers of the player on roll are home.
    BearOff,
    /// A double that may bring the last checkers home and then bear off: fewer than four steps are
    /// needed to bring them home.
    BearIn,
    /// No checker can be moved.
    Pass,
}

tavli::named_values!(
    Category:
    Any "any",
    NonDouble "non-double",
    Double "double",
    OneOnBar "one-on-bar",
    ManyOnBar "many-on-bar",
    Contact "contact",
    Race "race",
    BearOff "bear-off",
    BearIn "bear-in",
    Pass "pass",
);

impl Category {
    /// The categories that divide all situations: each belongs to exactly one.
    pub const PARTS: [Category; 5] =
        [Category::NonDouble, Category::Double, Category::OneOnBar, Category::ManyOnBar, Category::BearOff];

    /// Whether games under `rules` have situations of the category.
    #[must_use]
    pub(crate) fn occurs_in(self, rules: RuleSet) -> bool {
        match self {
            Category::BearOff | Category::BearIn => rules.bears_off(),
            _ => true,
        }
    }

    /// Whether a situation belongs to this category.
    #[must_use]
    pub fn holds(self, situation: &Situation, rules: RuleSet) -> bool {
        let Situation { board, roll } = situation;
        let own = board.own();
        match self {
            Category::Any => true,
            Category::NonDouble => own.bar() == 0 && !own.all_home() && !roll.is_double(),
            Category::Double => own.bar() == 0 && !own.all_home() && roll.is_double(),
            Category::OneOnBar => own.bar() == 1,
            Category::ManyOnBar => own.bar() >= 2,
            Category::Contact => !board.is_race(),
            Category::Race => board.is_race() && !own.all_home(),
            Category::BearOff => own.all_home(),
            Category::BearIn => {
                let steps = steps_home(board, roll.high());
                roll.is_double() && own.bar() == 0 && (1..4).contains(&steps)
            }
            Category::Pass => passes(situation, rules),
        }
    }
}

/// The number of steps of one die that bring all checkers of the player on roll home, if nothing blocks them.
fn steps_home(board: &Board, die: u8) -> u32 {
    let own = board.own();
    (7..=BAR).map(|point| u32::from(own.count(point)) * u32::from((point - 6).div_ceil(die))).sum()
}

fn passes(situation: &Situation, rules: RuleSet) -> bool {
    let plays = Plays::new(&situation.board, situation.roll, rules);
    let unmoved = situation.board.swapped();
    plays.len() == 1 && plays.get(0).is_some_and(|play| play.board() == unmoved)
}

/// The first situations of a category, in the order of the games they are from. `stop` is called before each game,
/// since a rare category takes seconds.
///
/// # Errors
/// [`Stopped`] if `stop` returns true.
///
/// # Panics
/// If the category does not occur in games under `rules`.
pub fn sample(
    rules: RuleSet,
    category: Category,
    number: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Situation>, Stopped> {
    assert!(category.occurs_in(rules), "situations of category {category} do not occur in games of {rules}");
    let playouts = Playouts::new(rules.start(), rules, SEED).expect("the game is not over at the start");
    let sample: Vec<Situation> = (0..)
        .take_while(|_| !stop())
        .filter_map(|game| after(&playouts, game))
        .filter(|situation| category.holds(situation, rules))
        .take(number)
        .collect();
    if sample.len() == number { Ok(sample) } else { Err(Stopped) }
}

/// The index of one of the plays; successive numbers spread evenly over all of them (they are the
/// multiples of the golden section, modulo 1).
#[must_use]
pub fn pick(plays: &Plays, number: usize) -> usize {
    let fraction = (number as u32).wrapping_mul(0x9e37_79b9);
    ((u64::from(fraction) * plays.len() as u64) >> 32) as usize
}

/// The situation of a game, if the game lasts that long.
fn after(playouts: &Playouts, game: u64) -> Option<Situation> {
    let board = match NonZeroU32::new((game % PLIES) as u32) {
        None => *playouts.start(),
        Some(plies) => {
            let record = playouts.truncated_after(plies).play(game);
            if record.outcome.is_some() {
                return None;
            }
            record.board
        }
    };
    let roll = Roll::THROWS[(game % 36) as usize];
    Some(Situation { board, roll })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use tavli::NO_STOP;

    use super::*;
    use crate::Checksum;

    #[test]
    fn situations_are_of_their_kind_and_differ() {
        for &rules in RuleSet::ALL {
            for &category in Category::ALL {
                if !category.occurs_in(rules) {
                    continue;
                }
                let sample = sample(rules, category, 40, NO_STOP).unwrap();
                assert_eq!(sample.len(), 40);
                for situation in &sample {
                    assert!(category.holds(situation, rules), "{category}: {situation:?}");
                    assert!(!rules.is_over(&situation.board), "{situation:?}");
                }
                let distinct: HashSet<_> = sample.iter().collect();
                assert!(distinct.len() >= 38, "{category}: {}", distinct.len());
            }
        }
    }

    #[test]
    fn sampling_can_be_stopped() {
        let games = core::cell::Cell::new(0);
        let stop = || {
            games.set(games.get() + 1);
            games.get() > 100
        };
        assert_eq!(sample(RuleSet::Backgammon, Category::BearIn, 1000, &stop), Err(Stopped));
        assert_eq!(games.get(), 101);
    }

    #[test]
    fn every_situation_is_of_one_part() {
        for &rules in RuleSet::ALL {
            for situation in sample(rules, Category::Any, 3000, NO_STOP).unwrap() {
                let parts = Category::PARTS.iter();
                let number = parts.filter(|part| part.holds(&situation, rules)).count();
                assert_eq!(number, 1, "{situation:?}");
            }
        }
    }

    /// The benchmarks compare results between versions, so their inputs must not change.
    #[test]
    fn the_sample_does_not_change() {
        let boards = |rules| -> Vec<Board> {
            let sample = sample(rules, Category::Any, 1000, NO_STOP).unwrap();
            sample.iter().map(|situation| situation.board).collect()
        };
        let sums =
            [RuleSet::Backgammon, RuleSet::McGammon].map(|rules| boards(rules).iter().collect::<Checksum>().folded());
        assert_eq!(sums, [0x4499_583c_8162_d52f, 0x741c_1799_08e1_057f]);
    }

    #[test]
    fn steps_home_are_counted_from_every_point() {
        let mut own = [0; 26];
        (own[6], own[7], own[12], own[13]) = (2, 1, 1, 1);
        let mut opponent = [0; 26];
        opponent[1] = 1;
        let board = Board::new(&own, &opponent).expect("a position");
        assert_eq!(steps_home(&board, 6), 1 + 1 + 2);
        assert_eq!(steps_home(&board, 1), 1 + 6 + 7);
    }

    #[test]
    fn picked_plays_are_spread_over_all() {
        let plays = Plays::new(&Board::START, Roll::ALL[3], RuleSet::Backgammon);
        let picked: HashSet<usize> = (0..3 * plays.len()).map(|number| pick(&plays, number)).collect();
        assert_eq!(picked.len(), plays.len());
    }
}
