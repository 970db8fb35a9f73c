//! `--policy` and `--policy-opponent`: the players that pick the plays.

use std::sync::Arc;

use clap::Args;
use tavli::evaluators::KnownValues;
use tavli::named::{self, NamedPlayer};
use tavli::policies::{Players, Policy, Uniform};
use tavli::with_known_values;

/// The players that pick the plays.
#[derive(Args, Clone, Debug)]
pub(crate) struct Policies {
    #[arg(long, value_name = "NAME|FILE", value_parser = named::policy)]
    #[arg(help = format!(
        "The player that picks the plays: {}, or the file of a player [default: uniform; in rollouts fast, or uniform in \
         mcgammon, whose goal no net has learned]",
        named::list_of_policies()
    ))]
    policy: Option<Arc<dyn Policy>>,
    /// The player that picks the plays of the opponent of the player on roll [default: that of --policy]
    #[arg(long, value_name = "NAME|FILE", value_parser = named::policy)]
    policy_opponent: Option<Arc<dyn Policy>>,
    /// Play by a bear-off table in its positions
    ///
    /// A two-sided table plays perfectly: 6x6, for 6 points and 6 checkers a side, or another size. A one-sided table
    /// of 15 checkers minimises rolls: 6, for 6 points, or up to 12. A file of GNU Backgammon is either. Rollouts end
    /// their games at positions of the table, with its values.
    #[arg(long, value_name = "SIZE|FILE", value_parser = named::known_values)]
    bearoff: Option<Arc<dyn KnownValues>>,
}

impl Policies {
    /// These policies, with `policy` where none is named.
    pub(crate) fn or(&self, policy: impl FnOnce() -> Arc<dyn Policy>) -> Policies {
        let mut policies = self.clone();
        policies.policy.get_or_insert_with(policy);
        policies
    }

    /// Whether an option names how the player on roll picks plays.
    pub(crate) fn name_player(&self) -> bool {
        self.policy.is_some() || self.bearoff.is_some()
    }

    /// Whether an option names how the opponent picks plays.
    pub(crate) fn name_opponent(&self) -> bool {
        self.policy_opponent.is_some()
    }

    /// Whether an option names how any of both picks plays.
    pub(crate) fn are_named(&self) -> bool {
        self.name_player() || self.name_opponent()
    }

    /// The policies of the player on roll in the position and of his opponent.
    pub(crate) fn players(&self) -> Players {
        let [policy, opponent] = self.given();
        Players::named(policy, opponent)
    }

    /// The policies that were given, the player's and his opponent's.
    pub(crate) fn given(&self) -> [Option<Arc<dyn Policy>>; 2] {
        let Some(ends) = &self.bearoff else {
            return [self.policy.clone(), self.policy_opponent.clone()];
        };
        let policy = self.policy.clone().unwrap_or_else(|| Arc::new(Uniform));
        [Some(policy), self.policy_opponent.clone()].map(|policy| {
            let player = NamedPlayer {
                policy: policy?,
                evaluator: None,
            };
            Some(with_known_values(player, Arc::clone(ends)).policy)
        })
    }

    /// The table, if there is one.
    pub(crate) fn known_values(&self) -> Option<Arc<dyn KnownValues>> {
        self.bearoff.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    fn read(arguments: &[&str]) -> Result<Policies, String> {
        let command = Policies::augment_args(Command::new("test"));
        let matches = command.try_get_matches_from([&["test"], arguments].concat());
        let matches = matches.map_err(|error| error.to_string())?;
        Policies::from_arg_matches(&matches).map_err(|error| error.to_string())
    }

    #[test]
    fn the_opponent_plays_alike_unless_another_policy_is_named() {
        let names = |arguments: &[&str]| read(arguments).unwrap().players().to_string();
        assert_eq!(names(&[]), "uniform");
        assert_eq!(names(&["--policy", "pubeval"]), "pubeval");
        let other = names(&["--policy-opponent", "pubeval"]);
        assert_eq!(other, "uniform against pubeval");
        let both = ["--policy", "pubeval", "--policy-opponent", "uniform"];
        assert_eq!(names(&both), "pubeval against uniform");
        let table = ["--policy", "pubeval", "--bearoff", "6x1"];
        assert_eq!(names(&table), "pubeval+bearoff:6x1");
        assert_eq!(names(&table[2..]), "uniform+bearoff:6x1");
    }

    #[test]
    fn unknown_names_list_the_known_ones_and_so_does_the_help() {
        let error = read(&["--policy", "gnubg"]).unwrap_err();
        let help = Policies::augment_args(Command::new("test"))
            .render_long_help()
            .to_string();
        for name in named::names() {
            assert!(error.contains(name), "{error}");
            assert!(help.contains(name), "{help}");
        }
    }
}
