"""Inputs of nets against an encoder of its own."""

import re
from pathlib import Path

import numpy as np
import pytest
import tavli
from numpy.typing import NDArray


def raw196(points: NDArray[np.int8]) -> list[float]:
    """The inputs, word for word from their description."""
    own = [max(int(number), 0) for number in points]
    other = [max(-int(number), 0) for number in points[::-1]]
    inputs: list[float] = []
    for side in (own, other):
        for checkers in side[1:25]:
            inputs += [checkers >= 1, checkers >= 2, checkers >= 3, max(checkers - 3, 0) / 2]
        inputs += [side[25] / 2, (15 - sum(side[1:])) / 15]
    return [float(number) for number in inputs]


def positions() -> NDArray[np.int8]:
    """Positions of random games, those at their ends among them."""
    games = tavli.Games(60, seed=7)
    random = np.random.default_rng(8)
    parts = []
    for _ in range(90):
        parts.append(games.points)
        games.make(random.integers(np.diff(games.roll().offsets)))
    return np.concatenate(parts)


def test_inputs_are_those_of_the_description() -> None:
    points = positions()
    inputs = tavli.encode(points, "raw196")
    assert inputs.shape == (len(points), 196) and inputs.dtype == np.float32
    expected = np.array([raw196(row) for row in points], np.float32)
    np.testing.assert_array_equal(inputs, expected)
    # Bars, stacks and checkers borne off are among them, of both sides.
    assert (inputs[:, [96, 97, 194, 195]] > 0).any(axis=0).all()
    turn = np.tile(np.array([1, 0], np.float32), (len(points), 1))
    np.testing.assert_array_equal(tavli.encode(points, "raw198"), np.hstack([expected, turn]))
    np.testing.assert_array_equal(tavli.encode(points), expected)


def test_sparse_inputs_are_the_same() -> None:
    points = positions()[::7]
    for encoder in tavli.ENCODERS:
        dense = tavli.encode(points, encoder)  # type: ignore[call-overload]
        values, columns, offsets = tavli.encode(points, encoder, sparse=True)  # type: ignore[call-overload]
        assert (values.dtype, columns.dtype, offsets.dtype) == (np.float32, np.int64, np.int64)
        rows, of_rows = np.nonzero(dense)
        np.testing.assert_array_equal(columns, of_rows)
        np.testing.assert_array_equal(values, dense[rows, of_rows])
        np.testing.assert_array_equal(np.diff(offsets), (dense != 0).sum(axis=1))
        assert offsets[0] == 0


def test_positions_are_taken_in_every_form() -> None:
    position = tavli.Position("4HPwATDgc/ABMA")
    expected = tavli.encode(position.points[None])
    for points in (
        [position],
        ["4HPwATDgc/ABMA"],
        [position.points.tolist()],
        position.points[None].astype(np.uint64, casting="unsafe").astype(np.int32),
    ):
        np.testing.assert_array_equal(tavli.encode(points), expected)
    assert tavli.encode(np.zeros((0, 26), np.int8)).shape == (0, 196)
    values, columns, offsets = tavli.encode([], sparse=True)
    assert (len(values), len(columns), offsets.tolist()) == (0, 0, [0])


def test_what_cannot_be_encoded_is_refused() -> None:
    with pytest.raises(tavli.SettingsError, match="unknown encoder 'raw200'; choose one of: raw196, raw198"):
        tavli.encode([tavli.Position()], "raw200")  # type: ignore[call-overload]
    with pytest.raises(tavli.PositionError, match="row 1"):
        tavli.encode([tavli.Position(), [16] + [0] * 25])
    with pytest.raises(TypeError, match="positions are an array"):
        tavli.encode(np.zeros((1, 26)))  # type: ignore[arg-type]


def test_the_types_name_every_encoder() -> None:
    types = (Path(tavli.__file__).parent / "_tavli.pyi").read_text()
    names = re.search(r"_Encoder: TypeAlias = Literal\[(.*)\]", types)
    assert names and tuple(re.findall(r'"(\w+)"', names[1])) == tavli.ENCODERS
