//! Words of commands, and positions and values as GNU Backgammon writes them.

use std::fmt::Write;

use tavli::cube::CubeValues;
use tavli::evaluators::Probabilities;
use tavli::transcript::{Action, Step};
use tavli::{Context, Position, Seat, Side, Stakes, TurnStage};
use tavli_terminal::numbers::counted;

/// The columns of the board in a drawing, up to the line at its right.
const BOARD: usize = 44;

/// The columns of checkers borne off, and the columns next to them.
const TRAY: usize = 5;

/// The edges of the board as the player at the top numbers its points.
const TWELVE_TO_ONE: &str = " +12-11-10--9--8--7-------6--5--4--3--2--1-+";
const THIRTEEN_TO_24: &str = " +13-14-15-16-17-18------19-20-21-22-23-24-+";

/// The words of a command, up to a comment.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split('#').next().unwrap_or_default().split_whitespace()
}

/// The board as GNU Backgammon draws it, with the names of the players at the top and at the bottom. The bottom player
/// is X, and the points are numbered for the player on roll.
pub(super) fn drawing(position: &Position, [top, bottom]: [&str; 2]) -> String {
    let mut text = String::new();
    let context = position.context();
    let is_top = context.seat == Seat::Top;
    let (board, scores) = match is_top {
        true => (position.board().swapped(), [context.score, context.opponent_score]),
        false => (*position.board(), [context.opponent_score, context.score]),
    };
    let [score_of_top, score_of_bottom] = scores.map(|score| counted(score, "point", "points"));
    let (length, crawford) = match context.stakes {
        Stakes::Money { .. } => (None, false),
        Stakes::Match { length, crawford } => (Some(length), crawford),
    };
    let cube = format!("(Cube: {})", 1_u32 << context.cube.log2);
    let owner = context.cube.owner.map(|owner| match owner {
        Side::OnRoll => context.seat,
        Side::Opponent => other_seat(context.seat),
    });
    let owned = |seat: Seat| {
        if owner == Some(seat) { format!(" {cube}") } else { String::new() }
    };
    let mut middle = length.map_or_else(String::new, |length| format!("{} match", counted(length, "point", "points")));
    if crawford {
        middle.push_str(" (Crawford game)");
    } else if owner.is_none() {
        let blank = if middle.is_empty() { "" } else { " " };
        middle.push_str(&format!("{blank}{cube}"));
    }
    let on_roll = match context.stage {
        TurnStage::Rolled(roll) => format!("Rolled {roll}"),
        TurnStage::Doubled => format!("Cube offered at {}", 2_u32 << context.cube.log2),
        _ => "On roll".to_owned(),
    };
    let _ = writeln!(text, " GNU Backgammon  Position ID: {}", position.position_id());
    let _ = writeln!(text, "                 Match ID   : {}", position.match_id());
    let diagram = Position::from(board).diagram().to_string();
    for (row, line) in diagram.lines().enumerate() {
        let (board, right) = line.split_at(line.len().min(BOARD));
        let board = match (row, is_top) {
            (0, true) => TWELVE_TO_ONE,
            (12, true) => THIRTEEN_TO_24,
            (6, true) => &board.replacen('v', "^", 1),
            _ => board,
        };
        let borne_off = &right[..right.len().min(TRAY)];
        let right = match row {
            0 => format!("O: {top}{}", owned(Seat::Top)),
            1 => score_of_top.clone(),
            2 if is_top => on_roll.clone(),
            6 => middle.clone(),
            10 if !is_top => on_roll.clone(),
            11 => score_of_bottom.clone(),
            12 => format!("X: {bottom}{}", owned(Seat::Bottom)),
            _ => String::new(),
        };
        let _ = writeln!(text, "{}", format!("{board}{borne_off:<TRAY$}{right}").trim_end());
    }
    text
}

/// The analysis of a decision about the cube, as the player on roll sees it, or as his opponent who was doubled does.
pub(super) fn cube_analysis(
    plies: u32,
    position: &Position,
    decision: (Probabilities, CubeValues),
    who: Side,
    digits: usize,
) -> String {
    let (value, cube) = decision;
    let (value, sign) = match who {
        Side::OnRoll => (value, 1.0),
        Side::Opponent => (value.reversed(), -1.0),
    };
    let mut text = format!("\nCube analysis\n{plies}-ply cubeless equity {:+.digits$}", sign * cube.cubeless);
    if let Stakes::Match { .. } = position.context().stakes {
        let _ = write!(text, " (Money: {:+.digits$})", value.equity());
    }
    text + &format!("\n  {}\n{}", shares(&value, digits), cube_equities(&cube, sign, digits))
}

/// The equities of the actions with the cube, times `sign`, and the right action.
pub(super) fn cube_equities(cube: &CubeValues, sign: f64, digits: usize) -> String {
    let mut text = "Cubeful equities:\n".to_owned();
    let best = cube.best();
    for (number, (name, value)) in (1..).zip(cube.alternatives()) {
        let _ = write!(text, "{number}. {name:<20}{:+.digits$}", sign * value);
        if number > 1 {
            let _ = write!(text, "  ({:+.digits$})", sign * (value - best));
        }
        text.push('\n');
    }
    let _ = write!(text, "Proper cube action: {}", cube.action);
    if let Some(share) = cube.wrong_answers() {
        let _ = write!(text, " ({:.1}%)", 100.0 * share);
    }
    text + "\n"
}

/// The position of a step with the first player of the match at the top, where GNU Backgammon has him.
pub(super) fn seated(step: &Step) -> Position {
    let on_roll = match step.action {
        Action::Double | Action::Play { .. } => step.player,
        Action::Take | Action::Pass => 1 - step.player,
    };
    let context = Context { seat: if on_roll == 0 { Seat::Top } else { Seat::Bottom }, ..*step.position.context() };
    Position::new(*step.position.board(), context).expect("the same game from another side")
}

/// GNU Backgammon's name for a kind of decision in a sentence.
pub(super) fn name_of(what: &str) -> &'static str {
    if what.starts_with("cube") { "cube decisions" } else { "chequerplay" }
}

pub(super) fn other_seat(seat: Seat) -> Seat {
    match seat {
        Seat::Top => Seat::Bottom,
        Seat::Bottom => Seat::Top,
    }
}

/// The name of a file, which may stand between quotation marks.
pub(super) fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

/// The shares of the outcomes in GNU Backgammon's row.
pub(super) fn shares(value: &Probabilities, digits: usize) -> String {
    let of = |points: [i32; 3]| points.map(|points| format!("{:.digits$}", value.at_least(points))).join(" ");
    format!("{} - {}", of([1, 2, 3]), of([-1, -2, -3]))
}
