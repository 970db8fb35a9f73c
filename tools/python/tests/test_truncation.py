"""Rollouts whose games are cut off and valued."""

import json
import math
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import tavli
from tavli import Position, Rollout

OPENING = "4HPwATDgc/ABMA"


def pips(points: NDArray[np.int8]) -> NDArray[np.float64]:
    """Whose checkers have less to go is likelier to win."""
    assert points.dtype == np.int8 and points.shape[1] == 26
    own = (points.clip(0) * np.arange(26)).sum(axis=1)
    other = ((-points).clip(0) * (25 - np.arange(26))).sum(axis=1)
    win = other / (own + other)
    return np.stack([0.75 * win, 0.25 * win, 0 * win, 0.5 * (1 - win), 0.5 * (1 - win), 0 * win], axis=1)


def test_values_are_those_of_the_positions_one_by_one() -> None:
    # Two plies from the opening, by hand: the games of this seed, and what the function says of their last positions.
    games = tavli.Games(300, seed=4, truncate=2)
    values = np.zeros((300, 6))
    first = True
    while True:
        plays = games.roll()
        picks = plays.fractions.astype(np.uint64) * np.diff(plays.offsets).astype(np.uint64) >> np.uint64(32)
        ended = games.make(picks.astype(np.int64))
        if not first:
            values[ended.numbers.astype(int)] = pips(ended.points)
            break
        first = False
    for threads in (1, 3):
        settings = {"trials": 300, "truncate": 2, "evaluator": pips, "policy": "uniform"}
        best = tavli.rollout(Position(), seed=4, threads=threads, **settings).best  # type: ignore[arg-type]
        assert best.unfinished == 300
        assert np.allclose(best.probabilities, values.mean(axis=0), atol=1e-8)
        equities = values @ [1, 2, 3, -1, -2, -3]
        assert math.isclose(best.equity.mean, equities.mean(), abs_tol=1e-8)
        assert math.isclose(best.equity.standard_error, equities.std(ddof=1) / math.sqrt(300), abs_tol=1e-8)
        assert math.isclose(best.win.mean, values[:, :3].sum(axis=1).mean(), abs_tol=1e-8)


def test_games_that_are_cut_off_are_valued_by_their_player_unless_an_evaluator_is_named() -> None:
    def first(points: object, rolls: object, offsets: NDArray[np.int64], results: object) -> NDArray[np.int64]:
        return np.zeros(len(offsets) - 1, dtype=np.int64)

    def evaluator(**settings: object) -> str | None:
        return Rollout(OPENING, truncate=3, **settings).evaluator  # type: ignore[arg-type]

    assert evaluator() == "fast"
    assert evaluator(policy="td80", policy_opponent="fast") == "td80"
    assert evaluator(policy="uniform") == evaluator(rules="mcgammon") == "sampled:36:uniform"
    assert evaluator(evaluator="td80") == "td80"
    assert evaluator(evaluator="none") is None
    # A function has no values.
    assert evaluator(policy=tavli.Player(first, name="mine")) == "sampled:36:uniform"
    decision = Rollout.to_decide(OPENING, "31")
    assert (decision.evaluator, decision.truncate) == ("strong+bearoff:6x6", 5)
    assert Rollout.to_decide(OPENING, "31", policy="td80").evaluator == "td80"
    assert Rollout.to_decide(OPENING, "31", truncate="none").truncate is None


