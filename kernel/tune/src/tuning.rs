//! A tuning from its first generation to the matches that verify it.

use core::fmt;
use core::ops::RangeInclusive;
use std::cell::RefCell;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tavli_base::NO_STOP;
use tavli_duel::{GameDuel, PairOfGames};
use tavli_file::recipe::RecipeError;
use tavli_file::record::{self, EnvelopeError, RecordContents};
use tavli_game::streams::mixed;
use tavli_game::{Estimate, PairScore, PlayableGame, signature};
use tavli_games::{ReadAgentError, read_agent};
use tavli_run::{Cancel, Workers};
use tavli_search::Nets;
use tavli_simd::Tier;
use thiserror::Error;

use crate::cma_es::CmaEs;
use crate::genetic::Genetic;
use crate::method::{Method, Pairing};
use crate::recipe::{MethodName, Recipe, check};
use crate::spsa::Spsa;

/// The purpose of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundPurpose {
    /// A generation of a method.
    Method(MethodName),
    /// The matches at the end.
    Verification,
}

/// One of the agents of a duel.
#[derive(Clone, PartialEq, Debug)]
pub struct Contender {
    /// `start`, `opponent`, or the name of a method: for its best agent, or for one that it tries.
    pub name: String,
    /// The agent's values; `None` for the opponent that the recipe names.
    pub values: Option<Vec<f64>>,
}

/// A pairing of agents whose games are played as a duel, and the score of the first.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoredPairing {
    /// The agent whose points count, and its opponent.
    pub agents: [Contender; 2],
    /// The games so far.
    pub score: PairScore,
}

/// Duels that are played together, all on the same dice and openings.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    /// The purpose of the round.
    pub stage: RoundPurpose,
    /// The number of the round in its stage, from 1 on.
    pub number: u64,
    /// The number of rounds in the stage.
    pub of: u64,
    /// The duels.
    pub duels: Vec<ScoredPairing>,
    /// The games of each duel.
    pub games: u64,
    /// The values that the method finds best after the round; `None` until then, and for matches that verify.
    pub best: Option<Vec<f64>>,
}

impl Round {
    /// The games played.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.duels.iter().map(|duel| duel.score.games()).sum()
    }

    /// The mean points of a game against the recipe's opponent or the start values, over all agents that are tried;
    /// `None` if they play each other.
    #[must_use]
    pub fn mean(&self) -> Option<Estimate> {
        let first = self.duels.first().filter(|duel| duel.agents[1].name != duel.agents[0].name)?;
        let mut all = first.score;
        self.duels[1..].iter().for_each(|duel| all.merge(&duel.score));
        Some(all.per_game())
    }

    fn is_over(&self) -> bool {
        self.played() == self.games * self.duels.len() as u64
    }
}

/// How far a tuning is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The games that have been played.
    pub games: u64,
    /// All games.
    pub of: u64,
}

/// Why a tuning cannot begin or go on.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum TuningError {
    /// The recipe asks for something that the game lacks.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A file that the agent names can no longer be read.
    #[error(transparent)]
    Agent(#[from] ReadAgentError),
}

/// Why a text is not a tuning that can go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SavedError {
    /// It is not a record, or is damaged.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// It is the tuning of another recipe.
    #[error("it is the tuning of another recipe, or of this one before it was changed")]
    Recipe,
    /// Another program played the games.
    #[error(
        "it was saved by a version whose games have other values (signature {found}, here {ours}): continue with that \
         version, or begin a new one"
    )]
    Values {
        /// The signature in the record.
        found: String,
        /// The signature of the same game in this program.
        ours: String,
    },
    /// The scores are not from the recipe's games.
    #[error("its scores do not fit the recipe")]
    Scores,
    /// The recipe cannot be used.
    #[error(transparent)]
    Tuning(#[from] TuningError),
}

/// The saved form of a tuning; everything else follows from it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    /// The text of the recipe.
    recipe: String,
    /// The signature of the game's playouts.
    values: String,
    /// Wall-clock time so far.
    seconds: f64,
    /// The scores of the duels of each round; the last round may be unfinished.
    scores: Vec<Vec<SavedScore>>,
}

#[derive(Serialize, Deserialize)]
struct SavedScore {
    pairs: u64,
    points: i64,
    squares: u64,
}

impl RecordContents for Saved {
    const FORMAT: &'static str = "tavli tuning";
    const NAME: &'static str = "tuning";
    const VERSIONS: RangeInclusive<u32> = 1..=1;

    fn signature(&self) -> String {
        self.values.clone()
    }
}

