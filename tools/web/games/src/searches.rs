//! Searches by trees, tree by tree, so that the modules of several workers share one.

use core::ops::Range;

use serde::{Deserialize, Serialize};
use tavli::Tier;
use tavli::games::AnyPosition;
use tavli::search::{Budget, RootChoice, RootCounts, SearchSettings};
use tavli_web_module::{Failure, Kind, number, remark, seed, show};

use crate::positions::{self, GamePosition, PlayJson};

/// A search for the best play.
#[derive(Debug, Deserialize)]
pub(crate) struct SearchCall {
    position: GamePosition,
    roll: Option<String>,
    simulations: u64,
    seed: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchJson {
    simulations: u64,
    /// The best first.
    plays: Vec<SearchedPlayJson>,
}

/// A play that was searched, for the player who makes it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SearchedPlayJson {
    #[serde(flatten)]
    play: PlayJson,
    visits: u64,
    sum: i64,
    /// The mean of the values; absent without visits.
    value: Option<f64>,
    standard_error: Option<f64>,
}

impl SearchCall {
    fn settings(&self) -> Result<SearchSettings, Failure> {
        Ok(SearchSettings { seed: seed(self.seed.as_deref())?, ..SearchSettings::default() })
    }

    fn roll(&self) -> Option<&str> {
        self.roll.as_deref()
    }

    fn position(&self) -> Result<AnyPosition, Failure> {
        self.position.read()
    }
}

/// Searches the trees numbered `trees`, and shows their counts as they grow.
pub(crate) fn count(search: &SearchCall, trees: Range<u32>) -> Result<Vec<u64>, Failure> {
    let (settings, budget) = (search.settings()?, Budget::simulations(search.simulations));
    if trees.start > trees.end || trees.end > settings.trees {
        let message = format_args!("trees are numbered 0 to {}, not {trees:?}", settings.trees - 1);
        return Err(Failure::new(Kind::Settings, message));
    }
    let position = search.position()?;
    let watch = |root: &RootCounts| show(counts(root));
    let report = position.search_trees(search.roll(), Tier::best(), settings, budget, trees, &watch)?;
    Ok(counts(&report.root))
}

/// The counts of the choices of some trees: for each choice its visits, the sum of the values modulo 2^64, and the sum
/// of their squares. Counts add up modulo 2^64.
fn counts(root: &RootCounts) -> Vec<u64> {
    let root_choices = root.choices.iter();
    root_choices
        .flat_map(|root_choice| [root_choice.visits, root_choice.sum.cast_unsigned(), root_choice.squares])
        .collect()
}

/// The result of a search whose trees have `counts` together.
pub(crate) fn result(search: &SearchCall, counts: &[u64]) -> Result<SearchJson, Failure> {
    let plays = positions::plays(&search.position()?, search.roll())?;
    let mut root = RootCounts { choices: vec![RootChoice::default(); plays.len()] };
    for (root_choice, &[visits, sum, squares]) in root.choices.iter_mut().zip(counts.as_chunks().0) {
        *root_choice = RootChoice { visits, sum: sum.cast_signed(), squares };
    }
    let (settings, budget) = (search.settings()?, Budget::simulations(search.simulations));
    if let Some(found) = budget.remark_on_simulations(&settings, plays.len()) {
        remark(found);
    }
    let mut plays: Vec<Option<PlayJson>> = plays.into_iter().map(Some).collect();
    let ranking = root.ranking(settings.best_by);
    let searched = ranking.into_iter().map(|choice| {
        let root_choice = &root.choices[choice];
        SearchedPlayJson {
            play: plays[choice].take().expect("each choice is ranked once"),
            visits: root_choice.visits,
            sum: root_choice.sum,
            value: (root_choice.visits > 0).then(|| root_choice.value()),
            standard_error: root_choice.standard_error().and_then(number),
        }
    });
    Ok(SearchJson { plays: searched.collect(), simulations: root.simulations() })
}
