"""Games ply by ply, the vector environment, and players."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tavli
from tavli import Games, Player, Position, VectorEnv


def uniform_picks(plays: tavli.Plays) -> NDArray[np.int64]:
    """The plays that the playouts of the same numbers make."""
    return plays.fractions.astype(np.int64) * np.diff(plays.offsets) >> 32


@pytest.mark.parametrize("rules", tavli.RULES)
@pytest.mark.parametrize("first_roll", ["any", "open", "31", "stratified"])
def test_uniform_picks_play_the_playouts(rules: Any, first_roll: str) -> None:
    settings: dict[str, Any] = {"seed": 7, "rules": rules, "first_roll": first_roll, "truncate": 90}
    outcomes, plies = tavli.playout_games(Position.start(rules), 300, first_game=2**40, **settings)
    games = Games(64, first_game=2**40, **settings)
    seen = 0
    while seen < 300:
        ended = games.make(uniform_picks(games.roll()))
        for number, outcome, of_game in zip(ended.numbers, ended.outcomes, ended.plies, strict=True):
            index = int(number) - 2**40
            if index < 300:
                assert (outcome, of_game) == (outcomes[index], plies[index])
                seen += 1
    assert games.finished >= 300
    assert sum(games.outcomes.values()) <= games.finished


def test_plays_are_those_of_the_positions() -> None:
    games = Games(50, seed=3)
    for _ in range(60):
        points = games.points
        plays = games.roll()
        assert plays.rolls.shape == (50, 2) and plays.offsets.shape == (51,) and len(plays) == 50
        assert plays.points.shape == (plays.offsets[-1], 26) and plays.points.dtype == np.int8
        for row, (high, low), start, end in zip(points, plays.rolls, plays.offsets[:-1], plays.offsets[1:], strict=True):
            expected = [play.position.points.tolist() for play in Position(row).plays((int(high), int(low)))]
            assert plays.points[start:end].tolist() == expected
        again = games.roll()
        assert again.rolls.tolist() == plays.rolls.tolist(), "the dice lie there already"
        picks = uniform_picks(plays)
        ended = games.make(picks)
        made = plays.points[plays.offsets[:-1] + picks]
        goes_on = np.setdiff1d(np.arange(50), ended.places)
        assert (games.points[goes_on] == made[goes_on]).all()
        assert (ended.points == made[ended.places]).all()
        assert (games.points[ended.places] == Position().points).all()


def test_games_start_where_they_are_told_to() -> None:
    bear_off = Position([0, 1, 1, *[0] * 20, -1, -1, 0]).points
    for points in (bear_off, np.stack([bear_off] * 3)):
        games = Games(3, points)
        for _ in range(20):
            ended = games.make(uniform_picks(games.roll()))
            assert (games.points[ended.places] == bear_off).all()
            assert (np.abs(ended.rewards) == 1).all()
        assert games.finished > 10
        assert games.finished_plies >= games.finished


def test_what_is_wrong_with_games_is_named() -> None:
    games = Games(2)
    with pytest.raises(tavli.PlayError, match="call roll"):
        games.make(np.zeros(2, np.int64))
    plays = games.roll()
    with pytest.raises(tavli.SettingsError, match="2 games need 2 picks, not 3"):
        games.make(np.zeros(3, np.int64))
    with pytest.raises(tavli.PlayError, match="game 1 has no play -1"):
        games.make(np.array([0, -1]))
    with pytest.raises(tavli.PlayError, match=f"game 0 has {plays.offsets[1]} plays, numbered from 0, not 5000"):
        games.make(np.array([5000, 0]))
    with pytest.raises(TypeError, match="whole numbers of shape .2,., not float64"):
        games.make(np.zeros(2))  # type: ignore[arg-type]
    for picks in ([0, 0], np.zeros(2, np.uint8), np.zeros(2, np.int32)):
        games.make(picks)  # type: ignore[arg-type]
        games.roll()
    over = np.zeros(26, np.int8)
    over[1] = 1
    with pytest.raises(tavli.PositionError, match="row 0: the game is already over"):
        Games(2, over)
    with pytest.raises(tavli.SettingsError, match="3 games need 3 starts, not 2"):
        Games(3, np.stack([Position().points] * 2))
    with pytest.raises(tavli.SettingsError, match="games side by side are a whole number 1 to"):
        Games(0)


def test_the_environment_is_the_games() -> None:
    env = VectorEnv(40, truncate=80)
    observation, info = env.reset(seed=5, options={"first_game": 1000})
    games = Games(40, seed=5, first_game=1000, truncate=80)
    total = np.zeros(3)
    for _ in range(300):
        plays = games.roll()
        assert (observation["points"] == games.points).all()
        assert (observation["rolls"] == plays.rolls).all()
        assert (info["plays"] == plays.points).all() and (info["offsets"] == plays.offsets).all()
        actions = uniform_picks(plays)
        ended = games.make(actions)
        observation, rewards, terminations, truncations, info = env.step(actions)
        assert info["finished"].numbers.tolist() == ended.numbers.tolist()
        assert (np.flatnonzero(terminations | truncations) == ended.places).all()
        assert not (terminations & truncations).any()
        # Who makes the last play has won.
        assert (rewards[terminations] >= 1).all() and not rewards[~terminations].any()
        total += terminations.sum(), truncations.sum(), rewards.sum()
    assert (total > 20).all()

def test_pubeval_plays_the_opening_like_everywhere() -> None:
    points = np.stack([Position().points] * 21)
    rolls = np.array([(a, b) for a in range(1, 7) for b in range(1, a + 1)])
    after = Player("pubeval").best(points, rolls)
    assert after.shape == (21, 26) and after.dtype == np.int8
    for row, (a, b) in zip(after, rolls, strict=True):
        assert Position(row) in [play.position for play in Position().plays((int(a), int(b)))]
    assert (Player("pubeval").best(points, rolls[:, ::-1]) == after).all()
    # A game between players, ply by ply, is the playout of the same policies.
    games = Games(20, seed=2)
    seen: dict[int, int] = {}
    while len(seen) < 20:
        plays = games.roll()
        best = Player("pubeval").best(games.points, plays.rolls)
        same = (plays.points == np.repeat(best, np.diff(plays.offsets), axis=0)).all(axis=1)
        first = np.flatnonzero(same)
        picks = first[np.searchsorted(first, plays.offsets[:-1])] - plays.offsets[:-1]
        ended = games.make(picks)
        seen |= {int(n): int(o) for n, o in zip(ended.numbers, ended.outcomes, strict=True) if n < 20}
    outcomes, _ = tavli.playout_games(Position(), 20, seed=2, policy="pubeval")
    assert [seen[number] for number in range(20)] == outcomes.tolist()


def first_play(
    points: NDArray[np.int8], rolls: NDArray[np.uint8], offsets: NDArray[np.int64], results: NDArray[np.int8]
) -> NDArray[np.int64]:
    """A policy of its own: always the first play."""
    assert points.shape == (len(rolls), 26) and results.shape == (offsets[-1], 26)
    return np.zeros(len(rolls), np.int64)


def hitter(
    points: NDArray[np.int8], rolls: NDArray[np.uint8], offsets: NDArray[np.int64], results: NDArray[np.int8]
) -> NDArray[np.int64]:
    """Puts as many checkers on the bar as it can; the bar of the next player is the last number."""
    return np.array([results[start:end, 25].argmax() for start, end in zip(offsets, offsets[1:], strict=False)])


def test_functions_are_policies() -> None:
    for threads in (1, 2):
        tally = tavli.playout(Position(), 300, policy=hitter, policy_opponent=first_play, threads=threads)
        assert tally.win.mean > 0.6
    games = Games(30, seed=1)
    seen: dict[int, int] = {}
    while len(seen) < 30:
        plays = games.roll()
        ended = games.make(hitter(games.points, plays.rolls, plays.offsets, plays.points))
        seen |= {int(n): int(o) for n, o in zip(ended.numbers, ended.outcomes, strict=True) if n < 30}
    outcomes, _ = tavli.playout_games(Position(), 30, policy=Player(hitter, name="hitter-1"))
    assert [seen[number] for number in range(30)] == outcomes.tolist()
    uniform = tavli.playout(Position(), 500, policy="uniform", policy_opponent=Player("uniform"))
    assert uniform.outcomes == tavli.playout(Position(), 500).outcomes


def test_rollouts_take_policies(tmp_path: Path) -> None:
    path = tmp_path / "rollout.json"
    rollout = tavli.rollout(Position(), "31", ["8/5 6/5"], trials=72, policy=hitter, policy_opponent="pubeval")
    assert (rollout.policy, rollout.policy_opponent) == ("hitter", "pubeval")
    rollout.save(path)
    with pytest.raises(tavli.RecordError, match="hitter"):
        tavli.Rollout.load(path)
    again = tavli.Rollout.load(path, policy=hitter, policy_opponent="pubeval")
    assert again.best.outcomes == rollout.best.outcomes
    assert pickle.loads(pickle.dumps(rollout)).best.outcomes == rollout.best.outcomes
    pubeval = tavli.rollout(Position(), "31", ["8/5 6/5"], trials=72, policy="pubeval")
    assert pickle.loads(pickle.dumps(pubeval)).best.outcomes == pubeval.best.outcomes


def test_what_a_policy_raises_is_raised() -> None:
    calls = []

    def fails(*arrays: NDArray[Any]) -> NDArray[np.int64]:
        calls.append(len(arrays[1]))
        if len(calls) > 5:
            raise ZeroDivisionError("on purpose")
        return np.zeros(len(arrays[1]), np.int64)

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        tavli.playout(Position(), 10_000, policy=fails)
    rollout = tavli.Rollout(Position(), trials=1296, policy=fails)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        rollout.play()
    assert rollout.trials == 0
    with pytest.raises(tavli.PlayError, match="policy 'test_what_a_policy_raises_is_raised.<locals>.<lambda>' picked"):
        tavli.playout(Position(), 10, policy=lambda points, rolls, offsets, results: np.diff(offsets))
    for policy, error in (("chess", tavli.SettingsError), (3, TypeError)):
        with pytest.raises(error, match="choose one of: uniform, pubeval|a policy is the name of one"):
            Player(policy)  # type: ignore[arg-type]
    with pytest.raises(tavli.RollError, match=r"row 0: a die shows 1 to 6: \(0, 3\)"):
        Player("pubeval").best(Position().points[None], np.array([[0, 3]]))
    with pytest.raises(tavli.SettingsError, match=r"1 positions need rolls of shape \(1, 2\), not \(2, 2\)"):
        Player("pubeval").best(Position().points[None], np.ones((2, 2), int))


def test_numbers_beyond_64_bits_with_a_sign_are_named() -> None:
    games = tavli.Games(2)
    games.roll()
    with pytest.raises(TypeError, match="uint64 of shape .2,. with the number 18446744073709551615"):
        games.make(np.array([0, 2**64 - 1], dtype=np.uint64))


def test_what_is_wrong_with_one_start_of_all_games_is_named() -> None:
    start = Position()
    lost = start.position_id[:-1]
    many = np.zeros(26, np.int8)
    many[25] = 16
    for points, message in (
        (lost, f"'{lost}'"),
        ("zz", "'zz'"),
        (many, "the player on roll has 16 checkers; a side has at most 15"),
        (many.tolist(), "the player on roll has 16 checkers; a side has at most 15"),
        ([0] * 26, "not a position: "),
        ([6, *start.points[1:]], "6 at index 0 puts a side on the other's bar"),
        (start.points[1:], "26 numbers.*25"),
    ):
        with pytest.raises(tavli.PositionError, match=message):
            tavli.Games(3, points)
        with pytest.raises(tavli.PositionError, match=message):
            tavli.VectorEnv(3, points=points).reset(seed=1)
    rows: list[Any] = [[lost] * 3, [many] * 3]
    for several in rows:
        with pytest.raises(tavli.PositionError, match="row 0: "):
            tavli.Games(3, several)
    none: list[Any] = [5, np.zeros((3, 26)), np.zeros((3, 1), np.int8)]
    for several in none:
        with pytest.raises((TypeError, tavli.SettingsError), match="positions are an array"):
            tavli.Games(3, several)
