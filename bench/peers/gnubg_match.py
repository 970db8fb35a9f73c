"""A player of tavli against GNU Backgammon, on the same dice from both sides.

    python3 bench/peers/gnubg_match.py PLAYER [--plies N] [--luck PLAYER] [--games N] [--seed S] [--processes P]
        [--side-by-side N]

PLAYER is what tavli.Player takes: a name or a file. GNU Backgammon plays through its Python module gnubg-nn (PyPI), by the
play whose position its nets and bear-off tables value best, --plies plies ahead, in money games without a cube. --luck
takes the luck of both sides' rolls off each game, as the named player values it. Games come in pairs as in
`tavli duel`: both have the same dice, and the sides are exchanged. Prints JSON with the results of PLAYER; gammons count
backgammons too, and the standard error is that of the means of the pairs. They depend on neither --processes nor
--side-by-side. "cpu_seconds" of both sides are of their plays alone.
"""

import argparse
import importlib.metadata
import json
import math
import multiprocessing
import sys
import time

try:
    import gnubg_nn
    import numpy as np
    import tavli
except ImportError as error:
    sys.exit(f"{error.name} is not installed: this needs numpy, the Python package tavli (tools/python) and gnubg-nn (PyPI)")

# The points of each of tavli.OUTCOMES.
POINTS = np.array([1, 2, 3, -1, -2, -3])

# The rolls, and how many of the 36 throws are each.
ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], dtype=np.int8)
THROWS = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1, 2)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("player", metavar="PLAYER", help="a name or a file, as tavli.Player takes it")
    parser.add_argument("--plies", type=int, default=0, help="how far GNU Backgammon looks ahead (default: 0)")
    parser.add_argument("--luck", metavar="PLAYER", help="take the luck off, as this player values it (default: not)")
    parser.add_argument("--games", type=int, default=10_000, help="an even number (default: 10000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice (default: 1)")
    parser.add_argument("--processes", type=int, default=1, help="how many share the games (default: 1)")
    parser.add_argument("--side-by-side", type=int, default=500, help="games of a process at a time (default: 500)")
    given = parser.parse_args()
    if given.games < 2 or given.games % 2:
        parser.error(f"--games {given.games}: write an even number from 2 on, two games of each pair")
    for name in ("processes", "side_by_side"):
        if getattr(given, name) < 1:
            parser.error(f"--{name.replace('_', '-')} {getattr(given, name)}: write a number from 1 on")
    if not 0 <= given.plies <= 3:
        parser.error(f"--plies {given.plies}: write a number from 0 to 3")
    for name in filter(None, (given.player, given.luck)):
        try:
            tavli.Player(name)
        except ValueError as error:
            parser.error(str(error))
    return given


def best_of_gnubg(points, dice, plies):
    """The position after GNU Backgammon's play, seen by the next player, of one seen by the player on roll."""
    own = np.maximum(points[1:26], 0).tolist()
    opponent = np.maximum(-points[24::-1], 0).tolist()
    _, key = gnubg_nn.best_move([opponent, own], int(dice[0]), int(dice[1]), plies, b=1)
    mover, following = gnubg_nn.board_from_position_key(key)
    after = np.zeros(26, dtype=np.int8)
    after[1:] += np.array(following, dtype=np.int8)
    after[24::-1] -= np.array(mover, dtype=np.int8)
    return after


def luck_of(player, points, rolls, is_first):
    """The luck of each roll for the player on roll, in points: what its best play is worth, less the mean over all rolls.

    The mean of a first roll is over those without doubles.
    """
    if player is None or not len(points):
        return np.zeros(len(points))
    after = player.best(np.repeat(points, len(ROLLS), axis=0), np.tile(ROLLS, (len(points), 1)))
    values = -(player.evaluate(after) @ POINTS).reshape(len(points), len(ROLLS))
    doubles = ROLLS[:, 0] == ROLLS[:, 1]
    weights = np.where(is_first[:, None] & doubles, 0, THROWS)
    high, low = np.maximum(*rolls.T).astype(int), np.minimum(*rolls.T).astype(int)
    rolled = high * (high - 1) // 2 + low - 1
    means = (weights * values).sum(axis=1) / weights.sum(axis=1)
    return values[np.arange(len(points)), rolled] - means


