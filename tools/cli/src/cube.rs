//! The options of the doubling cube and the score, and how cube decisions are printed.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use tavli::board::{MAX_CUBE_LOG2, MAX_POINTS};
use tavli::cube::{
    self, Action, CubeInPlay, CubeModel, CubeState, CubeValues, MatchEquityTable, OutcomeProbabilities, PreparedScore,
};
use tavli::{Context, Cube, Position, Reading, RuleSet, Side, Stakes};
use tavli_terminal::numbers::whole_in;

use crate::arguments::{self, CUBE_AND_SCORE};
use crate::layout::Text;

/// The cube and the score, in place of what the position names.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = CUBE_AND_SCORE)]
pub(crate) struct CubeOptions {
    /// The doubling cube, such as 1 (in the middle), 2:own or 4:opponent (owned by the player on roll or the opponent)
    #[arg(long, value_name = "VALUE[:OWNER]", value_parser = cube_and_owner)]
    cube: Option<(u8, Option<Side>)>,
    /// A match to N points
    #[arg(long = "match", value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole_in::<u16>(1..=MAX_POINTS.into()), conflicts_with_all = ["jacoby", "beavers"])]
    length: Option<u16>,
    /// The score of the match, the points of the player on roll first [default: the position's; 0-0 with --match]
    #[arg(long, value_name = "OWN-OPPONENT", value_parser = score)]
    score: Option<(u16, u16)>,
    /// This is the Crawford game, in which nobody may double
    #[arg(long)]
    crawford: bool,
    /// A money game in which gammons count only once the cube has been turned
    #[arg(long, conflicts_with_all = ["score", "crawford"])]
    jacoby: bool,
    /// A money game in which a doubled player may redouble at once and keep the cube
    #[arg(long, conflicts_with_all = ["score", "crawford"])]
    beavers: bool,
    /// The efficiency of the cube, 0 (never turned) to 1 (turned at the perfect moment) [default: by the position, as
    /// in GNU Backgammon]
    #[arg(long, value_name = "X", value_parser = efficiency, allow_negative_numbers = true)]
    cube_life: Option<f64>,
    /// Value without the cube, even if the position names one
    #[arg(long, conflicts_with_all = ["cube", "length", "score", "crawford", "jacoby", "beavers", "cube_life"])]
    pub(crate) cubeless: bool,
}

/// A position, and its cube if it is valued with one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithCube {
    pub(crate) position: Position,
    pub(crate) cube: Option<CubeInPlay>,
}

/// The JSON of a cube decision: in money games in units of the cube, in matches equivalent to that.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct CubeJson {
    pub(crate) no_double: f64,
    pub(crate) double_take: f64,
    pub(crate) double_pass: f64,
    pub(crate) action: &'static str,
}

/// The scores of a match at which a position is decided: each player needs up to `most` points. If one needs a single
/// point, it is after the Crawford game.
pub(crate) struct ScoreMatrix {
    most: u16,
    /// A row for the points that the player on roll needs, a column for his opponent's.
    scores: Vec<ScoreEntry>,
}

struct ScoreEntry {
    prepared: PreparedScore<'static>,
    /// The start of its JSON.
    json: String,
}

impl ScoreMatrix {
    /// Up to `most` points away.
    pub(crate) fn new(most: u16) -> ScoreMatrix {
        let scores = (1..=most).flat_map(|away| (1..=most).map(move |opponent_away| (away, opponent_away)));
        let scores = scores.map(|(away, opponent_away)| {
            let score = cube::Score { away, opponent_away, crawford: false };
            ScoreEntry {
                prepared: PreparedScore::new(MatchEquityTable::kazaross_xg2(), score),
                json: format!("{{\"away\":{away},\"opponent_away\":{opponent_away}"),
            }
        });
        ScoreMatrix { most, scores: scores.collect() }
    }

    /// The decisions of a position at each score, by its model and with this cube, from one evaluation.
    pub(crate) fn decisions(
        &self,
        model: &CubeModel<'_>,
        probabilities: &OutcomeProbabilities,
        cube: &Cube,
    ) -> Vec<CubeValues> {
        let state = CubeState { log2: cube.log2, max_log2: cube.max_log2, owner: cube.owner, ..CubeState::default() };
        let scores = self.scores.iter();
        scores.map(|score| model.values_at(&score.prepared, probabilities, &state)).collect()
    }

