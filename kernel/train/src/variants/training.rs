//! A training run of a net for Plakoto or Fevga.

use core::time::Duration;
use std::time::Instant;

use tavli_game::NamedGame;
use tavli_game::streams::StreamKey;
use tavli_run::{Cancel, Workers};
use tavli_simd::Tier;
use tavli_variants::nets::{Net, NetFile};
use tavli_variants::{Fevga, Plakoto};

use super::learner::{Bounds, Lesson, VariantLearner};
use super::recipe::VariantRecipe;
use super::strength::{OfTables, measure};
use crate::initial::draw_variant;
use crate::minibatch_plan::Learned;
use crate::progress::{Progress, Step};
use crate::strength::Strength;
use crate::training::{Divergence, LARGEST_WEIGHT, ONLINE_GAMES, Report, STRENGTH, TrainingError, UNDONE, Unit};

/// A training of a net for Plakoto or Fevga: the net, and how far it is in its recipe.
#[derive(Clone, Debug)]
pub struct VariantTraining {
    pub(super) recipe: VariantRecipe,
    pub(super) tier: Tier,
    pub(super) net: Net,
    /// Games played.
    pub(super) done: u64,
    /// Positions learned from.
    pub(super) steps: u64,
    /// The time of the games, without the measurements of strength.
    pub(super) elapsed: Duration,
    pub(super) learned: Learned,
    pub(super) reports: Vec<Report>,
}

/// Whether a weight is too large to mean anything: those of trained nets are below a hundred.
fn has_large_weight(net: &Net) -> bool {
    let mut weights = net.hidden().iter().chain(net.outputs());
    weights.any(|weight| weight.abs() > LARGEST_WEIGHT)
}

impl VariantTraining {
    /// Begins a recipe, with drawn weights.
    #[must_use]
    pub fn new(recipe: VariantRecipe, tier: Tier) -> VariantTraining {
        VariantTraining {
            net: draw_variant(recipe.net.encoder, recipe.net.hidden, recipe.seed),
            recipe,
            tier,
            done: 0,
            steps: 0,
            elapsed: Duration::ZERO,
            learned: Learned::default(),
            reports: Vec::new(),
        }
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &VariantRecipe {
        &self.recipe
    }

    /// The net as it is now. The file has the recipe; unless the training [has ended](VariantTraining::has_ended), a
    /// line before the recipe says how far it was.
    #[must_use]
    pub fn net_file(&self) -> NetFile {
        let text = self.recipe.text();
        let recipe = match self.progress() {
            None => text.to_owned(),
            Some(Progress { done, of, .. }) => {
                format!("{UNDONE} has not ended: it has played {done} games of {of}.\n{text}")
            }
        };
        NetFile {
            net: self.net.clone(),
            recipe,
        }
    }

    /// The reports so far.
    #[must_use]
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Whether the training has come to the end of its recipe.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.progress().is_none()
    }

