//! `tavli rollout` of a game other than backgammon: games from each play, at random or by a net.

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tavli::game::{
    GameRollout, NamedGame, NamedNet, NamedPlay, RolloutPlayer, START, Tally, named_choices, named_net, names_of_nets,
};
use tavli::rollout::{Statistic, Stop};
use tavli::run::{Cancel, Progress, Workers};
use tavli::search::{GreedyPlayouts, LookAhead};
use tavli::text::Quoted;
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::numbers::{counted, decimals, rate, seconds};
use tavli_terminal::progress::Bar;

use super::arguments::Arguments;
use super::game_decision;
use crate::arguments::DEFAULT_SEED;
use crate::game_turn::{Turn, TurnJson};
use crate::header::Header;
use crate::ordered_map::OrderedMap;
use crate::player_options::UNIFORM;

#[derive(Serialize)]
pub(crate) struct GameRolloutJson<'a> {
    /// Absent in the answers of a server.
    #[serde(flatten)]
    header: Option<&'a Header>,
    #[serde(flatten)]
    turn: TurnJson<'a>,
    seed: u64,
    policy: &'a str,
    variance_reduction: bool,
    trials: u64,
    complete: bool,
    seconds: f64,
    games_per_second: f64,
    candidates: Vec<CandidateJson>,
}

/// The JSON of a play, or of the position.
#[derive(Serialize)]
pub(crate) struct CandidateJson {
    rank: usize,
    /// Absent where the position itself is rolled out.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    position: String,
    trials: u64,
    outcomes: OrderedMap<&'static str, u64>,
    equity: f64,
    se_equity: f64,
    low_equity: f64,
    high_equity: f64,
    win: f64,
    se_win: f64,
    low_win: f64,
    high_win: f64,
    behind: f64,
}

/// A position to play from.
pub(crate) struct Candidate<P> {
    moves: Option<String>,
    position: P,
    /// Whether the results are those of the player who is not on roll in it.
    is_other: bool,
}

pub(crate) fn run<G: NamedGame>(arguments: &Arguments) -> Result<(), Failure> {
    let seed = arguments.seed.unwrap_or(DEFAULT_SEED);
    let policy = arguments.policies.policy.as_deref().unwrap_or(UNIFORM);
    let game: G = arguments.game.of_seed(arguments.machine.tier()?, seed)?;
    let text = arguments.position.as_deref().unwrap_or(START);
    let turn = Turn::of_arguments(&game, text, arguments.roll.as_deref())?;
    if let Some(request) = game_decision::asked::<G>(arguments, turn.chance.is_some(), seed)? {
        return game_decision::run(arguments, &game, &turn, request);
    }
    let candidates = candidates(&game, &turn, &arguments.plays)?;
    let game = Arc::new(game);
    let by = player(&game, policy, seed, arguments.variance_reduction)?;
    let cancel = interrupt::cancel_on_interrupt()?;
    let (workers, header) = arguments.machine.start()?;
    let start = Instant::now();
    let trials = arguments.trials.map_or(Stop::default().trials, NonZeroU64::get);
    let bar = Bar::new();
    let (found, complete) = rolled_out(&game, &by, candidates, trials, &workers, &cancel, |progress| {
        bar.show(progress);
    });
    drop(bar);
    let of = (&*game, &turn, arguments.game.rules::<G>());
    let by = (policy, arguments.variance_reduction, seed);
    let document = GameRolloutJson::new(Some(&header), of, by, (trials, found, complete), start.elapsed());
    arguments.format.write(&document, GameRolloutJson::print)?;
    interrupt::has_result(document.games())
}

/// The player of the games.
pub(crate) fn player<G: NamedGame>(
    game: &Arc<G>,
    policy: &str,
    seed: u64,
    variance_reduction: bool,
) -> Result<RolloutPlayer<G>, Failure> {
    if policy == UNIFORM {
        return match (variance_reduction, names_of_nets::<G>()) {
            (false, _) => Ok(RolloutPlayer::Random(Arc::clone(game))),
            (true, Some(nets)) => Err(Failure::usage(format_args!(
                "--variance-reduction needs a net that measures luck, and --policy is {UNIFORM}: give --policy {nets}"
            ))),
            (true, None) => Err(Failure::usage(format_args!(
                "--variance-reduction needs a net that measures luck, and {} has none: leave it out",
                G::NAME
            ))),
        };
    }
    match named_net(&**game, policy).map_err(Failure::usage)? {
        Some(NamedNet { net, plies, .. }) => {
            let player = LookAhead::new(Arc::clone(game), net, plies);
            let playouts = GreedyPlayouts::new(Arc::clone(game), player, seed);
            let playouts = playouts.measuring_luck(variance_reduction);
            Ok(RolloutPlayer::Greedy(Arc::new(playouts)))
        }
        None => Err(Failure::usage(format_args!(
            "'{}' plays no rollouts of {}: --policy is {UNIFORM}{}",
            Quoted::new(policy),
            G::NAME,
            names_of_nets::<G>().map(|nets| format!(", {nets}")).unwrap_or_default()
        ))),
    }
}

