"""What two threads do at once."""

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tavli
from tavli import Games, Player, Position, VectorEnv


def test_games_that_another_thread_plays_say_so() -> None:
    games = Games(3000)
    raised: list[Exception] = []
    both = threading.Barrier(2)

    def use() -> None:
        both.wait()
        for _ in range(3000):
            if raised:
                return
            for call in (games.roll, lambda: games.points, games.clone):
                try:
                    call()
                except Exception as error:
                    raised.append(error)

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised, "the threads never met"
    for error in raised:
        assert type(error) is tavli.TavliError and "another thread plays these games" in str(error)
    # None of it harmed the games.
    assert games.roll().rolls.tolist() == Games(3000).roll().rolls.tolist()


def test_an_environment_that_another_thread_uses_says_so() -> None:
    env = VectorEnv(2)
    env.reset(seed=1)
    errors: list[Exception] = []

    class Actions:
        """Zeros; while they are read another thread uses the environment."""

        def __array__(self, *_: Any, **__: Any) -> NDArray[np.int64]:
            def use() -> None:
                for call in (lambda: env.step(np.zeros(2, int)), env.reset, env.action_mask, env.clone):
                    try:
                        call()
                    except Exception as error:
                        errors.append(error)

            thread = threading.Thread(target=use)
            thread.start()
            thread.join()
            return np.zeros(2, np.int64)

    observation = env.step(Actions())[0]  # type: ignore[arg-type]
    assert [type(error) for error in errors] == [tavli.TavliError] * 4
    assert all("another thread uses this environment" in str(error) for error in errors)
    again = VectorEnv(2)
    again.reset(seed=1)
    assert observation["rolls"].tolist() == again.step(np.zeros(2, int))[0]["rolls"].tolist()


def test_threads_share_a_player_and_its_errors_are_their_own() -> None:
    both = threading.Barrier(2)

    def policy(points: NDArray[np.int8], rolls: NDArray[np.uint8], *_: NDArray[Any]) -> NDArray[np.int64]:
        both.wait()
        if rolls[0, 0] == 6:
            raise ZeroDivisionError("on purpose")
        return np.ones(len(rolls), np.int64)

    player = Player(policy)
    start = Position().points[None]
    wanted = Position().plays("31")[1].position.points.tolist()
    found: list[Any] = []
    failed: list[Exception] = []

    def good() -> None:
        found.extend(player.best(start, np.array([[3, 1]])).tolist())

    def bad() -> None:
        try:
            player.best(start, np.array([[6, 5]]))
        except ZeroDivisionError as error:
            failed.append(error)

    for round in range(1, 101):
        threads = [threading.Thread(target=target) for target in (good, bad)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [wanted] * round and len(failed) == round


def test_a_rollout_that_another_thread_plays_says_so() -> None:
    errors: list[Exception] = []

    def policy(points: NDArray[np.int8], rolls: NDArray[np.uint8], *_: NDArray[Any]) -> NDArray[np.int64]:
        if not errors:
            for call in (rollout.play, lambda: rollout.standings):
                try:
                    call()
                except Exception as error:
                    errors.append(error)
        return np.zeros(len(rolls), np.int64)

    rollout = tavli.Rollout(Position(), trials=72, policy=policy)
    assert rollout.play(threads=1) == "trials"
    assert [type(error) for error in errors] == [tavli.RolloutError] * 2
    with pytest.raises(tavli.TavliError, match="is being played"):
        raise errors[0]


def test_a_rollout_that_another_thread_plays_is_shown() -> None:
    shown: list[str] = []

    def policy(points: NDArray[np.int8], rolls: NDArray[np.uint8], *_: NDArray[Any]) -> NDArray[np.int64]:
        if not shown:
            shown.extend([repr(rollout), str(rollout), rollout._repr_html_()])
        return np.zeros(len(rolls), np.int64)

    rollout = tavli.Rollout(Position(), trials=72, policy=policy)
    rollout.play(threads=1)
    assert shown[:2] == ["<tavli.Rollout being played: 0 trials>"] * 2
    assert shown[2].startswith("<table>")
    assert "72 trials" in repr(rollout)


PLAYS = {
    "a function": "tavli.playout(start, 10**9, policy=lambda points, rolls, offsets, results: offsets[:-1] * 0)",
    "an evaluator": "tavli.rollout(start, '31', trials=10**8, truncate=2, progress=lambda progress: None, "
    "evaluator=lambda rows: [[0.5, 0, 0, 0.5, 0, 0]] * len(rows))",
    "games": "tavli.playout(start, 10**9)",
    "a search": "tavli.search(start, '31', simulations=10**9, progress=lambda progress: None)",
    "one call after another": "[tavli.playout(start, 100) for _ in range(10**9)]",
}


@pytest.mark.parametrize("plays", PLAYS.values(), ids=PLAYS.keys())
def test_a_thread_that_plays_lets_the_interpreter_end(plays: str) -> None:
    script = f"""
import atexit, threading, time
atexit.register(lambda: print(tavli.playout(start, 100).games))
import tavli
start = tavli.Position()
threading.Thread(target=lambda: {plays}, daemon=True).start()
time.sleep(0.5)
"""
    for _ in range(4):
        ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        # The exit functions of others play as ever.
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "100\n", "")


@pytest.mark.parametrize("workers", ["None", "tavli.Workers(threads=1)"])
def test_a_finalizer_that_plays_while_the_interpreter_ends_is_refused_in_words(workers: str) -> None:
    script = f"""
import tavli
class Last:
    workers = {workers}
    play = staticmethod(tavli.playout)
    def __del__(self):
        self.play('4HPwATDgc/ABMA', 100, workers=self.workers)
last = Last()
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0 and "RuntimeError: the interpreter is ending: play before that" in ended.stderr
    assert "panicked" not in ended.stderr


def test_workers_do_not_play_by_functions_that_wait_for_them() -> None:
    workers = tavli.Workers(threads=1)

    def play(points: NDArray[np.int8], *_: object) -> NDArray[np.int64]:
        tavli.playout(Position(), 10, workers=workers)
        return np.zeros(len(points), np.int64)

    calls: list[Callable[[], object]] = [
        lambda: tavli.playout(Position(), 5, policy=play, workers=workers),
        lambda: tavli.search(Position(), "31", simulations=5, policy=play, workers=workers),
        lambda: tavli.duel(play, "uniform", games=6, workers=workers),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="call the function that makes this call"):
            call()
    assert tavli.playout(Position(), 10, workers=workers).games == 10
