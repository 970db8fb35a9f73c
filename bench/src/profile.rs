//! Where move generation spends its time: kinds of situations, numbers of plays, single positions, stages of whole
//! games.
//!
//! Three operations are timed through the library's interface and its portable code: counting the plays of a roll,
//! making one from its index, and making all. The vector tiers play games side by side, so every tier is timed on a
//! kind by games of one ply from its situations. Whole games are timed on every tier, and by stage on the vector tiers.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tavli::plays::Plays;
use tavli::profile::{self, BatchStage, PlainPlies, PlainStage};
use tavli::run::{Cancel, Workers, cycles_per_second, thread_cpu_time};
use tavli::text::BYTE_ORDER_MARK;
use tavli::{Board, PlayoutError, Playouts, Roll, RuleSet, Tally, Tier};

use crate::measure::operate;
pub use crate::profiled_core::Cost;
use crate::profiled_core::{ProfiledCore, ROUNDS};
use crate::recipe::Operation;
use crate::search_stages::{SearchCost, search_cost};
use crate::single_plies::SinglePlies;
use crate::situations::{Category, Situation};
use crate::stages::{self, StageTime, stages};
use crate::statistics::Summary;

/// The situations of a kind that are timed. More would not fit into the caches, nor change the result.
const TIMED: usize = 512;
/// Situations timed one by one to find the slowest, in a whole profile; and how many of the slowest are reported.
const SINGLES: usize = 4096;
const HOTTEST: usize = 10;
/// Games played on each tier in a whole profile, and in the shortest: several times as many as any batch plays side by
/// side.
const GAMES: u64 = 20_000;
const MIN_GAMES: u64 = 2_000;
/// The time of a whole profile. A shorter one plays fewer games and times fewer situations one by one; a longer one
/// times kinds of situations and searches for longer.
const WHOLE: Duration = Duration::from_secs(6);
/// The share of a whole profile that games and single situations take on a CPU of 2023; and of the remaining time, the
/// share for timing the operations. The searches take the rest.
// With these, profiles of 1, 3 and 6 s took 1.5, 3.4 and 6.4 s on an EPYC (2026-11-28).
const FIXED: f64 = 0.3;
const TIMED_SHARE: f64 = 0.7;
/// Runs of the games without and with clock readings between the stages, in turns.
const PAIRS: usize = 15;

/// A profile of a set of situations.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Profile {
    /// The rules.
    pub rules: String,
    /// How many situations there are.
    pub situations: usize,
    /// The clock of the core, in cycles per second, by a chain of additions.
    pub clock: f64,
    /// The kinds of situations that occur.
    pub categories: Vec<CategoryCost>,
    /// Situations by the number of plays.
    pub histogram: Vec<PlayCountBin>,
    /// The slowest situations, from the slowest on.
    pub hottest: Vec<SlowSituation>,
    /// Whole games from the opening on one core, by tier.
    pub tiers: Vec<TierCost>,
    /// Searches on one core; absent if the profile was ended early.
    pub search: Option<SearchCost>,
    /// Whether the profile was ended early; later parts are then missing.
    pub interrupted: bool,
}

/// A kind of situations.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CategoryCost {
    /// The name of the category.
    pub category: String,
    /// The share of all situations, 0..=1.
    pub share: f64,
    /// Whether the kind is one of those that divide all situations among them, so that their shares add up to 1. Other
    /// kinds overlap.
    pub part: bool,
    /// The mean number of plays of a roll.
    pub plays: f64,
    /// The most plays of a roll.
    pub most_plays: usize,
    /// The cost to count the plays of a roll.
    pub count: Cost,
    /// The cost to make one play from its index, including counting.
    pub unrank: Cost,
    /// The cost to make every play of a roll.
    pub enumerate: Cost,
    /// The cost of a game of one ply on each tier: beginning it, the ply, and ending it.
    pub plies: Vec<TierPly>,
}

/// The cost of games of one ply on a tier.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TierPly {
    /// The tier.
    pub isa: String,
    /// The cost of a game.
    pub ply: Cost,
}

/// Situations with a number of plays from `from` to `to`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayCountBin {
    /// The least plays.
    pub from: usize,
    /// The most plays.
    pub to: usize,
    /// The share of all situations, 0..=1.
    pub share: f64,
}

