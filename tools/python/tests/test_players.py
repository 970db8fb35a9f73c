"""Players that value positions, look ahead and play each other."""

import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tavli
from numpy.typing import NDArray

EQUITY = np.array([1, 2, 3, -1, -2, -3])


def positions(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions of random games with rolls."""
    games = tavli.Games(number, seed=3)
    random = np.random.default_rng(4)
    for _ in range(12):
        games.make(random.integers(np.diff(games.roll().offsets)))
    return games.points, games.roll().rolls


def test_values_are_those_of_the_evaluators_games() -> None:
    points, _ = positions(20)
    found = tavli.Player("sampled:9:pubeval").evaluate(points)
    games = tavli.playouts(points, 9, seed=2**64 - 1, policy="pubeval")
    assert found.shape == (20, 6) and found.dtype == np.float64
    np.testing.assert_allclose(found, games / 9, atol=1e-8)


def test_what_is_over_is_certain() -> None:
    over = np.zeros(26, np.int8)
    over[20] = -2
    found = tavli.Player("sampled:1").evaluate(np.stack([over, tavli.Position().points]))
    assert found[0].tolist() == [1, 0, 0, 0, 0, 0]
    assert abs(found[1].sum() - 1) < 1e-8


def test_the_best_play_leaves_the_opponent_least() -> None:
    points, rolls = positions(30)
    player = tavli.Player("sampled:9")
    after = player.best(points, rolls)
    values = player.evaluate(after) @ EQUITY
    for row in range(30):
        plays = tavli.Position(points[row]).plays(f"{rolls[row][0]}{rolls[row][1]}")
        all_after = np.stack([play.position.points for play in plays])
        assert values[row] == (player.evaluate(all_after) @ EQUITY).min()


def test_a_ply_ahead_is_the_mean_of_the_best_plays() -> None:
    points, _ = positions(3)
    player = tavli.Player("sampled:2+bearoff")
    throws = np.array([(one, two) for one in range(1, 7) for two in range(1, 7)])
    for row in points:
        after = player.best(np.stack([row] * 36), throws)
        values = player.evaluate(after)[:, [3, 4, 5, 0, 1, 2]]
        np.testing.assert_allclose(player.evaluate([row], look_ahead=1)[0], values.mean(axis=0), atol=1e-8)
    ahead = tavli.Player("sampled:2+bearoff+1ply")
    np.testing.assert_array_equal(ahead.evaluate(points), player.evaluate(points, look_ahead=1))
    rolls = np.array([[3, 1]] * 3)
    np.testing.assert_array_equal(ahead.best(points, rolls), player.best(points, rolls, look_ahead=1))


def test_who_values_nothing_says_so() -> None:
    points, rolls = positions(2)
    for player in (tavli.Player("pubeval"), tavli.Player(lambda *_: np.zeros(2, int))):
        with pytest.raises(tavli.SettingsError, match="does not value positions"):
            player.evaluate(points)
        with pytest.raises(tavli.SettingsError, match="does not value positions"):
            player.best(points, rolls, look_ahead=1)
    for call in (
        lambda: tavli.Player("fast").evaluate(points, look_ahead=5),
        lambda: tavli.Player("fast").evaluate(points, look_ahead=-1),
        lambda: tavli.Player("fast").cube_values(list(points), look_ahead=-1),
        lambda: tavli.Player("fast").best(points, rolls, look_ahead=2**32 - 1),
        lambda: tavli.Player("fast").cube_values(list(points), look_ahead=5),
    ):
        with pytest.raises(tavli.SettingsError, match="look_ahead is a whole number 0 to 4, not "):
            call()
    with pytest.raises(tavli.SettingsError, match="cannot read ./none.net"):
        tavli.Player("./none.net")


def test_a_player_looks_ahead_once() -> None:
    points, rolls = positions(3)
    player = tavli.Player("fast+1ply")
    calls: list[Callable[[], object]] = [
        lambda: player.evaluate(points, look_ahead=1),
        lambda: player.best(points, rolls, look_ahead=1),
        lambda: player.cube_values(list(points), look_ahead=1),
    ]
    for call in calls:
        with pytest.raises(tavli.SettingsError, match=r"look_ahead 1: invalid look-ahead '\+1ply\+1ply'"):
            call()


def test_a_duel_is_that_of_the_command() -> None:
    found = tavli.duel("pubeval", "uniform", 200, seed=5, threads=2)
    assert (found["a"], found["b"], found["games"]) == ("pubeval", "uniform", 200)
    assert sum(found["outcomes"].values()) == 200 == found["wins"] + found["losses"]
    assert found["points_per_game"] == EQUITY @ list(found["outcomes"].values()) / 200
    command = os.environ.get("TAVLI_COMMAND")
    if command is None:
        pytest.skip("TAVLI_COMMAND names no command tavli")
    printed = subprocess.run(
        [command, "duel", "pubeval", "uniform", "--games", "200", "--seed", "5", "--json"],
        check=True,
        capture_output=True,
    )
    theirs = json.loads(printed.stdout)
    assert found == {name: theirs[name] for name in found}


def test_a_function_plays_a_match() -> None:
    def first(_points: np.ndarray, rolls: np.ndarray, *_: np.ndarray) -> np.ndarray:
        return np.zeros(len(rolls), int)

    found = tavli.duel(first, first, 20, rules="hypergammon")
    assert (found["points_per_game"], found["standard_error"]) == (0, 0)
    with pytest.raises(tavli.SettingsError, match="even number"):
        tavli.duel("uniform", "uniform", 3)


def test_luck_is_taken_out_of_a_rollout() -> None:
    points = [0] * 26
    points[5], points[6], points[19], points[20] = 1, 2, -1, -1
    luck, player = "sampled:1+bearoff:6x3", "uniform+bearoff:6x3"
    result = tavli.rollout(points, trials=36, policy=player, luck=luck).best
    exact = tavli.Player(luck).evaluate([tavli.Position(points)])[0][0]
    assert abs(result.win.mean - exact) < 1e-8 > result.win.standard_deviation
    with pytest.raises(tavli.SettingsError, match="is a policy"):
        tavli.Rollout(points, luck="pubeval")


def test_best_plays_do_not_depend_on_how_many_are_asked_for() -> None:
    points, rolls = positions(1000)
    player = tavli.Player("pubeval")
    parts = [player.best(points[first : first + 37], rolls[first : first + 37]) for first in range(0, 1000, 37)]
    np.testing.assert_array_equal(np.concatenate(parts), player.best(points, rolls))


def test_without_a_name_it_is_the_player_that_values_positions_everywhere() -> None:
    points, _ = positions(3)
    # One checker on the six point against two on the ace point: all throws except nine bear it off.
    race = np.zeros(26, np.int8)
    race[[6, 24]] = 1, -2
    player = tavli.Player()
    assert player.name == "strong+bearoff:6+bearoff:6x6"
    assert abs((player.evaluate([race]) @ EQUITY)[0] - 0.5) < 1e-6
    np.testing.assert_array_equal(player.evaluate(points), tavli.Player("strong").evaluate(points))
    with pytest.raises(TypeError, match="the name 'mine' is for the policy of a function"):
        tavli.Player(name="mine")
    for policy in ("uniform", tavli.Player("uniform")):
        with pytest.raises(TypeError, match="is for the policy of a function, and .*uniform.* is not one"):
            tavli.Player(policy, name="mine")


def test_functions_have_names_that_no_player_found_by_its_name_may_have() -> None:
    def uniform(points: object, rolls: object, offsets: NDArray[np.int64], results: object) -> NDArray[np.int64]:
        return np.zeros(len(offsets) - 1, dtype=np.int64)

    def first(points: NDArray[np.int8]) -> NDArray[np.float64]:
        return np.tile([1.0, 0, 0, 0, 0, 0], (len(points), 1))

    # A function of its own would have the name of this function in front.
    uniform.__qualname__, first.__qualname__ = "uniform", "fast"
    start = tavli.Position()
    message = "a function cannot have the name '{}': saved results would be taken for those of the player of this name"
    remedy = r"; rename the function, or name its policy, as in tavli.Player\(function, name='mine'\)"
    calls: list[Callable[[], object]] = [
        lambda: tavli.Player(uniform),
        lambda: tavli.playout(start, 10, policy=uniform),
        lambda: tavli.Rollout(start, policy=uniform),
        lambda: tavli.Rollout(start, policy="td80", policy_opponent=uniform),
        lambda: tavli.Rollout.from_json("", policy=uniform),
        lambda: tavli.search(start, "31", simulations=100, policy=uniform),
    ]
    for call in calls:
        with pytest.raises(tavli.SettingsError, match=message.format("uniform") + remedy):
            call()
    calls = [
        lambda: tavli.Rollout(start, truncate=2, evaluator=first),
        lambda: tavli.search(start, "31", simulations=100, evaluator=first, bias=1),
    ]
    for call in calls:
        with pytest.raises(tavli.SettingsError, match=message.format("fast") + remedy):
            call()
    for name in (*tavli.PLAYERS, "sampled", "sampled:x", "mine.player#0badcafe", "mine+1ply", "fast+bearoff"):
        with pytest.raises(tavli.SettingsError, match=re.escape(message.format(name))):
            tavli.Player(uniform, name=name)
    for name, shown in (("", ""), ("a\nb", r"a\\nb"), ("\u202e", r"\\u\{202e\}")):
        with pytest.raises(tavli.SettingsError, match=f"the name '{shown}': a name has at least one character"):
            tavli.Player(uniform, name=name)
    for name in ("my uniform", "mine.player", "fast-2", "Züge", "f.<locals>.<lambda>"):
        assert tavli.Player(uniform, name=name).name == name


def test_a_record_by_functions_is_loaded_with_the_functions(tmp_path: Path) -> None:
    def first(points: object, rolls: object, offsets: NDArray[np.int64], results: object) -> NDArray[np.int64]:
        return np.zeros(len(offsets) - 1, dtype=np.int64)

    function = tavli.Player(first, name="first")
    path = tmp_path / "rollout.json"
    for policies, argument in (((function, "uniform"), "policy"), (("uniform", function), "policy_opponent")):
        policy, opponent = policies
        saved = tavli.Rollout(tavli.Position(), trials=36, policy=policy, policy_opponent=opponent)
        saved.save(path)
        message = f"unknown policy 'first': if it was a function, load the rollout with the function as {argument}$"
        with pytest.raises(tavli.RecordError, match=message):
            tavli.Rollout.from_json(saved.to_json())
        with pytest.raises(tavli.RecordError, match=message):
            tavli.Rollout.load(path)
        assert tavli.Rollout.load(path, policy=policy, policy_opponent=opponent).to_json() == saved.to_json()


def test_an_import_of_numpy_that_ends_early_is_no_panic(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise KeyboardInterrupt")
    program = """
try:
    import tavli
    tavli.Player("uniform").best([tavli.Position()], [(3, 1)])
except KeyboardInterrupt:
    print("heard")
"""
    path = os.pathsep.join([str(tmp_path), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.stdout == "heard\n" and not done.stderr, done


def test_an_interrupt_is_heard_while_positions_are_valued() -> None:
    program = """
import pickle, re, signal, sys, tempfile, threading
import tavli
# Whoever started the tests may have had it ignored, as shells do for what runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
# The other thread runs when the call lets it, which is after the call has begun.
sys.setswitchinterval(1000)
start = tavli.Position()
endless, strong = tavli.Player("sampled:4000000000"), tavli.Player("strong")
# A rollout by the table of 7 points and 9 checkers, which takes a minute to solve: that by a small one, renamed.
small = tavli.Rollout(start, trials=36, policy="pubeval+bearoff:6x3")
saved = small.to_json().replace("6x3", "7x9")
try:
    tavli.Rollout.from_json(saved)
except tavli.RecordError as error:
    before, after = re.search("checksum is ([0-9a-f]{8}), its contents have ([0-9a-f]{8})", str(error)).groups()
saved = saved.replace(before, after)
pickled = pickle.dumps(small).replace(b"6x3", b"7x9").replace(before.encode(), after.encode())
path = tempfile.mktemp()
open(path, "w").write(saved)
strong.evaluate([start])  # what is imported at the first call hears Ctrl-C otherwise
calls = [
    lambda: endless.evaluate([start]),
    lambda: endless.best([start], [(3, 1)]),
    lambda: strong.evaluate([start] * 60, look_ahead=4),
    lambda: strong.best([start] * 60, [(4, 3)] * 60, look_ahead=4),  # 31 has one good play: nothing to look ahead for
    lambda: tavli.Player("strong+bearoff:7x9"),
    lambda: tavli.duel("strong+bearoff:10", "fast", games=2, threads=1),
    lambda: tavli.rollout(start, trials=36, evaluator="strong+bearoff:7x9", truncate=2, threads=1),
    lambda: tavli.Rollout.to_decide(start, (4, 3), luck="strong+bearoff:7x9"),
    lambda: tavli.Rollout.from_json(saved),
    lambda: tavli.Rollout.load(path),
    lambda: pickle.loads(pickled),
    lambda: tavli.duel("strong+4ply", "fast", games=2, threads=1),
    lambda: tavli.playout(start, 1, policy="strong+4ply", threads=1),
    lambda: tavli.rollout(start, trials=36, policy="strong+4ply", threads=1),
]
for call in calls:
    go = threading.Event()
    def interrupt():
        go.wait()
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        go.set()
        call()
    except KeyboardInterrupt:
        print("heard")
    thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["heard"] * 14, done


@pytest.mark.filterwarnings("ignore::tavli.PlayerWarning")
def test_the_default_player_is_that_of_the_rules() -> None:
    points, rolls = positions(5)
    default, of_mcgammon = tavli.Player(), tavli.Player("sampled")
    valued = of_mcgammon.evaluate(points, rules="mcgammon")
    assert default.evaluate(points, rules="mcgammon").tolist() == valued.tolist()
    assert (tavli.Player("strong").evaluate(points, rules="mcgammon") != valued).any()
    best = of_mcgammon.best(points, rolls, rules="mcgammon")
    assert default.best(points, rolls, rules="mcgammon").tolist() == best.tolist()
    for copy in (tavli.Player(default), pickle.loads(pickle.dumps(default))):
        assert copy.evaluate(points, rules="mcgammon").tolist() == valued.tolist()
    # Whoever names a player has that player.
    named = tavli.Player("strong+bearoff:6+bearoff:6x6")
    assert default.evaluate(points).tolist() == named.evaluate(points).tolist()
    assert (named.evaluate(points, rules="mcgammon") != valued).any()


def test_an_interrupt_of_a_player_keeps_the_first_rows() -> None:
    program = """
import signal, threading, time
import numpy as np
import tavli
signal.signal(signal.SIGINT, signal.default_int_handler)
# Positions that differ, since equal ones are valued once; it takes half a minute to value all, and to read them a blink.
ROWS = 100_000
games = tavli.Games(ROWS, seed=1)
for _ in range(10):
    plays = games.roll()
    games.make(np.zeros(ROWS, np.int64))
player, points = tavli.Player("fast"), plays.points[plays.offsets[:-1]]
rolls = np.tile(np.array([3, 1], np.int8), (ROWS, 1))
# Rows are kept in batches. The first takes a time that tells when to interrupt, however busy the machine is.
BATCH = 4_096
for call, rows_of_call in [
    (lambda rows: player.evaluate(points[:rows], look_ahead=2), ROWS),
    (lambda rows: player.best(points[:rows], rolls[:rows], look_ahead=2), ROWS),
    (lambda rows: player.cube_values([tavli.Position()] * rows, look_ahead=2)["action"], 20_000),
]:
    begun = time.monotonic()
    call(BATCH)
    batch = time.monotonic() - begun
    def interrupt():
        time.sleep(1.5 * batch)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        call(rows_of_call)
    except KeyboardInterrupt as error:
        result = error.result
        rows = len(result["action"] if isinstance(result, dict) else result)
        print(0 < rows < rows_of_call)
    thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["True"] * 3, done
