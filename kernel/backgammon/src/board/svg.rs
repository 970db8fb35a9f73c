//! The board drawn as a picture.

use core::fmt;

use super::context::{Cube, TurnStage};
use super::diagram::{LOWER, ROWS, UPPER, letter, points};
use crate::board::position::Position;
use crate::board::side::Side;
use crate::board::side_checkers::{BAR, CHECKERS};

/// Units of the picture: the width of a point.
const STEP: u32 = 40;
/// The radius of a checker, which leaves a little space around it.
const RADIUS: u32 = 19;
/// The rim around the board, on which the points are numbered.
const RIM: u32 = 22;
/// The rim's width at the left, where the cube lies.
const LEFT: u32 = 48;
/// The upper edge of the playing surface, below the text about the player at the top.
const TOP: u32 = 30 + RIM;
/// The height of a half of the board.
const HALF: u32 = 220;
const BOTTOM: u32 = TOP + 2 * HALF;
/// The bar, between the sixth and the seventh column.
const BAR_LEFT: u32 = LEFT + 6 * STEP;
/// The right edge of the playing surface.
const RIGHT: u32 = LEFT + 13 * STEP;
/// Where the checkers borne off lie.
const TRAY: u32 = RIGHT + RIM;
/// The height of a checker on its edge.
const SLAB: u32 = 12;
const WIDTH: u32 = TRAY + STEP + RIM;
const HEIGHT: u32 = BOTTOM + RIM + 30;
/// The edge of a die, and of the cube.
const DIE: u32 = 32;
/// The colour of the rim, of a point's surroundings, and of text.
const WOOD: &str = "#5d3f28";
const FELT: &str = "#e6d3b1";
const INK: &str = "#3b2a1a";

/// A picture of a position, in SVG: one element of 652 by 544 units, which scales and needs nothing else. The
/// player on roll has the light checkers, sits at the bottom, and moves from the upper right corner to the lower
/// right one, as in the [`Diagram`](super::Diagram); checkers borne off lie right of the board.
///
/// ```
/// use tavli_backgammon::{Board, Position};
/// let picture = Position::from(Board::START).svg().to_string();
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>"));
/// // Two players of fifteen checkers, two discs each, and one disc beside the text about each player.
/// assert_eq!(picture.matches("<circle").count(), 62);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Svg {
    position: Position,
    checkers: u8,
}

impl Position {
    /// A picture of the board, the player on roll at the bottom. Checkers that 15 a side lack are borne off.
    #[must_use]
    pub const fn svg(&self) -> Svg {
        Svg { position: *self, checkers: CHECKERS }
    }
}

impl Svg {
    /// Sets the number of checkers that a side begins a game with,
    /// [`RuleSet::checkers`](crate::RuleSet::checkers). Those that it lacks are borne off.
    #[must_use]
    pub const fn with_checkers(self, checkers: u8) -> Svg {
        Svg { checkers, ..self }
    }
}

/// The colours of a player's checkers: their face, their rim, and the number on them.
const fn colours(player: Side) -> [&'static str; 3] {
    match player {
        Side::OnRoll => ["#f6efe0", "#8b6f4e", "#3b2a1a"],
        Side::Opponent => ["#3a322c", "#14100d", "#f6efe0"],
    }
}

/// The height of something `distance` away from a player's edge of the board.
const fn away(player: Side, distance: u32) -> u32 {
    match player {
        Side::OnRoll => BOTTOM - distance,
        Side::Opponent => TOP + distance,
    }
}

/// The left edge of a column of points, counted from the left.
fn left(column: usize) -> u32 {
    // The bar lies between two halves of six.
    LEFT + STEP * (column as u32 + u32::from(column >= 6))
}

