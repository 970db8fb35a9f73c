//! Commands that set the names of the players, the cube, the score and the rules.

use std::io::{self, Write};

use tavli::board::MAX_POINTS;
use tavli::text::Quoted;
use tavli::{Context, Cube, Position, Seat, Side, Stakes};
use tavli_terminal::numbers::counted;

use super::session::Session;
use super::texts::other_seat;
use crate::gnubg_values::pass_over;

const SEATS: [Seat; 2] = [Seat::Top, Seat::Bottom];

impl Session {
    /// The seat of a player, who is called by the number or by the name.
    pub(super) fn seat(&self, name: &str) -> Option<Seat> {
        let is_it = |seat: &Seat| {
            name == (*seat as usize).to_string() || name.eq_ignore_ascii_case(&self.names[*seat as usize])
        };
        SEATS.into_iter().find(is_it)
    }

    pub(super) fn set_name(&mut self, player: &str, name: &str) -> io::Result<()> {
        let Some(seat) = self.seat(player) else {
            return writeln!(self.output, "Unknown player `{player}' (see `help set player').");
        };
        name.clone_into(&mut self.names[seat as usize]);
        writeln!(self.output, "Player {} is now known as `{name}'.", seat as usize)
    }

    /// Checks `set player WORDS` that changes nothing here.
    pub(super) fn pass_over_player(&mut self, words: &[&str]) -> io::Result<()> {
        match *words {
            [] => writeln!(self.output, "Incomplete command."),
            [player, ..] if player != "both" && self.seat(player).is_none() => {
                writeln!(self.output, "Unknown player `{player}' (see `help set player').")
            }
            [_, "name"] => writeln!(self.output, "You must specify a name to use."),
            [_, "gnubg"] | [_, "external", _, ..] => Ok(()),
            [_, "gnubg" | "human" | "external", ..] => {
                let words = Quoted::new(&words.join(" ")).within(60).to_string();
                writeln!(self.output, "Unknown keyword `set player {words}' (try `help').")
            }
            _ => pass_over(&[&["player"], words].concat(), &mut self.output),
        }
    }

    /// The session plays for nobody, so both players are human.
    pub(super) fn answer_human(&mut self, player: &str) -> io::Result<()> {
        let seats = match (player, self.seat(player)) {
            ("both", _) => SEATS.to_vec(),
            (_, Some(seat)) => vec![seat],
            _ => return writeln!(self.output, "Unknown player `{player}' (see `help set player')."),
        };
        for seat in seats {
            let name = &self.names[seat as usize];
            writeln!(self.output, "Moves for {name} must now be entered manually.")?;
        }
        Ok(())
    }

