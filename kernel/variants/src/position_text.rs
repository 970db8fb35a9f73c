//! The text of a position: one character a point, seen by the player on roll.

use tavli_base::text::{Quoted, bare};
use tavli_game::PositionError;

use crate::position::{CHECKERS, POINTS, Position, START, SideCheckers};
use crate::variant::Variant;

pub(crate) fn write<G: Variant>(position: &Position) -> String {
    let mut text = String::new();
    for point in 1..=POINTS {
        let across = G::point_across(point);
        let (own, opponent) = (position.own.free(point), position.opponent.free(across));
        let (letter, pins) = match (own, opponent) {
            (0, 0) => (b'-', false),
            (0, number) => (b'a' - 1 + number as u8, position.own.is_pinned(point)),
            (number, _) => (b'A' - 1 + number as u8, position.opponent.is_pinned(across)),
        };
        text.push(char::from(letter));
        if pins {
            text.push('*');
        }
    }
    text
}

/// The position of a text.
pub(crate) fn read<G: Variant>(game: &G, text: &str) -> Result<Position, PositionError> {
    let text = bare(text);
    let mut position = Position { own: SideCheckers::default(), opponent: SideCheckers::default() };
    let mut sums = [0; 2];
    let fault = |what: String| PositionError::new(format!("{what}: '{}'; write {}", Quoted::new(text), G::POSITION));
    let mut point = 0;
    let mut pinned = true;
    for (at, character) in text.chars().enumerate() {
        // Of other characters these make no sense, and the match does not use them.
        let own = u32::from(character).wrapping_sub(u32::from('A') - 1);
        let opponent = u32::from(character).wrapping_sub(u32::from('a') - 1);
        let (side, number) = match character {
            'A'..='O' => (0, own),
            'a'..='o' => (1, opponent),
            '-' => (0, 0),
            '*' if !G::PINS => {
                return Err(fault(format!("point {point} has a '*', and no checkers are pinned in {}", G::NAME)));
            }
            '*' if point == 0 => return Err(fault("a '*' stands before point 1".into())),
            '*' if pinned && text.chars().nth(at - 1) == Some('*') => {
                return Err(fault(format!("point {point} has a second '*': at most one checker is pinned there")));
            }
            '*' if pinned => {
                return Err(fault(format!("point {point} is empty, so that nothing is pinned there")));
            }
            '*' => {
                // Pinned by the last side that was read.
                let (on, at) = if position.own.free(point) > 0 { (1, G::point_across(point)) } else { (0, point) };
                sums[on] += 1;
                let sides = [&mut position.own, &mut position.opponent];
                sides[on].pinned |= 1 << at;
                pinned = true;
                // The message names the point at which there are too many.
                if sums[on] > CHECKERS {
                    break;
                }
                continue;
            }
            _ => {
                let place = format!("character {}, '{}', is none of a position", at + 1, character.escape_debug());
                return Err(fault(place));
            }
        };
        point += 1;
        if point > POINTS {
            return Err(fault(format!("more than {POINTS} points")));
        }
        pinned = number == 0;
        sums[side] += number;
        match side {
            0 => position.own.put(point, number),
            _ => position.opponent.put(G::point_across(point), number),
        }
        if sums[side] > CHECKERS {
            break;
        }
    }
    for (whose, sum) in [("the player on roll", sums[0]), ("the opponent", sums[1])] {
        if sum > CHECKERS {
            return Err(fault(format!("up to point {point}, {whose} has {sum} checkers of {CHECKERS}")));
        }
    }
    if point < POINTS {
        return Err(fault(format!("{point} points, not {POINTS}")));
    }
    check(game, &position).map_err(fault)?;
    Ok(position)
}

/// Whether a position can arise.
fn check<G: Variant>(game: &G, position: &Position) -> Result<(), String> {
    if position.own.on_board() == 0 {
        return Err("the player on roll has no checker left, and cannot be on roll".into());
    }
    // A tie is over by the last play, whoever made it.
    if game.won_by_last_play(&position.swapped()).is_some_and(|won| won > 0) {
        let mother = G::point_across(START);
        return Err(format!(
            "the mother on point {mother} is pinned, and the player on roll, whose start is left, had won before"
        ));
    }
    for (whose, side) in [("the player on roll", &position.own), ("the opponent", &position.opponent)] {
        if let Some(fault) = game.fault(side) {
            return Err(format!("of {whose}, in that player's numbers, {fault}"));
        }
    }
    Ok(())
}
