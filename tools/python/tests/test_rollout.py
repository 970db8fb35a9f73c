"""Rollouts: the command's numbers bit for bit; interrupted, saved, shared and merged without a trace."""

import json
import math
import os
import pickle
import random
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tavli
from tavli import Position, Rollout

OPENING = "4HPwATDgc/ABMA"


def facts(rollout: Rollout) -> dict[str, object]:
    """All of a rollout but the time it took."""
    record: dict[str, object] = json.loads(rollout.to_json())
    del record["checksum"]
    body = record["rollout"]
    assert isinstance(body, dict)
    del body["seconds"]
    return record


def command() -> str:
    """The command tavli of this checkout."""
    path = os.environ.get("TAVLI_COMMAND")
    if path is None:
        pytest.skip("TAVLI_COMMAND names no tavli command to compare with")
    return path


def test_rollouts_are_played_by_the_player_that_the_command_takes() -> None:
    def players(rollout: Rollout) -> tuple[str, str]:
        return rollout.policy, rollout.policy_opponent

    assert players(Rollout(OPENING)) == ("fast", "fast")
    assert players(Rollout(OPENING, policy_opponent="pubeval")) == ("fast", "pubeval")
    assert players(Rollout(OPENING, rules="mcgammon")) == ("uniform", "uniform")
    rolled = tavli.rollout(OPENING, trials=36, threads=1)
    assert facts(rolled) == facts(tavli.rollout(OPENING, trials=36, policy="fast"))
    assert players(Rollout.from_json(rolled.to_json())) == ("fast", "fast")
    rows = [Position(OPENING)]
    assert tavli.probabilities(rows, 36).tolist() == tavli.probabilities(rows, 36, policy="fast").tolist()


def test_what_measures_luck_and_where_a_rollout_is_saved_is_named() -> None:
    with pytest.raises(tavli.RolloutError, match="variance reduction needs an evaluator, and the evaluator is none"):
        tavli.rollout(OPENING, trials=36, variance_reduction=True, evaluator="none")
    with pytest.raises(OSError, match="the path is empty: name a file"):
        tavli.rollout(OPENING, trials=36, save="")


def test_recorded_rollouts() -> None:
    # `tavli rollout --policy uniform --positions - --trials 1296`, as in the guide to the command.
    rollout = tavli.rollout(OPENING, "31", trials=1296, policy="uniform")
    best = rollout.best
    assert (best.moves, len(rollout.standings), rollout.trials) == ("13/9", 16, 1296)
    assert best.equity.mean == 0.07561728395061729
    assert best.equity.standard_deviation == 2.071798037699084
    assert best.equity.standard_error == 0.05754994549164123
    position = tavli.rollout(OPENING, trials=1296, policy="uniform").best
    assert (position.moves, position.equity.mean) == (None, 0.09567901234567901)
    assert position.equity.standard_error == 0.05672375281327915


@pytest.mark.parametrize(
    ("settings", "arguments"),
    [
        ({}, []),
        ({"seed": 2**64 - 1, "trials": 5000}, ["--seed", str(2**64 - 1), "--trials", "5000"]),
        ({"rules": "mcgammon", "first_roll": "open"}, ["--rules", "mcgammon", "--first-roll", "open"]),
        (
            {"truncate": 20, "evaluator": "none", "standard_error": 0.02},
            ["--truncate", "20", "--evaluator", "none", "--stop-se", "0.02"],
        ),
        ({"truncate": 5, "trials": 72}, ["--truncate", "5", "--trials", "72"]),
        ({"shard": "2/3", "first_roll": "21"}, ["--shard", "2/3", "--first-roll", "21"]),
    ],
)
@pytest.mark.parametrize("plays", [None, ["8/5 6/5", "24/20"]])
def test_the_command_saves_the_same(
    settings: dict[str, object], arguments: list[str], plays: list[str] | None, tmp_path: Path
) -> None:
    tavli_command = command()
    path = tmp_path / "saved.json"
    named = [part for moves in plays or [] for part in ("--play", moves)]
    what = [OPENING, "31"] if plays else [OPENING]
    call = [tavli_command, "rollout", "--policy", "uniform", *what, *named, *arguments, "--save", str(path), "--json"]
    answer = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
    settings = {"policy": "uniform", "threads": 1, **settings}
    rollout = tavli.rollout(OPENING, "31" if plays else None, plays, **settings)  # type: ignore[arg-type]
    assert facts(rollout) == facts(Rollout.load(path))
    for result, row in zip(rollout.standings, answer["candidates"], strict=True):
        assert result.moves == row["moves"]
        assert result.outcomes | {"unfinished": result.unfinished} == row["outcomes"]
        for name in ("equity", "win", "win_gammon", "win_backgammon", "lose", "lose_gammon", "lose_backgammon", "behind"):
            statistic = getattr(result, name)
            errors = (statistic.standard_deviation, statistic.standard_error, *statistic.interval)
            numbers = (statistic.mean, statistic.raw_mean, *errors)
            assert numbers == tuple(row[prefix + name] for prefix in ("", "raw_", "sd_", "se_", "low_", "high_"))
        assert result.jsd == row["jsd"]


