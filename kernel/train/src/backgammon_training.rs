//! Nets of backgammon in training: self-play in rounds or game by game, and learning from other players.

use core::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tavli_backgammon::evaluators::Evaluator;
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{FirstRoll, Playouts, Tier};
use tavli_players::net::{IntegerNetwork, Layer, MoveFilter, NetPlayer, Network, PlayerFile};
use tavli_run::{Cancel, Workers};

use crate::error::{CheckpointError, Divergence, MissedDemand, TrainingError};
use crate::example_builder::{ExampleBuilder, Source, TargetEvaluators};
use crate::examples::Examples;
use crate::initial_weights::random_network;
use crate::inputs::{BoundInput, Inputs, read_net};
use crate::minibatch_plan::{Halt, LearningResult, Minibatch, MinibatchPlan};
use crate::net::{Learner, Moments, PaddedNet};
use crate::one_by_one;
use crate::online::OnlineLearner;
use crate::progress::{TrainingProgress, TrainingStep};
use crate::recipe::{self, Phase, Recipe, SelfPlay, Supervised, Targets};
use crate::saved_examples::{ExampleRows, SavedExamples};
use crate::self_play_games::{Exploration, GAMES_SIDE_BY_SIDE, games_side_by_side};
use crate::self_play_rounds::{self, RoundGames};
use crate::strength::{Opponent, Strength};
use crate::teachers::{OnePlyAhead, ShortRollouts, Teacher};
use crate::training::{
    ONLINE_GAMES_PER_REPORT, Plan, STRENGTH_SEED_BIT, TrainableNet, TrainingReport, TrainingRun, TrainingState,
};

/// About the positions of a supervised phase between two calls of `progress`.
const POSITIONS_PER_WATCH: usize = 1 << 15;

/// A training of a net of backgammon.
pub type Training = TrainingRun<BackgammonNet>;

/// A net of backgammon, and its recipe and examples.
#[derive(Clone, Debug)]
pub struct BackgammonNet {
    recipe: Recipe,
    inputs: Inputs,
    learner: Learner,
    /// The net that plays the games that are learned from next.
    playing: Option<Arc<PaddedNet>>,
    /// The examples that the phase learns from now; `None` until they are made.
    examples: Option<Arc<Examples>>,
    /// The examples of a supervised phase while they are made.
    builder: Option<ExampleBuilder>,
}

/// The part of a saved training besides the weights.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedNet {
    bound: Vec<BoundInput>,
    has_player: bool,
    /// The examples of a supervised phase.
    examples: Option<SavedExamples>,
}

impl Training {
    /// Begins a recipe: [`TrainingRun::begin`].
    ///
    /// # Errors
    /// As [`TrainingRun::begin`].
    pub fn new(recipe: Recipe, tier: Tier) -> Result<Training, TrainingError> {
        Training::begin(recipe, tier)
    }

    /// The net as it is now.
    #[must_use]
    pub fn network(&self) -> Network {
        self.trainee.learner.net().to_network()
    }
}

impl TrainableNet for BackgammonNet {
    type Recipe = Recipe;
    type File = PlayerFile;
    type Saved = SavedNet;

    const MAGIC: &[u8] = b"tavli training 3\n";

