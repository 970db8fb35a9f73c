"""What is kept: workers from call to call, standings while a rollout is played."""

import os
import threading
import time

import numpy as np
import pytest

import tavli
from tavli import Progress, Rollout, Workers

OPENING = "4HPwATDgc/ABMA"


def test_workers_play_in_every_call() -> None:
    workers = Workers(threads=2)
    assert (workers.threads, workers.pin) == (2, "auto")
    for _ in range(3):
        alone = tavli.playout(OPENING, 2000, seed=7)
        assert tavli.playout(OPENING, 2000, seed=7, workers=workers).outcomes == alone.outcomes
    games = tavli.playout_games(OPENING, 500, workers=workers)
    again = tavli.playout_games(OPENING, 500)
    assert np.array_equal(games[0], again[0]) and np.array_equal(games[1], again[1])
    shared = tavli.rollout(OPENING, "31", trials=500, workers=workers, policy="uniform")
    assert [s.outcomes for s in shared.standings] == [
        s.outcomes for s in tavli.rollout(OPENING, "31", trials=500, threads=1, policy="uniform").standings
    ]
    rows = np.array([tavli.Position(OPENING).points])
    shares = tavli.probabilities(rows, policy="uniform")
    assert np.array_equal(tavli.probabilities(rows, workers=workers, policy="uniform"), shares)


def test_workers_have_their_settings() -> None:
    workers = Workers(threads=1)
    for given in ({"threads": 2}, {"pin": "cores"}, {"isa": workers.isa}):
        with pytest.raises(tavli.SettingsError, match="give workers, or threads, pin and isa"):
            tavli.playout(OPENING, 10, workers=workers, **given)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_workers_do_not_fork() -> None:
    workers = Workers(threads=1)
    child = os.fork()
    if child == 0:
        try:
            tavli.playout(OPENING, 10, workers=workers)
        except RuntimeError as error:
            os._exit(7 if "before the process forked" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_tables_of_notebooks() -> None:
    rollout = tavli.rollout(OPENING, "31", trials=500, allocate="halving", policy="uniform")
    html = rollout._repr_html_()
    assert html.count("<tr>") == 17 and html.count("</table>") == 1
    assert rollout.best.moves is not None and rollout.best.moves in html
    assert html.count(", dropped") == sum(s.is_dropped for s in rollout.standings) == 14
    assert rollout.best._repr_html_().count("<tr>") == 2
    tally = tavli.playout(OPENING, 500)
    assert str(tally.outcomes["win_gammon"]) in tally._repr_html_()


def test_a_rollout_is_watched_and_cancelled_from_another_thread() -> None:
    rollout = Rollout(OPENING, "31", trials=2**40, policy="uniform")
    assert rollout.progress is None and not rollout.cancel()
    ended: list[str] = []
    thread = threading.Thread(target=lambda: ended.append(rollout.play()))
    thread.start()
    seen = None
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        progress = rollout.progress
        if progress is not None and progress.standings is not None and progress.standings[0].trials > 0:
            seen = progress
            break
        time.sleep(0.01)
    assert seen is not None and seen.standings is not None
    assert len(seen.standings) == 16 and seen.done >= seen.standings[0].trials
    assert rollout.cancel()
    thread.join()
    assert ended == ["cancelled"] and rollout.progress is None
    assert rollout.trials >= seen.standings[0].trials


def test_the_last_report_has_the_result() -> None:
    reports: list[Progress] = []
    rollout = tavli.rollout(OPENING, "31", trials=3000, progress=reports.append, policy="uniform")
    standings = reports[-1].standings
    assert standings is not None
    assert [(s.moves, s.outcomes) for s in standings] == [(s.moves, s.outcomes) for s in rollout.standings]
    playouts: list[Progress] = []
    tavli.playout(OPENING, 100, progress=playouts.append)
    assert playouts[-1].standings is None


def test_races_drop_candidates() -> None:
    race = tavli.rollout(OPENING, "31", trials=9000, allocate="race:1", policy="uniform")
    assert race.allocation == "race:1"
    dropped = [s for s in race.standings if s.is_dropped]
    assert dropped and all(s.trials < race.trials or s.trials % 1296 == 0 for s in dropped)
    with pytest.raises(tavli.SettingsError, match="write even, race"):
        tavli.rollout(OPENING, "31", allocate="fair")
    with pytest.raises(tavli.RolloutError, match="cannot drop any"):
        Rollout(OPENING, "31", allocate="race", shard="1/2")


def test_differences_of_every_pair() -> None:
    rollout = tavli.rollout(OPENING, "31", trials=500, policy="uniform")
    differences = rollout.differences
    assert len(differences) == 16 * 15 // 2
    standings = {s.candidate: s for s in rollout.standings}
    for difference in differences:
        one, other = standings[difference.candidate], standings[difference.other]
        for name in ("win", "win_gammon", "win_backgammon", "lose", "lose_gammon", "lose_backgammon", "equity"):
            mean = getattr(one, name).mean - getattr(other, name).mean
            assert getattr(difference, name).mean == pytest.approx(mean, abs=1e-12)
    first = rollout.difference(rollout.best.candidate, rollout.standings[1].candidate)
    assert first.equity.interval == rollout.standings[1].behind.interval
    assert first.cubeful is None and first.jsd == rollout.standings[1].jsd
    for pair in ((0, 0), (0, 16), (-1, 0)):
        with pytest.raises(IndexError, match="are not two candidates"):
            rollout.difference(*pair)


def test_differences_with_the_cube() -> None:
    match = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    rollout = tavli.rollout(match, trials=72, policy="fast", cube=True, filter="all", allocate="even")
    best, *others = rollout.standings
    for other in others:
        difference = rollout.difference(best.candidate, other.candidate)
        assert best.cubeful is not None and other.cubeful is not None and difference.cubeful is not None
        assert difference.cubeful.mean == pytest.approx(best.cubeful.mean - other.cubeful.mean, abs=1e-12)
        assert (difference.cubeful.interval, difference.jsd) == (other.behind.interval, other.jsd)
        assert difference.cubeful.mean != difference.equity.mean