/// A slow situation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SlowSituation {
    /// The position.
    pub position_id: String,
    /// The roll to be played, such as `31`.
    pub roll: String,
    /// The number of plays.
    pub plays: usize,
    /// The cost to make one play when the situation repeats, so that no branch is mispredicted.
    pub unrank: Cost,
}

/// Whole games on a tier.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TierCost {
    /// The tier.
    pub isa: String,
    /// The cost of a ply.
    pub ply: Cost,
    /// Wall-clock time by stage, each the least of several rounds; `None` if the tier plays one game at a time.
    pub batch: Option<BatchCost>,
    /// The stages of a tier that plays one game at a time, in the order of a ply. They and the rest add up to the ply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plain: Vec<PlainCost>,
}

/// The cost of a stage of the portable tier: plies up to the end of this stage, minus plies up to the end of the stage
/// before.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlainCost {
    /// The name of the [stage](PlainStage); `rest` for the further cost of whole games: their beginning and end,
    /// tallies, and branches in another order.
    pub stage: String,
    /// The share of the ply.
    pub share: f64,
    /// The cost.
    pub ply: Cost,
}

/// The cost of the stages of a batch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BatchCost {
    /// The overhead of timing the stages: the median of pairs, 0.05 for 5 %. The times of the stages exclude it.
    pub timing: f64,
    /// The time of a clock reading, in nanoseconds.
    pub reading_ns: f64,
    /// The stages of the pools that had plies.
    pub stages: Vec<StageCost>,
}

/// The cost of a stage in one of the two pools of a batch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageCost {
    /// `early` for plies whose roll cannot bear off, else `late`.
    pub pool: String,
    /// The name of the stage.
    pub stage: String,
    /// The pool's share of all plies, 0..=1.
    pub plies: f64,
    /// The share of the time of all stages of both pools, 0..=1.
    pub share: f64,
    /// The cost per ply of the pool.
    pub ply: Cost,
}

/// How much is timed in a profile.
struct ProfileBudget {
    /// Games played on each tier.
    games: u64,
    /// Situations that are timed one by one.
    singles: usize,
    /// The time of the operations on all kinds of situations, and of the searches.
    time: Duration,
}

impl ProfileBudget {
    /// The extent of a profile of about `time`.
    fn from_time(time: Duration) -> ProfileBudget {
        let share = time.div_duration_f64(WHOLE).min(1.0);
        ProfileBudget {
            games: ((share * GAMES as f64) as u64).max(MIN_GAMES),
            singles: ((share * SINGLES as f64) as usize).max(HOTTEST),
            time: (time - WHOLE.mul_f64(FIXED * share)).mul_f64(TIMED_SHARE),
        }
    }
}