    /// Adds `scores`, the decisions at each score, to the text of a JSON object that does not have them yet: on one
    /// line, or with a line for each score.
    // Not by a serializer: that took as long for 81 scores as valuing the position 13 times (profiles/LOG.md,
    // 2026-11-27, EPYC of the Zen 4 generation).
    pub(crate) fn add_json(&self, decisions: &[CubeValues], is_line: bool, object: &mut Vec<u8>) -> io::Result<()> {
        let [end, start, between, close] = match is_line {
            true => ["}", ",\"scores\":[", ",", "]}"],
            false => ["\n}", ",\n  \"scores\": [\n    ", ",\n    ", "\n  ]\n}"],
        };
        debug_assert!(object.ends_with(end.as_bytes()), "an object");
        object.truncate(object.len() - end.len());
        object.extend_from_slice(start.as_bytes());
        for (index, (score, values)) in self.scores.iter().zip(decisions).enumerate() {
            object.extend_from_slice(if index > 0 { between.as_bytes() } else { b"" });
            object.extend_from_slice(score.json.as_bytes());
            let numbers = [
                (",\"no_double\":", values.no_double),
                (",\"double_take\":", values.double_take),
                (",\"double_pass\":", values.double_pass),
            ];
            for (name, number) in numbers {
                object.extend_from_slice(name.as_bytes());
                serde_json::to_writer(&mut *object, &number)?;
            }
            object.extend_from_slice(b",\"action\":\"");
            object.extend_from_slice(values.action.text().as_bytes());
            object.extend_from_slice(b"\"}");
        }
        object.extend_from_slice(close.as_bytes());
        Ok(())
    }

    /// Prints the actions: a row for the points that the player on roll needs, a column for his opponent's.
    pub(crate) fn print(&self, decisions: &[CubeValues], output: &mut dyn Write) -> io::Result<()> {
        write!(output, "away")?;
        for opponent_away in 1..=self.most {
            write!(output, "{opponent_away:>6}")?;
        }
        for (away, row) in (1..).zip(decisions.chunks(usize::from(self.most))) {
            write!(output, "\n{away:>4}")?;
            for values in row {
                write!(output, "{:>6}", short(values.action))?;
            }
        }
        writeln!(
            output,
            "\nrows: points that the player on roll needs; columns: those of the opponent\n\
             D double, N no double, N=D either, G too good; t take, p pass, b beaver; - dead or not available"
        )
    }
}

/// An action in few letters.
fn short(action: Action) -> &'static str {
    match action {
        Action::DoubleTake | Action::RedoubleTake => "D/t",
        Action::DoublePass | Action::RedoublePass => "D/p",
        Action::DoubleBeaver | Action::RedoubleBeaver => "D/b",
        Action::NoDoubleTake | Action::NoRedoubleTake => "N/t",
        Action::NoDoubleBeaver | Action::NoRedoubleBeaver => "N/b",
        Action::OptionalDouble | Action::OptionalRedouble => "N=D/t",
        Action::TooGoodTake | Action::TooGoodToRedoubleTake => "G/t",
        Action::TooGoodPass | Action::TooGoodToRedoublePass => "G/p",
        _ => "-",
    }
}

/// Reads a cube such as `4`, `2:own` or `8:opponent`: its power of 2, and its owner.
fn cube_and_owner(text: &str) -> Result<(u8, Option<Side>), String> {
    let (value, owner) = text.split_once(':').map_or((text, None), |(value, owner)| (value, Some(owner)));
    let log2 = value.parse().ok().filter(|value: &u32| value.is_power_of_two());
    let log2 = log2.map(|value| value.trailing_zeros() as u8);
    let owner = match owner {
        None => Some(None),
        Some("own") => Some(Some(Side::OnRoll)),
        Some("opponent") => Some(Some(Side::Opponent)),
        Some(_) => None,
    };
    match (log2, owner) {
        (Some(log2), Some(owner)) if log2 <= MAX_CUBE_LOG2 => Ok((log2, owner)),
        _ => Err(format!(
            "a cube is a power of 2, 1 to {}, and its owner, own or opponent, unless it is in the middle; such as 2:own",
            1 << MAX_CUBE_LOG2
        )),
    }
}

