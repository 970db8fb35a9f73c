"""Games as a vector environment in the manner of Gymnasium, which is not needed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from ._tavli import FinishedGames, Games, Plays

if TYPE_CHECKING:
    from ._tavli import _AnyPosition, _Positions, _Rules


class Observation(TypedDict):
    """What an agent sees of each game."""

    points: NDArray[np.int8]
    rolls: NDArray[np.uint8]


class VectorEnv:
    """Many games of backgammon as a vector environment: `reset`, `step`, and the next game where one ends.

    The agent plays both sides: it sees each position as the player on roll does. An action is the index of a play. The
    number of plays differs from game to game, so they come as one ragged array beside the observation, in `info`:
    `info["plays"]` are rows `info["offsets"][i]` to `info["offsets"][i + 1]` of game i, the positions after the plays
    as the next player sees them.

    A reward is what the last play has won: 0 while a game goes on, and 1 to 3 points for the player who made the play
    that ended it. A game that ends begins anew in the same step, with the next number; `info["finished"]` has the games that
    ended, whose places are `info["finished"].places`. Game number g of a seed always has the same dice.

    Args:
        num_envs: How many games are played side by side.
        rules: One of `tavli.RULES`.
        points: Where games start, as in `tavli.Games`.
        first_roll: How games begin, as in `tavli.Games`.
        plies: Cut each game off after this many plies, which truncates it; None plays to the end.

    Examples:
        >>> env = tavli.VectorEnv(100)
        >>> observation, info = env.reset(seed=1)
        >>> observation["points"].shape, observation["rolls"].shape
        ((100, 26), (100, 2))
        >>> random = np.random.default_rng(1)
        >>> actions = random.integers(np.diff(info["offsets"]))
        >>> observation, rewards, terminations, truncations, info = env.step(actions)
    """

    metadata: dict[str, Any] = {"autoreset_mode": "SameStep", "render_modes": []}

    def __init__(
        self,
        num_envs: int,
        *,
        rules: _Rules = "backgammon",
        points: _AnyPosition | _Positions | None = None,
        first_roll: str = "any",
        plies: int | None = None,
    ) -> None:
        self.num_envs = num_envs
        self._settings: dict[str, Any] = {
            "points": points,
            "rules": rules,
            "first_roll": first_roll,
            "plies": plies,
        }
        self._seed = 1
        self._games = Games(num_envs, **self._settings)

    @property
    def games(self) -> Games:
        """The games, with the counts of those that have ended."""
        return self._games

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin anew.

        Args:
            seed: Seed of the random streams; None is the one before, at first 1.
            options: `{"first_game": g}` begins with game number g; other games follow in order.

        Returns:
            The observation and the info.
        """
        if seed is not None:
            self._seed = seed
        first_game = (options or {}).get("first_game", 0)
        self._games = Games(self.num_envs, seed=self._seed, first_game=first_game, **self._settings)
        observation, plays = self._observe()
        return observation, self._info(plays)

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Make a play in each game.

        Args:
            actions: The index of a play of each game, from 0 on.

        Returns:
            Observation, rewards, terminations, truncations and info, as in Gymnasium.
        """
        over = self._games.make(actions)
        rewards = np.zeros(self.num_envs, np.float32)
        terminations = np.zeros(self.num_envs, np.bool_)
        truncations = np.zeros(self.num_envs, np.bool_)
        rewards[over.places] = over.worth
        won = over.outcomes >= 0
        terminations[over.places[won]] = True
        truncations[over.places[~won]] = True
        observation, plays = self._observe()
        return observation, rewards, terminations, truncations, self._info(plays, over)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _observe(self) -> tuple[Observation, Plays]:
        plays = self._games.roll()
        return {"points": self._games.points, "rolls": plays.rolls}, plays

    def _info(self, plays: Plays, over: FinishedGames | None = None) -> dict[str, Any]:
        info: dict[str, Any] = {"offsets": plays.offsets, "plays": plays.points}
        if over is not None:
            info["finished"] = over
        return info

    @property
    def single_observation_space(self) -> Any:
        """The space of the observation of one game; needs Gymnasium."""
        from gymnasium import spaces

        return spaces.Dict(
            {"points": spaces.Box(-15, 15, (26,), np.int8), "rolls": spaces.Box(1, 6, (2,), np.uint8)}
        )

    @property
    def observation_space(self) -> Any:
        """The space of the observations of all games; needs Gymnasium."""
        from gymnasium.vector.utils import batch_space

        return batch_space(self.single_observation_space, self.num_envs)
