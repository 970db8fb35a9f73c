"""The vector environment by the rules of Gymnasium, and without it."""

import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tavli
from tavli import VectorEnv


def test_seeds_are_those_of_gymnasium() -> None:
    env = VectorEnv(50)

    def rolls(**options: Any) -> list[Any]:
        return [env.reset(**options)[0]["rolls"].tolist(), env.games.seed]

    first, second, third = rolls(), rolls(), rolls()
    assert first != second and second != third and first != third
    assert rolls() not in (first, second, third)
    # The same seed begins the same games, and so do the resets that follow it.
    seeded = rolls(seed=7), rolls(), rolls()
    assert (rolls(seed=7), rolls(), rolls()) == seeded
    assert seeded[0] == [tavli.Games(50, seed=7).roll().rolls.tolist(), 7]
    # Environments of no seed play different games, whose seed can be had.
    other = VectorEnv(50)
    observation, _ = other.reset()
    assert observation["rolls"].tolist() != first[0]
    assert other.reset(seed=other.np_random_seed)[0]["rolls"].tolist() == observation["rolls"].tolist()
    # Another generator decides what comes next.
    for _ in range(2):
        env.np_random = np.random.default_rng(3)
        third = [*third, rolls()]
    assert third[-1] == third[-2] and env.np_random_seed == -1
    before = env.games
    with pytest.raises(TypeError, match="options are a dict, such as {'first_game': 100}, or None, not 3"):
        env.reset(options=3)  # type: ignore[arg-type]
    refused: list[dict[str, Any]] = [{"seed": -1}, {"seed": 2**64}, {"options": {"first_game": -1}}, {"options": {"game": 1}}]
    refused.append({"options": {"first_game": 2**64 - 3}})
    for wrong in refused:
        with pytest.raises(tavli.SettingsError):
            env.reset(**wrong)
    assert env.games is before, "what is refused changes nothing"


def test_steps_need_games_that_go_on() -> None:
    env = VectorEnv(2)
    for call in (lambda: env.step(np.zeros(2, int)), env.action_mask):
        with pytest.raises(tavli.PlayError, match=r"call reset\(\) before"):
            call()
    _, info = env.reset(seed=1)
    mask = env.action_mask()
    assert mask.shape == (2, 3060) and mask.dtype == np.int8
    assert mask.sum(axis=1).tolist() == np.diff(info["offsets"]).tolist()
    assert (np.diff(mask, axis=1) <= 0).all(), "the plays are the first actions"
    assert not env.closed
    for _ in range(2):
        env.close()
    assert env.closed
    for call in (lambda: env.step(np.zeros(2, int)), env.reset, env.action_mask):
        with pytest.raises(tavli.TavliError, match="is closed"):
            call()


@pytest.mark.parametrize("rules", tavli.RULES)
def test_no_roll_has_more_plays_than_actions(rules: Any) -> None:
    env = VectorEnv(100, rules=rules, truncate=200)
    _, info = env.reset(seed=2)
    random = np.random.default_rng(3)
    actions = env.action_mask().shape[1]
    assert actions == (15 if rules == "hypergammon" else 3060)
    most = 0
    for _ in range(300):
        plays = np.diff(info["offsets"])
        most = max(most, plays.max())
        *_, info = env.step(random.integers(plays))
    assert most <= actions
    # Fifteen checkers apart with a double have hundreds.
    spread = [0, -1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0]
    if rules == "backgammon":
        assert 300 < len(tavli.Position(spread).plays("22")) <= actions


def test_last_observations_are_those_of_gymnasium() -> None:
    env = VectorEnv(6, truncate=40)
    _, info = env.reset(seed=4)
    random = np.random.default_rng(4)
    ended = 0
    for _ in range(100):
        picks = random.integers(np.diff(info["offsets"]))
        made = info["plays"][info["offsets"][:-1] + picks]
        _, _, terminations, truncations, info = env.step(picks)
        over = terminations | truncations
        assert ("final_obs" in info) == ("_final_obs" in info) == over.any()
        if over.any():
            assert info["_final_obs"].tolist() == over.tolist()
            for place, last in enumerate(info["final_obs"]):
                assert (last is not None) == over[place]
                if last is not None:
                    assert last["points"].tolist() == made[place].tolist() and last["rolls"].tolist() == [0, 0]
                    ended += 1
    assert ended > 6


def test_it_works_without_gymnasium() -> None:
    program = """
import sys
sys.modules["gymnasium"] = None
import copy, pickle
import numpy as np
import tavli
env = tavli.VectorEnv(3)
env.reset(seed=1)
env.step(np.zeros(3, int))
assert env.metadata["autoreset_mode"] == "SameStep" and env.spec is None and env.unwrapped is env
for again in (copy.copy(env), pickle.loads(pickle.dumps(env))):
    assert again.reset()[0]["rolls"].tolist() == env.clone().reset()[0]["rolls"].tolist()
try:
    env.action_space
except ImportError:
    print("no spaces")
"""
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert run.stdout == "no spaces\n"


