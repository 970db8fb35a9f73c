//! The rules that players have learned.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tavli_backgammon::RuleSet;

use super::addition::Addition;
use super::built_in::evaluators;

/// The rules of the recipes of the files that were read, by the names of their players. A name has the checksum of its
/// file, so its rules never change.
static OF_FILES: Mutex<BTreeMap<String, RuleSet>> = Mutex::new(BTreeMap::new());

/// Notes the rules that the recipe in a player's file names.
pub(super) fn note_recipe(player: &str, recipe: &str) {
    if let Some(rules) = rules_of(recipe) {
        let mut of_files = OF_FILES.lock().unwrap_or_else(PoisonError::into_inner);
        of_files.insert(player.to_owned(), rules);
    }
}

/// The rules of a recipe; `None` if their name is unknown.
fn rules_of(recipe: &str) -> Option<RuleSet> {
    // The whole form is known only where nets are trained. `rules` stands before the first table.
    let mut lines = recipe.lines().map(str::trim).take_while(|line| !line.starts_with('['));
    let named = lines.find_map(|line| line.strip_prefix("rules")?.trim_start().strip_prefix('='));
    let Some(named) = named else {
        return Some(RuleSet::Backgammon);
    };
    named.split('#').next()?.trim().trim_matches(['"', '\'']).parse().ok()
}

/// The rules for all those that a net learns at once. Nackgammon and Portes lead to the positions of backgammon.
const fn learned_alike(rules: RuleSet) -> RuleSet {
    match rules {
        RuleSet::Hypergammon | RuleSet::Longgammon => rules,
        rules if rules.bears_off() => RuleSet::Backgammon,
        _ => rules,
    }
}

/// A remark on the values of a player under some rules, if it has not learned them, or if another that has not chooses
/// the plays that it looks ahead from. The built-in nets have learned to bear off fifteen checkers, from positions of
/// backgammon; the net of a file has learned the rules of its recipe. The player has the name of its evaluator.
///
/// ```
/// use tavli_backgammon::RuleSet;
/// use tavli_players::named::remark_on_values;
///
/// let remark = remark_on_values("strong+bearoff:6x6", RuleSet::Hypergammon).expect("a remark");
/// assert!(remark.starts_with("the player 'strong+bearoff:6x6' has not learned hypergammon: its values are far off"));
/// let remark = remark_on_values("sampled:4:uniform+1ply:2:strong", RuleSet::Longgammon).expect("a remark");
/// assert!(remark.starts_with("the player 'strong' has not learned longgammon"));
/// assert_eq!(remark_on_values("strong", RuleSet::Backgammon), None);
/// assert_eq!(remark_on_values("sampled:36:uniform", RuleSet::Hypergammon), None);
/// ```
#[must_use]
pub fn remark_on_values(player: &str, rules: RuleSet) -> Option<String> {
    let (mut net, mut chooser) = (player, None);
    while let Some((before, addition)) = Addition::split(net) {
        (net, chooser) = (before, addition.chooser().or(chooser));
    }
    let reason = |net| why_values_are_off(net, rules);
    let found = reason(net).map(|reason| (player, reason));
    let found = found.or_else(|| chooser.and_then(|chooser| Some((chooser, reason(chooser)?))));
    found.map(|(player, reason)| {
        format!("the player '{player}' has not learned {rules}: its values are far off{reason}")
    })
}

/// Why the values of a net, a player without additions, are far off under some rules, and the remedy; `None` if they
/// are not.
fn why_values_are_off(net: &str, rules: RuleSet) -> Option<String> {
    if evaluators().any(|built_in| built_in.name == net) {
        return why_built_in_values_are_off(rules).map(str::to_owned);
    }
    let of_files = OF_FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let learned = of_files.get(net).filter(|&&learned| learned_alike(learned) != learned_alike(rules))?;
    Some(format!(", since the recipe in its file trained it for {learned}"))
}

/// Why the values of the built-in nets are far off under some rules, and the remedy; `None` if they are not.
fn why_built_in_values_are_off(rules: RuleSet) -> Option<&'static str> {
    match rules {
        RuleSet::Hypergammon => Some(
            ", above all for gammons. tavli evaluate --table FILE has exact ones, by the table that tavli solve \
             hypergammon makes; a rollout comes near them",
        ),
        RuleSet::Longgammon => Some(
            " where all checkers have far to go: +1.05 points at its start, which is even. Whole games of a rollout come \
             near them",
        ),
        rules if rules.bears_off() => None,
        _ => Some(", since the goal is another one. The evaluator sampled values positions by games under these rules"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_name_their_rules_before_the_first_table() {
        for (recipe, rules) in [
            ("seed = 1\nrules = \"hypergammon\"\n[net]\n", Some(RuleSet::Hypergammon)),
            ("rules='longgammon' # three more\n", Some(RuleSet::Longgammon)),
            ("description = \"x\"\n[net]\nrules = \"portes\"", Some(RuleSet::Backgammon)),
            ("", Some(RuleSet::Backgammon)),
            ("rules = \"chess\"", None),
        ] {
            assert_eq!(rules_of(recipe), rules, "{recipe}");
        }
    }
}
