"""A rollout that processes share: each plays a shard, and the whole is what one process would have played.

The same function is what a cluster's workers run; only the executor differs. With Dask:

    from dask.distributed import Client
    executor = Client("scheduler:8786").get_executor()

With Ray: `ray.get([ray.remote(play_shard).remote(i, 4) for i in range(1, 5)])`.
"""

import multiprocessing
from concurrent.futures import Executor, ProcessPoolExecutor

import tavli

OPENING = "4HPwATDgc/ABMA"
TRIALS = 51_840


def play_shard(index: int, of: int) -> tavli.Rollout:
    """Play one shard, on one thread."""
    return tavli.rollout(OPENING, trials=TRIALS, shard=f"{index}/{of}", threads=1, policy="uniform")


def roll_out(executor: Executor, shards: int) -> tavli.Rollout:
    """Have the shards played and put them together."""
    parts = executor.map(play_shard, range(1, shards + 1), [shards] * shards)
    return tavli.Rollout.merge(list(parts))


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        shared = roll_out(executor, shards=4)
    alone = tavli.rollout(OPENING, trials=TRIALS, policy="uniform")
    print(shared)
    assert shared.best.outcomes == alone.best.outcomes
    print("equal to the rollout of one process")
