"""Searches: the command's numbers bit for bit; interrupted, saved, shared and merged without a trace."""

import json
import os
import pickle
import signal
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import tavli
from tavli import Position, Search

OPENING = "4HPwATDgc/ABMA"


def facts(found: Search) -> dict[str, object]:
    """All of a search but the time it took."""
    record: dict[str, object] = json.loads(found.to_json())
    del record["checksum"]
    body = record["search"]
    assert isinstance(body, dict)
    del body["seconds"]
    return record


@pytest.mark.parametrize(
    ("settings", "arguments"),
    [
        ({}, []),
        ({"method": "flat", "reward": "wins", "seed": 7}, ["--method", "flat", "--reward", "wins", "--seed", "7"]),
        ({"method": "halving", "trees": 3}, ["--method", "halving", "--trees", "3"]),
        ({"chance_sampling": "stratified", "c": 0.5, "expand": 4}, ["--chance-sampling", "stratified", "--c", "0.5", "--expand", "4"]),
        ({"rules": "mcgammon", "best_by": "value"}, ["--rules", "mcgammon", "--best-by", "value"]),
        (
            {"evaluator": "td80", "bias": 2.0, "unprune": True},
            ["--evaluator", "td80", "--bias", "2", "--unprune"],
        ),
        ({"unprune": True}, ["--unprune"]),
        ({"evaluator": "pubeval", "bias": 0.5}, ["--evaluator", "pubeval", "--bias", "0.5"]),
        ({"policy": "pubeval", "in_flight": 8}, ["--policy", "pubeval", "--in-flight", "8"]),
    ],
)
def test_the_command_finds_the_same(settings: dict[str, object], arguments: list[str]) -> None:
    command = os.environ.get("TAVLI_COMMAND")
    if command is None:
        pytest.skip("TAVLI_COMMAND names no tavli command to compare with")
    number = 600 if "policy" in settings else 6000
    line = [command, "search", OPENING, "31", "--simulations", str(number), "--json", *arguments]
    document = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)
    found = tavli.search(OPENING, "31", simulations=number, **settings)  # type: ignore[arg-type]
    plays = document["plays"]
    assert found.notation == [play["moves"] for play in plays]
    assert found.visits.tolist() == [play["visits"] for play in plays]
    for values, name in [(found.value, "value"), (found.se, "se_value")]:
        expected = [play.get(name, np.nan) for play in plays]
        np.testing.assert_array_equal(values, expected)
    for row, play in zip(found.positions, plays, strict=True):
        assert str(Position(row).position_id) == play["position_id"]
    assert found.line == document["line"]
    assert (found.nodes, found.bytes, found.depth) == (document["nodes"], document["bytes"], document["depth"])
    assert found.simulations == document["simulations"] == number


def test_arrays_have_the_plays_best_first() -> None:
    found = tavli.search(Position(), (3, 1), simulations=5000, seed=3, threads=2)
    assert found.positions.shape == (16, 26) and found.positions.dtype == np.int8
    assert found.visits.dtype == np.int64 and found.visits.sum() == 5000
    assert (np.diff(found.value) <= 0).all()
    assert {play.moves for play in Position().plays("31")} == set(found.notation)
    after = {play.moves: play.position for play in Position().plays("31")}
    for moves, row in zip(found.notation, found.positions, strict=True):
        np.testing.assert_array_equal(after[moves].points, row)
    assert found.best.moves == found.notation[0]
    assert found.line[0] == f"31: {found.best.moves}"
    assert (found.roll, found.rules, found.method, found.policy) == ("31", "backgammon", "uct", "uniform")
    assert (found.seed, found.trees, found.interrupted) == (3, (0, 16), False)
    assert found.simulations_per_second == pytest.approx(5000 / found.seconds)
    assert found.playout_plies_per_second > found.simulations_per_second
    assert facts(tavli.search(OPENING, "31", simulations=5000, seed=3, threads=1)) == facts(found)
    assert facts(tavli.search(OPENING, "31", simulations=5000, seed=4)) != facts(found)


def test_plays_without_visits_have_no_value() -> None:
    found = tavli.search(OPENING, "31", simulations=1, trees=1)
    assert np.isnan(found.value).sum() == 15 and np.isnan(found.se).all()


