"""A rollout, or a decision, in one call."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from ._tavli import Play, Position, Progress, Rollout, Workers, _decide

if TYPE_CHECKING:
    from ._tavli import _AnyPosition, _AnyRoll, _Evaluator, _Policy, _Positions, _Rules


def rollout(
    position: _AnyPosition,
    roll: _AnyRoll | None = None,
    plays: _Positions | None = None,
    *,
    filter: float | Literal["all"] | None = None,
    rules: _Rules = "backgammon",
    seed: int = 1,
    first_roll: str = "any",
    truncate: int | Literal["none"] | None = None,
    trials: int | None = None,
    standard_error: float | None = None,
    jsd: float | None = None,
    seconds: float | None = None,
    allocate: str = "even",
    shard: str | None = None,
    policy: _Policy | None = None,
    policy_opponent: _Policy | None = None,
    evaluator: _Evaluator | None = None,
    variance_reduction: bool = False,
    luck: str | None = None,
    cube: bool = False,
    progress: Callable[[Progress], object] | None = None,
    save: str | os.PathLike[str] | None = None,
    save_seconds: float = 10.0,
    workers: Workers | None = None,
    threads: int | None = None,
    pin: str = "auto",
    isa: str | None = None,
) -> Rollout:
    """Roll out a position, or the plays of a roll on the same dice.

    Makes a Rollout and plays it: see Rollout for the settings up to `cube`, and Rollout.play for the others and for
    what is raised. What Ctrl-C or `progress` raises has the rollout, with the trials played so far, as its attribute
    `rollout`.

    Returns:
        The rollout, played until a rule ended it.
    """
    result = Rollout(
        position,
        roll,
        plays,
        filter=filter,
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
        variance_reduction=variance_reduction,
        luck=luck,
        cube=cube,
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
        error.rollout = error.result = result  # type: ignore[attr-defined]
        raise
    return result


def decide(
    position: _AnyPosition,
    roll: _AnyRoll | None = None,
    plays: _Positions | None = None,
    *,
    within: float = 0.01,
    trials: int | None = None,
    seconds: float | None = None,
    filter: float | Literal["all"] | None = None,
    rules: str | None = None,
    seed: int = 1,
    first_roll: str | None = None,
    truncate: int | Literal["none"] | None = None,
    policy: _Policy | None = None,
    policy_opponent: _Policy | None = None,
    evaluator: _Evaluator | None = None,
    luck: str | None = None,
    cube: bool = False,
    progress: Callable[[Progress], object] | None = None,
    workers: Workers | None = None,
    threads: int | None = None,
    pin: str = "auto",
    isa: str | None = None,
) -> Rollout | Any:
    """Decide which play of a roll to make, as `tavli rollout POSITION ROLL` does.

    The plays that "strong" values near the best race on the same dice, in games that it values after five plies. The
    race ends when one play is the best with 95 % confidence, or when no other play is better than the best by more than
    `within` points. `decision` of the result has the answer. By default `filter` is 0.16 and `truncate` 5. No net has
    learned the rules mcgammon, hypergammon and longgammon, so there all plays race, in whole games.

    In Plakoto and Fevga the games are cut off after eleven plies, and `policy` plays, values and measures the luck:
    `policy_opponent`, `evaluator`, `luck`, `first_roll` and `cube` are for backgammon alone.

    Args:
        position: As in Rollout, or a Position of Plakoto or Fevga.
        roll: The roll, "31" or (3, 1); None is the dice of the position.
        plays: Decide among these plays only, in the forms of Rollout; in other games each a text with the moves, a Play
            or a Position.
        within: Plays that differ by at most this many points count as equally good; 0 or more.
        trials: End after this many games of each play; None is 2304, or unlimited if `seconds` is given.
        seconds: End after this many seconds of playing.
        filter: Leave out plays that "strong" (in mcgammon "sampled") values more than these points below the best;
            "all" keeps every play. None is 0.16, or "all" in mcgammon.
        rules: One of `tavli.RULES`, or rules of the position's game; None is "backgammon", or another game's position's
            own.
        seed: Seed of the random numbers, 0 to 2**64 - 1.
        first_roll: As in Rollout; None is "any".
        truncate: Cut each game off after this many plies; None is 5, in other games 11. "none" plays games to their
            end; so does None in mcgammon, and if `evaluator` is "none".
        policy: The player that picks the plays, as in Rollout; None is "strong+bearoff:6x6", or "uniform" in
            mcgammon. In other games the name of a net, such as "strong" (None) or "strong+1ply", or its file.
        policy_opponent: The player that picks the opponent's plays; None is `policy`.
        evaluator: The evaluator of games that are cut off, as in Rollout; None is the player on roll if it values
            positions, otherwise "sampled".
        luck: The evaluator that measures the luck that is subtracted; None is `evaluator` if it is named, otherwise
            "fast+bearoff:6x6", in mcgammon none.
        cube: As in Rollout.
        progress: As in Rollout.play, which also says what is raised.
        workers: As in Rollout.play.
        threads: As in Rollout.play.
        pin: As in Rollout.play.
        isa: As in Rollout.play.

    Returns:
        The Rollout; for a position of another game a GameDecision. What Ctrl-C or `progress` raises has it as its
        attribute `result`, once the plays race.
    """
    if (of_other := _of_other_game(position)) is not None:
        return _decide(
            of_other,
            roll,
            plays,
            within=within,
            trials=trials,
            seconds=seconds,
            filter=filter,
            rules=rules,
            seed=seed,
            first_roll=first_roll,
            truncate=truncate,
            policy=policy,
            policy_opponent=policy_opponent,
            evaluator=evaluator,
            luck=luck,
            cube=cube,
            progress=progress,
            workers=workers,
            threads=threads,
            pin=pin,
            isa=isa,
        )
    result = Rollout.to_decide(
        position,
        roll,
        plays,
        within=within,
        trials=trials,
        seconds=seconds,
        filter=filter,
        rules=rules,
        seed=seed,
        first_roll=first_roll,
        truncate=truncate,
        policy=policy,
        policy_opponent=policy_opponent,
        evaluator=evaluator,
        luck=luck,
        cube=cube,
    )
    try:
        result.play(progress=progress, workers=workers, threads=threads, pin=pin, isa=isa)
    except BaseException as error:
        error.rollout = error.result = result  # type: ignore[attr-defined]
        raise
    return result


def _of_other_game(position: object) -> Position | None:
    """The position, if it is one of another game than backgammon."""
    held = position.position if isinstance(position, Play) else position
    return held if isinstance(held, Position) and held.game != "backgammon" else None