    fn plan(recipe: &Recipe) -> Plan<'_> {
        Plan {
            text: recipe.text(),
            description: &recipe.description,
            seed: recipe.seed,
            phases: recipe.phases.len(),
            reports: recipe.report.times.get(),
        }
    }

    fn begin(recipe: Recipe, tier: Tier) -> Result<BackgammonNet, TrainingError> {
        let inputs = Inputs::read(&recipe)?;
        let drawn = random_network(&recipe.net, recipe.seed);
        let network = match &recipe.net.from {
            None => drawn,
            Some(path) => {
                let (network, _) = read_net("net.from", path)?;
                let [expected, found] = [&drawn, &network].map(shape);
                if expected != found {
                    return Err(TrainingError::Shape { found, expected });
                }
                network
            }
        };
        // `Recipe::check` refuses a recipe without phases.
        let (method, loss) = recipe.phases[0].optimiser();
        Ok(BackgammonNet {
            learner: Learner::new(tier, method, loss, &network),
            recipe,
            inputs,
            playing: None,
            examples: None,
            builder: None,
        })
    }

    fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    fn progress(&self, state: &TrainingState) -> TrainingProgress {
        let phase = &self.recipe.phases[state.phases];
        let done = state.done;
        let (step, done, of) = match (phase, &self.examples, &self.builder) {
            (Phase::SelfPlay(_) | Phase::Online(_), _, _) => (TrainingStep::Play, done, phase.games()),
            (Phase::Supervised(phase), Some(examples), _) => {
                let (all, minibatch) = (examples.len() as u64, phase.learning.minibatch() as u64);
                let of_epoch = all.div_ceil(minibatch);
                // The last minibatch of an epoch may be smaller.
                let in_epoch = all.min(done % of_epoch * minibatch);
                (TrainingStep::Learn, done / of_epoch * all + in_epoch, all * phase.epochs.get())
            }
            (Phase::Supervised(_), None, Some(builder)) => builder.progress(),
            (Phase::Supervised(phase), None, None) => (TrainingStep::Play, 0, phase.games.get()),
        };
        TrainingProgress { phase: state.phases + 1, phases: self.recipe.phases.len(), step, done, of }
    }

    fn remarks(&self, state: &TrainingState) -> Vec<String> {
        let mut remarks = self.inputs.remarks(&self.recipe);
        // No positions are left when the last round has been learned from.
        let Some(examples) = self.examples.as_ref().filter(|examples| examples.len() > 0) else {
            return remarks;
        };
        let place = |name: &str| format!("{name} of phase {}", state.phases + 1);
        let positions = examples.len();
        let mut learns_from_all = |name: &str, setting: Option<usize>, whole: &str, (count, unit): (usize, &str)| {
            let setting = setting.filter(|&setting| setting > count);
            remarks.extend(setting.map(|setting| {
                let place = place(name);
                format!("{place} is {setting}, and {whole} has {count} {unit}: a step learns from all of them")
            }));
        };
        let named = |learning: &recipe::Learning| learning.minibatch.map(|positions| positions.get());
        match &self.recipe.phases[state.phases] {
            Phase::Supervised(phase) => {
                let all = (positions, "positions");
                learns_from_all("minibatch", named(&phase.learning), "the phase", all);
                let steps = positions.div_ceil(phase.learning.minibatch()) as u64 * phase.epochs.get();
                if phase.warm_up > steps {
                    let (place, warm_up) = (place("warm_up"), phase.warm_up);
                    remarks.push(format!(
                        "{place} is {warm_up}, and the phase has {steps} steps: the last is at {steps}/{warm_up} of \
                         the rate"
                    ));
                }
                if phase.learns_nothing_in(steps) {
                    let place = place("rate");
                    remarks.push(format!("{place} is 0 where each of its steps begins: nothing is learned"));
                }
            }
            // Later rounds have about as many positions as the first.
            Phase::SelfPlay(phase) if state.done <= phase.round.get() => {
                learns_from_all("minibatch", named(&phase.learning), "its first round", (positions, "positions"));
                let games = phase.minibatch_games.map(NonZeroUsize::get);
                learns_from_all("minibatch_games", games, "a round", (state.done as usize, "games"));
            }
            Phase::SelfPlay(_) | Phase::Online(_) => {}
        }
        remarks
    }

    /// Self-play counts a round's games once they are played, and learns from them in the round after.
    fn has_learned_all(&self) -> bool {
        self.playing.is_none()
    }

    fn step(&mut self, state: &mut TrainingState, workers: &Workers, cancel: &Cancel) -> Result<bool, Divergence> {
        match self.recipe.phases[state.phases].clone() {
            Phase::SelfPlay(phase) => self.play_round(state, workers, cancel, &phase)?,
            Phase::Online(phase) => self.play_online(state, workers, cancel, phase)?,
            Phase::Supervised(phase) if self.examples.is_some() => {
                self.learn_some(state, workers, cancel, &phase)?;
            }
            Phase::Supervised(phase) => {
                self.prepare(state, workers, cancel, &phase)?;
            }
        }
        Ok(true)
    }

    fn steps(&self) -> u64 {
        self.learner.steps
    }

    fn strengths(&self, workers: &Workers, cancel: &Cancel) -> Result<Option<Vec<Strength>>, Divergence> {
        let tier = self.learner.tier;
        let playouts = self.playouts(self.recipe.seed | STRENGTH_SEED_BIT);
        let policy: Arc<dyn Policy> = self.player(self.learner.net())?;
        let pairs = self.recipe.report.games.get() / 2;
        let measure = |&opponent| Strength::measure(workers, tier, &playouts, &policy, opponent, pairs, cancel);
        Ok(Opponent::OF_BACKGAMMON.iter().map(measure).collect())
    }

    fn end_phase(&mut self, state: &mut TrainingState) {
        // Numbers of games go on from phase to phase, so that no two phases have the same dice.
        state.games += self.recipe.phases[state.phases - 1].games();
        self.examples = None;
        if let Some(phase) = self.recipe.phases.get(state.phases) {
            let (method, loss) = phase.optimiser();
            let network = self.learner.net().to_network();
            // Anew: moments, and the number of steps that corrects them, begin with a phase and its method.
            self.learner = Learner::new(self.learner.tier, method, loss, &network);
        }
    }

    fn missed_demand(&self, last: &TrainingReport) -> Option<MissedDemand> {
        let least = self.recipe.report.pubeval_at_least?;
        let mut strengths = last.strengths.iter();
        let pubeval = strengths.find(|strength| strength.opponent == Opponent::Pubeval)?;
        let points = pubeval.points.mean;
        (points < least).then_some(MissedDemand { points, least })
    }

    fn stage(TrainingProgress { phase, phases, .. }: &TrainingProgress) -> String {
        format!("is in phase {phase} of {phases}")
    }

    fn file(&self, recipe: String) -> PlayerFile {
        let filter = self
            .recipe
            .prefilter
            .as_ref()
            .map(|prefilter| MoveFilter { plays: prefilter.plays, margin: prefilter.margin as f32 });
        PlayerFile {
            net: self.learner.net().to_network(),
            prefilter: filter.zip(self.inputs.prefilter.clone()),
            recipe,
        }
    }

    fn recipe_in(file: &PlayerFile) -> &str {
        &file.recipe
    }

    /// The weights of the net, the state of the optimiser, the weights of the net that plays, and the examples of a
    /// supervised phase.
    fn save(&self, weights: &mut Vec<u8>) -> SavedNet {
        write_net(weights, self.learner.net());
        for moments in self.learner.moments.iter().flatten().flatten() {
            weights.extend(moments.mean.to_le_bytes());
            weights.extend(moments.square.to_le_bytes());
        }
        // This net has the weights of the round's beginning, which the learner no longer has. Examples of self-play are
        // not saved: this net plays their games again.
        if let Some(playing) = &self.playing {
            write_net(weights, playing);
        }
        SavedNet {
            bound: self.inputs.bound.clone(),
            has_player: self.playing.is_some(),
            examples: self.save_examples(weights),
        }
    }

    fn restore(
        (recipe, tier): (Recipe, Tier),
        (saved, steps): (SavedNet, u64),
        weights: &[u8],
        state: &mut TrainingState,
    ) -> Result<BackgammonNet, CheckpointError> {
        let inputs = Inputs::read(&recipe)?;
        for (found, expected) in inputs.bound.iter().zip(&saved.bound) {
            if found != expected {
                return Err(CheckpointError::Replaced {
                    place: found.place.clone(),
                    found: found.distinguished_from(expected),
                    expected: expected.distinguished_from(found),
                });
            }
        }
        // A training that has ended is at the phase after the last.
        let phase = state.phases.min(recipe.phases.len() - 1);
        let (method, loss) = recipe.phases[phase].optimiser();
        let shape = &recipe.net;
        let mut net = Network::zero(shape.encoder, shape.activation, shape.outputs, &shape.hidden);
        let mut floats = Floats(weights);
        floats.read_net(&mut net)?;
        let mut learner = Learner::new(tier, method, loss, &net);
        learner.steps = steps;
        for moments in learner.moments.iter_mut().flatten().flatten() {
            *moments = Moments { mean: floats.next()?, square: floats.next()? };
        }
        let mut playing = None;
        if saved.has_player {
            floats.read_net(&mut net)?;
            playing = Some(Arc::new(PaddedNet::new(&net)));
        }
        let mut net = BackgammonNet { recipe, inputs, learner, playing, examples: None, builder: None };
        if let Some(saved) = &saved.examples {
            net.read_examples(saved, &mut floats.0, state)?;
        }
        match floats.0.is_empty() {
            true => Ok(net),
            false => Err(CheckpointError::Form("it has more weights than the net".to_owned())),
        }
    }
}

