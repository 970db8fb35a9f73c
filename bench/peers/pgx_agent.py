"""Random games by a random agent in Python on pgx, on the CPU: pgx_agent.py SECONDS SEED, as README.md describes."""

import json
import os
import sys
import time
from importlib.metadata import version

os.environ["JAX_PLATFORMS"] = "cpu"
# One thread, as the others.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
try:
    import jax
    import numpy as np
    import pgx
    from pgx.experimental import auto_reset
except ImportError:
    sys.exit("pgx or jax is not installed (pip install pgx 'jax[cpu]')")

# Games side by side.
BATCH = 1000


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    env = pgx.make("backgammon")
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    split = jax.jit(lambda key: jax.random.split(key, BATCH + 1))
    random = np.random.default_rng(seed)
    keys = split(jax.random.PRNGKey(seed))
    state = jax.jit(jax.vmap(env.init))(keys[1:])
    games = plies = 0
    compiled = False
    start = time.perf_counter()
    while not compiled or time.perf_counter() - start < seconds:
        legal = np.asarray(state.legal_action_mask)
        actions = (random.random(legal.shape, np.float32) * legal).argmax(axis=1)
        keys = split(keys[0])
        before = np.asarray(state.current_player)
        state = step(state, actions, keys[1:])
        ended = np.asarray(state.terminated)
        games += int(ended.sum())
        # An action moves one checker; a ply ends when the other player is on roll, or with the game.
        plies += int((ended | (np.asarray(state.current_player) != before)).sum())
        if not compiled:
            compiled, games, plies, start = True, 0, 0, time.perf_counter()
    print(json.dumps({
        "peer": "pgx",
        "version": f"{version('pgx')}, jax {version('jax')}",
        "games": games,
        "plies": plies,
        "seconds": time.perf_counter() - start,
        "differs": "an action moves one checker; 1,000 games side by side; actions drawn by NumPy",
    }))


main()