def test_one_trial_has_no_standard_error() -> None:
    one = tavli.rollout(OPENING, trials=1)
    best = one.best
    tally = tavli.playout(OPENING, 1)
    assert ": 1 trial, " in repr(one) and " 1 game from " in repr(tally)
    for value in (best.win, best.equity, tally.win, tally.equity, tally.mean_plies):
        assert math.isnan(value.standard_error)
        assert "±" not in repr(value) and "nan" not in repr(value).lower()
    for shown in (repr(best), repr(tally), tally._repr_html_(), best._repr_html_()):
        assert "±" not in shown and "nan" not in shown.lower()


def test_what_the_rules_exclude_is_nothing_and_other_shares_stay_in_their_range() -> None:
    position = "0 -2 2 3 3 2 2 2 0 0 0 0 0 0 0 0 0 0 0 -3 -3 -3 -2 -2 0 0"
    for seed in range(20):
        best = tavli.rollout(position, trials=2, seed=seed, policy="uniform", luck="td80").best
        assert (best.lose_gammon.mean, best.lose_gammon.raw_mean, best.lose_gammon.interval) == (0, 0, (0, 0))
        assert (best.probabilities >= 0).all() and math.isclose(best.probabilities.sum(), 1)
        assert 0 <= best.win_backgammon.mean <= best.win_gammon.mean <= best.win.mean <= 1


def test_candidates_are_ranked_on_the_same_dice() -> None:
    rollout = tavli.rollout(Position(), (3, 1), ["24/20", "8/5 6/5"], trials=12_960, policy="uniform")
    best, second = rollout.standings
    assert rollout.best.candidate == best.candidate
    assert best.equity.mean - second.equity.mean == second.behind.mean > 0 == best.behind.mean
    assert second.jsd == second.behind.mean / second.behind.standard_error
    low, high = best.equity.interval
    assert low < best.equity.mean < high
    assert sum(best.outcomes.values()) == 12_960
    assert best.position == Position().play(str(best.moves), "31")
    assert (rollout.position, rollout.roll, rollout.rules) == (Position(), "31", "backgammon")
    assert (rollout.seed, rollout.first_roll, rollout.truncate, rollout.shard) == (1, "any", None, None)


def test_rules_end_a_rollout() -> None:
    def ended(**rules: float) -> tuple[str, int]:
        settings = {"policy": "uniform", **rules}
        rollout = Rollout(Position(), "31", ["8/5 6/5", "13/10 6/5"], **settings)  # type: ignore[arg-type]
        return rollout.play(), rollout.trials

    assert ended(trials=100) == ("trials", 100)
    assert ended(standard_error=0.03)[0] == "standard_error"
    assert ended(jsd=1.0)[0] == "jsd"
    rule, trials = ended(seconds=0.2)
    assert rule == "time" and trials > 0


def test_sessions_shards_and_files_leave_no_trace(tmp_path: Path) -> None:
    whole = tavli.rollout(Position(), "31", ["8/5 6/5", "24/20"], trials=10_000, policy="uniform")
    extended = tavli.rollout(Position(), "31", ["8/5 6/5", "24/20"], trials=1_000, policy="uniform")
    path = tmp_path / "opening.json"
    extended.save(path)
    extended = Rollout.load(path)
    assert extended.is_complete
    extended.until(trials=10_000)
    assert not extended.is_complete
    extended.play(save=path, threads=3, isa="portable")
    assert facts(extended) == facts(whole) == facts(Rollout.load(str(path)))
    parts = [
        tavli.rollout(Position(), "31", ["8/5 6/5", "24/20"], trials=10_000, shard=f"{i}/4", policy="uniform")
        for i in (3, 1, 4, 2)
    ]
    assert facts(Rollout.merge(parts)) == facts(whole)
    assert facts(pickle.loads(pickle.dumps(whole))) == facts(whole)
    assert facts(Rollout.from_json(whole.to_json())) == facts(whole)


