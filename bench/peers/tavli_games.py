"""Random games by a random agent in Python on tavli.Games: tavli_games.py SECONDS SEED, as README.md describes."""

import json
import sys
import time

try:
    import numpy as np
    import tavli
except ImportError:
    sys.exit("the Python package tavli is not installed (tools/python)")

# Games side by side.
BATCH = 1000


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    random = np.random.default_rng(seed)
    games = tavli.Games(BATCH, seed=seed)
    plies = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        plays = games.roll()
        games.make(random.integers(np.diff(plays.offsets)))
        plies += BATCH
    print(json.dumps({
        "peer": "tavli.Games",
        "version": tavli.__version__,
        "games": games.finished,
        "plies": plies,
        "seconds": time.perf_counter() - start,
        "differs": "draws among results; 1,000 games side by side; picks drawn by NumPy",
    }))


main()
