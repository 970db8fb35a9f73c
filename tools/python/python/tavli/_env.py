"""Games as a vector environment of Gymnasium, which is not needed for it."""

from __future__ import annotations

import copy
import math
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._tavli import (
    DraughtsGames,
    DraughtsPlays,
    FinishedDraughts,
    FinishedGames,
    Games,
    PlayError,
    Plays,
    Position,
    RecordError,
    SettingsError,
    TavliError,
)

# What an agent sees of each game: arrays by name, which VectorEnv describes.
Observation: TypeAlias = dict[str, NDArray[Any]]

if TYPE_CHECKING:
    import gymnasium

    from ._tavli import _AnyPosition, _Positions

    _Base = gymnasium.vector.VectorEnv[Observation, NDArray[np.integer[Any]], NDArray[Any]]
    _AUTORESET_MODE = gymnasium.vector.AutoresetMode.SAME_STEP
else:
    try:
        from gymnasium.vector import AutoresetMode
        from gymnasium.vector import VectorEnv as _Base

        _AUTORESET_MODE = AutoresetMode.SAME_STEP
    except ImportError:  # it is not installed, or older than 1.1, the first that has modes
        _Base = object
        _AUTORESET_MODE = "SameStep"

# The version of what a pickle of an environment holds. Whoever changes that counts it up.
_FORMAT = 2


