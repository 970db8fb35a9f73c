//! The doubling cube: values with it, and the right action.

use std::ffi::c_char;
use std::ptr::null_mut;

use tavli::cube::{self, CubeInPlay, CubeState, CubeValues as KernelValues, OutcomeProbabilities};
use tavli::evaluation::RolledError;
use tavli::{Board, Playouts, Position, rollout};

use crate::cancel::{self, Cancel};
use crate::candidate_result::Statistic;
use crate::evaluation::{Evaluation, evaluation};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{self, Buffer, OutPointer};
use crate::remarks;
use crate::settings::Rules;
use crate::status::Status;
use crate::text;
use crate::workers::{self, Workers};

/// Bytes for the words of an action. The longest are "Never redouble, take (dead cube)", and a zero.
pub const TAVLI_ACTION_SIZE: usize = 40;

/// The values of a position with the cube for the player on roll, before the roll: in money games as shares of the cube
/// before a double, in matches equivalent to that, where -1 is a lost and +1 a won single game.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeValues {
    /// The player on roll does not double.
    pub no_double: f64,
    /// He doubles and the opponent takes, whether he may double or not.
    pub double_take: f64,
    /// He doubles and the opponent passes: 1.
    pub double_pass: f64,
    /// Without a cube, or with one that is never turned.
    pub cubeless: f64,
    /// The right action, in GNU Backgammon's words, such as "Double, take", ended by a zero.
    pub action: [c_char; 40],
}

const _: () = assert!(TAVLI_ACTION_SIZE == 40, "as written for cbindgen");

/// The value of a position for the player on roll, without the cube and with it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeEvaluation {
    /// Without the cube.
    pub cubeless: Evaluation,
    /// With the cube and the score of the position. If the game is over, the values are the points of its end, and the
    /// action is "Not available".
    pub cube: CubeValues,
}

/// The decision of a rollout about a double. Values are in units of the cube before it, in matches equivalent to that.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CubeDecision {
    /// Without a double.
    pub no_double: Statistic,
    /// After a double that is taken; if the player on roll may not double, all numbers are NaN.
    pub double_take: Statistic,
    /// The means of both, and the right action by them. If the player on roll may not double, the value after a double
    /// is the value without one.
    pub values: CubeValues,
}

impl CubeValues {
    /// The values of a position in which nothing is to be decided.
    const NONE: CubeValues = CubeValues {
        no_double: f64::NAN,
        double_take: f64::NAN,
        double_pass: f64::NAN,
        cubeless: f64::NAN,
        action: [0; TAVLI_ACTION_SIZE],
    };
}

impl From<Option<rollout::CubeDecision>> for CubeDecision {
    fn from(decision: Option<rollout::CubeDecision>) -> CubeDecision {
        match decision {
            Some(decision) => CubeDecision {
                no_double: decision.no_double.into(),
                double_take: decision.double_take.map_or(Statistic::NONE, Statistic::from),
                values: decision.values.into(),
            },
            None => CubeDecision { no_double: Statistic::NONE, double_take: Statistic::NONE, values: CubeValues::NONE },
        }
    }
}

impl From<KernelValues> for CubeValues {
    fn from(values: KernelValues) -> CubeValues {
        let text = values.action.text();
        assert!(text.len() < TAVLI_ACTION_SIZE, "'{text}' is longer than actions are");
        let mut action = [0; TAVLI_ACTION_SIZE];
        for (to, byte) in action.iter_mut().zip(text.bytes()) {
            *to = c_char::from_ne_bytes([byte]);
        }
        CubeValues {
            no_double: values.no_double,
            double_take: values.double_take,
            double_pass: values.double_pass,
            cubeless: values.cubeless,
            action,
        }
    }
}

/// Values a position with the cube and the score of its text, such as "PositionID:MatchID" or an XGID, and finds the
/// right action with the cube.
///
/// The chances are the player on roll's, before the roll, to win, win a gammon, win a backgammon, lose a gammon and
/// lose a backgammon: sums of the probabilities that tavli_evaluate gives, as wins count gammons, and gammons count
/// backgammons. The values come from Janowski's model with the efficiencies and the match equity table of GNU
/// Backgammon; bear-offs of at most six checkers a side have exact equities in money games, to 0.0001 of a cube: their
/// table has steps of 16 bits. A text with dice is refused: the chances would belong to another position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cube_values(
    chances: *const f64,
    position: *const c_char,
    values: *mut CubeValues,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: at `chances` are five unchanged numbers; `position` is an
        // unchanged text that ends with a zero; at `values` is room for values.
        let (place, chances, text) = unsafe {
            (
                OutPointer::new("values", values)?,
                pointer::reference("chances", chances.cast::<[f64; 5]>())?,
                text::read("position", position)?,
            )
        };
        place.store(values_of(chances, text)?);
        Ok(())
    })
}