/// Reads a score such as `3-5`.
fn score(text: &str) -> Result<(u16, u16), String> {
    let points = |text: &str| text.parse().ok().filter(|&points| points <= MAX_POINTS);
    text.split_once('-')
        .and_then(|(own, opponent)| Some((points(own)?, points(opponent)?)))
        .ok_or_else(|| "a score is the points of both, the player on roll's first, such as 3-5".to_owned())
}

/// Whether an efficiency of the cube is known under some rules.
pub(crate) fn check_has_efficiency(rules: RuleSet) -> Result<(), String> {
    match rules.has_cube_efficiency() {
        true => Ok(()),
        false => Err(format!("no efficiency of the cube is known for {rules}")),
    }
}

fn efficiency(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|efficiency| (0.0..=1.0).contains(efficiency))
        .ok_or_else(|| "an efficiency is a number 0 to 1, such as 0.68".to_owned())
}

impl CubeOptions {
    /// The options that name the cube or the score.
    fn given(&self) -> Vec<&'static str> {
        let CubeOptions { cube, length, score, crawford, jacoby, beavers, cube_life, cubeless: _ } = self;
        arguments::given(&[
            ("--cube", cube.is_some()),
            ("--match", length.is_some()),
            ("--score", score.is_some()),
            ("--crawford", *crawford),
            ("--jacoby", *jacoby),
            ("--beavers", *beavers),
            ("--cube-life", cube_life.is_some()),
        ])
    }

    /// How to value without the cube: by `--cubeless` instead of the options that name cube or score.
    pub(crate) fn remedy(&self) -> String {
        match self.given()[..] {
            [] => "add --cubeless".to_owned(),
            ref given => format!("write --cubeless in place of {}", given.join(", ")),
        }
    }

    /// Whether values are without the cube, whatever a position names.
    pub(crate) fn is_off(&self) -> bool {
        self.cubeless
    }

    /// The position with the cube and the score of the options in place of its own. It is valued with its cube if its
    /// text or an option names cube or score; an error in `is_known` says why no position can be.
    pub(crate) fn apply(&self, reading: &Reading, is_known: Result<(), String>) -> Result<WithCube, String> {
        let mut position = reading.position;
        if !self.given().is_empty() {
            let context = self.change(position.context())?;
            position = Position::new(*position.board(), context).map_err(|error| error.to_string())?;
        }
        let names_cube = !self.given().is_empty() || reading.has_context;
        if self.cubeless || !names_cube {
            return Ok(WithCube { position, cube: None });
        }
        is_known.map_err(|reason| format!("{reason}; to value without the cube, {}", self.remedy()))?;
        let state = CubeState::from_context(position.context()).map_err(|error| error.to_string())?;
        let efficiency = self.cube_life;
        let cube = Some(CubeInPlay { state, efficiency });
        Ok(WithCube { position, cube })
    }

    /// The cube of a saved rollout, if it has one, changed by the options.
    pub(crate) fn apply_to_saved(&self, saved: Option<&CubeInPlay>) -> Result<Option<CubeInPlay>, String> {
        if self.cubeless {
            return Ok(None);
        }
        if self.given().is_empty() {
            return Ok(saved.copied());
        }
        let state = saved.map_or_else(CubeState::default, |saved| saved.state);
        let mut context = Context {
            cube: Cube { log2: state.log2, max_log2: state.max_log2, owner: state.owner },
            ..Context::default()
        };
        match state.stakes {
            cube::Stakes::Money { jacoby, beavers } => context.stakes = Stakes::Money { jacoby, beavers },
            cube::Stakes::Match(_) if self.length.is_some() => {}
            // A saved rollout has the points that both need, not the length of their match.
            cube::Stakes::Match(_) if self.score.is_some() => {
                return Err("--score is the score of a match: add --match N, its length in points".to_owned());
            }
            cube::Stakes::Match(cube::Score { away, opponent_away, crawford }) => {
                let length = away.max(opponent_away);
                context.stakes = Stakes::Match { length, crawford };
                (context.score, context.opponent_score) = (length - away, length - opponent_away);
            }
        }
        let state = CubeState::from_context(&self.change(&context)?).map_err(|error| error.to_string())?;
        let efficiency = self.cube_life.or(saved.and_then(|saved| saved.efficiency));
        Ok(Some(CubeInPlay { state, efficiency }))
    }

    /// The state around a board, changed by the options.
    fn change(&self, context: &Context) -> Result<Context, String> {
        let mut context = *context;
        if let Some((log2, owner)) = self.cube {
            (context.cube.log2, context.cube.owner) = (log2, owner);
            context.cube.raise_limit();
        }
        if let Some(length) = self.length {
            let (own, opponent) = (context.score, context.opponent_score);
            if self.score.is_none() && (own, opponent) != (0, 0) {
                return Err(format!(
                    "--match {length} would begin at 0-0, and the position has the score {own}-{opponent}: add --score"
                ));
            }
            context.stakes = Stakes::Match { length, crawford: false };
            (context.score, context.opponent_score) = (0, 0);
        }
        match &mut context.stakes {
            Stakes::Match { crawford, .. } => {
                if self.jacoby || self.beavers {
                    return Err(
                        "--jacoby and --beavers are for money games, but the position is from a match: leave them out"
                            .to_owned(),
                    );
                }
                if let Some((own, opponent)) = self.score {
                    (context.score, context.opponent_score) = (own, opponent);
                    *crawford = false;
                }
                *crawford |= self.crawford;
            }
            Stakes::Money { jacoby, beavers } => {
                if self.score.is_some() || self.crawford {
                    return Err(
                        "--score and --crawford are for matches: add --match N, its length in points".to_owned()
                    );
                }
                *jacoby |= self.jacoby;
                *beavers |= self.beavers;
            }
        }
        Ok(context)
    }
}