def test_what_cannot_be_merged_is_named() -> None:
    one, two = (Rollout(Position(), trials=10_000, shard=f"{i}/2", policy="uniform") for i in (1, 2))
    one.play()
    two.play()
    other = tavli.rollout(Position(), trials=10_000, seed=2, policy="uniform")
    cases = [
        ([], "there is nothing to merge"),
        ([one], "trials 5184 to 9999 are in no shard"),
        ([one, two, one], "items 0 and 2 of the list: both hold trials 0 to 5183"),
        ([one, other], "items 0 and 1 of the list: .*the seed is 1 in one, 2 in the other"),
    ]
    for parts, message in cases:
        with pytest.raises(tavli.MergeError, match=message):
            Rollout.merge(parts)


def test_damaged_records_are_refused(tmp_path: Path) -> None:
    text = tavli.rollout(Position(), trials=100).to_json()
    damage = random.Random(1)
    for _ in range(2_000):
        at = damage.randrange(len(text))
        damaged = text[:at] + damage.choice('0123456789",:{}[]x') + text[at + 1 :]
        if damaged != text:
            with pytest.raises(tavli.RecordError):
                Rollout.from_json(damaged)
    for _ in range(10_000):
        noise = damage.randbytes(damage.randrange(60)).decode("latin-1")
        with pytest.raises(tavli.RecordError):
            Rollout.from_json(noise)
    path = tmp_path / "noise"
    path.write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(tavli.RecordError, match="noise"):
        Rollout.load(path)


def test_files_that_cannot_be_are_os_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        Rollout.load(tmp_path / "none.json")
    assert str(raised.value.filename) == str(tmp_path / "none.json")
    rollout = Rollout(Position(), trials=100, policy="uniform")
    with pytest.raises(FileNotFoundError):
        rollout.save(tmp_path / "none" / "x.json")
    with pytest.raises(FileNotFoundError):
        rollout.play(save=tmp_path / "none" / "x.json")
    assert rollout.play() == "trials"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Rollout("x"), tavli.PositionError, "'x' is not a position"),
        (lambda: Rollout(OPENING, "31", ["8/1"]), tavli.PlayError, "'8/1' is not a play of 31 here"),
        (lambda: Rollout(OPENING, None, ["8/5 6/5"]), tavli.RolloutError, "name the roll too"),
        (lambda: Rollout(OPENING, "31", []), tavli.RolloutError, "0 candidates"),
        (lambda: Rollout(OPENING, "31", ["8/5 6/5", "6/5 8/5"]), tavli.RolloutError, "8/5 6/5 is given twice"),
        (lambda: Rollout(OPENING, trials=0), tavli.SettingsError, "a rollout has 1 to 72057594037927936 trials, not 0"),
        (lambda: Rollout(OPENING, standard_error=-1), tavli.RolloutError, "a finite number above 0, not -1"),
        (lambda: Rollout(OPENING, jsd=2), tavli.RolloutError, "at least two candidates"),
        (lambda: Rollout(OPENING, shard="0/2"), tavli.SettingsError, "the first is 1 and the last 2"),
        (lambda: Rollout(OPENING, seed=-1), tavli.SettingsError, "seed: write a whole number from 0 to 18446744073709551615, not -1"),
        (lambda: Rollout(OPENING, "31", truncate=0), tavli.SettingsError, "truncate: write a whole number from 1 to 4294967295, or none, not 0"),
        (lambda: Rollout(OPENING, "31", within=0.1), tavli.RolloutError, "within is for decisions"),  # type: ignore[call-arg]
        (lambda: Rollout(OPENING, "31", ["8/5 6/5"], filter=0.1), tavli.RolloutError, "does not apply to named plays"),
        (lambda: Rollout.to_decide(OPENING, "31", allocate="even"), tavli.RolloutError, "leave the allocation out"),  # type: ignore[call-arg]
        (lambda: Rollout(OPENING, shard="1/3", trials=100), tavli.RolloutError, "too few for 3 shards"),
        (lambda: Rollout(OPENING, shard="1/2", seconds=3), tavli.RolloutError, "cannot end by errors or time"),
    ],
)
def test_bad_rollouts_are_named(call: Callable[[], Rollout], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)
    assert isinstance(raised.value, tavli.TavliError)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match="there is no option 'trails'"):
        Rollout(OPENING, trails=1)  # type: ignore[call-arg]


