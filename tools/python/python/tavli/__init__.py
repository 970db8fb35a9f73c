"""Backgammon plays, random playouts and rollouts, exact and fast.

A play is a distinct resulting position. A playout is a game in which every ply is drawn evenly from the plays of its
roll. A rollout plays many games between two players, both `fast` by default, from one position, or from each play of a
roll on the same dice, and gives their statistics. A game is decided by position, rules, players, first roll, seed and
its number alone, so the numbers here are those of the command `tavli` and of the Rust library with the same settings,
on every machine.

    >>> import tavli
    >>> result = tavli.rollout("4HPwATDgc/ABMA", "31", ["8/5 6/5", "24/20"], trials=46656)
    >>> result.best.moves
    '8/5 6/5'
"""

from typing import TYPE_CHECKING

# Before the first array is made: there Ctrl-C in the middle of the import, or a broken NumPy, would be a panic.
import numpy  # noqa: F401

from ._rollout import decide, rollout
from ._tavli import (
    ENCODERS,
    GAMES,
    OUTCOMES,
    PLAYERS,
    RULES,
    CandidateResult,
    Decision,
    Difference,
    DraughtsGames,
    DraughtsPlays,
    Estimate,
    FinishedDraughts,
    FinishedGames,
    GameDecision,
    Games,
    MergeError,
    Play,
    PlayError,
    Player,
    PlayerWarning,
    Plays,
    Position,
    PositionError,
    PositionWarning,
    Progress,
    RacedPlay,
    RecordError,
    RollError,
    Rollout,
    RolloutError,
    Search,
    SearchWarning,
    SettingsError,
    Statistic,
    Tally,
    TavliError,
    Workers,
    __version__,
    cube_values,
    duel,
    encode,
    playout,
    playout_games,
    playouts,
    probabilities,
    search,
    signature,
)

if TYPE_CHECKING:
    from ._env import VectorEnv

__all__ = [
    "ENCODERS",
    "GAMES",
    "OUTCOMES",
    "PLAYERS",
    "RULES",
    "CandidateResult",
    "Decision",
    "Difference",
    "DraughtsGames",
    "DraughtsPlays",
    "Estimate",
    "FinishedDraughts",
    "FinishedGames",
    "GameDecision",
    "Games",
    "MergeError",
    "Play",
    "PlayError",
    "Player",
    "PlayerWarning",
    "Plays",
    "Position",
    "PositionError",
    "PositionWarning",
    "Progress",
    "RacedPlay",
    "RecordError",
    "RollError",
    "Rollout",
    "RolloutError",
    "Search",
    "SearchWarning",
    "SettingsError",
    "Statistic",
    "Tally",
    "TavliError",
    "VectorEnv",
    "Workers",
    "__version__",
    "cube_values",
    "decide",
    "duel",
    "encode",
    "playout",
    "playout_games",
    "playouts",
    "probabilities",
    "rollout",
    "search",
    "signature",
]


def __getattr__(name: str) -> object:
    # When it is first asked for, since it imports Gymnasium if that is installed, which takes longer than the rest.
    if name == "VectorEnv":
        from ._env import VectorEnv

        return VectorEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