/// A tuning by a [`Recipe`].
pub struct Tuning<G: PlayableGame> {
    recipe: Recipe,
    tier: Tier,
    rules: String,
    opening: u32,
    game: G,
    methods: Vec<Box<dyn Method>>,
    /// The rounds that have been played; the one that is being played.
    rounds: Vec<Round>,
    round: Option<Round>,
    elapsed: Duration,
}

impl<G: PlayableGame> fmt::Debug for Tuning<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Tuning");
        debug.field("recipe", &self.recipe).field("rounds", &self.rounds);
        debug.field("round", &self.round).finish_non_exhaustive()
    }
}

impl<G: PlayableGame> Tuning<G> {
    /// A tuning that has played nothing.
    ///
    /// # Errors
    /// [`TuningError`] if the game lacks the recipe's rules or agents.
    ///
    /// # Panics
    /// If the game is not the recipe's, or this CPU lacks the tier.
    pub fn new(recipe: Recipe, tier: Tier) -> Result<Tuning<G>, TuningError> {
        assert_eq!(recipe.game, G::NAME, "the game of the recipe");
        let rules = recipe.rules.clone().unwrap_or_else(|| G::RULES[0].to_owned());
        let game = G::by_rules(&rules, tier, recipe.seed);
        let known = || format!("write one of {}", G::RULES.join(", "));
        check(game.is_ok(), "rules", &rules, known())?;
        let game = game.expect("rules of the game");
        let default = GameDuel::default_opening(&game);
        let start = recipe.start();
        let readable = |text: &str, place: &str, value: &dyn fmt::Debug| {
            let read = read_agent(&game, text, &mut Nets::new(), NO_STOP);
            read.map_or_else(|reason| check(false, place, value, reason.to_string()), |_| Ok(()))
        };
        readable(&recipe.text_of(&start), "agent", &recipe.agent)?;
        // Both ends of each range are read before the first game. Otherwise a value that the agent refuses would end a
        // late generation.
        for (place, (name, parameter)) in recipe.parameters.iter().enumerate() {
            for (key, share) in [("least", 0.0), ("most", 1.0)] {
                let mut values = start.clone();
                values[place] = parameter.value(share);
                readable(&recipe.text_of(&values), &format!("parameters.{name}.{key}"), &values[place])?;
            }
        }
        if let Some(opponent) = &recipe.opponent {
            readable(opponent, "opponent", opponent)?;
        }
        let point: Vec<f64> = recipe.parameters.values().map(|one| one.share(one.start)).collect();
        let has_opponent = recipe.opponent.is_some();
        let method = |&name: &MethodName| -> Box<dyn Method> {
            let (generations, seed) = (recipe.generations(name), recipe.seed);
            match name {
                MethodName::Ga => Box::new(Genetic::new(recipe.ga, &point, seed)),
                MethodName::Spsa => Box::new(Spsa::new(recipe.spsa, &point, has_opponent, generations, seed)),
                MethodName::CmaEs => Box::new(CmaEs::new(recipe.cma_es, &point, generations, seed)),
            }
        };
        let mut tuning = Tuning {
            methods: recipe.methods.iter().map(method).collect(),
            opening: recipe.random_plies.unwrap_or(default),
            recipe,
            tier,
            rules,
            game,
            rounds: Vec::new(),
            round: None,
            elapsed: Duration::ZERO,
        };
        tuning.round = tuning.next_round();
        Ok(tuning)
    }

    /// Goes on from a saved form, to the same numbers as without the interruption.
    ///
    /// # Errors
    /// [`SavedError`] if the text is not whole, or of another recipe or program.
    ///
    /// # Panics
    /// As [`Tuning::new`].
    pub fn from_saved(recipe: Recipe, tier: Tier, text: &str) -> Result<Self, SavedError> {
        let saved: Saved = record::from_json(text)?;
        if saved.recipe != recipe.text() {
            return Err(SavedError::Recipe);
        }
        let mut tuning = Tuning::<G>::new(recipe, tier)?;
        let ours = tuning.signature();
        if saved.values != ours {
            let found = saved.values;
            return Err(SavedError::Values { found, ours });
        }
        tuning.elapsed = Duration::try_from_secs_f64(saved.seconds).map_err(|_| SavedError::Scores)?;
        let max_points = tuning.game.max_points();
        for scores in saved.scores {
            let round = tuning.round.as_mut().ok_or(SavedError::Scores)?;
            let (duels, most) = (round.duels.len(), round.games / 2);
            let are_all = scores.len() == duels && scores.iter().all(|score| score.pairs <= most);
            // Added up only within their bounds: numbers of a damaged file could overflow.
            let all: u64 = scores.iter().filter(|_| are_all).map(|score| score.pairs).sum();
            // The duels take turns, so the number of pairs says how many of them each duel has.
            let turns = |place: usize| (all + (duels - 1 - place) as u64) / duels as u64;
            if !are_all || (0..duels).any(|place| scores[place].pairs != turns(place)) {
                return Err(SavedError::Scores);
            }
            for (duel, score) in round.duels.iter_mut().zip(scores) {
                let SavedScore { pairs, points, squares } = score;
                let sum = points;
                duel.score = PairScore { pairs, sum, squares };
                if !duel.score.is_possible(max_points) {
                    return Err(SavedError::Scores);
                }
            }
            // Methods learn from the scores again, so that their state need not be saved.
            tuning.finish_round();
        }
        Ok(tuning)
    }

