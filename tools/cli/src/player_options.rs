//! `--policy` and `--policy-opponent`, which pick plays.

use std::sync::Arc;

use clap::Args;
use tavli::evaluators::KnownValues;
use tavli::named::{self, NamedPlayer};
use tavli::policies::{Policy, PolicyPair};
use tavli::with_known_values;
use tavli_terminal::failure::Failure;

use crate::arguments::{BACKGAMMON_HEADING, POLICY_MEANS, invalid, player_lines};
use crate::evaluator_options::bear_off_table;
use crate::game_arguments::list_of_nets;

/// The options of the policies, as errors name them.
pub(crate) const POLICY: &str = "--policy <NAME|FILE>";
pub(crate) const POLICY_OPPONENT: &str = "--policy-opponent <NAME|FILE>";

/// The long help of `--bearoff`.
const BEAROFF: &str = "Let both sides play by a bear-off table in the positions that it has\n\n  \
    6x6: a two-sided table, of 6 points and 6 checkers a side, or another size; its plays are perfect\n  \
    6: a one-sided table, of 6 points (or 1 to 12) and 15 checkers; its plays minimise rolls\n  \
    FILE: a table of either kind in the form of GNU Backgammon\n\n\
    Rollouts end their games at positions of the table, with its values.";

/// The policies of both sides.
#[derive(Args, Clone, Debug)]
pub(crate) struct Policies {
    #[arg(long, alias = "player", value_name = "NAME|FILE")]
    #[arg(help = format!(
        "Policy that picks the plays of games: {} or the file of a player [default: uniform; in rollouts fast]",
        named::names().collect::<Vec<_>>().join(", ")
    ))]
    #[arg(long_help = format!(
        "{POLICY_MEANS}, here those of both sides unless --policy-opponent names another. In backgammon it is one \
         of:\n\n{},\n  or the file of a player\n\n\
         Other games have uniform, a built-in net ({}) and files of nets that tavli train wrote. A net may be followed \
         by +bearoff:SIZE, and by +1ply or +2ply. Playouts of other games also take every player of tavli duel.\n\n\
         Default:\n  \
         in playouts: uniform\n  \
         in rollouts: fast; uniform in mcgammon, whose goal no net has learned; strong in plakoto and fevga; uniform \
         in games without a net\n  \
         in decisions: as in rollouts, but strong+bearoff:6x6 under the rules backgammon, portes and nackgammon",
        player_lines(&named::list_of_policies()),
        list_of_nets()
    ))]
    pub(crate) policy: Option<String>,
    /// Policy of the opponent of the player on roll [default: that of --policy]
    #[arg(long, value_name = "NAME|FILE", help_heading = BACKGAMMON_HEADING)]
    policy_opponent: Option<String>,
    /// Let both sides play by a bear-off table in the positions that it has
    #[arg(long, value_name = "SIZE|FILE", value_parser = bear_off_table, help_heading = BACKGAMMON_HEADING)]
    #[arg(long_help = BEAROFF)]
    bearoff: Option<Arc<dyn KnownValues>>,
}

impl Policies {
    /// Whether an option names how the player on roll picks plays.
    pub(crate) fn has_policy(&self) -> bool {
        self.policy.is_some() || self.bearoff.is_some()
    }

    /// Whether an option names how the opponent picks plays.
    pub(crate) fn has_opponent_policy(&self) -> bool {
        self.policy_opponent.is_some()
    }

    /// Whether an option names how either side picks plays.
    pub(crate) fn has_policies(&self) -> bool {
        self.has_policy() || self.has_opponent_policy()
    }

    /// The policies of backgammon, of the player on roll in the position and of his opponent; `default` is the player's
    /// if none is named.
    pub(crate) fn players(&self, default: &str) -> Result<PolicyPair, Failure> {
        let read = |option: &str, name: &str| named::policy(name).map_err(|error| invalid(option, name, error));
        let policy = read(POLICY, self.policy.as_deref().unwrap_or(default))?;
        let opponent = self.policy_opponent.as_deref().map(|name| read(POLICY_OPPONENT, name));
        let with_table = |policy: Arc<dyn Policy>| match &self.bearoff {
            None => policy,
            Some(ends) => {
                let evaluator = Arc::clone(&policy).evaluator();
                let player = NamedPlayer { policy, evaluator };
                with_known_values(player, Arc::clone(ends)).policy
            }
        };
        let opponent = opponent.transpose()?.map(with_table);
        Ok(PolicyPair::named(Some(with_table(policy)), opponent))
    }

    /// The names of the policies of the player on roll and of the opponent.
    pub(crate) fn names<'a>(&'a self, default: &'a str) -> [&'a str; 2] {
        let policy = self.policy.as_deref().unwrap_or(default);
        [policy, self.policy_opponent.as_deref().unwrap_or(policy)]
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
    use tavli::policies::Uniform;

    fn read(arguments: &[&str]) -> Result<Policies, String> {
        let command = Policies::augment_args(Command::new("test"));
        let matches = command.try_get_matches_from([&["test"], arguments].concat());
        let matches = matches.map_err(|error| error.to_string())?;
        Policies::from_arg_matches(&matches).map_err(|error| error.to_string())
    }

    fn players(arguments: &[&str]) -> Result<PolicyPair, String> {
        let players = read(arguments)?.players(Uniform::NAME);
        players.map_err(|failure| failure.to_string())
    }

    #[test]
    fn the_opponent_plays_alike_unless_another_policy_is_named() {
        let names = |arguments: &[&str]| players(arguments).unwrap().to_string();
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
        let error = players(&["--policy", "gnubg"]).unwrap_err();
        let help = Policies::augment_args(Command::new("test")).render_long_help().to_string();
        for name in named::names() {
            assert!(error.contains(name), "{error}");
            assert!(help.contains(name), "{help}");
        }
    }
}