def test_rollouts_by_evaluators_are_saved_and_merged(tmp_path: Path) -> None:
    path = tmp_path / "valued.json"
    plays = ["8/5 6/5", "24/20"]
    settings = {"trials": 200, "truncate": 9, "evaluator": "sampled:4", "policy": "uniform"}
    sampled = tavli.rollout(OPENING, "31", plays, save=path, **settings)  # type: ignore[arg-type]
    assert sampled.evaluator == "sampled:4:uniform"
    loaded = Rollout.load(path)
    assert loaded.evaluator == sampled.evaluator
    assert loaded.best.probabilities.tolist() == sampled.best.probabilities.tolist()
    assert pickle.loads(pickle.dumps(sampled)).best.equity.mean == sampled.best.equity.mean
    result = pickle.loads(pickle.dumps(sampled.best))
    assert result.probabilities.tolist() == sampled.best.probabilities.tolist()

    whole = tavli.rollout(OPENING, "31", plays, trials=2592, truncate=9, evaluator=pips, policy="uniform")
    assert whole.evaluator == "pips"
    parts = [
        tavli.rollout(OPENING, "31", plays, trials=2592, truncate=9, evaluator=pips, shard=f"{i}/2", policy="uniform")
        for i in (2, 1)
    ]
    merged = Rollout.merge(parts)
    assert [s.equity.mean for s in merged.standings] == [s.equity.mean for s in whole.standings]
    assert pickle.loads(pickle.dumps(merged)).best.equity.mean == merged.best.equity.mean
    merged.save(path)
    with pytest.raises(tavli.RecordError, match="unknown evaluator 'pips': .* the function as evaluator$"):
        Rollout.load(path)
    again = Rollout.load(path, evaluator=pips)
    again.until(trials=3000)
    assert again.play() == "trials" and again.trials == 3000
    with pytest.raises(tavli.RecordError, match="valued by pips, not by sampled:36:uniform"):
        Rollout.load(path, evaluator="sampled")
    # A function that measures luck as well.
    adjusted = tavli.rollout(OPENING, trials=72, truncate=3, evaluator=pips, variance_reduction=True, policy="uniform")
    assert pickle.loads(pickle.dumps(adjusted)).best.equity.mean == adjusted.best.equity.mean


def test_the_command_has_the_same_values(tmp_path: Path) -> None:
    tavli_command = os.environ.get("TAVLI_COMMAND")
    if tavli_command is None:
        pytest.skip("TAVLI_COMMAND names no tavli command to compare with")
    for settings, cut in [
        ({"evaluator": "sampled:6", "policy": "uniform"}, ["--evaluator", "sampled:6", "--policy", "uniform"]),
        ({}, []),
        ({"variance_reduction": True}, ["--variance-reduction"]),
    ]:
        arguments = ["rollout", OPENING, "--truncate", "11", *cut, "--trials", "100", "--json"]
        answer = json.loads(subprocess.run([tavli_command, *arguments], check=True, capture_output=True).stdout)
        best = tavli.rollout(OPENING, trials=100, truncate=11, **settings).best  # type: ignore[arg-type]
        [row] = answer["candidates"]
        assert (best.equity.mean, best.equity.standard_error) == (row["equity"], row["se_equity"])
        assert best.equity.interval == (row["low_equity"], row["high_equity"])


def test_bad_evaluators_are_named() -> None:
    with pytest.raises(tavli.SettingsError, match="'pubeval' is a policy: it picks plays and gives no probabilities"):
        Rollout(OPENING, truncate=3, evaluator="pubeval")
    with pytest.raises(tavli.RolloutError, match="evaluator is for truncated games, and none is truncated: give truncate"):
        Rollout(OPENING, evaluator="sampled")
    with pytest.raises(TypeError, match="an evaluator is the name of one, such as 'sampled:36', or a function .* not int"):
        Rollout(OPENING, truncate=3, evaluator=3)  # type: ignore[arg-type]
    with pytest.raises(tavli.SettingsError, match="evaluator '.*', row 0: .* are not probabilities"):
        tavli.rollout(OPENING, truncate=3, trials=100, evaluator=lambda points: np.ones((len(points), 6)))
    with pytest.raises(TypeError, match=r"has to return an array of shape \(\d+, 6\), not \(\d+, 5\)"):
        tavli.rollout(OPENING, truncate=3, trials=100, evaluator=lambda points: np.ones((len(points), 5)))

    def fails(points: NDArray[np.int8]) -> NDArray[np.float64]:
        raise ZeroDivisionError("on purpose")

    rollout = Rollout(OPENING, truncate=3, trials=1000, evaluator=fails, policy="uniform")
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        rollout.play()
    assert rollout.trials == 0
