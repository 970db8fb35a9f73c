//! Positions as inputs of nets.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use tavli::net::Encoder;
use tavli::{Board, Planes};

use crate::arguments::word;
use crate::boards;
use crate::ending;
use crate::interrupt;

/// Turn positions into inputs of a neural net.
///
/// A name stands for one encoding for ever. "raw196" are the raw inputs of TD-Gammon without its two inputs for the
/// turn, since positions are seen by the player on roll: for each of his points, 1 to 24, four (1 if it has a checker,
/// 1 if two, 1 if three, half the number above three), half the number on the bar, the share of 15 that is borne off;
/// then the opponent's 98 in the same way, by the opponent's points. "raw198" adds 1 and 0, the turn.
///
/// Args:
///     points: The positions, seen by the player on roll: an array of shape (n, 26), or a sequence of positions.
///     encoder: One of `tavli.ENCODERS`.
///     sparse: Return only the inputs that are not 0.
///
/// Returns:
///     The inputs: a new float32 array of shape (n, inputs). If sparse, three arrays as `scipy.sparse.csr_array` takes
///     them: the values (m,) as float32, the input of each (m,), and offsets (n + 1,), both as int64. Row i has
///     `values[offsets[i]:offsets[i + 1]]`, in the order of the inputs.
///
/// Raises:
///     PositionError: A row is not a position; the message names the row.
///     SettingsError: There is no such encoder.
///
/// Examples:
///     >>> inputs = tavli.encode([tavli.Position()])
///     >>> inputs.shape, int((inputs != 0).sum())
///     ((1, 196), 26)
///     >>> values, columns, offsets = tavli.encode([tavli.Position()], sparse=True)
///     >>> columns[:3].tolist(), offsets.tolist()
///     ([20, 21, 22], [0, 26])
#[pyfunction]
#[pyo3(signature = (points, encoder="raw196", *, sparse=false))]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    points: &Bound<'py, PyAny>,
    encoder: &str,
    sparse: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let encoder: Encoder = word(encoder)?;
    let boards = boards::read(points)?;
    if sparse {
        let rows = ending::detach(py, || SparseRows::new(encoder, &boards))??;
        let arrays = (rows.values.into_pyarray(py), rows.inputs.into_pyarray(py), rows.offsets.into_pyarray(py));
        return Ok(arrays.into_pyobject(py)?.into_any());
    }
    let width = encoder.inputs();
    let inputs = ending::detach(py, || {
        let mut inputs = vec![0.0_f32; boards.len() * width];
        interrupt::for_each(boards.iter().zip(inputs.chunks_exact_mut(width)), |_, (board, row)| {
            encoder.encode(&Planes::from(*board), |input, value| row[input] = value);
            Ok(())
        })?;
        PyResult::Ok(inputs)
    })??;
    let inputs = inputs.into_pyarray(py).reshape([boards.len(), width])?;
    Ok(inputs.into_any())
}

/// Rows of inputs that are not 0.
struct SparseRows {
    values: Vec<f32>,
    /// The input of each value.
    inputs: Vec<i64>,
    /// Where each row begins, and where the last row ends.
    offsets: Vec<i64>,
}

impl SparseRows {
    fn new(encoder: Encoder, boards: &[Board]) -> PyResult<SparseRows> {
        let mut rows = SparseRows { values: Vec::new(), inputs: Vec::new(), offsets: vec![0] };
        let mut row = Vec::new();
        interrupt::for_each(boards, |_, board| {
            encoder.encode(&Planes::from(*board), |input, value| row.push((input, value)));
            row.sort_unstable_by_key(|&(input, _)| input);
            for (input, value) in row.drain(..) {
                rows.inputs.push(input as i64);
                rows.values.push(value);
            }
            rows.offsets.push(rows.values.len() as i64);
            Ok(())
        })?;
        Ok(rows)
    }
}
