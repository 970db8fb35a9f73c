"""Many games of draughts, and their vector environment."""

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import tavli
from tavli import DraughtsGames, Position, VectorEnv

# Won, drawn and lost: `tavli playout start --game draughts --games 10000`.
PLAYOUTS = [4871, 66, 5063]


def play_out(games: DraughtsGames, number: int) -> None:
    """Play as playouts do until this many games have ended."""
    while games.finished < number:
        plays = games.plays()
        counts = np.diff(plays.offsets)
        games.make(plays.fractions.astype(np.int64) * counts >> 32)


def test_random_games_are_those_of_playouts() -> None:
    games = DraughtsGames(10_000)
    outcomes = np.full(10_000, -1)
    while (outcomes < 0).any():
        plays = games.plays()
        ended = games.make(plays.fractions.astype(np.int64) * np.diff(plays.offsets) >> 32)
        first = ended.numbers < 10_000
        outcomes[ended.numbers[first]] = ended.outcomes[first]
    assert np.bincount(outcomes).tolist() == PLAYOUTS


def test_plays_are_those_of_positions() -> None:
    games = DraughtsGames(20, seed=3)
    random = np.random.default_rng(3)
    for _ in range(60):
        plays, positions = games.plays(), games.positions
        counts = np.diff(plays.offsets)
        picks = random.integers(counts)
        for place in (0, 7, 19):
            listed = Position(positions[place], game="draughts").plays()
            rows = plays.squares[plays.offsets[place] : plays.offsets[place + 1]]
            for row, play in zip(rows, listed, strict=True):
                if not play.position.is_over():
                    assert (row == DraughtsGames(1, play.position).squares[0]).all()
        wanted = plays.squares[plays.offsets[:-1] + picks]
        ended = games.make(picks)
        on = np.setdiff1d(np.arange(20), ended.places)
        assert (games.squares[on] == wanted[on]).all()


def test_squares_are_seen_by_the_player_to_move() -> None:
    start = DraughtsGames(1).squares[0]
    assert start.tolist() == [1] * 12 + [0] * 8 + [-1] * 12
    position = Position("W:WK26,32:BK3,12", game="draughts")
    squares = DraughtsGames(1, position).squares[0]
    # White counts from the other side: 32 is his 1, K26 his 7, Black's 12 is 21 and K3 is 30.
    assert {int(at) + 1: int(squares[at]) for at in squares.nonzero()[0]} == {1: 1, 7: 2, 21: -1, 30: -2}
    black = Position("B:W21,K30:B1,K7", game="draughts")
    assert (DraughtsGames(1, black).squares == squares).all()


def test_results_are_one_and_none() -> None:
    won = DraughtsGames(1, "B:W27:B23")
    assert len(won.plays()) == 1 and won.plays().offsets.tolist() == [0, 1]
    with pytest.raises(tavli.PlayError, match="game 0 has 1 plays, numbered from 0, not 1"):
        won.make(np.array([1]))
    ended = won.make(np.array([0]))
    assert ended.outcomes.tolist() == [0] and ended.rewards.tolist() == [1] and ended.plies.tolist() == [1]
    assert won.outcomes == {"win": 1, "draw": 0, "lose": 0} and won.finished == won.finished_plies == 1
    assert won.numbers.tolist() == [1] and won.plies.tolist() == [0]
    drawn = DraughtsGames(1, "B:WK1:BK32:H79")
    ended = drawn.make(np.array([0]))
    assert (ended.outcomes.tolist(), ended.rewards.tolist(), ended.quiet.tolist()) == ([1], [0], [80])
    cut = DraughtsGames(1, truncate=2)
    assert len(cut.make(np.array([0]))) == 0
    assert cut.make(np.array([0])).outcomes.tolist() == [-1] and sum(cut.outcomes.values()) == 0
    for wrong in ("B:W1:B5", "B:W9"):
        with pytest.raises(tavli.PositionError):
            DraughtsGames(1, wrong)
    with pytest.raises(tavli.SettingsError, match="english"):
        DraughtsGames(1, rules="chess")


def test_copies_go_on_by_themselves() -> None:
    games = DraughtsGames(30, seed=5, rules="report", truncate=90)
    play_out(games, 40)
    copies = [games.clone(), copy.copy(games), copy.deepcopy(games), pickle.loads(pickle.dumps(games))]
    play_out(games, 100)
    for one in copies:
        assert one.finished < 100
        play_out(one, 100)
        assert one.outcomes == games.outcomes and one.finished_plies == games.finished_plies
        assert one.positions == games.positions
        assert one.plays().fractions.tolist() == games.plays().fractions.tolist()
    assert repr(games).startswith("<tavli.DraughtsGames 30 of report, ")