def test_a_rollout_that_is_played_is_not_looked_at() -> None:
    rollout = Rollout(Position(), trials=10**9, policy="uniform")
    errors: list[Exception] = []

    def look(progress: tavli.Progress) -> None:
        try:
            rollout.trials
        except tavli.RolloutError as error:
            errors.append(error)
        raise StopIteration

    with pytest.raises(StopIteration):
        rollout.play(progress=look)
    assert "is being played" in str(errors[0])
    assert rollout.trials > 0


@pytest.mark.parametrize("rule", [{"seconds": 2.0}, {"jsd": 1e12, "seconds": 2.0}])
def test_progress_without_a_number_of_trials_has_no_total(rule: Any) -> None:
    seen: list[tavli.Progress] = []
    rollout = tavli.rollout(OPENING, "31", policy="uniform", progress=seen.append, threads=1, **rule)
    assert [progress.total for progress in seen[:-1]] == [None] * (len(seen) - 1) and len(seen) > 1
    assert seen[-1].total == seen[-1].done == rollout.trials


def test_a_file_that_is_missing_is_named_as_python_names_it() -> None:
    for load in (Rollout.load, tavli.Search.load):
        with pytest.raises(FileNotFoundError, match=r"\[Errno 2\] No such file or directory: '/nonexistent'$"):
            load(Path("/nonexistent"))


