"""The doubling cube: many positions, each with its own cube and score."""

from typing import Any

import numpy as np
import pytest

import tavli

RACE = "1e4AAFDbHQAAAA"
OPENING = "4HPwATDgc/ABMA"
TEXTS = [f"{RACE}:cAngAFAAGAAE", f"{RACE}:QQkAAAAAAAAE", RACE, f"{OPENING}:8AngAGAAGAAE"]
# The player on roll has borne off; his opponent has not come home.
OVER = [0, 0, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 0, -5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0]


def cumulative(shares: np.ndarray) -> np.ndarray:
    win, win_gammon, win_backgammon, _, lose_gammon, lose_backgammon = shares.T
    won = [win + win_gammon + win_backgammon, win_gammon + win_backgammon, win_backgammon]
    return np.stack([*won, lose_gammon + lose_backgammon, lose_backgammon], axis=1)


def test_positions_are_valued_with_their_own_cubes() -> None:
    player = tavli.Player("fast")
    found = player.cube_values(TEXTS)
    expected = tavli.cube_values(cumulative(player.evaluate(TEXTS)), TEXTS)
    assert found["action"].tolist() == expected["action"].tolist()
    assert found["action"].tolist()[1] == "Not available"
    for column in ("no_double", "double_take", "double_pass", "cubeless"):
        assert np.allclose(found[column], expected[column], rtol=0.0, atol=1e-12), column
    assert len(set(found["no_double"].tolist())) == len(TEXTS)
    read = player.cube_values([tavli.Position(text) for text in TEXTS])
    assert read["no_double"].tolist() == found["no_double"].tolist()
    assert player.cube_values([])["action"].shape == (0,)


def test_looking_ahead_has_the_decisions_of_later_turns() -> None:
    match = [f"{OPENING}:cAngAFAAGAAE"]
    here, ahead = (tavli.Player("fast").cube_values(match, look_ahead=plies) for plies in (0, 1))
    assert here["no_double"][0] != ahead["no_double"][0]
    assert abs(here["no_double"][0] - ahead["no_double"][0]) < 0.2


def test_a_finished_game_has_the_worth_of_its_end() -> None:
    found = tavli.Player("fast").cube_values([OVER, OPENING])
    (end,) = tavli.Player("fast").evaluate([OVER]) @ [1.0, 2.0, 3.0, -1.0, -2.0, -3.0]
    assert end in (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)
    assert [found[key][0] for key in ("no_double", "double_take", "cubeless")] == [end, end, end]
    assert found["action"].tolist()[0] == "Not available"


def test_what_cannot_be_valued_is_named_by_its_row() -> None:
    fast = tavli.Player("fast")
    over = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:7:3:0:7:10"
    with pytest.raises(tavli.PositionError, match="row 1: 'XGID=.*': not the state of a game: .* the match is over"):
        fast.cube_values([OPENING, over])
    with pytest.raises(tavli.PositionError, match="row 1: 'nonsense' is not a position"):
        fast.cube_values([OPENING, "nonsense"])
    with pytest.raises(tavli.SettingsError, match="does not value positions"):
        tavli.Player("pubeval").cube_values([OPENING])
    with pytest.raises(tavli.SettingsError, match="no efficiency of the cube is known for hypergammon"):
        fast.cube_values([OPENING], rules="hypergammon")
    with pytest.raises(TypeError, match="a sequence of positions, not str"):
        fast.cube_values(OPENING)


def test_positions_with_dice_are_refused() -> None:
    rolled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    chances = [[0.7, 0.2, 0.01, 0.1, 0.0]] * 2
    said = "row 1: a position is valued before its roll, and this one has the roll 31"
    with pytest.raises(tavli.PositionError, match=said):
        tavli.Player("fast").cube_values([OPENING, rolled])
    with pytest.raises(tavli.PositionError, match=said):
        tavli.cube_values(chances, [OPENING, tavli.Position(rolled)])


def test_no_positions_have_empty_columns() -> None:
    for found in [tavli.cube_values([], []), tavli.cube_values(np.empty((0, 5)), []), tavli.Player().cube_values([])]:
        assert set(found) == {"no_double", "double_take", "double_pass", "cubeless", "action"}
        assert {np.shape(column) for column in list[Any](found.values())} == {(0,)}
        assert (found["cubeless"].dtype.name, found["action"].dtype.kind) == ("float64", "U")
    with pytest.raises(tavli.SettingsError, match=r"for 0 ids it is \(0, 5\)"):
        tavli.cube_values([[0.5, 0.0, 0.0, 0.0, 0.0]], [])


def test_positions_are_taken_in_every_form() -> None:
    id = "4HPwATDgc/ABMA:cAkAAAAAAAAE"
    chances = [[0.7, 0.2, 0.01, 0.1, 0.0]] * 2
    values = tavli.cube_values(chances, [id, tavli.Position(id)])
    assert values["action"].tolist() == ["Double, take"] * 2
    assert values["double_take"][0] == values["double_take"][1]
    with pytest.raises(TypeError, match="or a sequence of positions, not str"):
        tavli.cube_values(chances, id)
