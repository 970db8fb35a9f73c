//! Decisions whose trials are played in chunks, where there are no workers.

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use tavli_backgammon::Tier;
use tavli_base::NO_STOP;
use tavli_game::PlayableGame;
use tavli_search::GameLookAhead;
use tavli_trials::{Decision, EndReason};

use super::any_decision::{AnyDecisionError, AnyRacedPlay};
use super::any_net::AnyNet;
use super::any_position::{AnyPlay, AnyPosition, AnyPositionError};
use super::decision::{DecisionRace, GameDecisionSettings, by_rank, max_plies, playouts, ranking};
use super::list::{Visitor, visit_with_net};
use super::named_choices::named_choices;

/// A decision in a game with a net, as [`AnyPreparedDecision::decide`](super::AnyPreparedDecision::decide) makes it,
/// whose trials are played in chunks: a program without threads shares them among several copies of this. Only the copy
/// that adds the values knows how the decision stands.
pub struct DecisionChunks {
    race: DecisionRace,
    plays: Vec<AnyPlay>,
    roll: String,
    /// The value of the trial of a number after the choice of an index.
    value: Box<dyn Fn(usize, u64) -> i64>,
}

impl fmt::Debug for DecisionChunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a decision between {:?}", self.plays)
    }
}

impl DecisionChunks {
    /// Begins a decision after a roll by a net. `plays` are those that race, by their moves or the positions after
    /// them; `None` for those near the best.
    ///
    /// # Errors
    /// [`AnyDecisionError`] if there is nothing to decide, or the net is of another game.
    ///
    /// # Panics
    /// If this CPU lacks the tier.
    pub fn begin(
        position: &AnyPosition,
        roll: Option<&str>,
        plays: Option<&[String]>,
        net: &AnyNet,
        settings: &GameDecisionSettings,
        tier: Tier,
    ) -> Result<DecisionChunks, AnyDecisionError> {
        let beginner = Beginner { of: position, roll, texts: plays, plays: position.plays(roll)?, net, settings, tier };
        visit_with_net(position.game(), beginner).unwrap_or(Err(AnyDecisionError::NoNets(position.game())))
    }

    /// The text of the roll.
    #[must_use]
    pub fn roll(&self) -> &str {
        &self.roll
    }

    /// The next trials, or why there are none.
    ///
    /// # Errors
    /// [`EndReason::Decided`] or [`EndReason::Trials`].
    pub fn next_trials(&self) -> Result<Range<u64>, EndReason> {
        self.race.next_trials()
    }

    /// The indices of the plays that are still played.
    #[must_use]
    pub fn playing(&self) -> &[usize] {
        self.race.playing()
    }

    /// The values of these trials: for each trial, one for each play in `playing`.
    #[must_use]
    pub fn values(&self, playing: &[usize], trials: Range<u64>) -> Vec<i64> {
        trials.flat_map(|trial| playing.iter().map(move |&index| (self.value)(index, trial))).collect()
    }

    /// Adds the values of the next trials.
    pub fn add(&mut self, values: &[i64]) {
        self.race.add(values);
    }

    /// The plays, in the order of [`AnyDecision::plays`](super::AnyDecision::plays), and how the decision stands.
    #[must_use]
    pub fn standing(&self) -> (Vec<AnyRacedPlay>, Decision) {
        let (choices, decision) = (self.race.choices(), self.race.decision());
        let ranking = ranking(&choices, decision.candidate);
        let play =
            |&index: &usize| AnyRacedPlay { play: self.plays[choices[index].choice].clone(), raced: choices[index] };
        (ranking.iter().map(play).collect(), by_rank(decision, &ranking))
    }
}

/// Begins a decision in the game that it visits.
struct Beginner<'a> {
    of: &'a AnyPosition,
    roll: Option<&'a str>,
    texts: Option<&'a [String]>,
    plays: Vec<AnyPlay>,
    net: &'a AnyNet,
    settings: &'a GameDecisionSettings,
    tier: Tier,
}

impl Visitor for Beginner<'_> {
    type Output = Result<DecisionChunks, AnyDecisionError>;

    fn visit<G: PlayableGame>(self) -> Result<DecisionChunks, AnyDecisionError> {
        let settings = self.settings;
        let of = self.of.typed::<G>();
        let (game, position) = (of.seeded(self.tier, settings.seed), of.position);
        let chance = of.chance(self.roll)?;
        let net =
            self.net.heuristic::<G>().ok_or(AnyPositionError::OtherNet { net: self.net.game(), game: G::NAME })?;
        let choices = self.texts.map(|texts| match texts {
            [] => Err(AnyDecisionError::NoPlays),
            texts => Ok(named_choices(&game, &position, chance, texts)?),
        });
        let settings = &GameDecisionSettings { choices: choices.transpose()?, ..settings.clone() };
        let game = Arc::new(game);
        let player = GameLookAhead::new(Arc::clone(&game), net, 0);
        let results = game.results(&position, chance);
        let ranked = player.ranked(&position, chance, NO_STOP).expect("nothing stops it");
        let race = DecisionRace::new(&*game, &results, ranked, settings);
        let positions: Vec<G::Position> = race.raced().map(|choice| results[choice]).collect();
        let (playouts, max_plies) = (playouts(&game, player, settings), max_plies(settings));
        let value = move |index: usize, trial: u64| {
            let value = playouts.value(&positions[index], trial, max_plies, NO_STOP);
            -value.expect("nothing stops it")
        };
        Ok(DecisionChunks { race, plays: self.plays, roll: game.chance_text(chance), value: Box::new(value) })
    }
}