impl BackgammonNet {
    /// Saves the examples of a supervised phase, or what there is of them.
    fn save_examples(&self, bytes: &mut Vec<u8>) -> Option<SavedExamples> {
        if let Some(builder) = &self.builder {
            return Some(builder.save(bytes));
        }
        // A round of self-play has games, or nothing.
        let is_supervised = |examples: &&Arc<Examples>| examples.games.is_empty() && examples.len() > 0;
        let examples = self.examples.as_ref().filter(is_supervised)?;
        let rows =
            ExampleRows { positions: &examples.positions, follows: &[], targets: &examples.targets, values: &[] };
        Some(SavedExamples::write(bytes, rows, self.row(), (true, 0, 0)))
    }

    /// Reads what [`BackgammonNet::save_examples`] saved.
    fn read_examples(
        &mut self,
        saved: &SavedExamples,
        bytes: &mut &[u8],
        state: &TrainingState,
    ) -> Result<(), CheckpointError> {
        let form = |reason: &str| CheckpointError::Form(reason.to_owned());
        let Some(Phase::Supervised(phase)) = self.recipe.phases.get(state.phases).cloned() else {
            return Err(form("it has examples of a phase that has none"));
        };
        let read = saved.read(bytes, self.recipe.rules, self.row())?;
        if saved.are_made {
            self.examples =
                Some(Arc::new(Examples { positions: read.positions, targets: read.targets, games: Vec::new() }));
            return Ok(());
        }
        let mut builder = self.unlabelled(state, &phase).map_err(|reason| form(&reason.to_string()))?;
        builder.restore(saved, read)?;
        self.builder = Some(builder);
        Ok(())
    }

