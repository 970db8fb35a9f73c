"""Playouts: the numbers that the Rust library and command give, bit for bit."""

import math
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, Literal

import data
import numpy as np
import pytest

import tavli
from tavli import Position

# What the library records: kernel/backgammon/src/playout/signature.rs.
SIGNATURE = "5e4411ba37c678f2"


def test_the_signature_is_the_recorded_one() -> None:
    assert tavli.signature() == SIGNATURE
    assert tavli.signature(isa="portable") == SIGNATURE
    recorded = (data.FOLDER.parents[1] / "src" / "playout" / "signature.rs").read_text()
    assert f"0x{'_'.join(SIGNATURE[i : i + 4] for i in range(0, 16, 4))}" in recorded


def test_recorded_tallies() -> None:
    # `tavli playout --games 100000 --first-roll open --json`, as in the guide to the command.
    tally = tavli.playout(Position(), 100_000, first_roll="open")
    assert tally.outcomes == {
        "win_single": 19168,
        "win_gammon": 18372,
        "win_backgammon": 13066,
        "lose_single": 18760,
        "lose_gammon": 17833,
        "lose_backgammon": 12801,
    }
    assert (tally.games, tally.unfinished, tally.longest) == (100_000, 0, 444)
    assert tally.mean_plies.mean == 96.71856
    assert (tally.win.mean, tally.equity.mean) == (0.50606, 0.02281)
    assert tally.probabilities.tolist() == [0.19168, 0.18372, 0.13066, 0.1876, 0.17833, 0.12801]
    # The first example of the library's documentation.
    tally = tavli.playout("4HPwATDgc/ABMA", 1000, seed=42)
    assert (sum(list(tally.outcomes.values())[:3]), tally.longest) == (519, 293)


def test_recorded_games() -> None:
    # `tavli playout --games 3 --first-game 1000 --per-game -`, as in the guide to the command.
    outcomes, plies = tavli.playout_games(Position(), 3, first_game=1000)
    assert [tavli.OUTCOMES[outcome] for outcome in outcomes] == ["lose_backgammon", "lose_gammon", "lose_gammon"]
    assert plies.tolist() == [54, 50, 90]
    assert plies.dtype == np.uint32 and outcomes.dtype == np.int8


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("pin", ["none", "cores"])
def test_threads_and_tiers_change_nothing(threads: int, pin: str) -> None:
    expected = tavli.playout(Position(), 5000, first_game=2**40, seed=2**64 - 1)
    for isa in (None, "portable"):
        tally = tavli.playout(Position(), 5000, first_game=2**40, seed=2**64 - 1, threads=threads, pin=pin, isa=isa)
        assert tally.outcomes == expected.outcomes
        assert (tally.plies, tally.plies_squared, tally.plays) == (expected.plies, expected.plies_squared, expected.plays)


@pytest.mark.parametrize("rules", ["backgammon", "mcgammon"])
@pytest.mark.parametrize("first_roll", ["any", "open", "stratified", "31"])
def test_games_add_up_to_their_tally(rules: Literal["backgammon", "mcgammon"], first_roll: str) -> None:
    position = Position("4HPwATDgc/ABMA")
    tally = tavli.playout(position, 3000, rules=rules, first_roll=first_roll, truncate=70)
    outcomes, plies = tavli.playout_games(position, 3000, rules=rules, first_roll=first_roll, truncate=70)
    assert list(tally.outcomes.values()) == np.bincount(outcomes[outcomes >= 0], minlength=6).tolist()
    assert tally.unfinished == np.count_nonzero(outcomes == -1) > 0
    assert (tally.plies, tally.longest) == (int(plies.sum()), int(plies.max()))
    assert tally.plies_squared == int((plies.astype(np.int64) ** 2).sum())


def test_the_law_of_bearing_off() -> None:
    for row in data.rows("bearoff_random_exact.tsv")[:60]:
        win, mean_plies = float(row[1]), float(row[5])
        tally = tavli.playout(row[0], 20_000)
        assert abs(tally.win.mean - win) <= 5 * math.sqrt(win * (1 - win) / 20_000) + 1e-4
        assert abs(tally.mean_plies.mean - mean_plies) <= 5 * tally.mean_plies.standard_error + 1e-3


