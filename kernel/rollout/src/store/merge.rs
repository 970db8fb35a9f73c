//! Parts of a rollout put together.

use std::sync::OnceLock;

use crate::ask::allocation::Allocation;
use crate::ask::limits::MOST_TRIALS;
use crate::ask::specification::Specification;
use crate::estimate::rounds::Rounds;
use crate::rollout::Rollout;
use tavli_file::parts::{MergeError, Whole};
use tavli_players::named;

static ROLLOUTS: Whole = Whole {
    plural: "rollouts",
    pieces: "games",
    count: "trials",
};

impl Rollout {
    /// Puts the parts of a rollout together, in any order. They must hold each of its trials once. Equal to the
    /// rollout played as a whole, but for the time, which is the sum.
    ///
    /// # Errors
    /// [`MergeError`] names the first conflict.
    pub fn merge(parts: &[Rollout]) -> Result<Rollout, MergeError> {
        // The same net under two paths is the same.
        ROLLOUTS.check_same(parts.iter().map(|part| part.specification.deciding()), named::identity)?;
        let first = &parts[0];
        if first.specification.allocation != Allocation::Even {
            return Err(MergeError::Allocation(first.specification.allocation.to_string()));
        }
        let ranges: Vec<_> = parts.iter().map(Rollout::trials).collect();
        let trials = first.specification.stop.trials;
        let order = ROLLOUTS.order(&ranges, trials)?;
        let mut whole = Rollout {
            specification: Specification {
                shard: None,
                ..first.specification.clone()
            },
            trials: 0..trials,
            rounds: Rounds::new(first.rounds.dimensions(), first.specification.candidates.len()),
            elapsed: parts.iter().map(|part| part.elapsed).sum(),
            summary: OnceLock::new(),
        };
        for &part in &order {
            whole.rounds.add(&parts[part].rounds.last().counts);
        }
        Ok(whole)
    }
}

impl Specification {
    /// What decides the values of its games, by name and as text.
    fn deciding(&self) -> [(&'static str, String); 14] {
        let roll = self.roll.map_or("none".to_owned(), |roll| roll.to_string());
        let plies = self.settings.truncation;
        let evaluator = self.evaluator.as_ref();
        let evaluator = evaluator.map_or("none", |evaluator| evaluator.name());
        let luck = self.luck.as_ref();
        let luck = luck.map_or("none", |luck| luck.evaluator().name());
        let cube = self.cube.as_ref();
        let cube = cube.map_or("none".to_owned(), |cube| cube.in_play.to_string());
        let trials = match self.stop.trials {
            MOST_TRIALS => "not bounded".to_owned(),
            trials => trials.to_string(),
        };
        let boards = self.candidates.iter().map(|c| c.board.position_id().to_string());
        [
            ("the position", self.position.position_id().to_string()),
            ("the roll", roll),
            ("the list of candidates", boards.collect::<Vec<_>>().join(" ")),
            ("the rule set", self.settings.rules.to_string()),
            ("the seed", self.settings.seed.to_string()),
            ("the first roll", self.settings.first_roll.to_string()),
            (
                "the truncation",
                plies.map_or("none".to_owned(), |plies| format!("{plies} plies")),
            ),
            ("the allocation", self.allocation.to_string()),
            ("the policy", self.players.names()[0].to_owned()),
            ("the policy of the opponent", self.players.names()[1].to_owned()),
            ("the evaluator", evaluator.to_owned()),
            ("the evaluator of luck", luck.to_owned()),
            ("the cube", cube),
            ("the number of trials", trials),
        ]
    }
}