    /// The outputs of the net, and the length of a row of them with its padding.
    fn row(&self) -> (usize, usize) {
        let net = self.learner.net();
        (net.outputs().count(), net.row())
    }

    /// Adds what was learned, and fails if the loss or a weight is not a finite number.
    fn check(
        &self,
        state: &mut TrainingState,
        LearningResult { learned, halt, .. }: LearningResult,
    ) -> Result<(), Divergence> {
        state.learned.add(learned);
        match halt {
            // The loss is measured by the weights after the last step.
            Some(Halt::LossNotFinite) => Err(Divergence::Loss),
            _ if !self.learner.net().is_finite() => Err(Divergence::Weight),
            _ => Ok(()),
        }
    }

    fn player(&self, net: &PaddedNet) -> Result<Arc<NetPlayer>, Divergence> {
        let integers = IntegerNetwork::new(&net.to_network())?;
        Ok(Arc::new(NetPlayer::new("training", integers)))
    }

    /// Games of the recipe's rules, which begin without doubles.
    fn playouts(&self, seed: u64) -> Playouts {
        let rules = self.recipe.rules;
        Playouts::new(rules.start(), rules, seed)
            .expect("a game can start at the start of its rules")
            .with_first_roll(FirstRoll::Open)
    }

    /// A round of self-play: the net plays while it learns from the round before. If cancelled, nothing has changed.
    fn play_round(
        &mut self,
        state: &mut TrainingState,
        workers: &Workers,
        cancel: &Cancel,
        phase: &SelfPlay,
    ) -> Result<(), Divergence> {
        let SelfPlay { games: of, lambda, round, minibatch_games, learning } = phase;
        let (of, round) = (of.get(), round.get());
        let tier = self.learner.tier;
        let playouts = self.playouts(self.recipe.seed);
        let first = state.games;
        let games = |from: u64, net: &Arc<PaddedNet>| -> Result<RoundGames, Divergence> {
            Ok(RoundGames {
                playouts,
                numbers: first + from..first + of.min(from + round),
                player: self.player(net)?,
                net: Arc::clone(net),
                lambda: lambda.at(from as f64 / of as f64) as f32,
            })
        };
        let done = state.done;
        let mut plan = None;
        if let Some(net) = &self.playing {
            // The last round may be shorter, so that its first game is not `done - round`.
            let from = (done - 1) / round * round;
            let examples = match &self.examples {
                Some(examples) => Arc::clone(examples),
                None => {
                    // A continued training has the net that played, but not the games.
                    let games = games(from, net)?;
                    match self_play_rounds::run(workers, tier, None, Some(games), cancel) {
                        Some((examples, _)) => Arc::new(examples),
                        None => return Ok(()),
                    }
                }
            };
            let seed = self.seed(first + from);
            let rate = learning.rate.at(from as f64 / of as f64);
            plan = Some(match minibatch_games {
                Some(games) => MinibatchPlan::from_games(examples, games.get(), seed, rate),
                None => MinibatchPlan::from_positions(examples, learning.minibatch(), seed, rate),
            });
        }
        let net = Arc::new(self.learner.net().clone());
        let to_play = (done < of).then(|| games(done, &net)).transpose()?;
        let player = to_play.is_some().then_some(net);
        // A copy learns, so that a cancelled round leaves this learner as it was.
        let learner = Arc::new(Mutex::new(self.learner.clone()));
        let lesson = plan.map(|plan| (Arc::clone(&learner), plan));
        let Some((examples, result)) = self_play_rounds::run(workers, tier, lesson, to_play, cancel) else {
            return Ok(());
        };
        self.playing = player;
        (state.done, state.all) = (of.min(done + round), of);
        self.learner = learner.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.examples = Some(Arc::new(examples));
        self.check(state, result)
    }

