"""Pickles and copies: of every class, and what they do afterwards."""

import copy
import multiprocessing
import pickle
import shutil
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tavli
from tavli import Games, Player, Position, Rollout, VectorEnv

OPENING = "4HPwATDgc/ABMA"
PLAYERS = Path(__file__).parents[3] / "kernel" / "players" / "players"


def pickled(thing: Any, protocol: int) -> Any:
    """The thing out of its pickle."""
    return pickle.loads(pickle.dumps(thing, protocol))


copies: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy]
copies += [partial(pickled, protocol=protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]


def first_play(
    points: NDArray[np.int8], rolls: NDArray[np.uint8], offsets: NDArray[np.int64], results: NDArray[np.int8]
) -> NDArray[np.int64]:
    """A policy that pickles hold by its name."""
    return np.zeros(len(rolls), np.int64)


def even(points: NDArray[np.int8]) -> NDArray[np.float64]:
    """An evaluator that pickles hold by its name."""
    return np.full((len(points), 6), [0.5, 0, 0, 0.5, 0, 0])


def things() -> list[Any]:
    """One of each class, and more of a class that keeps different things."""
    reports: list[tavli.Progress] = []
    rollout = tavli.rollout(OPENING, "31", trials=100, progress=reports.append)
    tally = tavli.playout(OPENING, 500)
    position = Position(OPENING)
    games = Games(20, seed=3, rules="portes", first_roll="stratified", truncate=70, first_game=2**40)
    ended = [games.make(uniform_picks(games.roll())) for _ in range(90)][-1]
    draughts = tavli.DraughtsGames(3, "B:W27:B23", seed=5)
    won = draughts.make(np.zeros(3, np.int64))
    env = VectorEnv(3, rules="hypergammon")
    _, info = env.reset(seed=4)
    env.step(np.zeros(3, np.int64))
    decided = tavli.decide(Position(game="plakoto"), "31", trials=36)
    return [
        rollout,
        Rollout(OPENING, "65", trials=72, policy=first_play, policy_opponent="pubeval"),
        Rollout(OPENING, trials=72, truncate=3, evaluator=even),
        rollout.best,
        rollout.best.equity,
        rollout.differences[3],
        tavli.rollout(OPENING, "31", trials=72, policy="fast", cube=True, filter="all").differences[0],
        tavli.decide(OPENING, "31", trials=72).decision,
        decided,
        decided.best,
        reports[-1],
        tally,
        tally.win,
        tavli.playout(OPENING, 1),
        tavli.search(OPENING, "31", simulations=500, trees=2),
        position,
        position.plays("31")[0],
        Position("B:WK18,K23,27:BK5,K9:H7", game="draughts"),
        games,
        games.roll(),
        ended,
        draughts,
        draughts.plays(),
        won,
        env,
        Player("fast"),
        Player(first_play, name="first"),
        tavli.Workers(threads=1),
    ]


def uniform_picks(plays: tavli.Plays) -> NDArray[np.int64]:
    return plays.fractions.astype(np.int64) * np.diff(plays.offsets) >> 32


def facts(value: Any) -> Any:
    """What a value tells of itself."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), repr(value.tolist())
    if isinstance(value, np.random.Generator):
        return value.bit_generator.state
    if isinstance(value, (list, tuple)):
        return [facts(item) for item in value]
    if type(value).__name__ not in tavli.__all__:
        return repr(value)
    names = [name for name in dir(value) if not name.startswith("_") and name not in ("unwrapped", "metadata")]
    if find_spec("gymnasium") is None:
        names = [name for name in names if not name.endswith("_space")]
    # A position has the attributes of its game.
    attributes = {name: getattr(value, name) for name in names if hasattr(value, name)}
    return {name: facts(attribute) for name, attribute in attributes.items() if not callable(attribute)}


def test_every_class_pickles_and_copies() -> None:
    all_things = things()
    classes = {name for name in tavli.__all__ if isinstance(getattr(tavli, name), type)}
    errors = {name for name in classes if issubclass(getattr(tavli, name), Exception)}
    assert {type(thing).__name__ for thing in all_things} == classes - errors
    for thing in all_things:
        for copied in copies:
            again = copied(thing)
            assert type(again) is type(thing) and facts(again) == facts(thing), thing
            assert repr(again) == repr(thing) or " object at " in repr(thing)


def test_pickles_of_other_formats_are_refused() -> None:
    for thing in things():
        if isinstance(thing, (Position, tavli.Search, tavli.Workers, VectorEnv)):
            continue  # texts and records have versions of their own, workers nothing but their arguments
        make, ((version, state),) = thing.__reduce__()
        assert version == 2
        with pytest.raises(tavli.RecordError, match="the format 3, and this version of tavli, .*, reads the format 2"):
            make((3, state))
        with pytest.raises(tavli.RecordError, match="not the state of a pickle of tavli"):
            make(state)
    with pytest.raises(tavli.RecordError, match="has the format 3"):
        VectorEnv(1).__setstate__((3, {}))


@pytest.mark.parametrize("rules", ["backgammon", "hypergammon", "mcgammon"])
@pytest.mark.parametrize("first_roll", ["any", "open", "31", "stratified"])
def test_copies_of_games_go_on_with_the_same_dice(rules: Any, first_roll: str) -> None:
    start = Position.start(rules).points
    starts = np.stack([start, start[::-1] * -1] * 3)
    games = Games(6, starts, seed=9, rules=rules, first_roll=first_roll, truncate=150, first_game=7)
    for ply in range(330):
        if ply % 2:
            games.roll()  # kept with and without dice on the table
        clones = [copied(games) for copied in copies] if ply % 30 < 2 else []
        clones.append(games.clone())
        before = games.points.tolist()
        for clone in clones:
            plays = clone.roll()
            ended = clone.make(uniform_picks(plays))
            assert games.points.tolist() == before
            fork = games.clone()
            assert facts(fork.roll()) == facts(plays)
            assert facts(fork.make(uniform_picks(plays))) == facts(ended)
            assert facts(fork) == facts(clone)
        games = clones[0]
    assert games.finished >= 6
    # The dice equal those of the playouts with the same numbers.
    rolled = Games(1, seed=9, rules=rules, first_roll=first_roll, truncate=150)
    copied_dice = copies[-1](rolled)
    outcomes, _ = tavli.playout_games(Position.start(rules), 5, seed=9, rules=rules, first_roll=first_roll, truncate=150)
    found: list[int] = []
    while len(found) < 5:
        found += copied_dice.make(uniform_picks(copied_dice.roll())).outcomes.tolist()
        copied_dice = copies[-1](copied_dice)
    assert found == outcomes.tolist()


def test_copies_of_an_environment_go_on_by_themselves() -> None:
    env = VectorEnv(5, truncate=60)
    _, info = env.reset(seed=8)
    random = np.random.default_rng(2)
    for _ in range(100):
        *_, info = env.step(random.integers(np.diff(info["offsets"])))
    offsets, before = info["offsets"], facts(env)
    for copied in (*copies, VectorEnv.clone):
        twins = copied(env), copied(env)
        info = {"offsets": offsets}
        for _ in range(70):
            actions = random.integers(np.diff(info["offsets"]))
            step, other = (twin.step(actions) for twin in twins)
            assert facts(list(step[:4])) == facts(list(other[:4]))
            info = step[4]
        # They begin the same games next, and env has not moved.
        one, other = (twin.reset()[0]["rolls"].tolist() for twin in twins)
        assert one == other
        assert facts(env) == before


@pytest.mark.parametrize(
    "name", [*tavli.PLAYERS, "sampled:2:pubeval", "sampled:1+1ply:2:fast", "fast+bearoff:6x2", "pubeval+bearoff:2"]
)
def test_players_are_pickled_by_name(name: str) -> None:
    player = Player(name)
    again = pickle.loads(pickle.dumps(player))
    assert again.name == player.name and copy.copy(player) is player and copy.deepcopy(player) is player
    points, rolls = np.stack([Position().points] * 2), np.array([[3, 1], [6, 5]])
    assert again.best(points, rolls).tolist() == player.best(points, rolls).tolist()
    make, ((version, (found, values, function, is_default)),) = player.__reduce__()
    assert found == player.name and function is None and not is_default
    with pytest.raises(tavli.RecordError, match="plays games of signature 00000000, but in this version"):
        make((version, (found, "00000000", None, False)))


def test_a_pickled_player_of_a_file_is_that_of_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "a.player"
    shutil.copy(PLAYERS / "td80.player", file)
    player = Player(str(file))
    pickled = pickle.dumps(player)
    assert pickle.loads(pickled).name == player.name and player.name.startswith(f"{file}#")
    shutil.copy(PLAYERS / "fast.player", file)
    with pytest.raises(tavli.RecordError, match="a.player has the checksum .*: it is not the named file"):
        pickle.loads(pickled)
    file.unlink()
    with pytest.raises(tavli.RecordError, match="cannot read .*a.player"):
        pickle.loads(pickled)


def test_what_no_pickle_holds_says_what_to_do() -> None:
    def inner(points: NDArray[np.int8], rolls: NDArray[np.uint8], *_: NDArray[Any]) -> NDArray[np.int64]:
        return np.zeros(len(rolls), np.int64)

    player = Player(inner, name="inner")
    assert copy.deepcopy(player) is player
    rollout = Rollout(OPENING, trials=72, policy=player, policy_opponent="pubeval")
    valued = Rollout(OPENING, trials=72, truncate=2, evaluator=lambda points: even(points))
    for thing, name in ((player, "inner"), (rollout, "inner"), (valued, ".*<lambda>")):
        with pytest.raises(TypeError, match=f"'{name}' cannot be pickled: make it anew in each process, or"):
            pickle.dumps(thing)
    # A copy in the same process needs no pickle.
    for played in (rollout, valued):
        played.play()
        for again in (copy.copy(played), copy.deepcopy(played)):
            again.until(trials=144)
            assert (again.play(), again.trials, played.trials) == ("trials", 144, 72)


def test_rollouts_by_functions_go_on_after_a_pickle() -> None:
    settings: dict[str, Any] = {"policy": Player(first_play, name="one"), "policy_opponent": "pubeval"}
    for settings in (settings, {"evaluator": even, "truncate": 5}):
        rollout = tavli.rollout(OPENING, "31", ["8/5 6/5", "24/20"], trials=72, **settings)
        again = pickle.loads(pickle.dumps(rollout))
        again.until(trials=200)
        again.play()
        whole = tavli.rollout(OPENING, "31", ["8/5 6/5", "24/20"], trials=200, **settings)
        assert [s.outcomes for s in again.standings] == [s.outcomes for s in whole.standings]
        assert (again.policy, again.evaluator) == (whole.policy, whole.evaluator)
        assert (rollout.trials, again.trials) == (72, 200)


def test_processes_share_a_player() -> None:
    points = Games(8).points
    player = Player("fast")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        values = pool.map(player.evaluate, [points[:4], points[4:]])
        [games] = pool.map(advance, [Games(8, seed=5)])
    assert np.concatenate(values).tolist() == player.evaluate(points).tolist()
    assert facts(games) == facts(advance(Games(8, seed=5)))


def advance(games: Games) -> Games:
    """The games, some plies later."""
    for _ in range(40):
        games.make(uniform_picks(games.roll()))
    return games


def test_a_player_of_a_player_is_the_same() -> None:
    assert Player(Player("fast")).evaluate([Position()]).tolist() == Player("fast").evaluate([Position()]).tolist()
