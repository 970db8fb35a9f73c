"""Decisions in games other than backgammon."""

import copy
import json
import os
import pickle
import signal
import subprocess
import threading
import time
from itertools import pairwise

import pytest

import tavli
from tavli import GameDecision, Position, Progress

PLAKOTO = Position(game="plakoto")


def test_a_decision_is_that_of_the_command() -> None:
    command = os.environ.get("TAVLI_COMMAND")
    if not command:
        pytest.skip("TAVLI_COMMAND names no tavli command to compare with")
    found = tavli.decide(PLAKOTO, "42", threads=2)
    assert isinstance(found, GameDecision)
    line = [command, "rollout", str(PLAKOTO), "42", "--game", "plakoto", "--json"]
    expected = json.loads(subprocess.run(line, capture_output=True, check=True).stdout)
    decision = expected["decision"]
    for name in ("play", "verdict", "sure", "within", "at_most_better", "equal_plays", "left_out"):
        assert getattr(found.decision, name) == decision[name]
    assert (found.policy, found.truncate, found.seed) == (expected["policy"], expected["truncate"], 1)
    assert (found.ended_by, found.is_complete) == (expected["ended_by"], True)
    assert (found.roll, found.position, found.trials) == ("42", PLAKOTO, expected["candidates"][0]["trials"])
    for play, row in zip(found.standings, expected["candidates"], strict=True):
        assert (play.moves, str(play.position)) == (row["moves"], row["position"])
        assert (play.trials, play.is_dropped, play.evaluation) == (row["trials"], row["dropped"], row["evaluation"])
        low, high = play.equity.interval
        assert (low, play.equity.mean, high) == (row["low_equity"], row["equity"], row["high_equity"])
        assert play.behind.mean == row["behind"]
    assert found.best.moves == found.decision.play
    for one in (copy.copy(found), pickle.loads(pickle.dumps(found))):
        assert repr(one) == repr(found) and one.best.equity.mean == found.best.equity.mean


def test_plays_rules_and_settings_are_named() -> None:
    plays = PLAKOTO.plays("42")
    named = tavli.decide(PLAKOTO, (4, 2), [plays[0].moves, plays[1]], within=0.5, trials=36, seed=7)
    assert isinstance(named, GameDecision)
    assert {play.moves for play in named.standings} == {play.moves for play in plays[:2]}
    assert (named.seed, named.decision.within, named.decision.left_out) == (7, 0.5, 0)
    after = plays[0]
    reply = tavli.decide(after, "21", truncate="none", filter="all", trials=4, within=0.0, policy="strong")
    assert (reply.position, reply.truncate, reply.trials) == (after.position, None, 4)
    with pytest.warns(tavli.PlayerWarning, match="has not learned fevga by r2=off"):
        tavli.decide(Position(game="fevga"), "31", rules="r2=off", trials=4)


def test_impossible_decisions_are_refused() -> None:
    def refused(error: type[Exception], words: str, *arguments: object, **options: object) -> None:
        with pytest.raises(error, match=words):
            tavli.decide(PLAKOTO, *arguments, **options)  # type: ignore[arg-type]

    refused(tavli.RollError, "has dice: name a roll")
    refused(tavli.PlayError, "'24/19' is neither a play of 42", "42", ["24/19"])
    refused(tavli.PlayError, "given twice", "42", [PLAKOTO.plays("42")[0]] * 2)
    refused(tavli.RolloutError, "no plays are named", "42", [])
    refused(TypeError, "not one text", "42", "24/20")
    refused(tavli.SettingsError, "within is a finite number", "42", within=-1.0)
    refused(tavli.SettingsError, "0 or more, not -2", "42", filter=-2.0)
    refused(tavli.SettingsError, "1 to 72057594037927936 trials, not 0", "42", trials=0)
    refused(tavli.SettingsError, "'uniform' does not value positions of plakoto", "42", policy="uniform")
    refused(TypeError, "a policy of plakoto is a text", "42", policy=tavli.Player("strong"))
    refused(tavli.SettingsError, "luck: decisions in plakoto do not have this option", "42", luck="fast")
    refused(tavli.SettingsError, "cube: decisions in plakoto do not have this option", "42", cube=True)
    refused(tavli.SettingsError, "is not a set of rules of plakoto", "42", rules="portes")
    with pytest.raises(tavli.RolloutError, match="draughts has none"):
        tavli.decide(Position(game="draughts"))


def test_progress_has_standings_and_ends_the_games() -> None:
    seen: list[Progress] = []
    found = tavli.decide(PLAKOTO, "31", within=0.0, trials=72, progress=seen.append)
    assert (seen[-1].fraction, seen[-1].done) == (1.0, found.trials)
    assert [play.moves for play in seen[-1].standings or []] == [play.moves for play in found.standings]
    assert all(before.done <= after.done for before, after in pairwise(seen))
    assert pickle.loads(pickle.dumps(seen[-1])).standings[0].trials == found.trials

    def stop(progress: Progress) -> None:
        if progress.done >= 36:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough") as raised:
        tavli.decide(PLAKOTO, "42", within=0.0, truncate="none", progress=stop)
    result = raised.value.result  # type: ignore[attr-defined]
    assert (result.ended_by, result.is_complete) == ("cancelled", False) and result.trials >= 36


@pytest.mark.parametrize("policy", ["strong", "strong+2ply"])
def test_an_interrupt_ends_a_decision(policy: str) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            tavli.decide(PLAKOTO, "65", within=0.0, filter="all", truncate="none", trials=10**9, policy=policy)
        heard = time.monotonic() - sent[0]
        assert heard < 2.0, "0.3 s on a machine that does nothing else"
    finally:
        signal.signal(signal.SIGINT, before)