    /// Some games of an online phase.
    fn play_online(
        &mut self,
        state: &mut TrainingState,
        workers: &Workers,
        cancel: &Cancel,
        phase: recipe::Online,
    ) -> Result<(), Divergence> {
        let of = phase.games.get();
        let (playouts, first) = (self.playouts(self.recipe.seed), state.games);
        // Anew for each call: traces do not outlive a game. Lambda is set before each game.
        let online = OnlineLearner::new(self.learner.net().to_network(), 0.0);
        let games = state.done..of.min(state.done + ONLINE_GAMES_PER_REPORT);
        let (online, played, result) = one_by_one::play((workers, cancel), online, games, move |online, game| {
            let part = game as f64 / of as f64;
            online.lambda = phase.lambda.at(part) as f32;
            online.play(&playouts, first + game, phase.rate.at(part) as f32)
        });
        (state.done, state.all) = (state.done + played, of);
        let Learner { tier, loss, steps, .. } = self.learner;
        self.learner = Learner::new(tier, recipe::Method::Sgd, loss, &online.net);
        // A step after each ply.
        self.learner.steps = steps + result.learned.positions;
        self.check(state, result)
    }

    /// A seed for shuffling, made from the recipe's seed and a number.
    fn seed(&self, number: u64) -> u64 {
        // The increment of SplitMix64, so that neighbouring numbers have distant seeds.
        let distant = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.recipe.seed.wrapping_add(distant)
    }

    /// Makes some of the examples of a supervised phase.
    fn prepare(
        &mut self,
        state: &TrainingState,
        workers: &Workers,
        cancel: &Cancel,
        phase: &Supervised,
    ) -> Result<(), Divergence> {
        let tier = self.learner.tier;
        let builder = match self.builder.take() {
            Some(builder) => builder,
            None => self.unlabelled(state, phase)?,
        };
        let builder = self.builder.insert(builder);
        if let Some(examples) = builder.advance(workers, tier, cancel) {
            self.builder = None;
            self.examples = Some(Arc::new(examples));
        }
        Ok(())
    }