def test_a_row_of_probabilities_is_the_rollout_of_its_position() -> None:
    ids = [row[0] for row in data.rows("id_vectors.tsv")]
    positions = []
    for position_id in ids:
        try:
            tavli.playout(position_id, 1)
        except tavli.PositionError:
            continue  # both sides shut out: the game can never end
        positions.append(Position(position_id))
    positions = positions[:40]
    points = np.stack([position.points for position in positions])
    assert points.shape == (40, 26) and points.dtype == np.int8
    for trials, plies in ((100, None), (1296, 30)):
        result = tavli.probabilities(points, trials, seed=7, truncate=plies, threads=2, policy="uniform")
        assert result.shape == (40, 6) and result.dtype == np.float64
        for position, row in zip(positions, result, strict=True):
            rolled_out = tavli.rollout(
                position, seed=7, trials=trials, truncate=plies or "none", evaluator="none", policy="uniform"
            )
            assert row.tolist() == rolled_out.best.probabilities.tolist()
    # Many pieces of one position, on arrays that are not contiguous.
    whole = tavli.probabilities(np.asfortranarray(points[::20]), 100_000, threads=3, policy="uniform")
    for position, row in zip(positions[::20], whole, strict=True):
        tally = tavli.playout(position, 100_000)
        assert row.tolist() == tally.probabilities.tolist()


def test_a_row_of_playouts_is_the_playout_of_its_position() -> None:
    positions = [Position(row[0]) for row in data.rows("bearoff_random_exact.tsv")[:20]] + [Position()] * 2
    points = np.stack([position.points for position in positions])
    for games, settings in (
        (36, {}),
        (100, {"seed": 9, "first_game": 2**40, "first_roll": "stratified", "threads": 2}),
        (50, {"truncate": 7, "first_roll": "31", "isa": "portable"}),
        (20, {"rules": "mcgammon"}),
    ):
        counts = tavli.playouts(points, games, **settings)
        assert counts.shape == (22, 6) and counts.dtype == np.int64
        for position, row in zip(positions, counts, strict=True):
            try:
                tally = tavli.playout(position, games, **settings)
            except tavli.PositionError:
                assert sorted(row.tolist())[-1] == games  # over by the rules
                continue
            assert row.tolist() == list(tally.outcomes.values())
    # The same positions in other forms, and 36 games by default.
    counts = tavli.playouts(points)
    ids = [position.position_id for position in positions]
    numbers = [position.points.tolist() for position in positions]
    for form in (positions, ids, numbers, points.astype(np.int64), points.astype(np.int16), np.asfortranarray(points)):
        assert tavli.playouts(form, 36).tolist() == counts.tolist()
    assert tavli.playouts(np.zeros((0, 26), np.int8)).shape == (0, 6)
    assert tavli.playouts([]).shape == (0, 6)


def test_whole_rows_are_kept_when_games_end_early() -> None:
    class Enough(Exception):
        counts: np.typing.NDArray[np.int64]

    def enough(progress: tavli.Progress) -> None:
        if progress.done >= 2:
            raise Enough

    with pytest.raises(Enough) as raised:
        # One worker ends the rows in their order.
        tavli.playouts([Position()] * 100_000, 200_000, progress=enough, threads=1)
    counts = raised.value.counts
    assert 2 <= len(counts) < 100_000
    assert (counts == counts[0]).all() and counts[0].sum() == 200_000


def test_no_positions_have_no_probabilities() -> None:
    assert tavli.probabilities(np.zeros((0, 26), np.int8)).shape == (0, 6)