/// The plays of these texts, or all if there are none; before a roll the position.
pub(crate) fn candidates<G: NamedGame>(
    game: &G,
    turn: &Turn<G::Position>,
    named: &[String],
) -> Result<Vec<Candidate<G::Position>>, Failure> {
    let Some(chance) = turn.chance else {
        return match named {
            [] => Ok(vec![Candidate {
                moves: None,
                position: turn.position,
                is_other: false,
            }]),
            _ => Err(Failure::usage(
                "--play names a play of a roll: write the ROLL after the position",
            )),
        };
    };
    let choices = named_choices(game, &turn.position, chance, named).map_err(Failure::usage)?;
    let plays = game.plays(&turn.position, chance).into_iter().enumerate();
    let plays = plays.filter(|(choice, _)| named.is_empty() || choices.contains(choice));
    let play = |(_, play): (usize, NamedPlay<G::Position>)| Candidate {
        moves: Some(play.moves),
        position: play.result,
        is_other: true,
    };
    Ok(plays.map(play).collect())
}

/// The candidates with their games, the best first, and whether all have all of them.
pub(crate) fn rolled_out<G: NamedGame>(
    game: &Arc<G>,
    by: &RolloutPlayer<G>,
    candidates: Vec<Candidate<G::Position>>,
    trials: u64,
    workers: &Workers,
    cancel: &Cancel,
    mut progress: impl FnMut(&Progress),
) -> (Vec<CandidateJson>, bool) {
    let mut found = Vec::new();
    let mut complete = true;
    for Candidate {
        moves,
        position,
        is_other,
    } in candidates
    {
        let sign = if is_other { -1 } else { 1 };
        let (tally, [win, equity]) = match game.points(&position) {
            // A play that ends the game has one result, whatever is rolled.
            Some(points) => {
                let points = sign * points;
                let of_end = [f64::from(u8::from(points > 0)), f64::from(points)];
                (Tally::certain(sign * points, trials), of_end.map(Statistic::certain))
            }
            None => {
                let rolled = GameRollout::of(&position, by, trials, workers, cancel, &mut progress);
                let statistics = rolled.win_and_equity(&**game, &position, is_other);
                (rolled.tally, statistics)
            }
        };
        complete &= tally.games == trials;
        if tally.games == 0 {
            continue;
        }
        let outcomes = G::OUTCOMES.iter();
        found.push(CandidateJson {
            rank: 0,
            moves,
            position: game.text(&position),
            trials: tally.games,
            outcomes: OrderedMap::new(outcomes.map(|outcome| (outcome.name, tally.count(sign * outcome.points)))),
            // Not -0, which would be printed, and sorted below 0.
            equity: equity.mean + 0.0,
            se_equity: equity.standard_error,
            low_equity: equity.low,
            high_equity: equity.high,
            win: win.mean,
            se_win: win.standard_error,
            low_win: win.low,
            high_win: win.high,
            behind: 0.0,
        });
    }
    found.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    let best = found.first().map_or(0.0, |candidate| candidate.equity);
    for (rank, candidate) in (1..).zip(&mut found) {
        candidate.rank = rank;
        candidate.behind = best - candidate.equity;
    }
    (found, complete)
}

impl<'a> GameRolloutJson<'a> {
    /// The JSON of a rollout of these trials, in which the candidates were found, all of their games or not.
    pub(crate) fn new<G: NamedGame>(
        header: Option<&'a Header>,
        (game, turn, rules): (&G, &Turn<G::Position>, &'a str),
        (policy, variance_reduction, seed): (&'a str, bool, u64),
        (trials, candidates, complete): (u64, Vec<CandidateJson>, bool),
        elapsed: Duration,
    ) -> GameRolloutJson<'a> {
        let mut json = GameRolloutJson {
            header,
            turn: TurnJson::new(game, turn, rules),
            seed,
            policy,
            variance_reduction,
            trials,
            complete,
            seconds: elapsed.as_secs_f64(),
            games_per_second: 0.0,
            candidates,
        };
        json.games_per_second = json.games() as f64 / json.seconds;
        json
    }

    /// The games of all candidates.
    fn games(&self) -> u64 {
        self.candidates.iter().map(|candidate| candidate.trials).sum()
    }
}

impl GameRolloutJson<'_> {
    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let by = match self.policy {
            UNIFORM => String::new(),
            policy => format!(", both sides by {policy}"),
        };
        let luck = match self.variance_reduction {
            true => ", luck subtracted",
            false => "",
        };
        if let Some(header) = self.header {
            writeln!(output, "{header}\n")?;
        }
        writeln!(
            output,
            "{}{by}{luck}, seed {}\n",
            self.turn.heading_of_roll(),
            self.seed
        )?;
        if !self.complete {
            writeln!(output, "  interrupted; the games before it\n")?;
        }
        let name = |candidate: &CandidateJson| candidate.moves.clone().unwrap_or_else(|| "position".to_owned());
        let width = self
            .candidates
            .iter()
            .map(|candidate| name(candidate).len())
            .max()
            .unwrap_or(0)
            .max(4);
        writeln!(
            output,
            "       {:<width$}  {:>9}  {:>7}  {:>18}  {:>8}",
            "play", "equity", "± se", "95 % interval", "wins"
        )?;
        for candidate in &self.candidates {
            let CandidateJson { rank, equity, win, .. } = candidate;
            let error = decimals(candidate.se_equity, 4);
            let interval = format!("{:+.4}...{:+.4}", candidate.low_equity, candidate.high_equity);
            let share = 100.0 * win;
            writeln!(
                output,
                "  {rank:>3}. {:<width$}  {equity:>+9.4}  {error:>7}  {interval:>18}  {share:>7.2}%",
                name(candidate)
            )?;
        }
        if self.variance_reduction {
            writeln!(
                output,
                "       luck is subtracted from the equity, not from the games won"
            )?;
        }
        let games = counted(self.games(), "game", "games");
        writeln!(
            output,
            "\n  {games} in {}, {} games/s",
            seconds(self.seconds),
            rate(self.games_per_second)
        )
    }
}