    /// How far the training is; `None` if it has ended.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        let of = self.recipe.self_play.games.get();
        let has_ended = self.done == of && self.reports.last().is_some_and(|report| report.done == of);
        (!has_ended).then_some(Progress {
            phase: 1,
            phases: 1,
            step: Step::Play,
            done: self.done,
            of,
        })
    }

    /// Trains to the end of the recipe, or until it is cancelled. Returns whether it came to the end.
    ///
    /// When cancelled it stops within a fraction of a second. `watch` is called several times a second, unless strength
    /// is measured; there may be a new report then.
    ///
    /// # Errors
    /// [`TrainingError::Diverged`] if the loss or a weight is not a finite number, or a weight is far too large, as at
    /// too high a rate.
    ///
    /// # Panics
    /// If this CPU lacks the tier, or one of the workers calls this.
    pub fn run(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        watch: impl FnMut(&VariantTraining),
    ) -> Result<bool, TrainingError> {
        match self.recipe.game() {
            Fevga::NAME => self.run_game::<Fevga>(workers, cancel, watch),
            _ => self.run_game::<Plakoto>(workers, cancel, watch),
        }
    }

    fn run_game<G: OfTables + Clone>(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        mut watch: impl FnMut(&VariantTraining),
    ) -> Result<bool, TrainingError> {
        let game = G::by_rules(G::RULES[0], self.tier, self.recipe.seed).expect("its own rules");
        while !self.has_ended() {
            if self.report_is_due() {
                let seed = self.recipe.seed | STRENGTH;
                let pairs = self.recipe.report.games.get().div_ceil(2);
                let player = (&self.net, self.bounds());
                if let Some(strength) = measure(workers, self.tier, (&game, seed), player, pairs, cancel) {
                    self.report(strength);
                }
            } else {
                let start = Instant::now();
                self.play(workers, cancel, &game)?;
                self.elapsed += start.elapsed();
            }
            watch(self);
            if cancel.is_cancelled() {
                return Ok(self.has_ended());
            }
        }
        Ok(true)
    }

    fn bounds(&self) -> Bounds {
        match self.recipe.self_play.raw_targets {
            true => Bounds::Raw,
            false => Bounds::Rules,
        }
    }

    /// Whether the strength of the net is to be measured now.
    fn report_is_due(&self) -> bool {
        let (times, of) = (self.recipe.report.times.get(), self.recipe.self_play.games.get());
        let due = |done: u64| u128::from(done) * u128::from(times) / u128::from(of);
        let reported = self.reports.last().map_or(0, |report| report.done);
        due(self.done) > due(reported)
    }

    fn report(&mut self, strength: Strength) {
        self.reports.push(Report {
            phase: 1,
            done: self.done,
            of: self.recipe.self_play.games.get(),
            unit: Unit::Games,
            elapsed: self.elapsed,
            loss: self.learned.mean_loss(),
            strengths: vec![strength],
        });
        self.learned = Learned::default();
    }

    /// Plays some games on one worker: each needs the weights after the one before.
    fn play<G: OfTables + Clone>(&mut self, workers: &Workers, cancel: &Cancel, game: &G) -> Result<(), TrainingError> {
        let learning = &self.recipe.self_play;
        let of = learning.games.get();
        let lessons: Vec<Lesson> = (self.done..of.min(self.done + ONLINE_GAMES))
            .map(|game| game as f64 / of as f64)
            .map(|part| Lesson {
                rate: learning.rate.at(part) as f32,
                lambda: learning.lambda.at(part) as f32,
                rewards_primes: learning.prime_reward,
                bounds: self.bounds(),
            })
            .collect();
        let key = StreamKey::new(self.recipe.seed);
        let (first, net, tier) = (self.done, self.net.clone(), self.tier);
        let (game, cancel) = (game.clone(), cancel.clone());
        let shares = workers.each(move |worker| {
            (worker == 0).then(|| {
                let mut learner = VariantLearner::new(net.clone(), tier);
                let (mut learned, mut played, mut is_finite) = (Learned::default(), 0, true);
                for (number, lesson) in (first..).zip(&lessons) {
                    if cancel.is_cancelled() {
                        break;
                    }
                    let game = learner.play(&game, &key, number, lesson);
                    is_finite = game.is_ok();
                    learned.add(game.unwrap_or_else(|learned| learned));
                    if !is_finite {
                        break;
                    }
                    played += 1;
                }
                (learner.net, learned, played, is_finite)
            })
        });
        for (net, learned, played, is_finite) in shares.into_iter().flatten() {
            self.net = net;
            self.done += played;
            self.steps += learned.positions;
            self.learned.add(learned);
            let reason = match is_finite {
                false => Divergence::Loss,
                true if !self.net.is_finite() => Divergence::Weight,
                true if has_large_weight(&self.net) => Divergence::LargeWeight,
                true => continue,
            };
            return Err(TrainingError::Diverged {
                phase: 1,
                step: self.steps,
                reason,
            });
        }
        Ok(())
    }

    /// Whether a file is the net of a training by this recipe that [has ended](VariantTraining::has_ended).
    #[must_use]
    pub fn made(recipe: &VariantRecipe, file: &NetFile) -> bool {
        file.recipe == recipe.text()
    }

    /// Whether a file is the net of a training by this recipe that has not ended.
    #[must_use]
    pub fn began(recipe: &VariantRecipe, file: &NetFile) -> bool {
        crate::training::is_undone(&file.recipe, recipe.text())
    }
}