/// Profiles situations, games and searches on a tier on the first of the workers, for about `time`, and half a second
/// at least. Calls `progress` with the share done; `cancel` ends it early.
///
/// # Errors
/// [`PlayoutError`] if no game can start from the opening under the rules. No rule set does that.
pub fn profile(
    situations: &[Situation],
    rules: RuleSet,
    tier: Tier,
    time: Duration,
    workers: &Workers,
    cancel: &Cancel,
    mut progress: impl FnMut(f64),
) -> Result<Profile, PlayoutError> {
    let core = ProfiledCore { rules, clock: workers.on_first(cycles_per_second), cancel: cancel.clone() };
    let members = |category: Category| -> Vec<Situation> {
        let of = situations.iter().copied();
        of.filter(|situation| category.holds(situation, rules)).collect()
    };
    let kinds: Vec<(Category, Vec<Situation>)> =
        Category::ALL.iter().map(|&category| (category, members(category))).filter(|kind| !kind.1.is_empty()).collect();
    let tiers = Tier::available();
    let pieces = kinds.len() + tiers.len() + 2;
    let budget = ProfileBudget::from_time(time);
    // Each operation gets a third of the time, for all its rounds. Games of one ply take a few milliseconds.
    let round = budget.time / (pieces * Operation::ALL.len() * ROUNDS) as u32;
    let mut done = 0;
    let mut report = || {
        progress(done as f64 / pieces as f64);
        done += 1;
    };
    let mut categories = Vec::new();
    for (category, members) in kinds {
        report();
        let counts = counts(&members, rules);
        let share = members.len() as f64 / situations.len() as f64;
        let timed: Arc<Vec<Situation>> = Arc::new(members.into_iter().take(TIMED).collect());
        let cost = |operation| {
            let timed = Arc::clone(&timed);
            core.on(workers, move |core| core.operation(operation, &timed, round))
        };
        let costs = [Operation::Count, Operation::Unrank, Operation::Enumerate].map(cost);
        let plies = core.single_plies(workers, &timed, budget.games as usize)?;
        let ([Some(count), Some(unrank), Some(enumerate)], Some(plies)) = (costs, plies) else {
            break;
        };
        categories.push(CategoryCost {
            category: category.name().to_owned(),
            share,
            part: Category::PARTS.contains(&category),
            plays: counts.iter().sum::<usize>() as f64 / counts.len() as f64,
            most_plays: counts.iter().copied().max().unwrap_or(0),
            count,
            unrank,
            enumerate,
            plies,
        });
    }
    report();
    let singles: Vec<Situation> = situations.iter().copied().take(budget.singles).collect();
    let hottest = core.on(workers, move |core| core.slowest(&singles));
    let playouts = Playouts::new(rules.start(), rules, 1)?;
    let boards: Vec<Board> = situations.iter().map(|one| one.board).collect();
    let plain = Arc::new(PlainPlies::new(&boards, rules, 1)?);
    let mut costs = Vec::new();
    for &tier in tiers {
        report();
        let plain = Arc::clone(&plain);
        match core.on(workers, move |core| core.games(&playouts, budget.games, tier, &plain)) {
            Some(cost) => costs.push(cost),
            None => break,
        }
    }
    report();
    let search = core.on(workers, move |core| search_cost(core, tier, budget.time));
    Ok(Profile {
        rules: rules.name().to_owned(),
        situations: situations.len(),
        clock: core.clock,
        categories,
        histogram: histogram(&counts(situations, rules)),
        hottest: hottest.unwrap_or_default(),
        tiers: costs,
        search,
        interrupted: cancel.is_cancelled(),
    })
}

/// Reads situations, one a line: a position or `start`, a tab, and a roll. A position alone stands for all 36 throws.
/// Empty lines and lines that begin with `#` are passed over.
///
/// # Errors
/// The fault, with the number of the line.
pub fn read_situations(text: &str, rules: RuleSet) -> Result<Vec<Situation>, String> {
    let mut situations = Vec::new();
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let bad = |error: String| format!("line {}: {error}", number + 1);
        let (position, roll) = match line.split_once('\t') {
            Some((position, rest)) => (position, rest.split('\t').next()),
            None => (line, None),
        };
        let board = match position.trim() {
            "start" => rules.start(),
            position => {
                let position = position.parse::<tavli::Position>();
                *position.map_err(|error| bad(error.to_string()))?.board()
            }
        };
        PlayoutError::check(&board, rules).map_err(|error| bad(error.to_string()))?;
        match roll {
            Some(roll) => {
                let roll: Roll = roll.trim().parse().map_err(|error| bad(format!("{error}")))?;
                situations.push(Situation { board, roll });
            }
            None => situations.extend(Roll::THROWS.map(|roll| Situation { board, roll })),
        }
    }
    if situations.is_empty() {
        return Err("the file has no position".to_owned());
    }
    Ok(situations)
}

fn counts(situations: &[Situation], rules: RuleSet) -> Vec<usize> {
    let count = |one: &Situation| Plays::new(&one.board, one.roll, rules).len();
    situations.iter().map(count).collect()
}

/// Processor time of this thread, which excludes other programs; wall-clock time if the system does not report it.
struct Timer {
    processor: Option<Duration>,
    wall: Instant,
}

impl Timer {
    fn start() -> Timer {
        Timer { processor: thread_cpu_time(), wall: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        let used = thread_cpu_time().zip(self.processor);
        let used = used.map(|(after, before)| after.saturating_sub(before));
        used.unwrap_or_else(|| self.wall.elapsed()).as_secs_f64()
    }
}

impl ProfiledCore {
    /// Times an operation on situations, each round for about the given time.
    fn operation(&self, operation: Operation, situations: &[Situation], round: Duration) -> Option<Cost> {
        self.least(|| {
            let (start, timer) = (Instant::now(), Timer::start());
            let mut passes = 0_u32;
            while passes == 0 || start.elapsed() < round {
                self.goes_on()?;
                black_box(operate(operation, self.rules, black_box(situations)));
                passes += 1;
            }
            Some(timer.seconds() / (f64::from(passes) * situations.len() as f64))
        })
    }

