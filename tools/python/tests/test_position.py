"""Positions: codecs, plays and drawings, against other programs' data."""

import pickle
import random
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import data
import numpy as np
import pytest

import tavli
from tavli import Position

OPENING = "4HPwATDgc/ABMA"


def test_the_opening_is_the_default() -> None:
    assert Position() == Position(OPENING) == Position(Position(OPENING))
    assert Position().points.tolist() == [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    assert (Position().pips, Position().opponent_pips, Position().is_race) == (167, 167, False)


def test_codecs_agree_with_the_golden_ids() -> None:
    for position_id, numbers, bottom, top in data.rows("id_vectors.tsv"):
        points = [int(number) for number in numbers.split()]
        position = Position(position_id)
        assert position.points.dtype == np.int8 and position.points.tolist() == points
        for source in (numbers, points, tuple(points), np.array(points), np.array(points, dtype=np.int8)):
            assert Position(source) == position
        assert position.position_id == position_id
        assert position.xgid == f"XGID={bottom}:0:0:1:00:0:0:0:0:10"
        assert Position(f"XGID={top}:0:0:-1:00:0:0:0:0:10").position_id == position_id


def test_codecs_agree_with_gnubg() -> None:
    for xgid, position_id, match_id, fibs in data.rows("gnubg_vectors.tsv"):
        position = Position(xgid)
        assert (position.position_id, position.match_id, position.xgid) == (position_id, match_id, xgid)
        assert Position.from_xgid(xgid.removeprefix("XGID=")) == position
        named = Position.from_position_id(position_id, match_id)
        assert named == Position(f"{position_id}:{match_id}")
        assert (named.cube, named.score, named.roll) == (position.cube, position.score, position.roll)
        assert Position.from_fibs(fibs) == Position(fibs)
        assert Position(fibs).position_id == position_id


def test_the_state_of_the_game_is_told() -> None:
    position = Position("XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:1:0:3:8")
    assert (position.cube, position.cube_owner, position.roll) == (2, "opponent", "63")
    assert (position.match_length, position.score, position.opponent_score) == (3, 1, 0)
    assert (Position().cube, Position().cube_owner, Position().roll, Position().match_length) == (1, None, None, 0)


def test_plays_are_those_of_other_generators() -> None:
    for position_id, roll, _, number, results in data.rows("plays.tsv.gz"):
        plays = Position(position_id).plays(roll)
        assert sorted(play.position.position_id for play in plays) == results.split(",")
        assert len(plays) == int(number)


def test_notation_is_gnubgs() -> None:
    for position_id, roll, number, moves in data.rows("moves_gnubg.tsv.gz"):
        position = Position(position_id)
        plays = position.plays((int(roll[1]), int(roll[0])))
        assert sorted(play.moves for play in plays) == sorted(moves.split(","))
        assert len(plays) == int(number)
        for play in plays[:20]:
            assert position.play(play.moves, roll) == play.position


def test_the_roll_of_the_position_is_played_unless_another_is_named() -> None:
    position = Position("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert position.plays() == position.plays("31") == position.plays("13") != position.plays("32")
    assert position.play("8/5 6/5").swapped().points[5] == 2
    with pytest.raises(tavli.RollError, match="not rolled: name a roll"):
        Position().plays()


def test_a_finished_game_is_a_position_without_plays() -> None:
    (play,) = Position([0, 1, *[0] * 22, -1, 0]).plays("21")
    assert play.position.is_over() and not Position().is_over()
    assert play.position.plays("31") == []
    assert Position([0, 8, 7, *[0] * 19, -5, -8, -2, 0]).plays("63", rules="mcgammon") == []
    assert "O: 1 pips" in str(play.position.swapped())
    assert repr(play) == "<tavli.Play 1/off: AAAAAgAAAAAAAA>"
    over = play.position
    assert pickle.loads(pickle.dumps(over)) == over
    for text in (over.position_id, f"{over.position_id}:{over.match_id}", over.xgid, over.fibs):
        assert Position(text) == over
    assert Position(over.points) == over
    with pytest.raises(tavli.PositionError, match="already over in the position"):
        tavli.playout(over, 1)


def test_positions_are_values() -> None:
    texts = [OPENING, "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:1:0:3:8", f"{OPENING}:cAkAAAAAAAAE"]
    for text in texts:
        position = Position(text)
        assert pickle.loads(pickle.dumps(position)) == position
        assert hash(Position(text)) == hash(position)
        assert eval(repr(position)) == position
    assert len({Position(text) for text in texts}) == 2
    assert Position() != OPENING
    with pytest.raises(AttributeError):
        Position().pips = 3  # type: ignore[misc]


def test_drawings() -> None:
    text = str(Position())
    assert text.splitlines()[0] == " +13-14-15-16-17-18------19-20-21-22-23-24-+     O: 167 pips"
    picture = ElementTree.fromstring(Position().svg())
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert Position()._repr_html_() == Position()._repr_svg_() == Position().svg()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("start", "'start' is not a position; a position is a GNU Position ID"),
        ("4HPwATDgc/ABM*", "'*'"),
        ("0 -2 0", "a position is 26 numbers (the opponent's bar, 24 points, the own bar), not 3"),
        ([0] * 25, "26 numbers"),
        ([0, 300, *[0] * 24], "'300' at index 1 is not a number of checkers, -15 to 15"),
        ([0, 1.5, *[0] * 24], "'1.5' at index 1"),
        ([1] * 26, "index 0 is the opponent's bar, 0 or negative"),
        ([0, 16, *[0] * 22, -1, 0], "16 checkers; a side has at most 15"),
        ([0] * 26, "neither side has a checker"),
    ],
)
def test_bad_positions_are_named(source: str | list[int], message: str) -> None:
    with pytest.raises(tavli.PositionError) as raised:
        Position(source)
    assert message in str(raised.value)
    assert isinstance(raised.value, ValueError)


