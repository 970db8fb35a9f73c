//! Positions and rules as the specification has them.

use super::specification::{self as specification, Piece};
use tavli_draughts::{Captures, Draw, Position, Rules, Side, Square};

pub(crate) fn side(side: Side) -> specification::Side {
    match side {
        Side::Black => specification::Side::Black,
        Side::White => specification::Side::White,
    }
}

pub(crate) fn position(position: &Position) -> specification::Position {
    let mut squares = [None; 33];
    for square in (1..=32).filter_map(Square::new) {
        let is_on = |set: u32| set & square.set() != 0;
        let owner = [Side::Black, Side::White].into_iter().find(|&side| is_on(position.pieces(side)));
        squares[square.number() as usize] =
            owner.map(|owner| Piece { side: side(owner), is_king: is_on(position.kings()) });
    }
    specification::Position { squares, mover: side(position.side()), quiet: u32::from(position.quiet()) }
}

pub(crate) fn rules(rules: Rules) -> specification::Rules {
    specification::Rules {
        captures: match rules.captures {
            Captures::Compulsory => specification::Captures::Compulsory,
            Captures::Optional => specification::Captures::Optional,
            Captures::OptionalMayStop => specification::Captures::OptionalMayStop,
        },
        draw: match rules.draw {
            Draw::Quiet(most) => specification::Draw::Quiet(u32::from(most)),
            Draw::KingsOnly(most) => specification::Draw::KingsOnly(u32::from(most)),
        },
    }
}
