"""Policies and positions are taken in every form, wherever they are taken."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tavli
from tavli import Games, Player, Position, Rollout

OPENING = "4HPwATDgc/ABMA"


def last_play(
    points: NDArray[np.int8], rolls: NDArray[np.uint8], offsets: NDArray[np.int64], results: NDArray[np.int8]
) -> NDArray[np.int64]:
    """A policy of its own: always the last play."""
    return np.diff(offsets) - 1


POLICIES = ["pubeval", Player("pubeval"), last_play, Player(last_play, name="last")]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("opponent", [None, "uniform"])
def test_policies_of_many_positions_are_those_of_each(policy: object, opponent: str | None) -> None:
    positions = [Position(), Position("7e4OAABtdw8AAA"), *(play.position for play in Position().plays("31")[:2])]
    who = {"policy": policy, "policy_opponent": opponent}
    counts = tavli.playouts(positions, 20, first_game=3, seed=2, threads=2, **who)  # type: ignore[arg-type]
    shares = tavli.probabilities(positions, 20, seed=2, threads=2, **who)  # type: ignore[arg-type]
    for position, row, of_rollout in zip(positions, counts, shares, strict=True):
        alone = tavli.playout(position, 20, first_game=3, seed=2, **who)  # type: ignore[arg-type]
        assert row.tolist() == list(alone.outcomes.values())
        rollout = tavli.rollout(position, trials=20, seed=2, **who)  # type: ignore[arg-type]
        assert of_rollout.tolist() == rollout.best.probabilities.tolist()
    assert (counts != tavli.playouts(positions, 20, first_game=3, seed=2)).any()


def test_what_a_policy_of_many_positions_raises_is_raised() -> None:
    class Fails(Exception):
        counts: NDArray[np.int64]

    def fails(*decisions: NDArray[np.integer]) -> NDArray[np.int64]:
        raise Fails

    rows = [Position()] * 50
    with pytest.raises(Fails) as raised:
        tavli.playouts(rows, 100, policy=fails)
    assert raised.value.counts.shape == (0, 6)
    with pytest.raises(Fails):
        tavli.probabilities(rows, 100, policy="uniform", policy_opponent=fails)
    with pytest.raises(tavli.SettingsError, match="unknown policy 'gnubg'; choose one of: uniform, pubeval"):
        tavli.playouts(rows, 1, policy="gnubg")
    with pytest.raises(TypeError, match="a policy is the name of one, a tavli.Player, or a function"):
        tavli.probabilities(rows, 1, policy=3)  # type: ignore[arg-type]


def test_a_position_is_taken_in_every_form() -> None:
    play = Position().plays("31")[3]
    position = play.position
    points = position.points
    forms = [play, position, position.position_id, position.xgid, points.tolist(), points, points.astype(np.int64)]
    forms += [points.astype(np.uint8).astype(np.int8), tuple(points)]
    expected = tavli.playout(position, 10).outcomes
    for form in forms:
        assert Position(form) == position
        assert tavli.playout(form, 10).outcomes == expected
        assert Games(2, form).points.tolist() == [points.tolist()] * 2
        assert list(tavli.playouts([form], 10)[0]) == list(expected.values())
        assert Rollout(form).position == position
    unsigned = np.zeros((2, 26), np.uint64)
    unsigned[:, 6] = 2
    assert tavli.playouts(unsigned, 5).sum() == 10
    many = np.stack([points] * 3)
    for rows in (many.astype(np.int64), [position] * 3, [play] * 3, many.astype(object), list(many)):
        assert (Games(3, rows).points == many).all()
        after = Player("pubeval").best(rows, [(3, 1)] * 3)
        assert (after == after[0]).all() and after.shape == (3, 26)


def test_plays_are_taken_in_every_form() -> None:
    plays = Position().plays("31")[2:5]
    expected = [Rollout(Position(), "31", [play.moves for play in plays]).to_json()]
    forms: list[object] = [
        plays,
        [play.position for play in plays],
        [play.position.position_id for play in plays],
        [play.position.points for play in plays],
        np.stack([play.position.points for play in plays]),
        np.stack([play.position.points for play in plays]).astype(np.int64),
        [plays[0].moves, plays[1], plays[2].position.xgid],
    ]
    for form in forms:
        assert [Rollout(Position(), "31", form).to_json()] == expected  # type: ignore[arg-type]
    with pytest.raises(tavli.PlayError, match=f"{OPENING} is not the position after a play of 31 from {OPENING}"):
        Rollout(Position(), "31", [Position()])
    with pytest.raises(TypeError, match="plays are a sequence of plays, such as .'8/5 6/5'., not one text"):
        Rollout(Position(), "31", "8/5 6/5")


def test_arrays_of_fractions_are_type_errors() -> None:
    points = Position().points
    with pytest.raises(TypeError, match="rolls are an array of whole numbers of shape .1, 2., not float64 of shape .1, 2."):
        Player("pubeval").best([points], np.array([[3.5, 1.0]]))
    games = Games(2)
    games.roll()
    with pytest.raises(TypeError, match="picks are an array of whole numbers of shape .2,., not float64 of shape .2,."):
        games.make(np.zeros(2))  # type: ignore[arg-type]
    with pytest.raises(tavli.PositionError, match="row 0: .*256"):
        tavli.playouts(np.full((1, 26), 256, np.uint16))


def test_arguments_of_another_form_are_named_with_what_they_may_be() -> None:
    with pytest.raises(TypeError, match="look_ahead is a whole number 0 to 4, an int, not 1.0 of type float"):
        Player("fast").evaluate([Position()], look_ahead=1.0)  # type: ignore[arg-type]
    for play in (tavli.playout, tavli.playout_games):
        with pytest.raises(TypeError, match="first_roll is a text, any, open, .* such as 31, not 31 of type int"):
            play(Position(), 10, first_roll=31)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="first_roll is a text"):
        tavli.Games(2, first_roll=31)  # type: ignore[arg-type]
    for rules in (
        lambda: tavli.playout(Position(), 10, rules=3),  # type: ignore[arg-type]
        lambda: tavli.Games(2, rules=3),  # type: ignore[arg-type]
        lambda: tavli.duel("fast", "fast", 2, rules=3),  # type: ignore[arg-type]
        lambda: Player().evaluate([Position()], rules=3),  # type: ignore[arg-type]
        lambda: Position.start(3),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="rules are a text, backgammon, mcgammon, .*, not 3 of type int"):
            rules()
    with pytest.raises(TypeError, match="rules are a text, the name of rules of the game, not 3 of type int"):
        Position().plays("31", rules=3)  # type: ignore[arg-type]
    for threads in (lambda: tavli.playout(Position(), 10, pin=3), lambda: tavli.Workers(pin=3)):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="pin is a text, auto, none, .* such as 0,2-5, not 3 of type int"):
            threads()
    with pytest.raises(TypeError, match="isa is a text, .*portable, not 3 of type int"):
        tavli.playout(Position(), 10, isa=3)  # type: ignore[arg-type]
    for given in (np.zeros(26), np.zeros((1, 26)), np.zeros(26, bool)):
        with pytest.raises(TypeError, match=f"or 26 numbers, not {given.dtype} of shape .*26,?.$"):
            Position(given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"games are a whole number 1 to \d+, an int, not 1000000.0 of type float"):
        tavli.playout(Position(), 1e6)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a seed is a whole number 0 to \d+, an int, not x of type str"):
        tavli.playout(Position(), 1, seed="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a seed is a whole number 0 to \d+, an int, not True of type bool"):
        tavli.playout(Position(), 1, seed=True)
    seedless: dict[str, Any] = {"seed": None}
    for with_seed in (
        lambda: Games(1, **seedless),
        lambda: tavli.DraughtsGames(1, **seedless),
        lambda: tavli.playout(Position(), 1, **seedless),
        lambda: tavli.playout_games(Position(), 1, **seedless),
        lambda: tavli.playouts([Position()], 1, **seedless),
        lambda: tavli.probabilities([Position()], 1, **seedless),
        lambda: tavli.duel("uniform", "uniform", 2, **seedless),
        lambda: tavli.search(Position(), "31", **seedless),
        lambda: tavli.rollout(Position(), **seedless),
        lambda: tavli.decide(Position(), "31", **seedless),
    ):
        with pytest.raises(TypeError, match="a seed is a whole number 0 to .*, not None of type NoneType"):
            with_seed()
    for call in (
        lambda: Player().evaluate([Position()], look_ahead=True),
        lambda: Player().best([Position()], [(3, 1)], look_ahead=True),
        lambda: Player().cube_values([Position()], look_ahead=True),
        lambda: Rollout(Position(), "31").difference(False, True),
    ):
        with pytest.raises(TypeError, match="(True|False) (of type bool|is not a whole number)"):
            call()
    with pytest.raises(tavli.PositionError, match="True"):
        Position([True] + [0] * 25)
    with pytest.raises(tavli.SettingsError, match="'Any' is not a roll: .*, or any, open or stratified"):
        tavli.playout(Position(), 1, first_roll="Any")