/// Text around or beside a point of the picture.
fn text(
    f: &mut fmt::Formatter<'_>,
    (x, y): (u32, u32),
    anchor: &str,
    (ink, size): (&str, u32),
    text: &str,
) -> fmt::Result {
    // Nothing is escaped: all texts are the program's own, numbers and words.
    write!(f, r#"<text x="{x}" y="{y}" fill="{ink}" font-size="{size}" text-anchor="{anchor}">{text}</text>"#)
}

/// A disc around a centre.
fn disc(f: &mut fmt::Formatter<'_>, (x, y): (u32, u32), radius: u32, player: Side) -> fmt::Result {
    let [face, rim, _] = colours(player);
    write!(f, r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{face}" stroke="{rim}" stroke-width="1.5"/>"#)
}

/// A square with rounded corners around a centre.
fn square(f: &mut fmt::Formatter<'_>, (x, y): (u32, u32), face: &str, rim: &str) -> fmt::Result {
    write!(
        f,
        r#"<rect x="{x}" y="{y}" width="{DIE}" height="{DIE}" rx="6" fill="{face}" stroke="{rim}" stroke-width="1.5"/>"#,
        x = x - DIE / 2,
        y = y - DIE / 2,
    )
}

/// The board without checkers.
fn board(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(
        f,
        r#"<rect y="{y}" width="{WIDTH}" height="{height}" rx="8" fill="{WOOD}"/>"#,
        y = TOP - RIM,
        height = 2 * (HALF + RIM),
    )?;
    for (x, width) in [(LEFT, 6 * STEP), (BAR_LEFT + STEP, 6 * STEP), (TRAY, STEP)] {
        write!(f, r#"<rect x="{x}" y="{TOP}" width="{width}" height="{height}" fill="{FELT}"/>"#, height = 2 * HALF,)?;
    }
    for half in [UPPER, LOWER] {
        for (column, point) in half.points.into_iter().enumerate() {
            let (left, centre) = (left(column), left(column) + STEP / 2);
            write!(
                f,
                r#"<path d="M{left} {edge}h{STEP}L{centre} {tip}z" fill="{colour}"/>"#,
                edge = away(half.player, 0),
                tip = away(half.player, HALF - 25),
                colour = ["#a9683c", "#cda573"][usize::from(point % 2)],
            )?;
            let number = match half.player {
                Side::OnRoll => BOTTOM + 16,
                Side::Opponent => TOP - 7,
            };
            text(f, (centre, number), "middle", (FELT, 13), &point.to_string())?;
        }
    }
    Ok(())
}

/// A stack of checkers from a player's edge; a number counts them if there are more than five.
fn stack(f: &mut fmt::Formatter<'_>, edge: Side, x: u32, owner: Side, count: u8) -> fmt::Result {
    for height in 0..count.min(ROWS) {
        let y = away(edge, STEP / 2 + STEP * u32::from(height));
        disc(f, (x, y), RADIUS, owner)?;
        if height == ROWS - 1 && count > ROWS {
            let [_, _, ink] = colours(owner);
            text(f, (x, y + 6), "middle", (ink, 18), &count.to_string())?;
        } else {
            disc(f, (x, y), RADIUS - 6, owner)?;
        }
    }
    Ok(())
}

/// Checkers borne off, lying on their edges.
fn borne_off(f: &mut fmt::Formatter<'_>, player: Side, count: u8) -> fmt::Result {
    let [face, rim, _] = colours(player);
    for nth in 0..u32::from(count) {
        // The distance of the middle, which is the same from both edges.
        let y = away(player, SLAB / 2 + 1 + SLAB * nth) - SLAB / 2;
        write!(
            f,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" fill="{face}" stroke="{rim}"/>"#,
            x = TRAY + 3,
            width = STEP - 6,
            height = SLAB - 1,
        )?;
    }
    Ok(())
}

/// A die of the player on roll.
fn die(f: &mut fmt::Formatter<'_>, (x, y): (u32, u32), number: u8) -> fmt::Result {
    /// Which of nine places, row by row, each number marks.
    const MARKS: [u16; 6] = [0b000_010_000, 0b100_000_001, 0b100_010_001, 0b101_000_101, 0b101_010_101, 0b101_101_101];
    let [face, rim, ink] = colours(Side::OnRoll);
    square(f, (x, y), face, rim)?;
    let marks = MARKS[usize::from(number) - 1];
    for place in (0..9).filter(|place| marks >> place & 1 == 1) {
        let (x, y) = (x - 9 + 9 * (place % 3), y - 9 + 9 * (place / 3));
        write!(f, r#"<circle cx="{x}" cy="{y}" r="3" fill="{ink}"/>"#)?;
    }
    Ok(())
}

/// The doubling cube.
fn cube(f: &mut fmt::Formatter<'_>, cube: &Cube) -> fmt::Result {
    let y = match cube.owner {
        None => TOP + HALF,
        Some(player) => away(player, DIE / 2),
    };
    square(f, (LEFT / 2, y), "#ffffff", INK)?;
    let value = (1_u32 << cube.log2).to_string();
    // The largest cube, 32768, has five digits.
    let size = [18, 18, 15, 12, 10][value.len() - 1];
    text(f, (LEFT / 2, y + size / 3), "middle", (INK, size), &value)
}

/// The texts at the left and at the right, above or below the board.
fn caption(f: &mut fmt::Formatter<'_>, y: u32, position: &Position, player: Side, right: &str) -> fmt::Result {
    let (side, score) = position.player(player);
    let left = format!("{}: {} pips, {}", letter(player), side.pips(), points(score));
    disc(f, (9, y - 5), 8, player)?;
    text(f, (24, y), "start", (INK, 15), &left)?;
    text(f, (WIDTH, y), "end", (INK, 15), right)
}

impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position;
        let context = position.context();
        write!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" style="max-width:100%;height:auto;background:#ffffff" font-family="sans-serif" role="img"><title>{}</title>"#,
            position.xgid()
        )?;
        let diagram = position.diagram();
        caption(f, 18, position, Side::Opponent, &diagram.cube())?;
        board(f)?;
        for half in [UPPER, LOWER] {
            let player = half.player;
            for (column, point) in half.points.into_iter().enumerate() {
                let x = left(column) + STEP / 2;
                let counts = [(Side::OnRoll, point), (Side::Opponent, BAR - point)];
                for (owner, point) in counts {
                    stack(f, player, x, owner, position.player(owner).0.count(point))?;
                }
            }
            let (side, _) = position.player(player);
            stack(f, player, BAR_LEFT + STEP / 2, player, side.bar())?;
            borne_off(f, player, side.borne_off(self.checkers))?;
        }
        if let TurnStage::Rolled(roll) = context.stage {
            let x = BAR_LEFT + 4 * STEP;
            die(f, (x - 22, TOP + HALF), roll.high())?;
            die(f, (x + 22, TOP + HALF), roll.low())?;
        }
        cube(f, &context.cube)?;
        caption(f, HEIGHT - 9, position, Side::OnRoll, &diagram.stage())?;
        f.write_str("</svg>")
    }
}
