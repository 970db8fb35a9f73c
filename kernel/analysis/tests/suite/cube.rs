//! Values with the cube by looking ahead are GNU Backgammon's.

use std::io::Read;

use flate2::read::GzDecoder;
use tavli_analysis::cube::{CubePosition, CubeState, OutcomeProbabilities};
use tavli_backgammon::evaluators::EvaluationConditions;
use tavli_backgammon::{NO_STOP, Position, RuleSet, Tier};
use tavli_players::named;

/// A row of [`ROWS`], by the names of its columns.
struct Row<'a> {
    columns: &'a [&'a str],
    cells: Vec<&'a str>,
}

/// Bear-offs at one and two plies: see the README beside the file.
const ROWS: &[u8] = include_bytes!("../data/cube_ahead.tsv.gz");

impl Row<'_> {
    fn text(&self, column: &str) -> &str {
        let place = self.columns.iter().position(|&name| name == column);
        self.cells[place.expect("a column")]
    }

    fn number(&self, column: &str) -> f64 {
        self.text(column).parse().expect("a number")
    }
}

#[test]
fn look_ahead_with_the_cube_gives_the_values_of_gnu_backgammon() {
    let mut text = String::new();
    GzDecoder::new(ROWS).read_to_string(&mut text).expect("UTF-8");
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a head").split('\t').collect();
    // Both of GNU Backgammon's tables: the larger one is one-sided.
    let evaluator = named::evaluator("fast+bearoff:6+bearoff:6x6", NO_STOP).expect("a player with tables");
    let conditions = EvaluationConditions::new(RuleSet::Backgammon, Tier::best());
    let (mut two_sided, mut one_sided) = (Vec::new(), Vec::new());
    for line in lines {
        let row = Row { columns: &columns, cells: line.split('\t').collect() };
        let id = format!("{}:{}", row.text("position_id"), row.text("match_id"));
        let position: Position = id.parse().expect("a position");
        let probabilities = ["win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"];
        let position = CubePosition {
            board: *position.board(),
            state: CubeState::from_context(position.context()).expect("a cube"),
            probabilities: OutcomeProbabilities::new(probabilities.map(|column| row.number(column)))
                .expect("probabilities"),
            plies: row.text("plies").parse().expect("plies"),
            efficiency: None,
        };
        let values = position.values(&*evaluator, &conditions).expect("nothing stops it");
        for (column, value) in [("nd", values.no_double), ("dt", values.double_take), ("dp", values.double_pass)] {
            let error = (value - row.number(column)).abs();
            match row.text("class") {
                "bearoff2" => two_sided.push((error, id.clone(), column)),
                _ => one_sided.push((error, id.clone(), column)),
            }
        }
    }
    let sorted = |errors: &mut Vec<(f64, String, &str)>| errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    sorted(&mut two_sided);
    sorted(&mut one_sided);
    assert!(two_sided.len() > 300 && one_sided.len() > 300);
    // Exact values against a table of 16 bits.
    let worst = two_sided.last().expect("errors");
    assert!(worst.0 < 3e-4, "{worst:?}");
    // GNU Backgammon may choose a different one of nearly equal plays.
    let nearly_all = &one_sided[one_sided.len() * 95 / 100];
    assert!(nearly_all.0 < 1e-4, "{nearly_all:?}");
    let worst = one_sided.last().expect("errors");
    assert!(worst.0 < 1e-2, "{worst:?}");
}