    /// A builder of the examples of a supervised phase.
    fn unlabelled(&mut self, state: &TrainingState, phase: &Supervised) -> Result<ExampleBuilder, Divergence> {
        let net = self.learner.net();
        // Kept for the phase: if the training is interrupted, this net makes the same examples again.
        let net = (self.playing).get_or_insert_with(|| Arc::new(net.clone()));
        let net = Arc::clone(net);
        let player = self.player(&net)?;
        let policy = match &phase.teacher {
            None => Arc::<NetPlayer>::clone(&player),
            Some(name) => self.inputs.policy(name),
        };
        let explorer = phase.explorer.as_deref();
        let explorer = explorer.map(|name| self.inputs.policy(name));
        let evaluator = match &phase.evaluator {
            None => player,
            Some(name) => self.inputs.evaluator(name),
        };
        let source = Source {
            playouts: self.playouts(self.recipe.seed),
            policy: Arc::clone(&policy),
            exploration: Exploration { share: phase.exploration, explorer },
            games: state.games..state.games + phase.games.get(),
            per_batch: match &phase.teacher {
                None => games_side_by_side(&net),
                Some(_) => GAMES_SIDE_BY_SIDE,
            },
            every: phase.every.get(),
        };
        let before = Arc::clone(&evaluator);
        let teacher = Teacher { policy, evaluator };
        // The plies from a position to the one that the evaluator values for its target.
        let ahead = match phase.targets {
            Targets::Evaluation {} => 0,
            Targets::LookAhead { .. } => 1,
            Targets::Rollout { plies, .. } => plies.get() as usize,
        };
        let targets: Arc<dyn Evaluator> = match phase.targets {
            Targets::Evaluation {} => teacher.evaluator,
            Targets::LookAhead { before } => Arc::new(OnePlyAhead { teacher, before }),
            Targets::Rollout { games, plies } => {
                Arc::new(ShortRollouts { teacher, games, plies, seed: self.seed(state.games) })
            }
        };
        let evaluators = TargetEvaluators {
            targets,
            before,
            lambda: phase.lambda,
            ahead,
            at_a_time: match phase.targets {
                // Nets value as many together as they can.
                Targets::Evaluation {} => usize::MAX,
                Targets::LookAhead { .. } => 8,
                Targets::Rollout { .. } => 1,
            },
        };
        Ok(ExampleBuilder::new(source, evaluators, (net.outputs(), net.row())))
    }

    /// Learns from some minibatches of a supervised phase.
    fn learn_some(
        &mut self,
        state: &mut TrainingState,
        workers: &Workers,
        cancel: &Cancel,
        phase: &Supervised,
    ) -> Result<(), Divergence> {
        let examples = self.examples.as_ref().expect("they are prepared");
        let minibatch = phase.learning.minibatch();
        let of_epoch = examples.len().div_ceil(minibatch);
        let of = of_epoch as u64 * phase.epochs.get();
        let done = state.done;
        let (epoch, from) = (done / of_epoch as u64, (done % of_epoch as u64) as usize);
        let to = of_epoch.min(from + POSITIONS_PER_WATCH.div_ceil(minibatch));
        // Shuffled again in each call: the seed decides the order of an epoch, so that no saved training holds it.
        let mut order = MinibatchPlan::shuffled(examples.len(), self.seed(state.games + epoch));
        order.truncate(to * minibatch);
        order.drain(..from * minibatch);
        let rate = |number: usize| phase.rate_at(done + number as u64, of);
        let plan = MinibatchPlan {
            examples: Arc::clone(examples),
            minibatches: Minibatch::split(order.len(), minibatch, rate),
            order,
        };
        let result = plan.learn_together(workers, &mut self.learner, cancel);
        state.all = of;
        state.done += result.minibatches as u64;
        // Otherwise `has_learned_all` would keep the phase from ending.
        if state.done == of {
            self.playing = None;
        }
        self.check(state, result)
    }
}

/// A net's shape in words.
fn shape(network: &Network) -> String {
    let hidden: Vec<String> =
        network.layers()[..network.layers().len() - 1].iter().map(|layer| layer.outputs().to_string()).collect();
    format!(
        "encoder {}, hidden units [{}], activation {}, outputs {}",
        network.encoder().name(),
        hidden.join(", "),
        network.activation().name(),
        network.outputs().name()
    )
}

fn write_net(bytes: &mut Vec<u8>, net: &PaddedNet) {
    for Layer { biases, weights } in net.to_network().layers() {
        for weight in biases.iter().chain(weights) {
            bytes.extend(weight.to_le_bytes());
        }
    }
}

/// The floats of a file that are still to be read.
struct Floats<'a>(&'a [u8]);

impl Floats<'_> {
    fn next(&mut self) -> Result<f32, CheckpointError> {
        let few = || CheckpointError::Form("it has fewer weights than the net".to_owned());
        let (first, rest) = self.0.split_first_chunk().ok_or_else(few)?;
        self.0 = rest;
        Ok(f32::from_le_bytes(*first))
    }

    fn read_net(&mut self, net: &mut Network) -> Result<(), CheckpointError> {
        for Layer { biases, weights } in net.layers_mut() {
            for weight in biases.iter_mut().chain(weights) {
                *weight = self.next()?;
            }
        }
        Ok(())
    }
}