def test_bad_rolls_and_plays_are_named() -> None:
    for roll in ("", "7", "07", "3-1"):
        with pytest.raises(tavli.RollError, match="write two digits 1 to 6, such as 31 or 66"):
            Position().plays(roll)
    for pair in ((0, 3), (3, -1), (3, 300)):
        with pytest.raises(tavli.RollError, match="a die shows 1 to 6"):
            Position().plays(pair)
    with pytest.raises(tavli.PlayError, match="'8/4 6/3' is not a play of 42 here"):
        Position().play("8/4 6/3", "42")
    with pytest.raises(tavli.SettingsError, match="choose backgammon, mcgammon"):
        Position().plays("31", "chess")
    with pytest.raises(TypeError, match="a position is a tavli.Position"):
        Position(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a roll is two digits as text"):
        Position().plays(31)  # type: ignore[arg-type]


def test_a_roll_is_any_two_whole_numbers_in_order() -> None:
    wanted = Position().plays("31")
    rolls_of_31: list[Any] = [[3, 1], (np.int8(3), np.uint8(1)), np.array([3, 1], np.uint8), np.array([1, 3])]
    for roll in rolls_of_31:
        assert Position().plays(roll) == wanted
        assert Position().play(wanted[0].moves, roll) == wanted[0].position
    games = tavli.Games(1, seed=1)
    rolls = games.roll().rolls
    assert len(Position().plays(rolls[0])) == len(Position().plays((int(rolls[0, 0]), int(rolls[0, 1]))))
    assert tavli.Rollout(Position(), [3, 1], trials=36).roll == "31"
    assert tavli.search(Position(), np.array([3, 1]), simulations=36).roll == "31"
    wrong: list[Any] = [{3, 1}, {0: 3, 1: 1}, [3, 1, 1], [3.0, 1], np.array([3.0, 1.0]), rolls]
    for roll in wrong:
        with pytest.raises(TypeError, match="a roll is two digits as text"):
            Position().plays(roll)


def test_readers_pass_over_what_stands_around_a_text_and_name_what_they_refuse() -> None:
    position = Position("4HPwATDgc/ABMA:cAkAAAAAAAAE")
    for before, after in (("\ufeff", ""), (" ", "\n"), ("\ufeff ", "")):
        assert Position.from_xgid(before + position.xgid + after) == Position(position.xgid)
        assert Position.from_fibs(before + position.fibs + after) == Position(position.fibs)
        position_id, match_id = (before + text + after for text in (position.position_id, position.match_id))
        assert Position.from_position_id(position_id, match_id) == position
    readers: list[tuple[Callable[[str], object], type[Exception]]] = [
        (Position, tavli.PositionError),
        (Position.from_xgid, tavli.PositionError),
        (Position.from_position_id, tavli.PositionError),
        (Position.from_fibs, tavli.PositionError),
        (lambda text: Position.from_position_id("4HPwATDgc/ABMA", text), tavli.PositionError),
        (lambda text: Position().play(text, "31"), tavli.PlayError),
    ]
    for text, shown in (("board:x", "'board:x'"), ("XGID=x", "'XGID=x'"), ("\x1b[31m", r"'\u{1b}[31m'"), ("", "''")):
        for read, kind in readers:
            with pytest.raises(kind) as raised:
                read(text)
            assert shown in str(raised.value), (text, str(raised.value))


def test_attributes_of_other_games_are_named() -> None:
    draughts = Position(game="draughts")
    for call, name in (
        (lambda: Position().perft(2), "perft"),
        (lambda: Position().numbers, "numbers"),
        (lambda: draughts.svg(), "svg"),
        (lambda: draughts.pips, "pips"),
    ):
        with pytest.raises(AttributeError, match=f"'{name}' is for positions of"):
            call()
    assert not hasattr(draughts, "pips")


def test_noise_is_no_position() -> None:
    noise = random.Random(1)
    letters = "0123456789-:,ABCDEFabcdefXGID= /+board\n\0é"
    for _ in range(10_000):
        text = "".join(noise.choices(letters, k=noise.randrange(40)))
        with pytest.raises(tavli.PositionError):
            Position(text)
        numbers = [noise.randrange(-130, 130) for _ in range(26)]
        with pytest.raises(tavli.PositionError):
            Position(numbers)


@pytest.mark.parametrize(
    "text", ["XGID=---bB-DCC-B-cA---a-dabb---:2:1:1:00:4:2:1:7:10", "bD3BAQyYd2cEAA:ggHgAEAAEAAE"]
)
def test_what_a_text_says_and_cannot_be_is_warned_of(text: str) -> None:
    remark = "at 4-2 in a match of 7 there is no Crawford game"
    with pytest.warns(tavli.PositionWarning, match=remark):
        position = Position(text)
    with pytest.warns(tavli.PositionWarning, match=remark):
        assert tavli.Player("fast").evaluate([text]).shape == (1, 6)
    read = Position.from_xgid if text.startswith("XGID") else lambda text: Position.from_position_id(*text.split(":"))
    with pytest.warns(tavli.PositionWarning, match=remark):
        assert read(text) == position
    # At the line of the caller, whatever lies between.
    with pytest.warns(tavli.PositionWarning, match=remark) as warned:
        tavli.VectorEnv(2, points=text).reset(seed=1)
        tavli.decide(text, "31", trials=36, policy="uniform")
        tavli.rollout(text, "31", trials=36)
    assert len(warned) >= 3 and {warning.filename for warning in warned} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Position(position.xgid) == position
        with pytest.raises(tavli.PositionWarning):
            Position(text)


def test_backgammon_names_its_rules_where_they_matter() -> None:
    assert Position().rules is None and Position.start("hypergammon").rules is None
    assert Position(game="plakoto").rules == "default"


def test_texts_that_are_no_texts_are_named() -> None:
    for wrong in (b"4HPwATDgc/ABMA", bytes(26)):
        with pytest.raises(TypeError, match="a position is a tavli.Position, text in .*, or 26 numbers, not bytes"):
            Position(wrong)
    with pytest.raises(tavli.PositionError, match=r"'\\ud800' has a surrogate, and is not the text of a position"):
        Position("\ud800")