    /// The slowest situations, each timed by itself in the fastest of several rounds.
    fn slowest(&self, situations: &[Situation]) -> Option<Vec<SlowSituation>> {
        const REPEATS: u32 = 64;
        let time = |one: &Situation| {
            let one = [*one];
            self.goes_on()?;
            self.least(|| {
                let start = Instant::now();
                for _ in 0..REPEATS {
                    black_box(operate(Operation::Unrank, self.rules, black_box(&one)));
                }
                Some(start.elapsed().as_secs_f64() / f64::from(REPEATS))
            })
        };
        let timed = situations.iter().map(|one| Some((time(one)?, one)));
        let mut timed: Vec<(Cost, &Situation)> = timed.collect::<Option<_>>()?;
        timed.sort_by(|a, b| b.0.ns.total_cmp(&a.0.ns));
        let hottest = timed.into_iter().take(HOTTEST).map(|(unrank, Situation { board, roll })| SlowSituation {
            position_id: board.position_id().to_string(),
            roll: roll.to_string(),
            plays: Plays::new(board, *roll, self.rules).len(),
            unrank,
        });
        Some(hottest.collect())
    }

    /// Times games of one ply on every tier.
    fn single_plies(
        &self,
        workers: &Workers,
        situations: &[Situation],
        games: usize,
    ) -> Result<Option<Vec<TierPly>>, PlayoutError> {
        let games = SinglePlies::new(situations, games, self.rules)?;
        let of_tier = |&tier: &Tier| {
            let games = games.clone();
            let ply = self.on(workers, move |core| {
                core.least(|| {
                    let timer = Timer::start();
                    let plies = games.play(tier, &|| core.cancel.is_cancelled()).ok()?;
                    Some(timer.seconds() / plies as f64)
                })
            });
            let isa = tier.name().to_owned();
            Some(TierPly { isa, ply: ply? })
        };
        Ok(Tier::available().iter().map(of_tier).collect())
    }

    /// Times whole games, and their stages.
    fn games(&self, playouts: &Playouts, number: u64, tier: Tier, plies: &PlainPlies) -> Option<TierCost> {
        let plain = || {
            let stop = || self.cancel.is_cancelled();
            seconds_per_ply(|| Some(playouts.run(tier, 0..number, &stop).ok()?.tally))
        };
        let isa = tier.name().to_owned();
        if profile::run(playouts, tier, 0..1).is_none() {
            let ply = self.least(plain)?;
            return Some(TierCost { isa, ply, batch: None, plain: self.plain_costs(plies, number, ply)? });
        }
        let (mut least, mut ratios, mut runs) = (f64::INFINITY, Vec::new(), Vec::new());
        let mut reading = Duration::MAX;
        for _ in 0..PAIRS {
            let untimed = plain()?;
            let with_readings = seconds_per_ply(|| {
                let (results, times) = profile::run(playouts, tier, 0..number).expect("it has stages");
                reading = reading.min(times.reading);
                runs.push(stages(&times));
                Some(results.tally)
            })?;
            least = least.min(untimed);
            ratios.push(with_readings / untimed);
        }
        Some(TierCost {
            isa,
            ply: self.cost(least),
            batch: Summary::from_samples(&ratios).map(|ratios| BatchCost {
                timing: ratios.median - 1.0,
                reading_ns: 1e9 * reading.as_secs_f64(),
                stages: self.stage_costs(stages::least(&runs)),
            }),
            plain: Vec::new(),
        })
    }