def test_the_environment_plays_draughts() -> None:
    env = VectorEnv(50, game="draughts")
    observation, info = env.reset(seed=1)
    assert observation["squares"].shape == (50, 32) and observation["squares"].dtype == np.int8
    assert observation["quiet"].shape == (50, 1) and observation["quiet"].dtype == np.uint8
    assert info["offsets"].tolist() == list(range(0, 351, 7)) and info["plays"].shape == (350, 32)
    assert env.action_mask().shape == (50, 128) and env.action_mask().sum(axis=1).tolist() == [7] * 50
    random = np.random.default_rng(1)
    won = drawn = 0
    while env.games.finished < 200:
        actions = random.integers(np.diff(info["offsets"]))
        observation, rewards, terminations, truncations, info = env.step(actions)
        over = info["finished"]
        assert rewards[over.places].tolist() == over.rewards.tolist() and rewards.sum() == over.rewards.sum()
        assert terminations.sum() == len(over) and not truncations.any()
        won, drawn = won + int((over.rewards == 1).sum()), drawn + int((over.rewards == 0).sum())
        for place in over.places:
            assert info["final_obs"][place]["squares"].shape == (32,)
    games = env.games.outcomes
    assert (games["win"] + games["lose"], games["draw"]) == (won, drawn)
    again = VectorEnv(50, game="draughts")
    assert (again.reset(seed=1)[0]["squares"] == env.reset(seed=1)[0]["squares"]).all()
    assert (env.games.plays().fractions == again.games.plays().fractions).all()
    assert pickle.loads(pickle.dumps(env)).games.positions == env.games.positions
    with pytest.raises(tavli.SettingsError, match="no dice"):
        VectorEnv(1, game="draughts", first_roll="31")
    with pytest.raises(tavli.SettingsError, match="of backgammon and draughts, not of 'chess'"):
        VectorEnv(1, game="chess")


def test_it_passes_the_checks_of_gymnasium() -> None:
    gymnasium: Any = pytest.importorskip("gymnasium", minversion="1.1", reason="no Gymnasium: its checks are not run")
    from gymnasium.utils.env_checker import check_env

    class OneGame(gymnasium.Env):  # type: ignore[misc]
        metadata: dict[str, Any] = {"render_modes": []}

        def __init__(self) -> None:
            self.games = VectorEnv(1, game="draughts")
            self.observation_space = self.games.single_observation_space
            self.action_space = self.games.single_action_space

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            super().reset(seed=seed)
            observation, _ = self.games.reset(seed=seed, options=options)
            return {name: array[0] for name, array in observation.items()}, {}

        def step(self, action: Any) -> Any:
            plays = int(self.games.action_mask().sum())
            observation, reward, terminated, truncated, _ = self.games.step(np.array([action % plays]))
            first = {name: array[0] for name, array in observation.items()}
            return first, float(reward[0]), bool(terminated[0]), bool(truncated[0]), {}

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gymnasium.register("OneDraughts-v0", entry_point=OneGame)
        try:
            check_env(gymnasium.make("OneDraughts-v0").unwrapped)
        finally:
            del gymnasium.registry["OneDraughts-v0"]
        env = VectorEnv(4, game="draughts", truncate=50)
        observation, _ = env.reset(seed=1)
        env.action_space.seed(5)
        for _ in range(120):
            assert env.observation_space.contains(observation)
            observation, _, _, _, info = env.step(env.action_space.sample(tuple(env.action_mask())))
            for last in info.get("final_obs", []):
                assert last is None or env.single_observation_space.contains(last)


def test_games_end_with_the_last_number() -> None:
    for kind in (tavli.Games, tavli.DraughtsGames):
        with pytest.raises(tavli.SettingsError, match="4 games from game number .* on pass the last game number"):
            kind(4, first_game=2**64 - 3)
    games = tavli.DraughtsGames(2, first_game=2**64 - 3, truncate=5)
    assert games.numbers.tolist() == [2**64 - 3, 2**64 - 2]
    for _ in range(5):
        finished = games.make(np.zeros(len(games), np.int64))
    assert len(finished) == 2
    assert (len(games), len(games.plays()), games.finished) == (0, 0, 2)
