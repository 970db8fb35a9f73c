"""Random games by pgx on the CPU: pgx_games.py SECONDS SEED, as README.md describes."""

import json
import os
import sys
import time
from importlib.metadata import version

os.environ["JAX_PLATFORMS"] = "cpu"
# One thread, like the other peers.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
try:
    import jax
    import jax.numpy as jnp
    import pgx
except ImportError:
    sys.exit("pgx or jax is not installed (pip install pgx 'jax[cpu]')")

# Games side by side.
BATCH = 256


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    env = pgx.make("backgammon")
    start_games = jax.jit(jax.vmap(env.init))

    @jax.jit
    def step(state, key):
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        key, draw, dice = jax.random.split(key, 3)
        action = jax.random.categorical(draw, chances, axis=-1)
        state = jax.vmap(env.step)(state, action, jax.random.split(dice, BATCH))
        return state, key, state.terminated.all()

    def play(key):
        key, first = jax.random.split(key)
        state = start_games(jax.random.split(first, BATCH))
        done = False
        while not done:
            state, key, done = step(state, key)
        return key

    key = play(jax.random.PRNGKey(seed))  # compiles
    games = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        key = play(key)
        games += BATCH
    print(json.dumps({
        "peer": "pgx",
        "version": f"{version('pgx')}, jax {version('jax')}",
        "games": games,
        "plies": None,
        "seconds": time.perf_counter() - start,
        "differs": "draws checker by checker, not among results; 256 games side by side until the longest ends",
    }))


main()