def test_an_interrupt_keeps_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "interrupted.json"
    program = f"""
import signal
import tavli
# Whoever started the tests may have had it ignored, as shells do for what runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
rollout = tavli.Rollout({OPENING!r}, trials=10**10, policy="uniform")
print("playing", flush=True)
try:
    rollout.play(save={str(path)!r}, threads=1)
except KeyboardInterrupt:
    print(rollout.trials)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        try:
            process.wait(0.7)
        except subprocess.TimeoutExpired:
            pass
        process.send_signal(signal.SIGINT)
        trials = int(process.stdout.read())
        assert process.wait(10) == 0
    saved = Rollout.load(path)
    assert saved.trials == trials > 0
    saved.until(trials=trials)
    assert facts(saved) == facts(tavli.rollout(OPENING, trials=trials, policy="uniform"))


def test_what_ends_a_rollout_keeps_its_trials() -> None:
    def end(progress: tavli.Progress) -> None:
        if progress.done > 0:
            raise StopIteration

    with pytest.raises(StopIteration) as raised:
        tavli.rollout(OPENING, trials=10**15, progress=end, threads=1, policy="uniform")
    rollout = raised.value.rollout  # type: ignore[attr-defined]
    assert rollout.trials > 0
    rollout.until(trials=rollout.trials)
    assert facts(rollout) == facts(tavli.rollout(OPENING, trials=rollout.trials, policy="uniform"))


def test_dice_of_a_position_are_its_roll() -> None:
    rolled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    assert Rollout(rolled).roll == Rollout(rolled, "13").roll == "31"
    assert Rollout(OPENING).roll is None
    with pytest.raises(tavli.RolloutError, match="has the roll 31, not 65; leave one of them out"):
        Rollout(rolled, "65")


def test_a_file_is_saved_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "one.json"

    def save_too(progress: tavli.Progress) -> None:
        with pytest.raises(OSError, match="in use: this process is writing it already"):
            Rollout(OPENING).save(path)
        raise StopIteration

    rollout = Rollout(OPENING, trials=10**15, policy="uniform")
    with pytest.raises(StopIteration):
        rollout.play(save=path, progress=save_too)
    assert Rollout.load(path).trials == rollout.trials
    rollout.save(path)
    with pytest.raises(OSError, match="not a regular file"):
        rollout.save(tmp_path)


def test_a_save_that_fails_is_a_warning_and_at_the_end_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    failed = False

    def take_away(progress: tavli.Progress) -> None:
        if folder.exists():
            folder.rename(tmp_path / "away")
        elif failed:
            raise StopIteration

    def note(message: Warning | str, *_: object) -> None:
        nonlocal failed
        failed = "cannot save the rollout: entity not found" in str(message)

    rollout = Rollout(OPENING, trials=10**15, policy="uniform")
    with warnings.catch_warnings(), pytest.raises(FileNotFoundError):
        warnings.simplefilter("always")
        warnings.showwarning = note  # type: ignore[assignment]
        rollout.play(save=folder / "a.json", save_seconds=0.001, progress=take_away, threads=1)
    assert failed and rollout.trials > 0


def test_a_kill_loses_one_interval_at_most(tmp_path: Path) -> None:
    path = tmp_path / "killed.json"
    settings = f"trials=10**10, save={str(path)!r}, save_seconds=0.02, threads=1, policy='uniform'"
    program = f"import tavli; tavli.rollout({OPENING!r}, {settings})"
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", program]) as process:
            try:
                process.wait(0.6)
            except subprocess.TimeoutExpired:
                pass
            process.kill()
        saved = Rollout.load(path)
        saved.until(trials=max(saved.trials, 1))
        assert facts(saved) == facts(tavli.rollout(OPENING, trials=saved.trials, policy="uniform")) or saved.trials == 0


def test_the_example_of_the_documentation() -> None:
    result = tavli.rollout(OPENING, "31", ["8/5 6/5", "24/20"], trials=46656, policy="uniform")
    assert result.best.moves == "8/5 6/5"
    assert repr(result).startswith(f"<tavli.Rollout 2 plays of 31 from {OPENING}: 46656 trials, 8/5 6/5 ")


def test_a_decision_names_the_play_that_the_command_finds() -> None:
    rollout = tavli.decide(OPENING, "31", threads=2)
    decision = rollout.decision
    assert decision is not None
    assert (decision.play, decision.verdict, decision.equal_plays) == ("8/5 6/5", "best", [])
    assert 0.95 <= decision.sure <= 1.0
    assert (decision.within, decision.at_most_better) == (0.01, 0.0)
    assert decision.left_out == 16 - len(rollout.standings)
    assert decision.equivalent_games is not None and decision.equivalent_games > rollout.trials
    assert rollout.policy == rollout.policy_opponent == "strong+bearoff:6x6"
    assert (rollout.allocation, rollout.best.moves) == ("race:95%:0.01", decision.play)
    assert pickle.loads(pickle.dumps(decision)).play == decision.play
    assert "8/5 6/5: best, " in repr(decision)
    shell = [command(), "rollout", OPENING, "31", "--json"]
    printed = json.loads(subprocess.run(shell, check=True, capture_output=True).stdout)
    found = printed["decision"]
    assert (found["play"], found["sure"], found["left_out"]) == (decision.play, decision.sure, decision.left_out)


def test_decisions_take_options_and_refuse_bad_ones() -> None:
    plays = ["8/5 6/5", "24/20"]
    rollout = tavli.decide(OPENING, "31", plays, within=0.5, policy="fast", seed=3)
    assert (len(rollout.standings), rollout.allocation) == (2, "race:95%:0.5")
    assert (rollout.policy, rollout.seed) == ("fast", 3)
    # Two plays that ten short games do not tell apart.
    alike = ["24/20", "24/23 13/10"]
    cut = tavli.decide(OPENING, "31", alike, within=0.0, trials=10, policy="fast")
    assert cut.trials == 10 and cut.decision is not None and cut.decision.verdict == "open"
    assert tavli.rollout(OPENING, "31", plays, trials=1).decision is None
    with pytest.raises(tavli.SettingsError, match="0 or more, not -1"):
        tavli.decide(OPENING, "31", within=-1.0)
    with pytest.raises(tavli.RollError, match="name the roll"):
        tavli.decide(OPENING)


def test_the_cube_of_a_position_is_played_with() -> None:
    race = "1e4AAFDbHQAAAA:cAkAAAAAAAAE"
    rollout = tavli.rollout(race, trials=36, cube=True)
    decision = rollout.cube
    assert decision is not None
    by_choice = {result.cube: result for result in rollout.standings}
    for choice in ("no_double", "double_take"):
        cubeful = by_choice[choice].cubeful
        assert cubeful is not None
        assert decision[choice] == cubeful.mean
    assert decision["double_pass"] == 1.0
    assert isinstance(decision["action"], str)
    bare = tavli.rollout(race, trials=36)
    assert bare.cube is None
    assert bare.best.cubeful is None
    with pytest.raises(tavli.RolloutError, match="gives no outcome probabilities"):
        tavli.Rollout(race, policy="uniform", cube=True)