/// Values many positions as tavli_cube_values does: five chances after five at `double *chances`, and a text for each
/// position, `const char *texts[positions]`. The values are stored in a buffer for one of each. If one position cannot
/// be valued nothing is stored, and the message names the position, counted from 0, and its chances or its text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_cube_values_many(
    chances: *const f64,
    texts: *const *const c_char,
    positions: usize,
    buffer: *mut CubeValues,
) -> Status {
    guarded(|| {
        pointer::check("buffer", buffer)?;
        // SAFETY: the caller guarantees, until this returns: at `chances` are `positions` times five unchanged numbers,
        // and at `texts` as many pointers as positions; at `buffer` is room for `positions` values.
        let (buffer, chances, texts) = unsafe {
            (
                Buffer::new(buffer, positions, "count", null_mut())?,
                pointer::array("chances", chances.cast::<[f64; 5]>(), positions)?,
                pointer::array("texts", texts, positions)?,
            )
        };
        let values = chances.iter().zip(texts).enumerate().map(|(index, (chances, &text))| {
            // SAFETY: the caller guarantees, until this returns: `text`, one of the pointers at `texts`, is NULL or an
            // unchanged text that ends with a zero.
            let text = unsafe { text::read("texts", text) };
            let values = text.and_then(|text| values_of(chances, text));
            values.map_err(|failure| failure.at_index("position", index))
        });
        buffer.store(&values.collect::<Result<Vec<CubeValues>, Failure>>()?)
    })
}

/// The values of a position with the cube of its text. A failure names the argument.
fn values_of(chances: &[f64; 5], text: &str) -> Result<CubeValues, Failure> {
    let chances = OutcomeProbabilities::new(*chances).map_err(|error| Failure::new(Status::Settings, error))?;
    let position = remarks::position(text)?;
    RolledError::check(&position)?;
    let found = cube::values(&position, &chances).map_err(|error| Failure::new(Status::Position, error))?;
    Ok(found.into())
}

/// Values positions with a player under a TavliRules, as tavli_evaluate does, and with the cube and the score of each:
/// `const char *texts[positions]`, such as "PositionID:MatchID" or an XGID. The values are stored in a buffer for one
/// of each.
///
/// A text with dice is refused, since values are for the player before the roll. player, rules, cancel and count are as
/// in tavli_evaluate. "strong+1ply" and other players that look ahead do so without the cube, whose values then follow
/// from the chances that they find. Hypergammon has no values with the cube.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_evaluate_with_cube(
    texts: *const *const c_char,
    positions: usize,
    player: *const c_char,
    rules: u32,
    workers: *const Workers,
    cancel: *const Cancel,
    buffer: *mut CubeEvaluation,
    count: *mut usize,
) -> Status {
    guarded(|| {
        pointer::check("buffer", buffer)?;
        // SAFETY: the caller guarantees, until this returns: at `texts` are `positions` unchanged pointers; `player` is
        // NULL or an unchanged text that ends with a zero; `workers` and `cancel` are handles of their own functions,
        // not freed (`cancel` may be NULL); at `buffer` is room for `positions` values, and at `count`, unless it is
        // NULL, for one number.
        let (buffer, texts, player, workers, cancel) = unsafe {
            (
                Buffer::new(buffer, positions, "count", count)?,
                pointer::array("texts", texts, positions)?,
                text::optional("player", player)?,
                workers::read(workers)?,
                cancel::read(cancel)?,
            )
        };
        let rules = Rules::read(rules)?;
        let evaluation = evaluation(player, rules, &cancel)?;
        if !rules.has_cube_efficiency() {
            let message = format!("no efficiency of the cube is known for {rules}: tavli_evaluate values without cube");
            return Err(Failure::new(Status::Settings, message));
        }
        // Positions after a cancel are not read: nothing would be stored for them.
        let read = texts.iter().take_while(|_| !cancel.is_cancelled());
        let asked = read.enumerate().map(|(index, &text)| {
            // SAFETY: the caller guarantees, until this returns: each `text` is an unchanged text that ends with a
            // zero, or NULL, which is refused.
            let text = unsafe { text::read("texts", text) };
            let position = text.and_then(with_cube).and_then(|(position, cube)| {
                RolledError::check(&position)?;
                let board = *position.board();
                if rules.outcome(&board).is_none() {
                    Playouts::new(board, rules, 0)?;
                }
                Ok((board, Some(cube)))
            });
            position.map_err(|failure| failure.at_index("position", index))
        });
        // All are checked before one is valued, which may take hours.
        let asked = asked.collect::<Result<Vec<(Board, Option<CubeInPlay>)>, Failure>>()?;
        let mut values = Vec::new();
        // Each chunk is copied for the workers, without a look at the switch.
        for chunk in asked.chunks(1 << 16) {
            if cancel.is_cancelled() {
                break;
            }
            let valued = evaluation.decisions(chunk, workers.tier, &workers.workers, &cancel);
            let valued =
                valued.map_err(|(index, error)| Failure::from(error).at_index("position", values.len() + index))?;
            values.extend(valued.iter().map(|valued| CubeEvaluation {
                cubeless: Evaluation::from(&valued.value),
                cube: valued.cube.map_or(CubeValues::NONE, CubeValues::from),
            }));
        }
        buffer.store(&values)
    })
}

/// A position, and the cube and the score that its text names; without them a money game's.
pub(crate) fn with_cube(text: &str) -> Result<(Position, CubeInPlay), Failure> {
    let position = remarks::position(text)?;
    let state = CubeState::from_context(position.context()).map_err(|error| Failure::new(Status::Position, error))?;
    let efficiency = None;
    Ok((position, CubeInPlay { state, efficiency }))
}