impl From<CubeValues> for CubeJson {
    fn from(values: CubeValues) -> CubeJson {
        let CubeValues { no_double, double_take, double_pass, action, .. } = values;
        CubeJson { no_double, double_take, double_pass, action: action.text() }
    }
}

/// Prints a decision in GNU Backgammon's rows, the lines of eXtreme Gammon, or both.
pub(crate) fn print(values: &CubeValues, text: Text, output: &mut dyn Write) -> io::Result<()> {
    if text != Text::Xg {
        print_gnubg(values, output)?;
    }
    if text == Text::Both {
        writeln!(output)?;
    }
    if text != Text::Gnubg {
        print_xg(values, output)?;
    }
    Ok(())
}

fn print_gnubg(values: &CubeValues, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "Cubeful equities:")?;
    let best = values.best();
    for (number, (name, value)) in (1..).zip(values.alternatives()) {
        write!(output, "{number}. {name:<20}{value:+.4}")?;
        if number > 1 {
            write!(output, "  ({:+.4})", value - best)?;
        }
        writeln!(output)?;
    }
    write!(output, "Proper cube action: {}", values.action)?;
    if let Some(share) = values.wrong_answers() {
        write!(output, " ({:.1}%)", 100.0 * share)?;
    }
    writeln!(output)
}

fn print_xg(values: &CubeValues, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "Cubeful Equities:")?;
    let best = values.best();
    let rows =
        [("No double:", values.no_double), ("Double/Take:", values.double_take), ("Double/Pass:", values.double_pass)];
    let shown = if values.action.may_double() { &rows[..] } else { &rows[..1] };
    for (name, value) in shown {
        write!(output, "{name:<13}{value:+.4}")?;
        if *value != best {
            write!(output, " ({:+.4})", value - best)?;
        }
        writeln!(output)?;
    }
    let answer = match values.action {
        Action::DoubleBeaver | Action::NoDoubleBeaver | Action::RedoubleBeaver | Action::NoRedoubleBeaver => "Beaver",
        _ if values.double_take <= values.double_pass => "Take",
        _ => "Pass",
    };
    let action = match values.action {
        Action::NotAvailable | Action::DeadCube | Action::DeadOwnCube => "No double".to_owned(),
        action if action.doubles() => format!("Double / {answer}"),
        Action::TooGoodTake | Action::TooGoodPass | Action::TooGoodToRedoubleTake | Action::TooGoodToRedoublePass => {
            format!("Too good to double / {answer}")
        }
        _ => format!("No double / {answer}"),
    };
    writeln!(output, "Best Cube action: {action}")
}