def test_shards_are_the_whole(tmp_path: Path) -> None:
    whole = tavli.search(OPENING, "42", simulations=3001, trees=5)
    parts = [tavli.search(OPENING, "42", simulations=3001, trees=5, shard=f"{part}/3") for part in (3, 1, 2)]
    assert [part.trees for part in parts] == [(3, 5), (0, 1), (1, 3)]
    paths = [tmp_path / f"{part}.json" for part in range(3)]
    for part, path in zip(parts, paths, strict=True):
        part.save(path)
    assert facts(Search.merge([Search.load(path) for path in paths])) == facts(whole)
    assert facts(pickle.loads(pickle.dumps(whole))) == facts(whole)
    with pytest.raises(tavli.MergeError, match="trees 3 to 4 are in no shard"):
        Search.merge(parts[1:])
    with pytest.raises(tavli.MergeError, match="items 1 and 2 of the list: both hold trees 0 to 0"):
        Search.merge([parts[0], parts[1], parts[1]])
    with pytest.raises(tavli.RecordError, match="damaged"):
        Search.from_json(whole.to_json().replace('"depth":', '"depth":1'))
    with pytest.raises(FileNotFoundError):
        Search.load(tmp_path / "nothing")


def test_progress_is_called_and_ends_a_search() -> None:
    heard: list[tavli.Progress] = []

    def end_it(progress: tavli.Progress) -> None:
        heard.append(progress)
        if progress.done > 2000:
            raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough") as raised:
        tavli.search(OPENING, "31", seconds=600, progress=end_it)
    found: Search = raised.value.search  # type: ignore[attr-defined]
    assert found.interrupted and found.simulations > 2000
    assert heard[-1].best in found.notation
    last: list[tavli.Progress] = []
    tavli.search(OPENING, "31", simulations=2000, progress=last.append)
    assert (last[-1].done, last[-1].total, last[-1].fraction) == (2000, 2000, 1.0)


def test_an_interrupt_ends_a_search_with_its_result_so_far() -> None:
    # Python leaves the signal ignored where a shell did, as for a job in the background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt(progress: tavli.Progress) -> None:
        if progress.done > 1000:
            os.kill(os.getpid(), signal.SIGINT)

    try:
        with pytest.raises(KeyboardInterrupt) as raised:
            tavli.search(OPENING, "31", seconds=600, progress=interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert raised.value.search.simulations > 1000  # type: ignore[attr-defined]


def test_what_a_policy_raises_is_raised() -> None:
    def fail(*arrays: object) -> np.ndarray:
        raise RuntimeError("no policy")

    with pytest.raises(RuntimeError, match="no policy") as raised:
        tavli.search(OPENING, "31", simulations=100, policy=fail)
    assert raised.value.result.simulations < 100  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"roll": None}, tavli.RollError, "the position has no dice: name the roll too"),
        ({"roll": "71"}, tavli.RollError, "71"),
        ({"position": "AAAAAAEAAAAAAA"}, tavli.PositionError, "already over"),
        (
            {"simulations": 0},
            tavli.SettingsError,
            "with this number of trees, simulations are a whole number 1 to 8589934592, not 0",
        ),
        (
            {"simulations": 2**63, "trees": 1},
            tavli.SettingsError,
            "with this number of trees, simulations are a whole number 1 to 536870912, not 9223372036854775808",
        ),
        ({"simulations": True}, TypeError, "an int, not True of type bool"),
        ({"roll": (True, 3)}, TypeError, "a roll is two digits as text"),
        ({"seconds": -1.0}, tavli.SettingsError, "seconds are a number from 1e-9 to 1.8e19, not -1.0"),
        ({"c": -1.0}, tavli.SettingsError, "invalid C -1: give a number from 0 to 1000"),
        ({"c": float("nan")}, tavli.SettingsError, "invalid C NaN"),
        ({"c": 2.0, "method": "flat"}, tavli.SettingsError, "c is for the method uct, not for flat, which grows no trees"),
        ({"expand": 30, "method": "halving"}, tavli.SettingsError, "expand is for the method uct, not for halving"),
        ({"bias": -1.0}, tavli.SettingsError, "invalid bias -1: give a number from 0 to 1000"),
        ({"unprune": True, "method": "flat"}, tavli.SettingsError, "unpruning is for the method uct, not for flat"),
        ({"evaluator": "nobody", "bias": 1.0}, tavli.SettingsError, "unknown evaluator 'nobody'; choose one of: td80"),
        ({"evaluator": "fast"}, tavli.SettingsError, "an evaluator guides the trees by bias or unprune"),
        ({"position": tavli.Position(game="draughts")}, tavli.PositionError, "not of draughts"),
        ({"simulations": -5}, tavli.SettingsError, "simulations are a whole number 1 to"),
        ({"gap": 0.0}, tavli.SettingsError, "above 0, such as 3, not 0"),
        ({"method": "mcts"}, tavli.SettingsError, "unknown method 'mcts'; choose one of: uct"),
        ({"trees": 70000}, tavli.SettingsError, "trees are a whole number 1 to 65536, not 70000"),
        ({"trees": 0}, tavli.SettingsError, "trees are a whole number 1 to 65536, not 0"),
        ({"in_flight": 0}, tavli.SettingsError, "playouts in flight are a whole number 1 to 65536, not 0"),
        ({"memory": 0}, tavli.SettingsError, r"memory is, in bytes, a whole number 1 to \d+, not 0"),
        ({"memory": 100}, tavli.SettingsError, "100 bytes are too few for the roots of 16 trees"),
        ({"policy": "gnubg"}, tavli.SettingsError, "choose one of: uniform, pubeval"),
        ({"shard": "1/17"}, tavli.SettingsError, "16 trees are too few for 17 shards"),
        ({"shard": "1/2", "gap": 3.0}, tavli.SettingsError, "a shard cannot end by the gap"),
    ],
)
def test_bad_arguments(settings: dict[str, object], error: type[Exception], message: str) -> None:
    arguments: dict[str, object] = {"position": OPENING, "roll": "31", "simulations": 10, **settings}
    with pytest.raises(error, match=message.replace("(", r"\(")):
        tavli.search(**arguments)  # type: ignore[arg-type]