    /// The saved form, as one line of JSON: the recipe, and the scores of all duels.
    #[must_use]
    pub fn to_saved(&self) -> String {
        let score = |duel: &ScoredPairing| {
            let PairScore { pairs, sum, squares } = duel.score;
            let points = sum;
            SavedScore { pairs, points, squares }
        };
        let scores = |round: &Round| round.duels.iter().map(score).collect();
        record::to_json(Saved {
            recipe: self.recipe.text().to_owned(),
            values: self.signature(),
            seconds: self.elapsed.as_secs_f64(),
            scores: self.rounds.iter().chain(&self.round).map(scores).collect(),
        })
    }

    fn signature(&self) -> String {
        format!("{:016x}", signature::<G>(self.tier))
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The name of the rules.
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The random plies that begin each game.
    #[must_use]
    pub fn opening(&self) -> u32 {
        self.opening
    }

    /// The rounds that have been played.
    #[must_use]
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// The round that is being played; `None` at the end.
    #[must_use]
    pub fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    /// The 95 % interval of the points per game of a duel.
    #[must_use]
    pub fn interval(&self, duel: &ScoredPairing) -> [f64; 2] {
        duel.score.interval(self.game.max_points())
    }

    /// The methods that have played, with the best values of each.
    pub fn bests(&self) -> impl Iterator<Item = (MethodName, &[f64])> {
        self.recipe.methods.iter().filter_map(|&method| {
            let of_method = |round: &&Round| round.stage == RoundPurpose::Method(method);
            let best = self.rounds.iter().rfind(of_method)?.best.as_deref()?;
            Some((method, best))
        })
    }

    /// Wall-clock time of all games.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// How many games have been played.
    #[must_use]
    pub fn played(&self) -> Played {
        let recipe = &self.recipe;
        let of_method = |&name: &MethodName| recipe.generations(name) * recipe.games_of_generation(name);
        let of_methods: u64 = recipe.methods.iter().map(of_method).sum();
        Played {
            games: self.rounds.iter().chain(&self.round).map(Round::played).sum(),
            of: of_methods + recipe.verification.games * self.matches().len() as u64,
        }
    }

    /// Plays until the end, or until cancelled, and calls `progress` about ten times a second and after each round.
    /// Returns whether the end has come.
    ///
    /// # Errors
    /// [`TuningError::Agent`] if an agent can no longer be read.
    ///
    /// # Panics
    /// If called from one of `workers`.
    pub fn run(
        &mut self,
        workers: &Workers,
        cancel: &Cancel,
        progress: &mut dyn FnMut(&Self),
    ) -> Result<bool, TuningError> {
        while let Some(round) = &self.round {
            let mut nets = Nets::new();
            let mut agent = |contender: &Contender| {
                let text = match &contender.values {
                    Some(values) => self.recipe.text_of(values),
                    None => self.recipe.opponent.clone().unwrap_or_default(),
                };
                read_agent(&self.game, &text, &mut nets, &|| cancel.is_cancelled())
            };
            let mut pairings = Vec::new();
            for ScoredPairing { agents: [a, b], .. } in &round.duels {
                match agent(a).and_then(|a| Ok([a, agent(b)?])) {
                    Ok(pairing) => pairings.push(pairing),
                    Err(ReadAgentError::Stopped(_)) => return Ok(false),
                    Err(error) => return Err(error.into()),
                }
            }
            let (seed, pairs) = (self.seed(round), round.games / 2);
            let duel = GameDuel::<G>::with_pairings(&self.rules, self.tier, pairings, seed, pairs);
            let duel = duel.expect("rules that were checked").with_opening(self.opening);
            let duel = duel.with_nets(nets).cancelled_by(cancel);
            let (first, begun, before) = (round.played() / 2, Instant::now(), self.elapsed);
            // A cell, since both closures below change the tuning. This thread calls them in turn, so no borrow meets
            // another.
            let tuning = RefCell::new(&mut *self);
            let take = |duel: usize, games: PairOfGames| {
                let mut tuning = tuning.borrow_mut();
                let round = tuning.round.as_mut().expect("it is being played");
                let points = games.iter().map(|game| i64::from(game.points)).sum();
                round.duels[duel].score.add(points);
            };
            duel.play_from(first, workers, take, |_| {
                tuning.borrow_mut().elapsed = before + begun.elapsed();
                progress(&tuning.borrow());
            });
            self.elapsed = before + begun.elapsed();
            self.finish_round();
            progress(self);
            if cancel.is_cancelled() {
                break;
            }
        }
        Ok(self.round.is_none())
    }

    /// Begins the next round if the present one is over.
    fn finish_round(&mut self) {
        let Some(mut round) = self.round.take_if(|round| round.is_over()) else {
            return;
        };
        if let RoundPurpose::Method(name) = round.stage {
            let scores: Vec<PairScore> = round.duels.iter().map(|duel| duel.score).collect();
            let place = self.recipe.methods.iter().position(|&method| method == name);
            let method = &mut self.methods[place.expect("a method of the recipe")];
            method.tell(&scores);
            round.best = Some(self.recipe.values(&method.best()));
        }
        self.rounds.push(round);
        self.round = self.next_round();
    }

    /// The round after those that have been played.
    fn next_round(&mut self) -> Option<Round> {
        let recipe = &self.recipe;
        let mut number = self.rounds.len() as u64;
        for (&name, method) in recipe.methods.iter().zip(&mut self.methods) {
            let of = recipe.generations(name);
            if number < of {
                let contender =
                    |point: &[f64]| Contender { name: name.to_string(), values: Some(recipe.values(point)) };
                let duel = |pairing: Pairing| ScoredPairing {
                    agents: [
                        contender(&pairing.point),
                        pairing.opponent.map_or_else(|| reference(recipe), |point| contender(&point)),
                    ],
                    score: PairScore::default(),
                };
                return Some(Round {
                    stage: RoundPurpose::Method(name),
                    number: number + 1,
                    of,
                    duels: method.ask().into_iter().map(duel).collect(),
                    games: recipe.games_of_pairing(name),
                    best: None,
                });
            }
            number -= of;
        }
        (number == 0).then(|| Round {
            stage: RoundPurpose::Verification,
            number: 1,
            of: 1,
            duels: self.matches(),
            games: recipe.verification.games,
            best: None,
        })
    }

    /// The matches that verify. Each method's best plays the start values and the bests of the methods before it. If
    /// the recipe has an opponent, the start values and all bests play it, too.
    fn matches(&self) -> Vec<ScoredPairing> {
        let recipe = &self.recipe;
        let bests = recipe
            .methods
            .iter()
            .zip(&self.methods)
            .map(|(name, method)| Contender { name: name.to_string(), values: Some(recipe.values(&method.best())) });
        let bests: Vec<Contender> = bests.collect();
        let mut pairings: Vec<[Contender; 2]> = Vec::new();
        for (place, one) in bests.iter().enumerate() {
            let others = [start(recipe)].into_iter().chain(bests[..place].to_vec());
            pairings.extend(others.map(|other| [one.clone(), other]));
        }
        if recipe.opponent.is_some() {
            let all = [start(recipe)].into_iter().chain(bests);
            pairings.extend(all.map(|one| [one, reference(recipe)]));
        }
        let score = PairScore::default();
        pairings.into_iter().map(|agents| ScoredPairing { agents, score }).collect()
    }

    /// The seed of a round's games: below 2^63 while methods tune, and above for rounds that verify.
    fn seed(&self, round: &Round) -> u64 {
        match round.stage {
            // Mixed, so that the dice of neighbouring rounds, methods and seeds are unrelated.
            RoundPurpose::Method(name) => mixed(mixed(self.recipe.seed ^ (name as u64) << 60) ^ round.number) >> 1,
            RoundPurpose::Verification => mixed(self.recipe.seed) | 1 << 63,
        }
    }
}

/// The agent with the start values.
fn start(recipe: &Recipe) -> Contender {
    Contender { name: "start".to_owned(), values: Some(recipe.start()) }
}

/// The agent that all play against while they are tuned.
fn reference(recipe: &Recipe) -> Contender {
    match recipe.opponent {
        None => start(recipe),
        Some(_) => Contender { name: "opponent".to_owned(), values: None },
    }
}
