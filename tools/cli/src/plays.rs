//! `tavli plays`: the plays of a turn.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use tavli::Tier;
use tavli::games::PlayableGame;
use tavli::text::Quoted;
use tavli_terminal::answered_lines::{self, Unanswered};
use tavli_terminal::failure::Failure;
use tavli_terminal::interrupt;
use tavli_terminal::line_reader::MAX_LINE_BYTES;
use tavli_terminal::numbers::counted;
use tavli_terminal::output;

use crate::arguments::{self, Format, GameOptions};
use crate::game_turn::{PositionJson, Turn, TurnJson, check_goes_on, is_backgammon};

/// List the plays: the distinct positions that a turn can lead to
///
/// Prints each play in notation, with the position after it as the other player sees it, in backgammon as a Position
/// ID. A roll that cannot be played has one play, which moves nothing.
///
/// tavli plays 4HPwATDgc/ABMA 31
///
/// Without a position, reads lines from standard input: a position and, in a game with dice, a tab and a roll. For
/// each, prints a line with tabs between these columns: the position, the roll if there is one, the number of plays,
/// and the positions after them, sorted and separated by commas. In games other than backgammon a finished position has
/// no plays.
///
/// Further columns of the input, empty lines and lines that begin with # are skipped. Bad lines are reported with their
/// numbers, the others are answered, and the exit status is then 1.
#[derive(Args, Debug)]
pub(crate) struct PlaysArguments {
    #[arg(value_name = "POSITION", help = arguments::POSITION)]
    position: Option<String>,
    /// Roll whose plays are listed, such as 31, in a game with dice [default: the dice of the position]
    #[arg(value_name = "ROLL", allow_negative_numbers = true)]
    roll: Option<String>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct PlaysJson<'a> {
    #[serde(flatten)]
    turn: TurnJson<'a>,
    n: usize,
    plays: Vec<ListedPlayJson>,
}

#[derive(Serialize)]
struct ListedPlayJson {
    moves: String,
    /// The position after it, seen by the other player.
    #[serde(flatten)]
    position: PositionJson,
    /// The checkers that the play hits; absent in games that do not count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<usize>,
}

pub(crate) fn run<G: PlayableGame>(arguments: &PlaysArguments) -> Result<(), Failure> {
    let game: G = arguments.game.with_seed(Tier::best(), 0)?;
    let (rules, json) = (arguments.game.rules::<G>(), arguments.format.json);
    if let Some(position) = &arguments.position {
        let turn = Turn::from_arguments(&game, position, arguments.roll.as_deref())?;
        let document = PlaysJson::new(&game, &turn, turn.rolled()?, rules);
        return arguments.format.write(&document, PlaysJson::print);
    }
    let what = match game.chances().len() {
        1 => "positions",
        _ => "lines of a position, a tab and a roll",
    };
    let cancel = interrupt::cancel_on_interrupt()?;
    answered_lines::answer(what, &cancel, |line, output| {
        let (text, roll) = answered_lines::position_and_roll(line).map_err(Unanswered::Line)?;
        let turn = Turn::read_or_end(&game, text, roll);
        // In backgammon a side that is borne off would leave the other side's plays.
        let turn = turn.and_then(|turn| match is_backgammon::<G>() {
            true => check_goes_on(&game, &turn.position).map(|()| turn),
            false => Ok(turn),
        });
        let turn = turn.map_err(|failure| Unanswered::Line(failure.to_string()))?;
        let is_over = game.points(&turn.position).is_some();
        let Some(chance) = turn.chance.or(is_over.then_some(0)) else {
            let line = Quoted::new(line);
            return Err(Unanswered::Line(format!("'{line}' is not a position, a tab and a roll")));
        };
        if json {
            return Ok(output::json_line(output, &PlaysJson::new(&game, &turn, chance, rules))?);
        }
        // The columns of backgammon stay as they were written; other games write their own.
        let (text, roll) = match is_backgammon::<G>() {
            true => (Quoted::new(text).within(MAX_LINE_BYTES).to_string(), roll),
            false => (game.state(&turn.position), None),
        };
        write!(output, "{text}\t")?;
        if game.chances().len() > 1 {
            let of_turn = || turn.chance.map_or_else(String::new, |chance| game.chance_text(chance));
            write!(output, "{}\t", roll.map_or_else(of_turn, str::to_owned))?;
        }
        // Without the moves in notation, which take longer than all else.
        let results = match is_over {
            true => Vec::new(),
            false => game.results(&turn.position, chance),
        };
        let mut results: Vec<String> = results.iter().map(|result| game.state(result)).collect();
        results.sort_unstable();
        Ok(writeln!(output, "{}\t{}", results.len(), results.join(","))?)
    })
}

impl<'a> PlaysJson<'a> {
    /// The plays in the order of the positions after them; none if the game is over.
    fn new<G: PlayableGame>(game: &G, turn: &Turn<G::Position>, chance: usize, rules: &'a str) -> PlaysJson<'a> {
        let plays = match game.points(&turn.position) {
            Some(_) => Vec::new(),
            None => game.plays(&turn.position, chance),
        };
        let plays = plays.into_iter();
        let plays = plays.map(|play| ListedPlayJson {
            moves: play.moves,
            position: PositionJson::new(game, &play.result),
            hits: play.hits,
        });
        let mut plays: Vec<ListedPlayJson> = plays.collect();
        plays.sort_unstable_by(|a, b| a.position.cmp(&b.position));
        PlaysJson { turn: TurnJson::new(game, turn, rules), n: plays.len(), plays }
    }

    fn print(&self, output: &mut dyn Write) -> io::Result<()> {
        let plays = counted(self.n as u64, "play", "plays");
        let roll = self.turn.roll.as_ref();
        let of = roll.map_or_else(String::new, |roll| format!(" of {roll}"));
        let from = &*self.turn.position;
        writeln!(output, "{plays}{of} from {from}\n")?;
        let width = self.plays.iter().map(|play| play.moves.len()).max().unwrap_or(0);
        for ListedPlayJson { moves, position, .. } in &self.plays {
            writeln!(output, "  {moves:<width$}  {}", &**position)?;
        }
        Ok(())
    }
}
