//! The statistics of a match in GNU Backgammon's form.

use std::io::{self, Write};

use serde_json::{Value, json};
use tavli::cube::{self, CubeState};
use tavli::transcript::{Action, Analysed, Analysis, DecisionKind, Match};

/// The columns of the names of rows, and of each player.
const NAME_WIDTH: usize = 41;
const PLAYER_WIDTH: usize = 24;

/// GNU Backgammon's marks of plays, by what they lose.
const DOUBTFUL: f64 = 0.03;
const BAD: f64 = 0.06;
const VERY_BAD: f64 = 0.12;
/// GNU Backgammon's marks of rolls, by their luck.
const LUCKY: f64 = 0.3;
const VERY_LUCKY: f64 = 0.6;

/// GNU Backgammon's words for the mean loss of a decision, each for losses below its bound.
const RATINGS: [(f64, &str); 7] = [
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
];

/// GNU Backgammon's word for a decision that loses `loss` points; `None` if it does not mark the decision.
pub(super) fn mark(loss: f64) -> Option<&'static str> {
    match loss {
        loss if loss >= VERY_BAD => Some("very bad"),
        loss if loss >= BAD => Some("bad"),
        loss if loss >= DOUBTFUL => Some("doubtful"),
        _ => None,
    }
}

/// GNU Backgammon's word for a roll of this luck.
pub(super) fn roll_mark(luck: f64) -> Option<&'static str> {
    match luck {
        luck if luck >= VERY_LUCKY => Some("very lucky"),
        luck if luck >= LUCKY => Some("lucky"),
        luck if luck <= -VERY_LUCKY => Some("very unlucky"),
        luck if luck <= -LUCKY => Some("unlucky"),
        _ => None,
    }
}

/// An amount of equity, and as a share of the match, or as points.
#[derive(Clone, Copy, Default)]
struct Amount {
    equity: f64,
    /// The chance to win the match; in money games points.
    real: f64,
}

impl std::ops::AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        self.equity += other.equity;
        self.real += other.real;
    }
}

impl Amount {
    /// An equity in a position, in both units.
    fn new(equity: f64, decision: &Analysed) -> Amount {
        let state = CubeState::from_context(decision.position.context()).ok();
        let values = state.and_then(|state| cube::model(decision.position.board()).gammon_values(&state));
        let unit = match values {
            Some(values) => (values.win - values.lose) / 2.0,
            None => f64::from(1_u32 << decision.position.context().cube.log2),
        };
        Amount { equity, real: equity * unit }
    }

    /// The mean of `number`.
    fn each(self, number: usize) -> Amount {
        let number = number.max(1) as f64;
        Amount { equity: self.equity / number, real: self.real / number }
    }
}

/// The decisions of a player.
struct Decisions<'a>(Vec<&'a Analysed>);

impl<'a> Decisions<'a> {
    fn filter(&self, holds: impl Fn(&Analysed) -> bool) -> Decisions<'a> {
        Decisions(self.0.iter().copied().filter(|decision| holds(decision)).collect())
    }

    fn plays(&self) -> Decisions<'a> {
        self.filter(|decision| decision.kind == DecisionKind::Play)
    }

    fn cube(&self) -> Decisions<'a> {
        self.filter(|decision| decision.kind != DecisionKind::Play)
    }

    fn counted(&self) -> Decisions<'a> {
        self.filter(|decision| decision.counts)
    }

    /// The decisions that lost at least `least`, and less than `below`.
    fn losing(&self, least: f64, below: f64) -> Decisions<'a> {
        self.filter(|decision| decision.counts && decision.loss >= least && decision.loss < below)
    }

    fn lucky(&self, least: f64, below: f64) -> Decisions<'a> {
        self.filter(|decision| decision.luck >= least && decision.luck < below)
    }

    /// Mistakes of one kind: by the action taken, and by the beginning and the end of the name of the right one.
    fn mistakes(&self, done: &str, begin: &[&str], end: &[&str]) -> Decisions<'a> {
        self.filter(|decision| {
            decision.counts
                && decision.loss > 0.0
                && decision.done == done
                && begin.iter().any(|begin| decision.best.starts_with(begin))
                && end.iter().any(|end| decision.best.ends_with(end))
        })
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn sum(&self, amount: impl Fn(&Analysed) -> f64) -> Amount {
        let mut sum = Amount::default();
        for decision in &self.0 {
            sum += Amount::new(amount(decision), decision);
        }
        sum
    }

    /// The loss of the decisions that count, as an amount of 0 or below.
    fn error(&self) -> Amount {
        let sum = self.counted().sum(|decision| -decision.loss);
        // As in GNU Backgammon, a loss of nothing is -0.000.
        let nothing = Amount { equity: -0.0, real: -0.0 };
        if sum.equity < 0.0 { sum } else { nothing }
    }
}