class _Backgammon:
    """What the environment knows of backgammon."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = {**settings, "rules": settings["rules"] or "backgammon"}

    def games(self, number: int, **options: Any) -> Games:
        return Games(number, **self._settings, **options)

    def plays(self, games: Games) -> Plays:
        return games.roll()

    def observe(self, games: Games, plays: Plays) -> tuple[Observation, NDArray[np.int8]]:
        """The observation, and the positions after the plays."""
        return {"points": games.points, "rolls": plays.rolls}, plays.points

    def last(self, over: FinishedGames, row: int) -> Observation:
        """The last observation of a game that ended."""
        return {"points": over.points[row].copy(), "rolls": np.zeros(2, np.uint8)}

    @property
    def most_plays(self) -> int:
        """The most plays that a roll can have, by its dice alone.

        A double shares four equal steps among the checkers. Two different dice have fewer plays: each pair of checkers,
        and each checker in both orders.
        """
        checkers = int(Position.start(self._settings["rules"]).points.clip(0).sum())
        return math.comb(checkers + 3, 4)

    @property
    def space(self) -> dict[str, tuple[int, int, tuple[int, ...], type]]:
        """For each array of an observation: the least and the greatest number, the shape and the type."""
        return {"points": (-15, 15, (26,), np.int8), "rolls": (0, 6, (2,), np.uint8)}


class _Draughts:
    """What the environment knows of draughts."""

    def __init__(self, settings: dict[str, Any]) -> None:
        if settings["first_roll"] not in (None, "any"):
            raise SettingsError(f"draughts has no dice: leave first_roll out, not {settings['first_roll']!r}")
        self._settings = {
            "position": settings["points"],
            "rules": settings["rules"] or "english",
            "truncate": settings["truncate"],
        }

    def games(self, number: int, **options: Any) -> DraughtsGames:
        return DraughtsGames(number, **self._settings, **options)

    def plays(self, games: DraughtsGames) -> DraughtsPlays:
        return games.plays()

    def observe(self, games: DraughtsGames, plays: DraughtsPlays) -> tuple[Observation, NDArray[np.int8]]:
        """The observation, and the positions after the plays."""
        return {"squares": games.squares, "quiet": games.quiet[:, None]}, plays.squares

    def last(self, over: FinishedDraughts, row: int) -> Observation:
        """The last observation of a game that ended."""
        return {"squares": over.squares[row].copy(), "quiet": over.quiet[row : row + 1].copy()}

    @property
    def most_plays(self) -> int:
        """More plays than games come to: twelve kings have 48 without a capture."""
        return 128

    @property
    def space(self) -> dict[str, tuple[int, int, tuple[int, ...], type]]:
        """For each array of an observation: the least and the greatest number, the shape and the type."""
        return {"squares": (-2, 2, (32,), np.int8), "quiet": (0, 255, (1,), np.uint8)}


_GAMES: dict[str, Any] = {"backgammon": _Backgammon, "draughts": _Draughts}


class VectorEnv(_Base):
    """Many games of backgammon or draughts as a vector environment: `reset`, `step`, and the next game where one ends.

    It is a `gymnasium.vector.VectorEnv` where Gymnasium 1.1 or later is installed, for its wrappers and `make_vec`, and
    works without it, apart from the spaces.

    The agent plays both sides: it sees each position as the player on roll does. An action is the index of a play. The
    number of plays differs from decision to decision, which no fixed space of actions says. So they come as one ragged
    array next to the observation, in `info`: `info["plays"]` are rows `info["offsets"][i]` to `info["offsets"][i + 1]`
    of game i, the positions after the plays as the next player sees them. For agents with a fixed number of actions the
    spaces have the most plays that any roll can have (3060; 15 in hypergammon; 128 in draughts), and `action_mask`
    tells which there are. An action that is not one raises a PlayError, and nothing is then played; so samples of
    `action_space` need the mask. For the same reason the wrappers of Gymnasium that take `info` apart by games do not
    apply, such as `DictInfoToList`.

    An observation has arrays by name. In backgammon: `points`, int8 of shape (num_envs, 26), as `tavli.Games.points`,
    and `rolls`, uint8 of shape (num_envs, 2). In draughts: `squares`, int8 of shape (num_envs, 32), as
    `tavli.DraughtsGames.squares`, and `quiet`, uint8 of shape (num_envs, 1), the plies that count towards a draw; its
    `info["plays"]` are squares, too.

    A reward is what the last play has won: 0 while a game goes on, and 1 to 3 points for the player who made the play
    that ended it; in draughts 1, or 0 for a draw. A game that ends begins anew in the same step, with the next number.
    Then `info["finished"]` has the games that ended, whose places are `info["finished"].places`, and
    `info["final_obs"]` their last observations as Gymnasium has them, with the dice 0 and 0, for there is no roll. Game
    number g of a seed always has the same dice; draughts has none, and its seed is the seed of `tavli.DraughtsGames`.

    A copy (by `clone` or the module `copy`) and an unpickled one go on independently with the same dice. An environment
    that one thread uses at the moment raises a TavliError in another.

    Args:
        num_envs: How many games are played side by side.
        game: "backgammon" or "draughts".
        rules: One of `tavli.RULES`, or "english", "optional" or "report" in draughts; None is "backgammon" or
            "english".
        points: Where games start, as in `tavli.Games`; in draughts the position of `tavli.DraughtsGames`.
        first_roll: How games begin, as in `tavli.Games`; draughts has no dice.
        truncate: Cut each game off after this many plies; None plays to the end.

    Raises:
        PositionError: No game starts from a position.
        SettingsError: A setting is out of range.

    Examples:
        >>> env = tavli.VectorEnv(100)
        >>> observation, info = env.reset(seed=1)
        >>> observation["points"].shape, observation["rolls"].shape
        ((100, 26), (100, 2))
        >>> random = np.random.default_rng(1)
        >>> actions = random.integers(np.diff(info["offsets"]))
        >>> observation, rewards, terminations, truncations, info = env.step(actions)
    """

    metadata: dict[str, Any] = {"autoreset_mode": _AUTORESET_MODE, "render_modes": []}

    def __init__(
        self,
        num_envs: int,
        *,
        game: str = "backgammon",
        rules: str | None = None,
        points: _AnyPosition | _Positions | None = None,
        first_roll: str | None = None,
        truncate: int | None = None,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode: str | None = None
        self.spec: gymnasium.envs.registration.EnvSpec | None = None
        self.closed = False
        if game not in _GAMES:
            raise SettingsError(f"there are environments of {' and '.join(_GAMES)}, not of {game!r}")
        settings = {"points": points, "rules": rules, "first_roll": first_roll, "truncate": truncate}
        self._kind = _GAMES[game](settings)
        self._games = self._kind.games(num_envs)
        self._plays: Plays | DraughtsPlays | None = None
        self._np_random: np.random.Generator | None = None
        self._np_random_seed: int | None = None
        self._lock = threading.Lock()

    @property
    def games(self) -> Any:
        """The `tavli.Games` or `tavli.DraughtsGames` since the last reset, with the counts of those that have ended."""
        return self._games

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin anew.

        Args:
            seed: Seed of the random numbers, 0 to 2**64 - 1, which begins the same games each time. None begins others:
                of a seed that `np_random` draws, or at first of any, which is then `np_random_seed`.
            options: `{"first_game": g}` begins with game number g; other games follow in order.

        Returns:
            The observation and the info.

        Raises:
            SettingsError: A setting is out of range.
            TavliError: The environment is closed, or another thread uses it.
        """
        if options is not None and not isinstance(options, dict):
            raise TypeError(f"options are a dict, such as {{'first_game': 100}}, or None, not {options!r}")
        with self._alone():
            unknown = set(options or {}) - {"first_game"}
            if unknown:
                raise SettingsError(f"the only option is first_game, the number of a game, not {sorted(unknown)}")
            if seed is None and self._np_random is None:
                seed = secrets.randbits(64)
            of_games = int(self.np_random.integers(2**64, dtype=np.uint64)) if seed is None else seed
            first_game = (options or {}).get("first_game", 0)
            self._games = self._kind.games(self.num_envs, seed=of_games, first_game=first_game)
            if seed is not None:
                self._np_random, self._np_random_seed = np.random.default_rng(seed), seed
            return self._observe()

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Make a play in each game.

        Args:
            actions: The index of a play of each game, from 0 on.

        Returns:
            Observation, rewards, terminations, truncations and info, as in Gymnasium.

        Raises:
            PlayError: A game has no such play, or `reset` was not called yet; nothing is then played.
            TavliError: The environment is closed, or another thread uses it.
        """
        with self._alone():
            if self._plays is None:
                raise PlayError("no game has begun: call reset() before the first step()")
            over = self._games.make(actions)
            rewards = np.zeros(self.num_envs, np.float32)
            terminations = np.zeros(self.num_envs, np.bool_)
            truncations = np.zeros(self.num_envs, np.bool_)
            rewards[over.places] = over.rewards
            won = over.outcomes >= 0
            terminations[over.places[won]] = True
            truncations[over.places[~won]] = True
            observation, info = self._observe()
            info["finished"] = over
            if len(over) > 0:
                info["final_obs"], info["_final_obs"] = self._last(over), terminations | truncations
            return observation, rewards, terminations, truncations, info

    def action_mask(self) -> NDArray[np.int8]:
        """Which actions there are: an int8 array of shape (num_envs, actions), 1 for the index of a play and else 0.

        `env.action_space.sample(tuple(env.action_mask()))` draws a play of each game.
        """
        with self._alone():
            if self._plays is None:
                raise PlayError("no game has begun: call reset() before action_mask()")
            plays = np.diff(self._plays.offsets)
            return np.asarray(np.arange(self._kind.most_plays) < plays[:, None], np.int8)

    def render(self) -> None:
        """Return None: there are no modes to render in. `tavli.Position(points).svg()` draws a position."""

    def close(self, **_kwargs: Any) -> None:
        """Close the environment, which then takes no more steps; closing it again does nothing."""
        self.closed = True

    def clone(self) -> VectorEnv:
        """An environment that goes on by itself from here, with the same dice."""
        return copy.deepcopy(self)

    def __copy__(self) -> VectorEnv:
        return self.clone()

    def __getstate__(self) -> tuple[int, dict[str, Any]]:
        with self._unused():
            return _FORMAT, {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: tuple[int, dict[str, Any]]) -> None:
        version, attributes = state
        if version != _FORMAT:
            raise RecordError(f"this pickle of an environment has the format {version}: this tavli reads {_FORMAT}")
        self.__dict__.update(attributes, _lock=threading.Lock())

    def __repr__(self) -> str:
        return f"<tavli.VectorEnv {self.num_envs} of {self._games.rules}>"

    @contextmanager
    def _unused(self) -> Iterator[None]:
        """Keep other threads out, or raise if one is in."""
        if not self._lock.acquire(blocking=False):
            raise TavliError(
                "another thread uses this environment: give each thread one of its own, such as a clone(), or have them "
                "take turns by a threading.Lock"
            )
        try:
            yield
        finally:
            self._lock.release()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """The same for what plays."""
        if self.closed:
            raise TavliError("this environment is closed: make another")
        with self._unused():
            yield

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        plays = self._plays = self._kind.plays(self._games)
        observation, positions = self._kind.observe(self._games, plays)
        return observation, {"offsets": plays.offsets, "plays": positions}

    def _last(self, over: FinishedGames | FinishedDraughts) -> NDArray[np.object_]:
        """The last observations of games that ended, each in its place."""
        last = np.full(self.num_envs, None, np.object_)
        for row, place in enumerate(over.places):
            last[place] = self._kind.last(over, row)
        return last

    @property
    def np_random(self) -> np.random.Generator:
        """Draws the seeds of the games that `reset` begins without one. Its own is the seed given to `reset`, or any."""
        if self._np_random is None:
            self._np_random_seed = secrets.randbits(64)
            self._np_random = np.random.default_rng(self._np_random_seed)
        return self._np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random, self._np_random_seed = value, -1

    @property
    def np_random_seed(self) -> int | None:
        """The seed of `np_random`, and of the games that `reset` began with it; -1 of another generator put there."""
        _ = self.np_random  # seeds it, unless it is
        return self._np_random_seed

    @property
    def unwrapped(self) -> VectorEnv:
        """The environment itself."""
        return self

    # The spaces are made when they are first asked for, and may be set: mypy does not know the latter.

    @cached_property
    def single_action_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        """The space of the actions of one game, `Discrete` of the most plays; needs Gymnasium."""
        from gymnasium import spaces

        return spaces.Discrete(self._kind.most_plays)

    @cached_property
    def action_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        """The space of the actions of all games, `MultiDiscrete`; needs Gymnasium."""
        from gymnasium.vector.utils import batch_space

        return batch_space(self.single_action_space, self.num_envs)

    @cached_property
    def single_observation_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        """The space of the observation of one game; needs Gymnasium."""
        from gymnasium import spaces

        boxes = self._kind.space.items()
        return spaces.Dict({name: spaces.Box(least, most, shape, kind) for name, (least, most, shape, kind) in boxes})

    @cached_property
    def observation_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        """The space of the observations of all games; needs Gymnasium."""
        from gymnasium.vector.utils import batch_space

        return batch_space(self.single_observation_space, self.num_envs)
