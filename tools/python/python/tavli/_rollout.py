"""A rollout in one call."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from ._tavli import Progress, Rollout, Workers

if TYPE_CHECKING:
    from ._tavli import _AnyPosition, _AnyRoll, _Evaluator, _Policy, _Positions, _Rules


def rollout(
    position: _AnyPosition,
    roll: _AnyRoll | None = None,
    plays: _Positions | None = None,
    *,
    rules: _Rules = "backgammon",
    seed: int = 1,
    first_roll: str = "any",
    truncate: int | None = None,
    trials: int | None = None,
    standard_error: float | None = None,
    jsd: float | None = None,
    seconds: float | None = None,
    allocate: str = "even",
    shard: str | None = None,
    policy: _Policy | None = None,
    policy_opponent: _Policy | None = None,
    evaluator: _Evaluator | None = None,
    luck: str | None = None,
    progress: Callable[[Progress], object] | None = None,
    save: str | os.PathLike[str] | None = None,
    save_seconds: float = 10.0,
    workers: Workers | None = None,
    threads: int | None = None,
    pin: str = "auto",
    isa: str | None = None,
) -> Rollout:
    """Roll out a position, or the plays of a roll on the same dice.

    Makes a Rollout and plays it: see Rollout for the settings up to `luck`, and Rollout.play for the others and for
    what is raised. What Ctrl-C or `progress` raises has the rollout, with the trials played so far, as its attribute
    `rollout`.

    Returns:
        The rollout, as far as a rule let it be played.
    """
    result = Rollout(
        position,
        roll,
        plays,
        rules=rules,
        seed=seed,
        first_roll=first_roll,
        truncate=truncate,
        trials=trials,
        standard_error=standard_error,
        jsd=jsd,
        seconds=seconds,
        allocate=allocate,
        shard=shard,
        policy=policy,
        policy_opponent=policy_opponent,
        evaluator=evaluator,
        luck=luck,
    )
    try:
        result.play(
            progress=progress,
            save=save,
            save_seconds=save_seconds,
            workers=workers,
            threads=threads,
            pin=pin,
            isa=isa,
        )
    except BaseException as error:
        error.rollout = result  # type: ignore[attr-defined]
        raise
    return result