/// A table of two players.
struct StatisticsTable<'a> {
    players: [Decisions<'a>; 2],
    is_match: bool,
    output: &'a mut dyn Write,
}

impl<'a> StatisticsTable<'a> {
    fn row(&mut self, name: &str, cells: [String; 2]) -> io::Result<()> {
        let [first, second] = cells;
        writeln!(self.output, "{name:<NAME_WIDTH$}{first:<PLAYER_WIDTH$}{second:<PLAYER_WIDTH$}")
    }

    fn title(&mut self, title: &str) -> io::Result<()> {
        writeln!(self.output, "\n{title} statistics\n")
    }

    fn count(&mut self, name: &str, of: impl Fn(&Decisions<'a>) -> Decisions<'a>) -> io::Result<()> {
        let cells = self.players.each_ref().map(|player| format!("{:>3}", of(player).len()));
        self.row(name, cells)
    }

    /// The number of mistakes and what they lost together.
    fn mistakes(&mut self, name: &str, of: impl Fn(&Decisions<'a>) -> Decisions<'a>) -> io::Result<()> {
        let cells = self.players.each_ref().map(|player| {
            let mistakes = of(player);
            match mistakes.len() {
                0 => "  0".to_owned(),
                number => format!("{number:>3} ({:+.3})", mistakes.error().equity),
            }
        });
        let unit = self.unit();
        self.row(&format!("{name} (EMG {unit})"), cells)
    }

    fn unit(&self) -> &'static str {
        if self.is_match { "(MWC)" } else { "(Points)" }
    }

    /// The amounts of both players, in shares of the match or points.
    fn amounts(&mut self, name: &str, amounts: [Amount; 2], of: impl Fn(Amount, bool) -> String) -> io::Result<()> {
        let is_match = self.is_match;
        let cells = amounts.map(|amount| of(amount, is_match));
        let unit = self.unit();
        self.row(&format!("{name} {unit}"), cells)
    }

    fn totals(&mut self, name: &str, amounts: [Amount; 2]) -> io::Result<()> {
        self.amounts(name, amounts, |amount, is_match| {
            format!("{:>+11.3} {}", amount.equity, real(amount.real, is_match))
        })
    }

    fn rates(&mut self, name: &str, amounts: [Amount; 2]) -> io::Result<()> {
        self.amounts(name, amounts, |amount, is_match| {
            format!("{:>+9.1}   {}", 1000.0 * amount.equity, real(amount.real, is_match))
        })
    }

    /// The errors of a kind of decision: together, in the mean, and in a word.
    fn errors(&mut self, rating: &str, of: impl Fn(&Decisions<'a>) -> Decisions<'a>) -> io::Result<()> {
        let decisions = self.players.each_ref().map(of);
        let totals = decisions.each_ref().map(Decisions::error);
        self.totals("Error total EMG", totals)?;
        let counted = decisions.each_ref().map(|decisions| decisions.counted().len());
        let rates = [totals[0].each(counted[0]), totals[1].each(counted[1])];
        self.rates("Error rate mEMG", rates)?;
        if rating == "Overall rating" {
            let moves: usize = self.players.iter().map(|player| player.plays().len()).sum();
            let unit = |amount: Amount| format!("{:>+9.1}", 1000.0 * amount.each(moves).equity);
            self.row("Snowie error rate", totals.map(unit))?;
        }
        self.row(rating, rates.map(|rate| word(-rate.equity).to_owned()))
    }
}

/// A part of a match in percent, or points.
fn real(amount: f64, is_match: bool) -> String {
    match is_match {
        true => format!("({:>+7.3}%)", 100.0 * amount),
        false => format!("({amount:>+7.3})"),
    }
}

/// The word for the luck of rolls in the mean.
fn luck_word(luck: f64) -> &'static str {
    match luck {
        luck if luck < -0.06 => "Go to bed",
        luck if luck < -0.03 => "Bad dice, man!",
        luck if luck <= 0.03 => "None",
        luck if luck <= 0.06 => "Good dice, man!",
        _ => "Go to Las Vegas",
    }
}

/// The word for a mean loss.
fn word(loss: f64) -> &'static str {
    let rating = RATINGS.iter().find(|(below, _)| loss < *below);
    rating.map_or("Awful!", |(_, word)| word)
}

