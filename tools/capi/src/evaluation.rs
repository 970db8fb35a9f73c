//! Values of positions by a player.

use std::ffi::{c_char, c_int};

use tavli::evaluation::Evaluation as KernelEvaluation;
use tavli::evaluators::Probabilities;
use tavli::named::{self, Defaults};
use tavli::{Outcome as KernelOutcome, RuleSet, run};

use crate::cancel::{self, Cancel};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::outcome;
use crate::players;
use crate::pointer::{self, Buffer};
use crate::position::{self, POINTS};
use crate::remarks::remark;
use crate::settings::Rules;
use crate::status::Status;
use crate::text;
use crate::workers::{self, Workers};

/// The value of a position for the player on roll.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The probability of each TavliOutcome, 0 to 1; the rest of the room is 0.
    pub probabilities: [f64; 8],
    /// Mean points without cube, -3 to 3.
    pub equity: f64,
}

impl From<&Probabilities> for Evaluation {
    fn from(value: &Probabilities) -> Evaluation {
        let mut probabilities = [0.0; KernelOutcome::COUNT];
        for &outcome in KernelOutcome::ALL {
            probabilities[outcome as usize] = value.probability(outcome);
        }
        Evaluation { probabilities: outcome::room(&probabilities), equity: value.equity() }
    }
}

/// Values by a player, or by the default one under the rules. Remarks on rules that it has not learned.
pub(crate) fn evaluation(
    player: Option<&str>,
    rules: RuleSet,
    cancel: &run::Cancel,
) -> Result<KernelEvaluation, Failure> {
    let player = player.unwrap_or(Defaults::for_rules(rules).evaluator);
    let evaluator = players::evaluator(player, cancel)?;
    if let Some(found) = named::remark_on_values(evaluator.name(), rules) {
        remark(found);
    }
    Ok(KernelEvaluation::new(evaluator, rules))
}

/// Values positions, `int points[positions][26]`, under a TavliRules, and stores the values in a buffer for one of
/// each. If the game is over, its outcome has the probability 1.
///
/// The player is named, such as "strong", "strong+1ply" or "strong+bearoff", or is the path of its file: an evaluator
/// as in TavliSettings. NULL is every program's default: "strong+bearoff:6+bearoff:6x6", which is exact in bear-offs of
/// at most six checkers a side and nearly so in larger ones, and in mcgammon "sampled". "uniform" and "pubeval" pick
/// plays and value nothing. cancel may be NULL. A call that is cancelled succeeds: count, which may be NULL, is the
/// number of positions that were valued, from the first on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_evaluate(
    points: *const [c_int; 26],
    positions: usize,
    player: *const c_char,
    rules: u32,
    workers: *const Workers,
    cancel: *const Cancel,
    buffer: *mut Evaluation,
    count: *mut usize,
) -> Status {
    guarded(|| {
        pointer::check("buffer", buffer)?;
        // SAFETY: the caller guarantees, until this returns: at `points` are `positions` times 26 unchanged numbers;
        // `player` is NULL or an unchanged text that ends with a zero; `workers` and `cancel` are handles of their own
        // functions, not freed (`cancel` may be NULL); at `buffer` is room for `positions` values, and at `count`,
        // unless it is NULL, for one number.
        let (buffer, points, player, workers, cancel) = unsafe {
            (
                Buffer::new(buffer, positions, "count", count)?,
                pointer::array::<[c_int; POINTS]>("points", points, positions)?,
                text::optional("player", player)?,
                workers::read(workers)?,
                cancel::read(cancel)?,
            )
        };
        let evaluation = evaluation(player, Rules::read(rules)?, &cancel)?;
        // Positions after a cancel are not read: nothing would be stored for them.
        let read = points.iter().take_while(|_| !cancel.is_cancelled());
        let boards = read.enumerate().map(|(index, points)| {
            let board = position::board(points);
            board.map_err(|failure| failure.at_index("position", index))
        });
        let boards = boards.collect::<Result<Vec<_>, Failure>>()?;
        let values = evaluation
            .values(&boards, workers.tier, &workers.workers, &cancel)
            .map_err(|(index, error)| Failure::from(error).at_index("position", index))?;
        let values: Vec<Evaluation> = values.iter().map(Evaluation::from).collect();
        buffer.store(&values)
    })
}
