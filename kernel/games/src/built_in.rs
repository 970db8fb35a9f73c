//! The nets that are part of the program, of games other than backgammon.

use std::sync::Arc;

use tavli_base::text::Quoted;
use tavli_game::{Heuristic, PlayableGame};

use super::files::read_net;
use super::list::NAMES_WITH_NETS;

/// The game and the name of each net, and its file, which `tavli train` wrote.
#[cfg(feature = "nets")]
static ALL: &[(&str, &str, &[u8])] = &[
    ("plakoto", "strong", include_bytes!("../players/plakoto-strong.player")),
    ("fevga", "strong", include_bytes!("../players/fevga-strong.player")),
];

#[cfg(not(feature = "nets"))]
static ALL: &[(&str, &str, &[u8])] = &[];

/// The built-in nets: the game and the name of each. There are none if the program was built without the feature
/// `nets`.
pub fn built_in_nets() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.iter().map(|&(game, name, _)| (game, name))
}

/// The name of the built-in net that is the default evaluator of a game; `None` if the default is the first of
/// [`PlayableGame::HEURISTICS`].
///
/// ```
/// use tavli_games::default_net;
/// assert_eq!(default_net("plakoto"), Some("strong"));
/// assert_eq!(default_net("draughts"), None);
/// ```
#[must_use]
pub fn default_net(game: &str) -> Option<&'static str> {
    // Where the nets are not part of the program, a caller is told that the net is missing.
    NAMES_WITH_NETS.contains(&game).then_some("strong")
}

/// The default evaluator of positions that a person looks at: the [net](default_net), with the tables of bear-offs.
///
/// ```
/// use tavli_games::default_evaluator;
/// assert_eq!(default_evaluator("fevga"), Some("strong+bearoff:6+bearoff:6x6"));
/// assert_eq!(default_evaluator("draughts"), None);
/// ```
#[must_use]
pub fn default_evaluator(game: &str) -> Option<&'static str> {
    // In bear-offs the nets are off by up to 0.9 points, and the tables by 0.03; both cost nothing before they are met.
    default_net(game).map(|_| "strong+bearoff:6+bearoff:6x6")
}

/// A remark on a net's values under rules of its game that no net has learned.
///
/// ```
/// use tavli_backgammon::Tier;
/// use tavli_games::{PlayableGame, remark_on_values};
/// use tavli_variants::Fevga;
///
/// let remark = |rules| {
///     let fevga = Fevga::by_rules(rules, Tier::best(), 1)?;
///     Ok::<_, tavli_games::RulesError>(remark_on_values(&fevga, "strong+1ply", rules))
/// };
/// assert_eq!(remark("r1=end")?, None, "these are the default rules");
/// let remark = remark("r2=off")?.expect("a remark");
/// assert!(remark.starts_with("the player 'strong+1ply' has not learned fevga by r2=off: its values"), "{remark}");
/// # Ok::<(), tavli_games::RulesError>(())
/// ```
#[must_use]
pub fn remark_on_values<G: PlayableGame>(game: &G, net: &str, rules: &str) -> Option<String> {
    (!game.has_rules_of_nets()).then(|| {
        format!(
            "the player '{}' has not learned {} by {rules}: its values are for the default rules. Whole \
             games of a rollout are played by {rules}",
            Quoted::new(net),
            G::NAME
        )
    })
}

/// The built-in net of a game by its name; `None` if the game has no such net, or the program was built without the
/// feature `nets`.
///
/// ```
/// use tavli_backgammon::Tier;
/// use tavli_games::{PlayableGame, built_in_net, built_in_nets};
/// use tavli_variants::Fevga;
///
/// let fevga = Fevga::by_rules("default", Tier::best(), 1)?;
/// assert!(built_in_nets().any(|net| net == ("fevga", "strong")));
/// assert!(built_in_net(&fevga, "strong").is_some());
/// assert!(built_in_net(&fevga, "weak").is_none());
/// # Ok::<(), tavli_games::RulesError>(())
/// ```
///
/// # Panics
/// If this CPU lacks the tier of the game.
#[must_use]
pub fn built_in_net<G: PlayableGame>(game: &G, name: &str) -> Option<Arc<dyn Heuristic<G::Position>>> {
    let (_, _, file) = ALL.iter().find(|(of_game, of_name, _)| (*of_game, *of_name) == (G::NAME, name))?;
    Some(read_net(game, file).expect("a test reads every file"))
}

#[cfg(test)]
mod tests {
    use tavli_backgammon::Tier;

    use super::*;
    use crate::{Visitor, visit};

    /// Reads a file of the game that it visits.
    struct Reader(&'static [u8]);

    impl Visitor for Reader {
        type Output = bool;

        fn visit<G: PlayableGame>(self) -> bool {
            let game = G::by_rules(G::RULES[0], Tier::Portable, 1).expect("its own rules");
            read_net(&game, self.0).is_ok()
        }
    }

    #[test]
    fn every_file_is_a_net_of_its_game_and_small() {
        for (game, name, file) in ALL {
            assert_eq!(visit(game, Reader(file)), Ok(true), "{game} {name}");
            assert!(file.len() <= 1_000_000, "{game} {name}");
        }
    }
}