/// The statistics of a match, or of one of its games, as GNU Backgammon's Python module names them: of the players X,
/// the first, and O.
pub(super) fn numbers(analysis: &Analysis, game: Option<usize>) -> Value {
    let unbounded = f64::INFINITY;
    let of = |number: usize| {
        let player = player(analysis, number, game);
        let (plays, cube) = (player.plays(), player.cube());
        let (errors, cube_errors) = (plays.error(), cube.error().each(cube.counted().len()));
        let luck = plays.sum(|roll| roll.luck);
        json!({
            "moves": {
                "total-moves": plays.len(),
                "unforced-moves": plays.counted().len(),
                "error-skill": -errors.equity,
                "error-cost": -errors.real,
                "marked": {
                    "unmarked": plays.filter(|play| !play.counts || play.loss < DOUBTFUL).len(),
                    "doubtful": plays.losing(DOUBTFUL, BAD).len(),
                    "bad": plays.losing(BAD, VERY_BAD).len(),
                    "very bad": plays.losing(VERY_BAD, unbounded).len(),
                },
            },
            "cube": {
                "total-cube": cube.len(),
                "close-cube": cube.counted().len(),
                "error-skill": -cube_errors.equity,
                "error-cost": -cube_errors.real,
                "n-doubles": cube.filter(|decision| decision.done == "double").len(),
                "n-takes": cube.filter(|decision| decision.done == "take").len(),
                "n-drops": cube.filter(|decision| decision.done == "pass").len(),
            },
            "dice": {
                "luck": luck.equity,
                "luck-cost": luck.real,
                "marked-rolls": {
                    "verygood": plays.lucky(VERY_LUCKY, unbounded).len(),
                    "good": plays.lucky(LUCKY, VERY_LUCKY).len(),
                    "unmarked": plays.filter(|play| roll_mark(play.luck).is_none()).len(),
                    "bad": plays.filter(|play| roll_mark(play.luck) == Some("unlucky")).len(),
                    "verybad": plays.filter(|play| roll_mark(play.luck) == Some("very unlucky")).len(),
                },
            },
        })
    };
    json!({"X": of(0), "O": of(1)})
}

/// The decisions of a player in a match, or in one of its games.
fn player(analysis: &Analysis, number: usize, game: Option<usize>) -> Decisions<'_> {
    let decisions = analysis.decisions.iter();
    let of = decisions.filter(|one| one.player == number && game.is_none_or(|game| game == one.game));
    Decisions(of.collect())
}

