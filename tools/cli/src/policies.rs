//! `--policy` and `--policy-opponent`: who picks the plays.

use std::sync::Arc;

use clap::Args;
use tavli::named;
use tavli::policies::{Players, Policy};

/// Who picks the plays.
#[derive(Args, Clone, Debug)]
pub(crate) struct Policies {
    /// Who picks the plays: uniform (each distinct play is as likely as any other), pubeval (Tesauro's linear
    /// evaluation), or the file of a player [default: uniform]
    #[arg(long, value_name = "NAME|FILE", value_parser = named::policy)]
    policy: Option<Arc<dyn Policy>>,
    /// Who picks the plays of the opponent of the player on roll [default: the same as --policy]
    #[arg(long, value_name = "NAME|FILE", value_parser = named::policy)]
    policy_opponent: Option<Arc<dyn Policy>>,
}

impl Policies {
    /// The policies of the player on roll in the position and of his opponent.
    pub(crate) fn players(&self) -> Players {
        Players::named(self.policy.clone(), self.policy_opponent.clone())
    }

    /// The names that were given, of the player's policy and of his opponent's.
    pub(crate) fn given(&self) -> [Option<&str>; 2] {
        [&self.policy, &self.policy_opponent].map(|policy| policy.as_ref().map(|one| one.name()))
    }
}

/// The name of a player with the bear-off table of a size or a file, if there is one.
pub(crate) fn with_bearoff(player: &str, table: Option<&str>) -> String {
    match table {
        Some(table) => format!("{player}+bearoff:{table}"),
        None => player.to_owned(),
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