def test_the_package_alone_does_not_import_it() -> None:
    program = "import sys, tavli; assert 'VectorEnv' in dir(tavli); print('gymnasium' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert run.stdout == "False\n"


@pytest.fixture
def gymnasium() -> Iterator[Any]:
    """Gymnasium, whose warnings are errors."""
    module = pytest.importorskip("gymnasium", minversion="1.1", reason="no Gymnasium: its checks are not run")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield module


def play_of_any_action(gymnasium: Any, env: VectorEnv) -> Any:
    """The environment with a play for any action of its space, which Gymnasium's checks draw without a mask."""

    class AnyAction(gymnasium.vector.VectorActionWrapper):  # type: ignore[misc]
        def actions(self, actions: Any) -> Any:
            return actions % env.action_mask().sum(axis=1)

    return AnyAction(env)


def test_it_passes_the_checks_of_gymnasium(gymnasium: Any) -> None:
    from gymnasium.utils import env_checker, passive_env_checker

    for env in (VectorEnv(1), VectorEnv(1, rules="hypergammon", truncate=30)):
        assert isinstance(env, gymnasium.vector.VectorEnv)
        assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
        assert (env.render_mode, env.spec, env.closed, env.num_envs, env.unwrapped) == (None, None, False, 1, env)
        assert env.render() is None
        checked = play_of_any_action(gymnasium, env)
        for space in (env.single_action_space, env.action_space):
            passive_env_checker.check_action_space(space)
            env_checker.check_space_limit(space, "action")
        for space in (env.single_observation_space, env.observation_space):
            passive_env_checker.check_observation_space(space)
            env_checker.check_space_limit(space, "observation")
        env_checker.check_seed_deprecation(checked)
        env_checker.check_reset_return_info_deprecation(checked)
        env_checker.check_reset_return_type(checked)
        env_checker.check_reset_seed_determinism(env)
        env_checker.check_reset_options(checked)
        passive_env_checker.env_reset_passive_checker(checked)
        env_checker.check_returned_data_not_reused(checked)


def test_a_single_game_passes_all_checks(gymnasium: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    class OneGame(gymnasium.Env):  # type: ignore[misc]
        """An environment of one game: the rest of `check_env` takes no vector environment."""

        metadata: dict[str, Any] = {"render_modes": []}

        def __init__(self) -> None:
            self.games = play_of_any_action(gymnasium, VectorEnv(1))
            self.observation_space = self.games.single_observation_space
            self.action_space = self.games.single_action_space

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            super().reset(seed=seed)
            observation, _ = self.games.reset(seed=seed, options=options)
            return {name: array[0] for name, array in observation.items()}, {}

        def step(self, action: Any) -> Any:
            observation, reward, terminated, truncated, _ = self.games.step(np.array([action]))
            first = {name: array[0] for name, array in observation.items()}
            return first, float(reward[0]), bool(terminated[0]), bool(truncated[0]), {}

    gymnasium.register("OneGame-v0", entry_point=OneGame)
    try:
        check_env(gymnasium.make("OneGame-v0").unwrapped)
    finally:
        del gymnasium.registry["OneGame-v0"]


def test_spaces_hold_what_there_is(gymnasium: Any) -> None:
    env = VectorEnv(4, truncate=50)
    observation, _ = env.reset(seed=1)
    assert env.action_space is env.action_space
    env.action_space.seed(5)
    for _ in range(120):
        assert env.observation_space.contains(observation)
        actions = env.action_space.sample(tuple(env.action_mask()))
        observation, _, _, _, info = env.step(actions)
        for last in info.get("final_obs", []):
            assert last is None or env.single_observation_space.contains(last)


def test_it_is_made_and_wrapped_by_gymnasium(gymnasium: Any) -> None:
    gymnasium.register("Backgammon-v0", vector_entry_point="tavli:VectorEnv")
    try:
        env = gymnasium.make_vec("Backgammon-v0", num_envs=8, rules="hypergammon")
        assert isinstance(env.unwrapped, VectorEnv) and env.spec.id == "Backgammon-v0"
        assert len(env.unwrapped.clone().games) == 8
        env = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
        env = gymnasium.wrappers.vector.ClipReward(env, max_reward=1.0)
        _, info = env.reset(seed=1)
        random = np.random.default_rng(1)
        for _ in range(200):
            _, rewards, _, _, info = env.step(random.integers(np.diff(info["offsets"])))
            assert rewards.max() <= 1
        statistics = env.env
        assert statistics.episode_count == env.unwrapped.games.finished > 8
        env.close()
        assert env.unwrapped.closed
    finally:
        del gymnasium.registry["Backgammon-v0"]