/// Writes the statistics of a match, or of one of its games.
pub(super) fn write(
    played: &Match,
    analysis: &Analysis,
    game: Option<usize>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let done = |action: fn(&Action) -> bool| {
        [0, 1].map(|player| {
            let games = played.games.iter().enumerate();
            let steps =
                games.filter(|(number, _)| game.is_none_or(|game| game == *number)).flat_map(|(_, game)| &game.steps);
            let number = steps.filter(|step| step.player == player && action(&step.action)).count();
            format!("{number:>3}")
        })
    };
    let mut table = StatisticsTable {
        players: [0, 1].map(|number| player(analysis, number, game)),
        is_match: played.length.is_some(),
        output,
    };
    let unbounded = f64::INFINITY;
    writeln!(table.output)?;
    table.row("Player", played.players.clone())?;
    table.title("Chequerplay")?;
    table.count("Total moves", Decisions::plays)?;
    table.count("Unforced moves", |player| player.plays().counted())?;
    table.count("Unmarked moves", |player| player.plays().filter(|play| !play.counts || play.loss < DOUBTFUL))?;
    table.count("Moves marked doubtful", |player| player.plays().losing(DOUBTFUL, BAD))?;
    table.count("Moves marked bad", |player| player.plays().losing(BAD, VERY_BAD))?;
    table.count("Moves marked very bad", |player| player.plays().losing(VERY_BAD, unbounded))?;
    table.errors("Chequerplay rating", Decisions::plays)?;
    writeln!(table.output)?;
    table.title("Luck")?;
    let plays = Decisions::plays;
    table.count("Rolls marked very lucky", |player| plays(player).lucky(VERY_LUCKY, unbounded))?;
    table.count("Rolls marked lucky", |player| plays(player).lucky(LUCKY, VERY_LUCKY))?;
    table.count("Rolls unmarked", |player| plays(player).filter(|play| play.luck > -LUCKY && play.luck < LUCKY))?;
    table.count("Rolls marked unlucky", |player| {
        plays(player).filter(|play| play.luck <= -LUCKY && play.luck > -VERY_LUCKY)
    })?;
    table.count("Rolls marked very unlucky", |player| plays(player).filter(|play| play.luck <= -VERY_LUCKY))?;
    let rolls = table.players.each_ref().map(|player| player.plays());
    let luck = rolls.each_ref().map(|rolls| rolls.sum(|roll| roll.luck));
    table.totals("Luck total EMG", luck)?;
    let rates = [luck[0].each(rolls[0].len()), luck[1].each(rolls[1].len())];
    table.rates("Luck rate mEMG", rates)?;
    table.row("Luck rating", rates.map(|rate| luck_word(rate.equity).to_owned()))?;
    writeln!(table.output)?;
    table.title("Cube")?;
    table.count("Total cube decisions", Decisions::cube)?;
    table.count("Close or actual cube decisions", |player| player.cube().counted())?;
    table.row("Doubles", done(|action| *action == Action::Double))?;
    table.row("Takes", done(|action| *action == Action::Take))?;
    table.row("Passes", done(|action| *action == Action::Pass))?;
    let doubles = ["Double", "Redouble"];
    table.mistakes("Missed doubles below CP", |player| player.mistakes("no double", &doubles, &["take", "beaver"]))?;
    table.mistakes("Missed doubles above CP", |player| player.mistakes("no double", &doubles, &["pass"]))?;
    table
        .mistakes("Wrong doubles below DP", |player| player.mistakes("double", &["No", "Never", "Optional"], &[""]))?;
    table.mistakes("Wrong doubles above TG", |player| player.mistakes("double", &["Too good"], &[""]))?;
    table.mistakes("Wrong takes", |player| player.mistakes("take", &["pass"], &[""]))?;
    table.mistakes("Wrong passes", |player| player.mistakes("pass", &["take"], &[""]))?;
    table.errors("Cube decision rating", Decisions::cube)?;
    writeln!(table.output)?;
    table.title("Overall")?;
    table.errors("Overall rating", |player| player.filter(|_| true))?;
    writeln!(table.output, "\n")
}
