"""Plays picked by a player through Python: tavli_best.py SECONDS SEED PLAYER, as README.md describes."""

import json
import sys
import time

try:
    import numpy as np
    import tavli
except ImportError:
    sys.exit("the Python package tavli is not installed (tools/python)")

# Positions of a call.
POSITIONS = 10_000

# Plies after which the positions of games are far enough from each other.
PLIES = 30


def positions_of_games(player, seed):
    """Positions of games of the player, and rolls of theirs."""
    games = tavli.Games(POSITIONS, seed=seed)
    for _ in range(PLIES):
        before, plays = games.points, games.roll()
        after = player.best(before, plays.rolls)
        owners = np.repeat(np.arange(POSITIONS), np.diff(plays.offsets))
        picked = np.flatnonzero((plays.points == after[owners]).all(axis=1))
        games.make(picked - plays.offsets[:-1])
    return games.points, games.roll().rolls


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    player = tavli.Player(sys.argv[3])
    points, rolls = positions_of_games(player, seed)
    plies = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        player.best(points, rolls)
        plies += POSITIONS
    print(json.dumps({
        "peer": "tavli.Player.best",
        "version": tavli.__version__,
        "games": None,
        "plies": plies,
        "seconds": time.perf_counter() - start,
        "differs": "picks plays in 10,000 positions a call",
    }))


main()