def picks(after, plays):
    """The index of the play that leads to each of the positions."""
    owners = np.repeat(np.arange(len(after)), np.diff(plays.offsets))
    found = np.flatnonzero((plays.points == after[owners]).all(axis=1))
    if not np.array_equal(owners[found], np.arange(len(after))):
        missing = set(range(len(after))) - set(owners[found].tolist())
        sys.exit(f"no play of {plays.rolls[min(missing)]} leads to {after[min(missing)].tolist()}")
    return found - plays.offsets[:-1]


def play(job):
    """The games of these numbers, of which the player begins all or none: their outcomes for him, his luck less that of
    his opponent, and the processor time of the plays of both."""
    name, plies, lucky, seed, first, end, begins, side_by_side = job
    player = tavli.Player(name)
    lucky = lucky and tavli.Player(lucky)
    number = end - first
    games = tavli.Games(min(side_by_side, number), seed=seed, first_roll="open", first_game=first)
    outcomes = np.full(number, -1, dtype=np.int8)
    luck = np.zeros(number)
    seconds = np.zeros(2)
    while (outcomes < 0).any():
        points, plays = games.points, games.roll()
        # What is made in games beyond the last one does not count: their first play.
        after = plays.points[plays.offsets[:-1]]
        counts = games.numbers < end
        is_player = (games.plies % 2 == 0) == begins
        times = [time.process_time()]
        own = np.flatnonzero(counts & is_player)
        if len(own):
            after[own] = player.best(points[own], plays.rolls[own])
        times.append(time.process_time())
        for place in np.flatnonzero(counts & ~is_player):
            after[place] = best_of_gnubg(points[place], plays.rolls[place], plies)
        times.append(time.process_time())
        seconds += np.diff(times)
        of_rolls = luck_of(lucky, points[counts], plays.rolls[counts], games.plies[counts] == 0)
        luck[games.numbers[counts] - first] += np.where(is_player[counts], of_rolls, -of_rolls)
        ended = games.make(picks(after, plays))
        counts = ended.numbers < end
        outcomes[ended.numbers[counts] - first] = ended.outcomes[counts]
    # Outcomes are those of who began.
    return outcomes if begins else (outcomes + 3) % 6, luck, seconds


def main():
    given = arguments()
    pairs = given.games // 2
    start = time.perf_counter()
    # Parts of at most some pairs, so that the processes end together.
    most = 1000 if given.plies == 0 else 10
    parts = max(given.processes * -(-pairs // (given.processes * most)), 1)
    bounds = [pairs * part // parts for part in range(parts + 1)]
    jobs = [(given.player, given.plies, given.luck, given.seed, first, end, begins, given.side_by_side)
            for begins in (True, False) for first, end in zip(bounds, bounds[1:]) if end > first]
    if given.processes == 1:
        played = [play(job) for job in jobs]
    else:
        with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
            played = pool.map(play, jobs, chunksize=1)
    outcomes, luck = (np.concatenate([of_job[which] for of_job in played]) for which in (0, 1))
    seconds = sum(of_job[2] for of_job in played)
    points = POINTS[outcomes]
    adjusted = points - luck
    of_pairs = (adjusted[:pairs] + adjusted[pairs:]) / 2
    error = of_pairs.std(ddof=1) / math.sqrt(pairs) if pairs > 1 else None
    print(json.dumps({
        "a": tavli.Player(given.player).name,
        "b": f"GNU Backgammon, {given.plies}-ply",
        "version": importlib.metadata.version("gnubg-nn"),
        "seed": given.seed,
        "games": given.games,
        "luck": given.luck,
        "points_per_game": of_pairs.mean(),
        "standard_error": error,
        **{name: int((points >= least).sum())
           for least, name in enumerate(("wins", "gammons", "backgammons"), 1)},
        **{name: int((points <= -least).sum())
           for least, name in enumerate(("losses", "lost_gammons", "lost_backgammons"), 1)},
        "cpu_seconds": seconds.tolist(),
        "seconds": time.perf_counter() - start,
    }))


if __name__ == "__main__":
    main()