def test_bad_arrays_are_named() -> None:
    rows = np.stack([Position().points] * 3)
    with pytest.raises(TypeError, match="an array of integers of shape .n, 26., .* not float64 of shape .3, 26."):
        tavli.probabilities(rows.astype(float))
    with pytest.raises(TypeError, match="not int8 of shape .26,."):
        tavli.probabilities(rows[0])
    with pytest.raises(TypeError, match="a position is .*, not float"):
        tavli.probabilities([Position(), 0.5])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="or a sequence of positions, not str"):
        tavli.playouts("4HPwATDgc/ABMA")
    with pytest.raises(tavli.PositionError, match="row 1: .*nonsense"):
        tavli.playouts([Position(), "nonsense"])
    with pytest.raises(tavli.PositionError, match="row 0: .*300"):
        tavli.playouts(rows[:1].astype(np.int64) * 150)
    with pytest.raises(tavli.SettingsError, match=r"shape \(n, 26\), not \(3, 25\)"):
        tavli.probabilities(np.ascontiguousarray(rows[:, :25]))
    rows[2, 3] = 1
    with pytest.raises(tavli.PositionError, match="row 2: .*16 checkers"):
        tavli.probabilities(rows)
    # Both sides are on the bar against six closed points.
    rows[2] = 0
    with pytest.raises(tavli.PositionError, match="row 2: .*neither side has a checker"):
        tavli.probabilities(rows)
    rows[2] = [-3, 2, 2, 2, 2, 2, 2, *[0] * 12, -2, -2, -2, -2, -2, -2, 3]
    with pytest.raises(tavli.PositionError, match="row 2: .*can never end"):
        tavli.probabilities(rows)


def test_finished_games_have_their_result() -> None:
    rows = np.zeros((5, 26), np.int8)
    rows[0] = Position().points
    rows[1, 1] = 1  # the opponent has borne off all, and the player some
    rows[2, 19] = -2  # the player has borne off all, and the opponent some
    rows[3, 6] = 15  # the opponent has borne off all, and the player none
    rows[4, 6] = -15  # the player has borne off all, and a checker of the opponent stands in his home
    result = tavli.probabilities(rows, 1296, policy="uniform")
    assert result[0].tolist() == tavli.probabilities(rows[:1], 1296, policy="uniform")[0].tolist()
    ends = ["lose_single", "win_single", "lose_gammon", "win_backgammon"]
    for row, end in zip(result[1:], ends, strict=True):
        assert row.tolist() == [float(name == end) for name in tavli.OUTCOMES]


def test_what_ends_a_playout_keeps_its_tally() -> None:
    def end(progress: tavli.Progress) -> None:
        if progress.done > 10_000:
            raise StopIteration

    with pytest.raises(StopIteration) as raised:
        tavli.playout(Position(), 10**15, first_game=7, progress=end, threads=1)
    tally = raised.value.tally  # type: ignore[attr-defined]
    assert tally.first_game == 7 and tally.games > 10_000
    again = tavli.playout(Position(), tally.games, first_game=7)
    assert (tally.outcomes, tally.plies) == (again.outcomes, again.plies)


