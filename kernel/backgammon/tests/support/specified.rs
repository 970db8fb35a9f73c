//! Converts positions, playouts and games of the library to those of the specification.

use tavli_backgammon::{Board, FirstRoll, GameEnd, Playouts, Roll, RuleSet};

use super::specification::{self, Position, Rules};

pub(crate) fn position(board: &Board) -> Position {
    Position { mover: board.own().counts(), other: board.opponent().counts() }
}

pub(crate) fn dice(roll: Roll) -> [usize; 2] {
    // The specification takes dice in any order.
    [usize::from(roll.low()), usize::from(roll.high())]
}

pub(crate) fn rules(rules: RuleSet) -> Rules {
    match rules {
        RuleSet::Backgammon => Rules::Backgammon,
        RuleSet::McGammon => Rules::McGammon,
        RuleSet::Portes => Rules::Portes,
        RuleSet::Nackgammon => Rules::Nackgammon,
        RuleSet::Hypergammon => Rules::Hypergammon,
        RuleSet::Longgammon => Rules::Longgammon,
        unknown => panic!("the specification lacks the rules of {unknown}"),
    }
}

pub(crate) fn playouts(playouts: &Playouts) -> specification::Playouts {
    specification::Playouts {
        start: position(playouts.start()),
        rules: rules(playouts.rules()),
        first_roll: match playouts.first_roll() {
            FirstRoll::Any => specification::FirstRoll::Any,
            FirstRoll::Open => specification::FirstRoll::Open,
            FirstRoll::Given(roll) => specification::FirstRoll::Given(dice(roll)),
            FirstRoll::Stratified => specification::FirstRoll::Stratified,
            unknown => panic!("the specification lacks the first roll {unknown}"),
        },
        seed: playouts.seed(),
        truncation: playouts.truncation().map(u32::from),
    }
}

/// The specified games of these numbers.
pub(crate) fn games(playouts: &Playouts, numbers: impl Iterator<Item = u64>) -> Vec<specification::GameEnd> {
    let playouts = self::playouts(playouts);
    numbers.map(|game| playouts.play(game)).collect()
}

/// Whether a game was played as specified.
pub(crate) fn agree(record: &GameEnd, specified: &specification::GameEnd) -> bool {
    record.outcome.map(|outcome| outcome.points()) == specified.points
        && record.plies == specified.plies
        && position(&record.board) == specified.last
}