    /// Changes the stakes of the position; prints a message if that is impossible.
    fn change(&mut self, change: impl FnOnce(&mut Context)) -> io::Result<bool> {
        let Some(position) = self.position else {
            writeln!(self.output, "There must be a game in progress to set this.")?;
            return Ok(false);
        };
        let mut context = *position.context();
        change(&mut context);
        match Position::new(*position.board(), context) {
            Ok(position) => self.position = Some(position),
            Err(error) => {
                writeln!(self.output, "Error: {error}")?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sets the value of the cube or its owner, by the words after `set cube`.
    pub(super) fn set_cube(&mut self, words: &[&str]) -> io::Result<()> {
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let is_crawford = self.position.is_some_and(|position| position.context().is_crawford());
        match lower.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["value" | "owner", _] | ["centre" | "center"] if is_crawford => {
                writeln!(self.output, "The cube is disabled during the Crawford game.")
            }
            ["value", value] => {
                let value = value.parse::<u32>().ok().filter(|value| value.is_power_of_two());
                let Some(value) = value else {
                    return writeln!(self.output, "You must specify a legal cube value (see `help set cube value').");
                };
                let log2 = value.trailing_zeros() as u8;
                let change = |context: &mut Context| {
                    context.cube.log2 = log2;
                    context.cube.raise_limit();
                };
                match self.change(change)? {
                    true => writeln!(self.output, "The cube has been set to {value}."),
                    false => Ok(()),
                }
            }
            ["owner", "both"] | ["centre" | "center"] => self.set_owner(None),
            ["owner", _] => match self.seat(words[1]) {
                Some(seat) => self.set_owner(Some(seat)),
                None => {
                    writeln!(self.output, "You must specify which player owns the cube (see `help set cube owner').")
                }
            },
            ["use", "on"] => writeln!(self.output, "Use of the doubling cube is permitted."),
            [] | ["value" | "owner" | "use"] => writeln!(self.output, "Incomplete command."),
            _ => writeln!(self.output, "Unknown keyword `{}'.", words.join(" ")),
        }
    }

    fn set_owner(&mut self, seat: Option<Seat>) -> io::Result<()> {
        let changed = self.change(|context| {
            let owner = seat.map(|seat| match seat == context.seat {
                true => Side::OnRoll,
                false => Side::Opponent,
            });
            context.cube = Cube { owner, ..context.cube };
        })?;
        match (changed, seat) {
            (false, _) => Ok(()),
            (true, None) => writeln!(self.output, "The cube has been centred."),
            (true, Some(seat)) => writeln!(self.output, "{} now owns the cube.", self.names[seat as usize]),
        }
    }

    /// Sets the points of both players; a negative number is the points that a player needs.
    pub(super) fn set_score(&mut self, points: [&str; 2]) -> io::Result<()> {
        let length = match self.position.map(|position| position.context().stakes) {
            Some(Stakes::Match { length, .. }) => Some(length),
            _ => None,
        };
        let read = |text: &str| {
            let points: i32 = text.parse().ok()?;
            let points = match length {
                Some(length) if points < 0 => i32::from(length) + points,
                _ => points,
            };
            u16::try_from(points).ok()
        };
        let [Some(top), Some(bottom)] = points.map(read) else {
            return writeln!(self.output, "You must specify two valid scores.");
        };
        if length.is_some_and(|length| top >= length || bottom >= length) {
            return writeln!(self.output, "You cannot set a score where the match is already over.");
        }
        let changed = self.change(|context| {
            (context.score, context.opponent_score) = match context.seat {
                Seat::Top => (top, bottom),
                Seat::Bottom => (bottom, top),
            };
            if let Stakes::Match { crawford, .. } = &mut context.stakes {
                *crawford = false;
            }
        })?;
        if changed { self.show("score") } else { Ok(()) }
    }

    pub(super) fn set_crawford(&mut self, is_crawford: bool) -> io::Result<()> {
        let Some(position) = self.position else {
            return writeln!(self.output, "There must be a game in progress to set this.");
        };
        let context = position.context();
        let Stakes::Match { length, .. } = context.stakes else {
            return writeln!(self.output, "Cannot set Crawford play for money sessions.");
        };
        if ![context.score, context.opponent_score].contains(&(length - 1)) {
            return writeln!(
                self.output,
                "Cannot set whether this is the Crawford game\nas none of the players are 1-away from winning."
            );
        }
        let crawford = is_crawford;
        let changed = self.change(|context| {
            context.stakes = Stakes::Match { length, crawford };
            // Positions read from a Match ID of the Crawford game have this cube, too.
            if crawford {
                (context.cube.log2, context.cube.owner) = (0, None);
            }
        })?;
        match (changed, crawford) {
            (false, _) => Ok(()),
            (true, true) => writeln!(self.output, "This game is the Crawford game (no doubling allowed)."),
            (true, false) => writeln!(self.output, "This game is not the Crawford game."),
        }
    }

    pub(super) fn set_match_length(&mut self, number: &str) -> io::Result<()> {
        match number.parse::<u16>() {
            Ok(length @ 1..=MAX_POINTS) => {
                self.match_length = length;
                self.show_rule("matchlength")
            }
            _ => writeln!(self.output, "You must specify a valid match length (1 to {MAX_POINTS} points)."),
        }
    }

    /// Shows a rule, or the pips of both players.
    pub(super) fn show_rule(&mut self, what: &str) -> io::Result<()> {
        match (what, &self.position) {
            ("matchlength", _) => {
                let points = counted(u64::from(self.match_length), "point", "points");
                writeln!(self.output, "New matches default to {points}.")
            }
            ("jacoby", _) => {
                let with = if self.money.0 { "with" } else { "without" };
                writeln!(self.output, "New money sessions are played {with} the Jacoby rule.")
            }
            ("beavers", _) => match self.money.1 {
                true => writeln!(self.output, "Beavers allowed in money sessions."),
                false => writeln!(self.output, "No beavers allowed in money sessions."),
            },
            (_, None) => writeln!(self.output, "There is no game in progress."),
            ("crawford", Some(position)) => match position.context().stakes {
                Stakes::Money { .. } => writeln!(self.output, "Crawford rule is not used in money sessions."),
                Stakes::Match { crawford: true, .. } => writeln!(self.output, "This game is the Crawford game."),
                Stakes::Match { .. } => writeln!(self.output, "This game is not the Crawford game"),
            },
            (_, Some(position)) => {
                let own = position.context().seat;
                let other = other_seat(own);
                let pips = pips_by_seat(position);
                let of = |seat: Seat| format!("{} {}", self.names[seat as usize], pips[seat as usize]);
                writeln!(self.output, "The pip counts are: {}, {}.", of(own), of(other))
            }
        }
    }
}

/// The pips of the players at the top and at the bottom.
pub(super) fn pips_by_seat(position: &Position) -> [u16; 2] {
    let board = position.board();
    let (own, other) = (board.own().pips(), board.opponent().pips());
    match position.context().seat {
        Seat::Top => [own, other],
        Seat::Bottom => [other, own],
    }
}