def test_an_interrupt_keeps_the_tally() -> None:
    program = """
import signal
import tavli
# Whoever started the tests may have had it ignored, as shells do for what runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
def told(progress):
    if progress.done > 0:
        signal.raise_signal(signal.SIGINT)
try:
    tavli.playout("4HPwATDgc/ABMA", 10**15, progress=told, threads=1)
except KeyboardInterrupt as error:
    print(error.tally.games)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0 and int(done.stdout) > 0, done


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tavli.playout(Position()), "either a number of games or seconds"),
        (lambda: tavli.playout(Position(), 1, seconds=1), "either a number of games or seconds"),
        (lambda: tavli.playout(Position(), 0), "games are a whole number 1 to 18446744073709551615, not 0"),
        (lambda: tavli.playout(Position(), -1), "not -1"),
        (lambda: tavli.playout(Position(), 2**64), "not 18446744073709551616"),
        (lambda: tavli.playout(Position(), 1, first_game=2**64 - 1), "the number of a game is a whole number 0 to"),
        (lambda: tavli.playout(Position(), 2, first_game=2**64 - 2), "on pass the last game number"),
        (lambda: tavli.playout(Position(), 1, seed=-1), "a seed is a whole number 0 to 18446744073709551615, not -1"),
        (lambda: tavli.playout(Position(), 1, truncate=0), "plies are a whole number 1 to 4294967295, not 0"),
        (lambda: tavli.playout(Position(), 1, threads=0), "threads are a whole number 1 to 4096, not 0"),
        (lambda: tavli.playout(Position(), 1, threads=5000), "not 5000"),
        (lambda: tavli.playout(Position(), 1, pin="here"), "'here' is not a way to pin: choose cores, "),
        (lambda: tavli.playout(Position(), 1, pin="9999"), "this process may not use CPU 9999"),
        (lambda: tavli.playout(Position(), 1, pin="\x1b[31m"), r"'\u{1b}[31m' is not a way to pin"),
        (lambda: tavli.playout(Position(), 1, isa="y" * 10_000), "y…y"),
        (lambda: tavli.playout(Position(), 1, isa="sse"), "'sse' is not an instruction-set tier; this CPU has: "),
        (lambda: tavli.playout(Position(), 1, first_roll="7"), "'7' is not a roll"),
        (lambda: tavli.playout(Position(), 1, rules="chess"), "choose backgammon, mcgammon"),  # type: ignore[arg-type]
        (lambda: tavli.playout(Position(), seconds=0), "seconds are a number from 1e-9 to 1.8e19, not 0.0"),
        (lambda: tavli.playout(Position(), seconds=math.nan), "seconds are a number from 1e-9 to 1.8e19, not NaN"),
        (lambda: tavli.playout(Position(), seconds=1e-300), "seconds are a number from 1e-9 to 1.8e19, not 1e-300"),
    ],
)
def test_bad_settings_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(tavli.SettingsError) as raised:
        call()
    assert message in str(raised.value)


def test_what_is_no_number_is_a_type_error() -> None:
    for games in ("ten", 1.5, [3]):
        with pytest.raises(TypeError):
            tavli.playout(Position(), games)  # type: ignore[arg-type]


def test_the_environment_forces_a_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVLI_ISA", "none")
    with pytest.raises(tavli.SettingsError, match="'none' is not an instruction-set tier"):
        tavli.playout(Position(), 1)
    assert tavli.playout(Position(), 1, isa="portable").games == 1


def test_progress_comes_to_the_end() -> None:
    told: list[tavli.Progress] = []
    tally = tavli.playout(Position(), seconds=0.35, progress=told.append)
    assert len(told) >= 2
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert (told[-1].done, told[-1].total, told[-1].fraction) == (tally.games, tally.games, 1.0)
    again = tavli.playout(Position(), tally.games)
    assert again.outcomes == tally.outcomes
    told.clear()
    tavli.probabilities(np.stack([Position().points] * 5), progress=told.append, policy="uniform")
    assert (told[-1].done, told[-1].total) == (5, 5)


def test_what_progress_raises_ends_the_games() -> None:
    class Enough(Exception):
        pass

    def raise_enough(progress: tavli.Progress) -> None:
        raise Enough

    points = np.stack([Position().points] * 3)
    calls: list[Callable[[], object]] = [
        lambda: tavli.playout(Position(), 10**12, progress=raise_enough),
        lambda: tavli.playout_games(Position(), 10**9, progress=raise_enough),
        lambda: tavli.probabilities(points, 10**12, progress=raise_enough, policy="uniform"),
        lambda: tavli.playouts(points, 10**12, progress=raise_enough),
        lambda: tavli.rollout(Position(), trials=10**12, progress=raise_enough, policy="uniform"),
    ]
    for call in calls:
        start = time.monotonic()
        with pytest.raises(Enough):
            call()
        assert time.monotonic() - start < 5


def test_other_threads_run_meanwhile() -> None:
    done = threading.Event()

    def play() -> None:
        tavli.playout(Position(), seconds=0.5, threads=1)
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    steps = 0
    while not done.is_set():
        steps += 1
        time.sleep(0.001)
    thread.join()
    assert steps > 20


@pytest.mark.parametrize(
    "play",
    [
        lambda position: tavli.playout(position, 36),
        lambda position: tavli.playout_games(position, 36),
        lambda position: tavli.search(position, "31", simulations=500),
    ],
)
def test_a_cube_and_a_score_that_games_ignore_warn(play: Callable[[tavli.Position], object]) -> None:
    remark = "the position's cube and score are ignored: its games count points without them"
    board = "XGID=-b----E-C---eE---c-e----B-"
    for context in ("0:0:1:00:3:5:0:7:10", "1:1:1:00:0:0:0:0:10"):
        with pytest.warns(tavli.PositionWarning) as warned:
            play(tavli.Position(f"{board}:{context}"))
        assert [(str(warning.message), warning.filename) for warning in warned] == [(remark, __file__)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(tavli.Position(f"{board}:0:0:1:00:0:0:0:0:10"))


ROLLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def test_games_begin_with_the_dice_of_their_positions() -> None:
    given = {"first_roll": "31"}
    every_call: list[Callable[..., Any]] = [
        lambda position, **first: tavli.playout(position, 500, **first).outcomes,
        lambda position, **first: [column.tolist() for column in tavli.playout_games(position, 50, **first)],
        lambda position, **first: tavli.playouts([position] * 2, 360, **first).tolist(),
        lambda position, **first: tavli.probabilities([position] * 2, 36, **first).tolist(),
        lambda position, **first: tavli.Games(3, position, **first).roll().rolls.tolist(),
        lambda position, **first: tavli.Games(3, [position] * 3, **first).roll().rolls.tolist(),
        lambda position, **first: tavli.VectorEnv(3, points=position, **first).reset(seed=1)[0]["rolls"].tolist(),
    ]
    for calls in every_call:
        assert calls(ROLLED) == calls(ROLLED, **given) == calls(Position(), **given)
        assert calls(ROLLED) != calls(Position())
        assert calls(Position()) == calls(Position(), first_roll="any")
        with pytest.raises(tavli.SettingsError, match="the position has the roll 31, and first_roll is 'any'"):
            calls(ROLLED, first_roll="any")
    assert tavli.Games(3, ROLLED).roll().rolls.tolist() == [[3, 1]] * 3
    message = "row 1: no dice, and row 0 the dice 31: all games of a call begin with the same dice"
    with pytest.raises(tavli.PositionError, match=message):
        tavli.playouts([ROLLED, Position()], 36)
    # A value is that before the roll.
    player = tavli.Player("fast")
    assert player.evaluate([ROLLED, Position()]).tolist() == player.evaluate([Position()] * 2).tolist()


def test_what_ends_a_call_carries_what_was_done() -> None:
    """Ctrl-C, or what `progress` raises: the attribute `result`, in every call alike."""

    def end(progress: tavli.Progress) -> None:
        if progress.done > 0:
            raise StopIteration

    start, many = "4HPwATDgc/ABMA", 10**9
    with pytest.raises(StopIteration) as raised:
        tavli.playout(start, 10**15, progress=end, threads=1)
    tally = raised.value.result  # type: ignore[attr-defined]
    assert tally.games > 0 and tally.games == raised.value.tally.games  # type: ignore[attr-defined]
    with pytest.raises(StopIteration) as raised:
        tavli.playout_games(start, 10**7, progress=end, threads=1)
    outcomes, plies = raised.value.result  # type: ignore[attr-defined]
    assert len(outcomes) == len(plies) > 0
    whole = tavli.playout_games(start, len(outcomes), threads=1)
    assert (outcomes == whole[0]).all() and (plies == whole[1]).all()
    with pytest.raises(StopIteration) as raised:
        tavli.duel("pubeval", "uniform", games=many, progress=end, threads=1)
    score = raised.value.result  # type: ignore[attr-defined]
    assert 0 < score["games"] < many
    again = tavli.duel("pubeval", "uniform", games=score["games"], threads=1)
    assert again["points_per_game"] == score["points_per_game"]
    with pytest.raises(StopIteration) as raised:
        tavli.probabilities([start] * 100_000, trials=360, policy="uniform", progress=end, threads=1)
    rows = raised.value.result  # type: ignore[attr-defined]
    assert rows.shape[1] == 6 and 0 < len(rows) < 100_000
    with pytest.raises(StopIteration) as raised:
        tavli.rollout(start, trials=10**10, policy="uniform", progress=end, threads=1)
    assert raised.value.result.trials > 0  # type: ignore[attr-defined]


def test_texts_say_how_many_games_were_cut_off() -> None:
    tally = tavli.playout("4HPwATDgc/ABMA", 100, truncate=5)
    assert "100 cut off: neither won nor lost" in repr(tally)
    assert "cut off" not in repr(tavli.playout("4HPwATDgc/ABMA", 100))
    cut = tavli.rollout("4HPwATDgc/ABMA", trials=36, truncate=5, evaluator="none", policy="uniform")
    assert "36 cut off: neither won nor lost" in repr(cut)
    valued = tavli.rollout("4HPwATDgc/ABMA", trials=36, truncate=5, policy="uniform")
    assert "cut off" not in repr(valued)
