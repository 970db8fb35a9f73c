"""Positions of games other than backgammon."""

import copy
import pickle
import signal
import threading
import warnings

import pytest

import tavli
from tavli import Position


def test_games_are_listed() -> None:
    assert tavli.GAMES[0] == "backgammon" and "tictactoe" in tavli.GAMES
    for game in tavli.GAMES:
        assert Position(game=game).game == game  # type: ignore[arg-type]


def test_a_position_is_its_text() -> None:
    position = Position("XO-/-X-/--- O", game="tictactoe")
    assert (str(position), position.rules, position.is_over()) == ("XO-/-X-/--- O", "standard", False)
    assert position == Position(str(position), game="tictactoe") != Position(game="tictactoe")
    assert len({position, Position(str(position), "tictactoe"), Position(game="tictactoe")}) == 2
    assert repr(position) == "Position('XO-/-X-/--- O', game='tictactoe', rules='standard')"
    assert eval(repr(position)) == position
    for one in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert one == position
    assert "X to move" in Position(game="tictactoe").diagram()
    assert position._repr_html_() is None


def test_plays_lead_to_positions() -> None:
    position = Position("XX-/OO-/--- X", game="tictactoe")
    plays = position.plays()
    assert [play.moves for play in plays] == ["c3", "c2", "a1", "b1", "c1"]
    won = position.play("c3")
    assert str(won) == "XXX/OO-/--- O"
    assert (won.is_over(), won.outcome_points, won.plays()) == (True, -1, [])
    assert pickle.loads(pickle.dumps(plays[0])) == plays[0]
    assert Position(game="tictactoe").perft(3) == (504, 504)
    with pytest.raises(tavli.PlayError, match="none of the 5 plays: see plays"):
        position.play("a3")


def test_a_play_has_any_squares_that_lead_to_its_position() -> None:
    position = Position("B:W18,19,26,27:BK31", game="draughts")
    assert [play.moves for play in position.plays()] == ["31x24x15x22x31"]
    result = position.plays()[0].position
    for moves in ("31x24x15x22x31", "31x22x15x24x31", " 31X31 ", "31:31"):
        assert position.play(moves) == result
    with pytest.raises(tavli.PlayError, match="'31x22' is not a play here: choose one of 31x24x15x22x31: see plays"):
        position.play("31x22")
    with pytest.raises(tavli.PlayError, match="already over"):
        Position("W:W:B13,K19", game="draughts").play("9-13")


def test_a_position_is_a_text_or_a_position() -> None:
    start = Position(game="draughts")
    assert Position("start", game="draughts") == Position("\ufeffstart\r\n", game="draughts") == start
    late = Position("B:W21,K30:B1,K7:H12", game="draughts", rules="report")
    assert (str(late), late.state) == ("B:W21,K30:B1,K7", "B:W21,K30:B1,K7:H12")
    assert Position(late, game="draughts") == late
    assert Position(late, game="draughts", rules="english").state == late.state
    assert Position(late.plays()[0], game="draughts") == late.plays()[0].position
    assert not hasattr(Position(), "state")
    for wrong in (b"B:W1:B2", 5, ["B:W1:B2"]):
        with pytest.raises(TypeError, match="a position of draughts is a text or a tavli.Position, not "):
            Position(wrong, game="draughts")  # type: ignore[arg-type]
    with pytest.raises(tavli.PositionError, match="the position is from backgammon, not from draughts"):
        Position(Position(), game="draughts")
    games = tavli.DraughtsGames(2, late, rules="report")
    assert (games.quiet.tolist(), tavli.DraughtsGames(1, "start").positions) == ([12, 12], [str(start)])


def test_a_game_by_other_rules_is_warned_of() -> None:
    game = '[Rules "report"]\n1. 11-15 23-19 2. 8-11'
    remark = "the game was played by report rules, and its last position is taken by english rules"
    with pytest.warns(tavli.PositionWarning, match=remark) as warned:
        position = Position(game, game="draughts")
        assert tavli.DraughtsGames(1, game).positions == [str(position)]
    assert len(warned) == 2 and {warning.filename for warning in warned} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Position(game, game="draughts", rules="report").state == f"{position}:H3"
        assert Position(position, game="draughts") == position


def test_what_is_of_another_game_is_refused() -> None:
    position = Position(game="tictactoe")
    for name in ("position_id", "xgid", "points", "pips", "cube", "roll", "score"):
        assert not hasattr(position, name)
    assert Position().rules is None and not hasattr(Position(), "numbers")
    with pytest.raises(tavli.RollError, match="has no dice"):
        position.plays("31")
    with pytest.raises(tavli.PositionError, match="not of tictactoe"):
        tavli.playout(position)
    with pytest.raises(tavli.PositionError, match="three rows"):
        Position("X", game="tictactoe")
    with pytest.raises(tavli.SettingsError, match="is not one of the games: backgammon, tictactoe"):
        Position(game="chess")  # type: ignore[arg-type]
    with pytest.raises(tavli.SettingsError, match="'misère' is not a set of rules"):
        Position(game="tictactoe", rules="misère")
    with pytest.raises(tavli.SettingsError, match="rules are for other games"):
        Position(rules="portes")


def test_deeper_counts_are_the_known_ones() -> None:
    assert Position(game="draughts").perft(7) == (179740, 179740)
    tictactoe = Position(game="tictactoe")
    assert tictactoe.perft(9) == (127872, 127872)


def test_an_interrupt_ends_a_count() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupt = threading.Timer(0.1, lambda: signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT))
    try:
        interrupt.start()
        with pytest.raises(KeyboardInterrupt):
            Position(game="plakoto").perft(12)  # it would take years
    finally:
        signal.signal(signal.SIGINT, before)
