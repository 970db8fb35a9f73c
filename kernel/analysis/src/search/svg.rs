//! A picture of the first levels of the trees.

use core::fmt::Write;

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Roll};
use tavli_search::Replies;

use super::search_result::{FoundPlay, SearchResult};

/// How many plays are drawn: the best.
const PLAYS: usize = 5;
/// How many rolls are drawn after a play: the most visited.
const ROLLS: usize = 3;
/// The heights of a row and of the box in it.
const ROW: usize = 40;
const BOX: usize = 32;
/// The left edges of the plays, the rolls and the replies.
const COLUMNS: [usize; 3] = [80, 290, 400];
/// The widths of their boxes.
const WIDTHS: [usize; 3] = [170, 70, 170];
/// The height of the line above the tree.
const HEAD: usize = 30;

/// The elements of a picture, row by row.
#[derive(Default)]
struct Drawing {
    elements: String,
    /// The number of rows in use.
    rows: usize,
}

impl Drawing {
    const fn middle(row: usize) -> usize {
        HEAD + row * ROW + ROW / 2
    }

    /// Draws a box of a column in a row, with two lines of text.
    fn node(&mut self, column: usize, row: usize, title: &str, counts: &str) {
        let (x, width, middle) = (COLUMNS[column], WIDTHS[column], Drawing::middle(row));
        let (top, center) = (middle - BOX / 2, x + width / 2);
        let (upper, lower) = (middle - 3, middle + 11);
        let _ = write!(
            self.elements,
            r##"<rect x="{x}" y="{top}" width="{width}" height="{BOX}" rx="4" fill="#f3efe6" stroke="#8a7a5c"/><text x="{center}" y="{upper}">{title}</text><text x="{center}" y="{lower}" font-size="10" fill="#5c5140">{counts}</text>"##
        );
    }

    /// Draws a line from a point to a box, as thick as its share of the visits.
    fn edge(&mut self, from: (usize, usize), column: usize, row: usize, share: f64) {
        let (x, y) = from;
        let (end, middle) = (COLUMNS[column], Drawing::middle(row));
        let bend = x.midpoint(end);
        let width = 1.0 + 7.0 * share;
        let _ = write!(
            self.elements,
            r##"<path d="M{x} {y}C{bend} {y} {bend} {middle} {end} {middle}" fill="none" stroke="#b9a98a" stroke-width="{width:.2}"/>"##
        );
    }
}

/// The right end of a box.
const fn right_of(column: usize, row: usize) -> (usize, usize) {
    (COLUMNS[column] + WIDTHS[column], Drawing::middle(row))
}

fn share(part: u64, all: u64) -> f64 {
    // Before the first simulation no line has a share.
    part as f64 / all.max(1) as f64
}

impl SearchResult {
    /// The first levels of the trees as a scalable `svg` element: the best plays, the most visited rolls after each,
    /// and the most visited reply to each roll. Lines are as thick as their share of the visits. Each box has its
    /// visits and its mean value for the player on roll. A search without trees, or one that was read from a file,
    /// shows only its plays.
    #[must_use]
    pub fn svg(&self) -> String {
        let plays = self.plays();
        let mut drawing = Drawing::default();
        let simulations = self.root().simulations();
        let drawn = &plays[..plays.len().min(PLAYS)];
        let rows: usize = drawn.iter().map(|play| most_visited(play).len().max(1)).sum();
        // A roll has a play, and each play a row, so there is a last row.
        let root = (COLUMNS[0] - 60, Drawing::middle(0).midpoint(Drawing::middle(rows - 1)));
        for play in drawn {
            self.draw_play(play, root, simulations, &mut drawing);
        }
        let Drawing { elements, rows } = drawing;
        let width = COLUMNS[2] + WIDTHS[2] + 10;
        let height = HEAD + rows * ROW + 10;
        let (x, y) = root;
        let roll = self.roll();
        let title = format!(
            "{roll} from {}: {simulations} simulations by {}",
            self.board().position_id(),
            self.settings().method
        );
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="12" text-anchor="middle"><rect width="{width}" height="{height}" fill="#ffffff"/><text x="10" y="20" text-anchor="start">{title}</text>{elements}<circle cx="{x}" cy="{y}" r="16" fill="#8a7a5c"/><text x="{x}" y="{}" fill="#ffffff">{roll}</text></svg>"##,
            y + 4
        )
    }

    /// Draws a play with the rolls and the replies after it.
    fn draw_play(&self, play: &FoundPlay<'_>, root: (usize, usize), simulations: u64, drawing: &mut Drawing) {
        let rolls = most_visited(play);
        let first = drawing.rows;
        drawing.rows += rolls.len().max(1);
        let row = first + (drawing.rows - first - 1) / 2;
        let value = counts(play.root_choice.visits, play.root_choice.value());
        // Lines before the boxes at their ends, which are drawn over them.
        drawing.edge(root, 0, row, share(play.root_choice.visits, simulations));
        let from = right_of(0, row);
        for (at, replies) in (first..).zip(rolls) {
            drawing.edge(from, 1, at, share(replies.visits, play.root_choice.visits));
            let roll = Roll::ALL[replies.chance];
            // Of equal ones `max_by_key` takes the last, which in this order is the first reply.
            let best = replies.choices.iter().enumerate().rev();
            if let Some((choice, reply)) = best.max_by_key(|(_, reply)| reply.visits) {
                drawing.edge(right_of(1, at), 2, at, share(reply.visits, replies.visits));
                let moves = self.moves_of(play.board, roll, choice);
                drawing.node(2, at, &moves, &counts(reply.visits, -reply.value()));
            }
            drawing.node(1, at, &roll.to_string(), &replies.visits.to_string());
        }
        drawing.node(0, row, play.moves, &value);
    }

    fn moves_of(&self, board: &Board, roll: Roll, choice: usize) -> String {
        let plays = Plays::new(board, roll, self.rules());
        let play = plays.get(choice).expect("a reply is one of the plays");
        plays.moves(&play).to_string()
    }
}

fn counts(visits: u64, value: f64) -> String {
    format!("{visits}  {value:+.3}")
}

/// The rolls that are drawn after a play, the most visited first.
fn most_visited<'a>(play: &FoundPlay<'a>) -> Vec<&'a Replies> {
    let mut rolls: Vec<&Replies> = play.line_and_replies.replies.iter().collect();
    rolls.sort_by_key(|replies| core::cmp::Reverse(replies.visits));
    rolls.truncate(ROLLS);
    rolls
}