    /// The stages of plies, and the rest of the ply of whole games.
    fn plain_costs(&self, plies: &PlainPlies, games: u64, ply: Cost) -> Option<Vec<PlainCost>> {
        // About as many plies as the games have.
        let passes = (games as usize * 50).div_ceil(plies.count());
        let as_far_as = |&stage: &PlainStage| {
            let cost = self.least(|| {
                let timer = Timer::start();
                for _ in 0..passes {
                    self.goes_on()?;
                    black_box(black_box(plies).play(stage));
                }
                Some(timer.seconds() / (passes * plies.count()) as f64)
            });
            Some((stage.name(), cost?))
        };
        let stages: Vec<(&str, Cost)> = PlainStage::ALL.iter().map(as_far_as).collect::<Option<_>>()?;
        let mut before = 0.0;
        let costs = stages.into_iter().chain([("rest", ply)]).map(|(stage, cost)| {
            let ns = cost.ns - before;
            before = cost.ns;
            PlainCost { stage: stage.to_owned(), share: ns / ply.ns, ply: self.cost(ns / 1e9) }
        });
        Some(costs.collect())
    }

    fn stage_costs(&self, stages: Vec<StageTime>) -> Vec<StageCost> {
        // All stages of a pool have the same number of plies, and every pool has the stage `make`.
        let made = stages.iter().filter(|one| one.stage == BatchStage::Make.name());
        let plies = made.map(|one| one.plies).sum::<u64>() as f64;
        let total: f64 = stages.iter().map(|one| one.seconds).sum();
        let cost = |one: StageTime| StageCost {
            plies: one.plies as f64 / plies,
            share: one.seconds / total,
            ply: self.cost(one.per_ply()),
            pool: one.pool,
            stage: one.stage,
        };
        stages.into_iter().map(cost).collect()
    }
}

fn seconds_per_ply(play: impl FnOnce() -> Option<Tally>) -> Option<f64> {
    let timer = Timer::start();
    let tally = play()?;
    Some(timer.seconds() / tally.plies as f64)
}

/// Shares by number of plays: 1, 2, 3-4, 5-8, and so on.
fn histogram(counts: &[usize]) -> Vec<PlayCountBin> {
    let most = counts.iter().copied().max().unwrap_or(0);
    let mut bins = Vec::new();
    let (mut from, mut to) = (1, 1);
    while from <= most {
        let within = counts.iter().filter(|count| (from..=to).contains(*count)).count();
        bins.push(PlayCountBin { from, to, share: within as f64 / counts.len() as f64 });
        (from, to) = (to + 1, 2 * to);
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::situations::sample;
    use tavli::NO_STOP;
    use tavli::run::{Cpus, Pinning, Placement};

    fn workers() -> Workers {
        Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None).unwrap()).unwrap()
    }

    #[test]
    fn short_profiles_time_less() {
        let of = |milliseconds| ProfileBudget::from_time(Duration::from_millis(milliseconds));
        assert_eq!((of(6000).games, of(6000).singles), (GAMES, SINGLES));
        assert_eq!((of(60_000).games, of(60_000).singles), (GAMES, SINGLES));
        assert_eq!((of(3000).games, of(3000).singles), (GAMES / 2, SINGLES / 2));
        assert_eq!((of(100).games, of(1).singles), (MIN_GAMES, HOTTEST));
        for milliseconds in [1, 100, 3000, 6000, 60_000] {
            assert!(of(milliseconds).time < Duration::from_millis(milliseconds));
        }
    }

