//! Decisions of good games, with a value for each of their plays. `profiles/decide/README.md` says how they were drawn
//! and valued.

use tavli::plays::notation::parse_play;
use tavli::{Board, Position, Roll, RuleSet};
use thiserror::Error;

/// The decisions that are part of the program.
const TEXT: &str = include_str!("../recipes/decisions.tsv");

/// A position, a roll, and its plays with their values.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredDecision {
    /// The position, seen by the player on roll.
    pub board: Board,
    /// His roll.
    pub roll: Roll,
    /// The kind of the position, such as `contact` or `race`.
    pub kind: String,
    /// The plays, the best first.
    pub plays: Vec<StoredPlay>,
}

/// A play, and its distance from the best play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StoredPlay {
    /// The position after it, seen by the opponent.
    pub after: Board,
    /// Its points behind the best play.
    pub behind: f64,
    /// Their standard error.
    pub error: f64,
}

/// A line that is not a decision.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line} of the stored decisions: {reason}")]
pub struct StoredDecisionError {
    /// The line, from 1.
    pub line: usize,
    /// The fault.
    pub reason: String,
}

impl StoredDecision {
    /// Every stored decision.
    ///
    /// ```
    /// let all = tavli_bench::stored_decisions::StoredDecision::all();
    /// assert!(all.iter().all(|decision| decision.plays[0].behind == 0.0));
    /// ```
    #[must_use]
    pub fn all() -> Vec<StoredDecision> {
        StoredDecision::parse(TEXT).expect("a test reads the stored decisions")
    }

    /// `number` of the stored decisions, or all if there are fewer, spread evenly over the list, which is grouped by
    /// kind.
    #[must_use]
    pub fn some(number: usize) -> Vec<StoredDecision> {
        let all = StoredDecision::all();
        let number = number.min(all.len());
        (0..number).map(|at| all[at * all.len() / number].clone()).collect()
    }

    /// Reads decisions, one in a line: position, roll, kind and plays, with tabs between. Lines that begin with `#` are
    /// comments.
    ///
    /// # Errors
    /// [`StoredDecisionError`] names the first line that is not a decision.
    pub fn parse(text: &str) -> Result<Vec<StoredDecision>, StoredDecisionError> {
        let lines = text.lines().enumerate();
        lines
            .filter(|(_, line)| !line.starts_with('#'))
            .map(|(number, line)| {
                StoredDecision::read(line).map_err(|reason| StoredDecisionError { line: number + 1, reason })
            })
            .collect()
    }

    fn read(line: &str) -> Result<StoredDecision, String> {
        let mut fields = line.split('\t');
        let mut next = |what| fields.next().ok_or(format!("there is no {what}"));
        let position: Position = next("position")?.parse().map_err(|error| format!("{error}"))?;
        let roll: Roll = next("roll")?.parse().map_err(|error| format!("{error}"))?;
        let kind = next("kind")?.to_owned();
        let board = *position.board();
        let plays: Vec<StoredPlay> =
            fields.map(|play| StoredPlay::read(&board, roll, play)).collect::<Result<_, _>>()?;
        if plays.len() < 2 {
            return Err("there are fewer than 2 plays".to_owned());
        }
        Ok(StoredDecision { board, roll, kind, plays })
    }

    /// The stored play that leads to this position. The move filter dropped plays, which are not stored: such a play
    /// counts as far behind as the last stored play, though it may have lost more.
    #[must_use]
    pub(crate) fn play_to(&self, after: &Board) -> &StoredPlay {
        let stored = self.plays.iter().find(|play| play.after == *after);
        stored.unwrap_or(&self.plays[self.plays.len() - 1])
    }
}

impl StoredPlay {
    /// Reads `MOVES:POINTS:ERROR:GAMES`.
    fn read(board: &Board, roll: Roll, text: &str) -> Result<StoredPlay, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let [moves, behind, error, _games] = parts[..] else {
            return Err(format!("'{text}' is not MOVES:POINTS:ERROR:GAMES"));
        };
        let points = |text: &str| {
            let points = text.parse().ok().filter(|points: &f64| points.is_finite());
            points.ok_or(format!("'{text}' are not points"))
        };
        Ok(StoredPlay {
            after: parse_play(board, roll, moves, RuleSet::Backgammon).map_err(|error| error.to_string())?,
            behind: points(behind)?,
            error: points(error)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_decisions_are_whole() {
        let all = StoredDecision::all();
        for decision in &all {
            let behind = decision.plays.iter().map(|play| play.behind);
            assert!(behind.is_sorted(), "{decision:?}");
            assert_eq!(decision.plays[0].behind, 0.0, "{decision:?}");
            assert!(decision.plays.iter().all(|play| play.error >= 0.0), "{decision:?}");
        }
        for (at, decision) in all.iter().enumerate() {
            let same = |other: &&StoredDecision| (other.board, other.roll) == (decision.board, decision.roll);
            assert!(!all[..at].iter().any(|other| same(&other)), "{decision:?} comes twice");
        }
        let some = StoredDecision::some(10);
        assert_eq!((some.len(), &some[0]), (10, &all[0]));
        assert_eq!(StoredDecision::some(usize::MAX), all);
    }

    #[test]
    fn plays_that_were_not_valued_count_as_the_last() {
        let text = "4HPwATDgc/ABMA\t31\topening\t8/5 6/5:0:0:36\t24/23 13/10:0.17:0.01:36";
        let decision = &StoredDecision::parse(text).unwrap()[0];
        let after = |moves| parse_play(&decision.board, decision.roll, moves, RuleSet::Backgammon).unwrap();
        assert_eq!(decision.play_to(&after("8/5 6/5")).behind, 0.0);
        assert_eq!(decision.play_to(&after("24/20")).behind, 0.17);
    }

    #[test]
    fn faults_name_their_line() {
        let line = "4HPwATDgc/ABMA\t31\topening\t8/5 6/5:0:0:36\t24/23 13/10:0.17:0.01:36";
        for (part, instead, reason) in [
            ("4HPwATDgc/ABMA", "4HP", "'4HP'"),
            ("31", "71", "'71'"),
            ("8/5 6/5:", "8/5 6/4:", "8/5 6/4"),
            ("0.17", "nan", "'nan' are not points"),
            (":36\t", "\t", "is not MOVES:POINTS:ERROR:GAMES"),
            ("\t24/23 13/10:0.17:0.01:36", "", "fewer than 2 plays"),
        ] {
            let text = format!("# head\n{}", line.replacen(part, instead, 1));
            let error = StoredDecision::parse(&text).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.reason.contains(reason), "{error}");
        }
    }
}
