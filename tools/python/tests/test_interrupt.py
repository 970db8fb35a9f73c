"""Ctrl-C in calls that make millions of rows, one after the other."""

import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np
import pytest

import tavli

if not hasattr(signal, "setitimer"):
    pytest.skip("this system has no timers that signal", allow_module_level=True)


class Heard(Exception):
    """What the signal raises here, as Ctrl-C raises a KeyboardInterrupt."""


@pytest.fixture
def signalled() -> Iterator[Callable[[Callable[[], Any], float], tuple[float, Heard]]]:
    """Makes a call, has it signalled, and returns the seconds that it took, and what it raised."""

    def handler(number: int, frame: FrameType | None) -> None:
        raise Heard

    def call(work: Callable[[], Any], after: float) -> tuple[float, Heard]:
        started = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, after)
        with pytest.raises(Heard) as raised:
            work()
            time.sleep(after)
        # Another exception would have been raised first, of the last row.
        assert raised.value.__context__ is None
        return time.monotonic() - started, raised.value

    before = signal.signal(signal.SIGALRM, handler)
    yield call
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


START = "4HPwATDgc/ABMA"
READERS: dict[str, Callable[[list[str]], Any]] = {
    "encode": tavli.encode,
    "evaluate": lambda rows: tavli.Player("fast").evaluate(rows),
    "best": lambda rows: tavli.Player("fast").best(rows, []),
    "Player.cube_values": lambda rows: tavli.Player("fast").cube_values(rows),
    "cube_values": lambda rows: tavli.cube_values([], rows),
    "playouts": lambda rows: tavli.playouts(rows, 1),
    "probabilities": lambda rows: tavli.probabilities(rows, 1),
    "Games": lambda rows: tavli.Games(len(rows), rows),
    "Rollout": lambda rows: tavli.Rollout(START, "31", rows),
}
SOLVED = "fast+bearoff:9x6"
SOLVERS: dict[str, Callable[[], Any]] = {
    "playout": lambda: tavli.playout(START, 1, policy=SOLVED),
    "playout_games": lambda: tavli.playout_games(START, 1, policy=SOLVED),
    "duel": lambda: tavli.duel("fast", SOLVED, 2),
    "search": lambda: tavli.search(START, "31", policy=SOLVED),
    "Player": lambda: tavli.Player(SOLVED),
    "decide": lambda: tavli.decide(tavli.Position(game="plakoto"), "31", policy="strong+bearoff:9x6"),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS.keys())
def test_an_interrupt_is_heard_while_rows_are_read(read: Callable[[list[str]], Any], signalled: Any) -> None:
    rows = [START] * 1_000_000 + ["no position"]
    _, heard = signalled(lambda: read(rows), 0.05)
    assert heard.result is None


@pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS.keys())
def test_an_interrupt_is_heard_while_a_table_is_solved(solve: Callable[[], Any], signalled: Any) -> None:
    seconds, heard = signalled(solve, 0.1)
    assert seconds < 2.0 and heard.result is None


ROWS = 300_000
GAMES = tavli.Games(ROWS)
GAMES.roll()
DRAUGHTS = tavli.DraughtsGames(2 * ROWS)
MANY_DRAUGHTS = tavli.DraughtsGames(16 * ROWS)


def again(games: Any) -> Any:
    """What unpickling calls, without the bytes, which pickle reads itself."""
    make, state = games.__reduce__()
    return lambda points: make(*state)


WORK: dict[str, Callable[[Any], Any]] = {
    "roll": lambda points: tavli.Games(ROWS).roll(),
    "clone": lambda points: GAMES.clone(),
    "pickle": lambda points: tavli.Games(8 * ROWS).__reduce__(),
    "unpickle": again(tavli.Games(4 * ROWS)),
    "clone draughts": lambda points: MANY_DRAUGHTS.clone(),
    "pickle draughts": lambda points: DRAUGHTS.__reduce__(),
    "unpickle draughts": again(DRAUGHTS),
    "encode": lambda points: tavli.encode(points),
    "sparse": lambda points: tavli.encode(points, sparse=True),
    "draughts": lambda points: tavli.DraughtsGames(2 * ROWS).plays(),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK.keys())
def test_an_interrupt_is_heard_while_rows_are_made(work: Callable[[Any], Any], signalled: Any) -> None:
    points = np.tile(tavli.Position().points, (2 * ROWS, 1))
    started = time.monotonic()
    work(points)
    whole = time.monotonic() - started
    seconds, _ = signalled(lambda: work(points), whole / 5)
    assert seconds < 0.7 * whole, whole


VALUERS: dict[str, Callable[[Any], Any]] = {
    "Player.cube_values": lambda rows: tavli.Player("fast").cube_values(rows),
    "cube_values": lambda rows: tavli.cube_values(np.tile([0.5, 0.1, 0.0, 0.1, 0.0], (ROWS, 1)), rows),
}


@pytest.mark.parametrize("value", VALUERS.values(), ids=VALUERS.keys())
@pytest.mark.parametrize("share", [0.4, 0.8])
def test_an_interrupt_keeps_the_rows_that_have_values(value: Callable[[Any], Any], share: float) -> None:
    position = tavli.Position(f"{START}:cAngAFAAGAAE")

    def handler(number: int, frame: FrameType | None) -> None:
        raise Heard

    def rows(then: Callable[[], Any]) -> Iterator[tavli.Position]:
        """Positions, and a call when the last has been read."""
        yield from (position for _ in range(ROWS))
        then()

    times: list[float] = []
    expected = value(rows(lambda: times.append(time.monotonic())))
    whole = time.monotonic() - times[0]
    before = signal.signal(signal.SIGALRM, handler)
    result: Any = None
    # A call that is faster than the first one ends before the signal, which then comes sooner.
    for _ in range(20):
        try:
            value(rows(lambda: signal.setitimer(signal.ITIMER_REAL, share * whole)))
            signal.setitimer(signal.ITIMER_REAL, 0)
        except Heard as heard:
            result = getattr(heard, "result", None)
        if result is not None:
            break
        share *= 0.8
    signal.signal(signal.SIGALRM, before)
    assert result is not None
    number = len(result["action"])
    assert 0 < number <= ROWS
    for name, column in expected.items():
        assert (result[name] == column[:number]).all(), name