def test_simulations_too_few_to_try_all_plays_are_a_warning() -> None:
    remark = "1 simulation for 16 trees, each of which tries all of 16 plays before it prefers one"
    with pytest.warns(tavli.SearchWarning, match=remark) as warned:
        tavli.search(OPENING, "31", simulations=1, trees=16)
    assert [warning.filename for warning in warned] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tavli.search(OPENING, "31", simulations=256)
        with pytest.raises(tavli.SearchWarning):
            tavli.search(OPENING, "31", simulations=255)


def test_the_default_choice_is_the_play_of_the_highest_value() -> None:
    unnamed = tavli.search(OPENING, "31", simulations=3000)
    named = tavli.search(OPENING, "31", simulations=3000, best_by="value")
    visits = tavli.search(OPENING, "31", simulations=3000, best_by="visits")
    assert unnamed.notation == named.notation
    assert unnamed.value.tolist() == sorted(unnamed.value, reverse=True)
    assert visits.visits.tolist() == sorted(visits.visits, reverse=True)


def test_a_notebook_shows_the_first_levels() -> None:
    found = tavli.search(OPENING, "31", simulations=20000)
    picture = found._repr_svg_()
    assert picture == found._repr_html_() == found.svg()
    root = ElementTree.fromstring(picture)
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == f"31 from {OPENING}: 20000 simulations by uct"
    for moves, visits, value in list(zip(found.notation, found.visits, found.value, strict=True))[:5]:
        assert moves in texts
        assert f"{visits}  {value:+.3f}" in texts
    # The plays, three rolls after each, and a reply to most of them.
    boxes = len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) - 1
    assert 20 <= boxes <= 35
    flat = tavli.search(OPENING, "31", simulations=2000, method="flat")
    boxes = len(list(ElementTree.fromstring(flat.svg()).iter("{http://www.w3.org/2000/svg}rect"))) - 1
    assert boxes == 5


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its limit of memory")
def test_what_the_system_refuses_is_said() -> None:
    program = """if True:
        import resource
        import tavli

        workers = tavli.Workers(1)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 8_000_000,) * 2)
        try:
            tavli.Player("fast+bearoff:7x8")
        except tavli.SettingsError as error:
            print(error)
        for many in [
            lambda: tavli.Games(1_000_000),
            lambda: tavli.DraughtsGames(1_000_000),
            lambda: tavli.playout_games("4HPwATDgc/ABMA", 2**40, workers=workers),
            lambda: tavli.search("4HPwATDgc/ABMA", "31", simulations=1000, trees=65536, workers=workers),
        ]:
            try:
                many()
            except tavli.SettingsError as error:
                print(error)
        found = tavli.search("4HPwATDgc/ABMA", "31", simulations=1_200_000, trees=1, workers=workers)
        print(found.simulations, found.memory_refused)
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran
    *refused, search = ran.stdout.splitlines()
    assert len(refused) == 5, ran
    assert all(" bytes of memory" in error and ", more than there are: " in error for error in refused), ran
    assert search == "1200000 True"


def test_a_search_without_simulations_names_no_play() -> None:
    class Stop(Exception):
        search: tavli.Search

    def stop(progress: tavli.Progress) -> None:
        raise Stop

    settings = {"method": "halving", "policy": "strong+2ply", "simulations": 10**6}
    with pytest.raises(Stop) as raised:
        tavli.search(tavli.Position(), "31", progress=stop, **settings)  # type: ignore[arg-type]
    shown = repr(raised.value.search)
    assert raised.value.search.simulations > 0 or shown.endswith(": 0 simulations, best play unknown>"), shown
