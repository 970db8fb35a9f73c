"""A random agent at draughts: plays 2,000 games side by side and prints how they ended."""

import time

import numpy as np

import tavli

env = tavli.VectorEnv(1000, game="draughts")
random = np.random.default_rng(1)
observation, info = env.reset(seed=1)
start, plies = time.perf_counter(), 0
while env.games.finished < 2000:
    # The plays of game i are offsets[i] to offsets[i + 1]; an action is the index of one of them.
    actions = random.integers(np.diff(info["offsets"]))
    observation, rewards, terminations, truncations, info = env.step(actions)
    plies += env.num_envs
seconds = time.perf_counter() - start
print(f"{plies / seconds:,.0f} plies/s")
for outcome, games in env.games.outcomes.items():
    print(f"{outcome:<6} {games / env.games.finished:7.2%}")
