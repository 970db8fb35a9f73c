//! The orders of a person at the table.

use tavli::Win;
use tavli::text::BYTE_ORDER_MARK;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Help,
    /// The plays of the roll.
    Plays,
    /// The best plays.
    Hint,
    /// Back to one's decision before.
    Undo,
    Resign(Win),
    /// The board again.
    Board,
    Quit,
    /// Throw the dice without a double.
    Roll,
    Double,
    Take,
    /// Pass a double.
    Pass,
    /// A play in notation.
    Play(String),
}

/// The orders, for a person who asks.
pub(super) const HELP: &str = "\
  8/5 6/5   a play: each move from a point to a point; bar and off; (2) for two checkers
  plays     list the plays of the roll
  hint      list the five best plays, as --hints values them
  undo      take back your last play and the reply
  resign    when the dice are thrown: resign a single game; resign gammon, resign backgammon
  board     draw the board again
  roll      with the cube: throw the dice without a double; double, take and pass
  quit      leave the game";

/// The answer to words after resign that name no win.
pub(super) const RESIGN: &str = "write resign, resign gammon or resign backgammon";

impl Order {
    pub(super) fn read(line: &str) -> Result<Order, &'static str> {
        let line = line.trim_start_matches(BYTE_ORDER_MARK);
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Ok(match words[..] {
            [] => return Err("write a play, or help for the orders"),
            ["help" | "h" | "?"] => Order::Help,
            ["plays" | "p"] => Order::Plays,
            ["hint"] => Order::Hint,
            ["undo" | "u"] => Order::Undo,
            ["board" | "b"] => Order::Board,
            ["roll" | "r"] => Order::Roll,
            ["double" | "d"] => Order::Double,
            ["take" | "t"] => Order::Take,
            ["pass"] => Order::Pass,
            ["quit" | "q" | "exit"] => Order::Quit,
            ["resign"] | ["resign", "single"] => Order::Resign(Win::Single),
            ["resign", "gammon"] => Order::Resign(Win::Gammon),
            ["resign", "backgammon"] => Order::Resign(Win::Backgammon),
            ["resign", ..] => return Err(RESIGN),
            _ => Order::Play(words.join(" ")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_orders() {
        for (line, order) in [
            ("  Help ", Order::Help),
            ("?", Order::Help),
            ("\u{feff}hint", Order::Hint),
            ("HINT", Order::Hint),
            ("u", Order::Undo),
            ("resign", Order::Resign(Win::Single)),
            ("resign  Gammon", Order::Resign(Win::Gammon)),
            ("8/5  6/5", Order::Play("8/5 6/5".to_owned())),
            ("r", Order::Roll),
            ("Double", Order::Double),
            ("take", Order::Take),
            ("pass", Order::Pass),
            ("Bar/20", Order::Play("bar/20".to_owned())),
        ] {
            assert_eq!(Order::read(line), Ok(order), "{line}");
        }
        assert_eq!(Order::read("resign now"), Err(RESIGN));
        assert!(Order::read(" \t").is_err());
    }
}
