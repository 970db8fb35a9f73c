//! What `tavli rollout` is asked in a game other than backgammon: the rollout, begun or continued, or the decision.

use std::num::NonZeroU64;
use std::path::Path;

use tavli::games::{
    AnyDecisionRequest, AnyPosition, GameDecisionSettings, GameRollout, GameRolloutError, GameRolloutRequest,
    PlayableGame, START, default_net,
};
use tavli::rollout::{Checkpoint, OptionValue, Options, ResumableRollout};
use tavli::{NO_STOP, Tier};
use tavli_terminal::failure::Failure;

use super::question::GameDecision;
use crate::arguments::{DEFAULT_SEED, GameOptions, first_given, given};
use crate::game_turn::Turn;
use crate::record_kind::RecordKind;
use crate::rollout::arguments::RolloutArguments;
use crate::rollout::question::Question;
use crate::rollout::saved::{contradiction, extended, text};
use crate::rollout::task::{Task, options};

/// What is asked about a position of a game, about the lines of a file, or of a saved rollout.
#[derive(Debug)]
pub(crate) struct GameRequest {
    pub(super) tier: Tier,
    position: Option<String>,
    roll: Option<String>,
    game: GameOptions,
    plays: Vec<String>,
    policy: Option<String>,
    /// The options that are read alike in every game.
    pub(super) options: Options,
    /// The trials that a saved rollout plays more.
    extend: Option<NonZeroU64>,
    /// The options that save one rollout, and whether each is given.
    saving: [(&'static str, bool); 2],
}

impl Task<GameRequest> {
    /// Reads the arguments.
    pub(crate) fn read_game(arguments: &RolloutArguments) -> Result<Task<GameRequest>, Failure> {
        let RolloutArguments { position, roll, game, plays, policies, extend, machine, positions, save, .. } =
            arguments;
        let request = GameRequest {
            tier: machine.tier()?,
            position: position.clone(),
            roll: roll.clone(),
            game: game.clone(),
            plays: plays.clone(),
            policy: policies.policy.clone(),
            options: options(arguments),
            extend: *extend,
            // The table of `positions` is saved, whatever its lines are.
            saving: save.given().map(|(option, is_given)| (option, is_given && positions.is_none())),
        };
        Ok(Task::new(arguments, request))
    }

    /// The saved rollout, a new one, or a decision; and the place of the checkpoints.
    pub(crate) fn begin_game<G: PlayableGame>(&self) -> Result<(Box<dyn Question>, Option<Checkpoint>), Failure> {
        let checkpoint = self.save.checkpoint()?;
        let GameRequest { tier, position, roll, game, .. } = &self.request;
        let saved = self.save.saved(position.is_some());
        let saved = saved.map(|path| load::<G>(path, *tier)).transpose()?;
        let turn = match (position, &saved) {
            (None, Some(saved)) => Turn { position: *saved.position(), chance: saved.chance() },
            (text, saved) => {
                let saved_rules = saved.as_ref().map(GameRollout::rules);
                let rules = game.given_rules().or(saved_rules).unwrap_or(G::RULES[0]);
                let game = G::by_rules(rules, *tier, DEFAULT_SEED).map_err(Failure::usage)?;
                Turn::from_arguments(&game, text.as_deref().unwrap_or(START), roll.as_deref())?
            }
        };
        let question: Box<dyn Question> = match saved {
            Some(saved) => Box::new(self.request.continued(saved, &turn)?),
            None => match self.request.decision::<G>(turn.chance.is_some())? {
                Some(request) => Box::new(self.request.prepared::<G>(&turn, request)?),
                None => Box::new(self.request.rollout::<G>(&turn, &self.request.plain(None))?),
            },
        };
        Ok((question, checkpoint))
    }
}

fn load<G: PlayableGame>(path: &Path, tier: Tier) -> Result<GameRollout<G>, Failure> {
    RecordKind::read(path)?.check_game(path, G::NAME)?;
    GameRollout::load(path, tier).map_err(Failure::usage)
}

impl GameRequest {
    /// The request for a rollout; what the options leave out is as in the saved one, if there is one.
    pub(super) fn plain(&self, saved: Option<GameRolloutRequest>) -> GameRolloutRequest {
        let options = &self.options;
        let is_new = saved.is_none();
        let other = saved.unwrap_or_default();
        GameRolloutRequest {
            rules: self.game.given_rules().map(str::to_owned).or(other.rules),
            // The position of a saved rollout has the plays that are given with it.
            plays: if self.position.is_some() { self.plays.clone() } else { other.plays },
            policy: self.policy.clone().or(other.policy),
            variance_reduction: options.variance_reduction || other.variance_reduction,
            seed: options.seed.unwrap_or(other.seed),
            end_rules: if is_new { options.end_rules } else { other.end_rules },
            shard: options.shard.or(other.shard),
        }
    }

    /// The game with the playouts of a seed.
    pub(super) fn game<G: PlayableGame>(&self, seed: u64) -> Result<G, Failure> {
        self.game.with_seed(self.tier, seed)
    }

    /// The rollout of a turn; an error is in terms of the options.
    pub(super) fn rollout<G: PlayableGame>(
        &self,
        turn: &Turn<G::Position>,
        request: &GameRolloutRequest,
    ) -> Result<GameRollout<G>, Failure> {
        GameRollout::new(turn.position, turn.chance, request, self.tier).map_err(|error| match error {
            GameRolloutError::NoRoll => {
                Failure::usage("--play names a play of a roll: write the ROLL after the position")
            }
            error => Failure::usage(error),
        })
    }

    /// A saved rollout, changed by the options, which must not contradict it.
    fn continued<G: PlayableGame>(
        &self,
        saved: GameRollout<G>,
        turn: &Turn<G::Position>,
    ) -> Result<GameRollout<G>, Failure> {
        if let Some(option) = first_given(&self.options_of_decisions()) {
            return Err(Failure::usage(format_args!(
                "{option} is for decisions, and the saved rollout is none: leave it out"
            )));
        }
        let asked = self.rollout::<G>(turn, &self.plain(Some(saved.request())))?;
        for ((what, given), (_, has)) in asked.deciding_settings().into_iter().zip(saved.deciding_settings()) {
            contradiction(what, &given, &has)?;
        }
        contradiction("the shard", &text(asked.plan().shard), &text(saved.plan().shard))?;
        extended(saved, self.options.end_rules, self.extend, GameRollout::until)
    }

    /// The options that only decisions have in these games, and whether each is given.
    fn options_of_decisions(&self) -> [(&'static str, bool); 3] {
        let Options { within, filter, truncation, .. } = &self.options;
        [
            ("--within", within.is_some()),
            ("--filter", !matches!(filter, OptionValue::LeftOut)),
            ("--truncate", !matches!(truncation, OptionValue::LeftOut)),
        ]
    }

    /// The request for a decision, if the options ask for one.
    pub(super) fn decision<G: PlayableGame>(&self, has_roll: bool) -> Result<Option<AnyDecisionRequest>, Failure> {
        // Every option by name: a new option does not compile until it is placed here.
        let Options {
            within,
            // Without `within` these ask for a plain rollout.
            plays,
            end_rules,
            shard,
            variance_reduction,
            // These leave it a decision.
            filter: _,
            truncation: _,
            seed: _,
            // Options of backgammon, which other games refuse (`BACKGAMMON_HEADING`), or read on their own.
            roll: _,
            rules: _,
            first_roll: _,
            allocation: _,
            cube: _,
            players: _,
            known_values: _,
            evaluator: _,
            luck: _,
        } = &self.options;
        let shaping = given(&[
            ("--policy", self.policy.is_some()),
            ("--trials", end_rules.trials.is_some()),
            ("--variance-reduction", *variance_reduction),
            ("--play", plays.as_ref().is_some_and(|plays| plays.len() == 1)),
        ]);
        let ending = given(&[("--stop-se", end_rules.standard_error.is_some()), ("--shard", shard.is_some())]);
        let is_plain = !shaping.is_empty() || !ending.is_empty();
        let has_net = default_net(G::NAME).is_some();
        let is_decision = has_net && has_roll && (within.is_some() || !is_plain);
        // What no decision has, whichever other options there are.
        let foreign = [ending, given(&self.saving)].concat();
        let of_decisions = given(&self.options_of_decisions());
        let leave_out = |options: &[&str]| format!("leave out {}", options.join(" and "));
        let complaint = match (&of_decisions[..], &foreign[..]) {
            ([], _) if !is_decision => return Ok(None),
            ([option, ..], _) if !is_decision && !has_net => {
                Some(format!("{option} needs a net, and {} has none: leave it out", G::NAME))
            }
            ([option, ..], _) if !is_decision => {
                let roll = (!has_roll).then(|| "write the ROLL after the position".to_owned());
                let others = match (foreign.is_empty(), within.is_some() || shaping.is_empty()) {
                    (true, true) => None,
                    (true, false) => Some(format!("add --within or {}", leave_out(&shaping))),
                    (false, true) => Some(leave_out(&foreign)),
                    (false, false) => Some(leave_out(&[&foreign[..], &shaping].concat())),
                };
                let remedies: Vec<String> = roll.into_iter().chain(others).collect();
                Some(format!("{option} is for decisions in {}: {}", G::NAME, remedies.join(", and ")))
            }
            (_, [option, ..]) => {
                let left_out = (!of_decisions.is_empty()).then(|| leave_out(&of_decisions));
                let added = (!is_plain).then(|| "add --trials or --policy".to_owned());
                let remedies: Vec<String> = left_out.into_iter().chain(added).collect();
                let remedies = remedies.join(", and ");
                Some(format!("{option} is for plain rollouts in {}, and this is a decision: {remedies}", G::NAME))
            }
            (_, []) => None,
        };
        if let Some(complaint) = complaint {
            return Err(Failure::usage(complaint));
        }
        let settings = GameDecisionSettings::from_options(&self.options).map_err(Failure::usage)?;
        let plays = (!self.plays.is_empty()).then(|| self.plays.clone());
        Ok(Some(AnyDecisionRequest { plays, policy: self.policy.clone(), settings, ..AnyDecisionRequest::default() }))
    }

    /// The decision of a turn with a roll.
    pub(super) fn prepared<G: PlayableGame>(
        &self,
        turn: &Turn<G::Position>,
        request: AnyDecisionRequest,
    ) -> Result<GameDecision<G>, Failure> {
        let game: G = self.game(request.settings.seed)?;
        let chance = turn.chance.expect("a decision has a roll");
        let roll = Some(game.chance_text(chance)).filter(|roll| !roll.is_empty());
        let rules = Some(self.game.rules::<G>());
        let position = AnyPosition::read(G::NAME, rules, &game.state(&turn.position)).map_err(Failure::usage)?;
        let request = AnyDecisionRequest { roll, ..request };
        let prepared = request.prepare(&position, self.tier, NO_STOP).map_err(Failure::usage)?;
        Ok(GameDecision::new(prepared))
    }
}