    #[test]
    fn a_profile_of_random_play() {
        let situations = sample(RuleSet::Backgammon, Category::Any, 3000, NO_STOP).unwrap();
        let time = Duration::from_millis(60);
        let (workers, cancel) = (workers(), Cancel::new());
        let mut shares = Vec::new();
        let profile = profile(&situations, RuleSet::Backgammon, Tier::best(), time, &workers, &cancel, |share| {
            shares.push(share);
        })
        .unwrap();
        assert!(shares.is_sorted() && shares.len() > 10);
        let share_before_search = *shares.last().unwrap();
        let share = |name: &str| {
            let kind = profile.categories.iter().find(|kind| kind.category == name);
            kind.unwrap().share
        };
        assert_eq!(share("any"), 1.0);
        let parts = profile.categories.iter().filter(|kind| kind.part);
        let shares: f64 = parts.map(|kind| kind.share).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
        let shares: f64 = profile.histogram.iter().map(|bin| bin.share).sum();
        assert!((shares - 1.0).abs() < 1e-9);
        assert_eq!(profile.hottest.len(), HOTTEST);
        assert!(profile.hottest.is_sorted_by(|a, b| a.unrank.ns >= b.unrank.ns));
        assert_eq!(profile.tiers.len(), Tier::available().len());
        for tier in &profile.tiers {
            assert_eq!(tier.batch.is_none(), tier.isa == "portable");
            if tier.isa == "portable" {
                let names: Vec<&str> = tier.plain.iter().map(|one| &*one.stage).collect();
                assert_eq!(names, ["throw", "count", "make", "rest"]);
                let sum: f64 = tier.plain.iter().map(|one| one.ply.ns).sum();
                assert!((sum / tier.ply.ns - 1.0).abs() < 1e-9, "{tier:?}");
                let shares: f64 = tier.plain.iter().map(|one| one.share).sum();
                assert!((shares - 1.0).abs() < 1e-9, "{tier:?}");
            }
            let Some(batch) = &tier.batch else {
                continue;
            };
            let sum = |value: fn(&StageCost) -> f64| batch.stages.iter().map(value).sum::<f64>();
            assert!((sum(|stage| stage.share) - 1.0).abs() < 1e-9, "{batch:?}");
            // The mean over both pools; every stage has the share of its pool.
            let mut plies: Vec<f64> = batch.stages.iter().map(|stage| stage.plies).collect();
            plies.dedup();
            assert_eq!(plies.len(), 2, "{batch:?}");
            assert!((plies.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{batch:?}");
            // On a busy machine the times include other programs.
            let ply = sum(|stage| stage.plies * stage.ply.ns);
            assert!(ply > 0.5 * tier.ply.ns, "{ply}: {tier:?}");
        }
        for kind in &profile.categories {
            assert!(kind.count.ns > 0.0 && kind.enumerate.ns.is_finite(), "{kind:?}");
            let tiers: Vec<&str> = kind.plies.iter().map(|one| one.isa.as_str()).collect();
            let all: Vec<&str> = Tier::available().iter().map(|tier| tier.name()).collect();
            assert_eq!(tiers, all);
            assert!(kind.plies.iter().all(|one| one.ply.ns > 0.0), "{kind:?}");
            assert!(kind.plays >= 1.0 && kind.most_plays as f64 >= kind.plays);
        }
        // The search that is about to begin takes seconds.
        let last = Cancel::new();
        let before_search =
            super::profile(&situations, RuleSet::Backgammon, Tier::best(), time, &workers, &last, |share| {
                if share == share_before_search {
                    last.cancel();
                }
            });
        let before_search = before_search.unwrap();
        assert!(before_search.search.is_none() && before_search.interrupted);
        assert_eq!(before_search.tiers.len(), Tier::available().len());
        cancel.cancel();
        let none = super::profile(&situations, RuleSet::Backgammon, Tier::best(), time, &workers, &cancel, |_| ());
        let none = none.unwrap();
        assert!(none.interrupted && none.categories.is_empty() && none.tiers.is_empty());
        assert!(none.search.is_none() && none.hottest.is_empty());
    }

    #[test]
    fn situations_are_read() {
        let rules = RuleSet::Backgammon;
        let text = "# games\n4HPwATDgc/ABMA\t31\n\n4HPwATDgc/ABMA\t66\t4\tmore\ntu0MAhBoz8EDQA\n";
        let situations = read_situations(text, rules).unwrap();
        assert_eq!(situations.len(), 2 + 36);
        assert_eq!(situations[1].roll.to_string(), "66");
        for rules in [rules, RuleSet::Hypergammon] {
            let start = read_situations("start\t31\nstart", rules).unwrap();
            assert!(start.len() == 1 + 36 && start.iter().all(|situation| situation.board == rules.start()));
        }
        for (text, message) in [
            ("4HPwATDgc/ABMA\t31\nx\t31", "line 2: 'x' is not a position"),
            ("4HPwATDgc/ABMA\t37", "line 1: '37' is not a roll"),
            ("# nothing", "has no position"),
            (
                "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                "line 1: not a position: neither side has a checker",
            ),
        ] {
            let error = read_situations(text, rules).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn plays_fall_into_bins() {
        let bins = histogram(&[1, 1, 2, 3, 4, 5, 8, 9]);
        let shares: Vec<(usize, usize, f64)> = bins.iter().map(|b| (b.from, b.to, 8.0 * b.share)).collect();
        assert_eq!(shares, [(1, 1, 2.0), (2, 2, 1.0), (3, 4, 2.0), (5, 8, 2.0), (9, 16, 1.0)]);
    }
}
