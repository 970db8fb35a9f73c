"""Trains a small value net by temporal differences in games against itself, and then plays it against random play.

The net has 52 inputs (the 26 numbers, each side apart), one hidden layer and the expected points of the player on roll
as its output. The lower the value of the next player's position, the better the play. It is written for reading, in
NumPy alone; a few seconds of it beat random play.

    python examples/value_net.py [SECONDS]
"""

import sys
import time

import numpy as np
from numpy.typing import NDArray

import tavli

HIDDEN = 40
RATE = 0.0015
Floats = NDArray[np.float32]


class Net:
    """A value net of one hidden layer."""

    def __init__(self, random: np.random.Generator) -> None:
        self.inner = (random.standard_normal((52, HIDDEN)) * 0.1).astype(np.float32)
        self.outer = np.zeros(HIDDEN, np.float32)

    def hidden(self, points: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """The inputs of positions, and what the hidden layer makes of them."""
        both = np.concatenate([np.maximum(points, 0), np.maximum(-points, 0)], axis=1)
        inputs = np.asarray(both / 5, np.float32)
        return inputs, np.asarray(np.tanh(inputs @ self.inner), np.float32)

    def value(self, points: NDArray[np.int8]) -> Floats:
        """The expected points of the player on roll."""
        return np.asarray(self.hidden(points)[1] @ self.outer)

    def learn(self, points: NDArray[np.int8], targets: Floats) -> None:
        """Moves the values of positions towards targets."""
        inputs, hidden = self.hidden(points)
        error = (targets - hidden @ self.outer)[:, None] * (RATE / len(points) * 32)
        back = error * self.outer * (1 - hidden**2)
        self.outer += (error * hidden).sum(axis=0)
        self.inner += inputs.T @ back

    def pick(
        self,
        points: NDArray[np.int8],
        rolls: NDArray[np.uint8],
        offsets: NDArray[np.int64],
        results: NDArray[np.int8],
    ) -> NDArray[np.int64]:
        """The play after which the next player expects least: a policy for tavli.Player."""
        values = self.value(results)
        least = np.minimum.reduceat(values, offsets[:-1])
        best = np.flatnonzero(values == np.repeat(least, np.diff(offsets)))
        return best[np.searchsorted(best, offsets[:-1])] - offsets[:-1]


def train(net: Net, seconds: float) -> int:
    """Plays games against itself, and learns after each ply of all."""
    games = tavli.Games(64, seed=1)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        before = games.points
        plays = games.roll()
        picks = net.pick(before, plays.rolls, plays.offsets, plays.points)
        after = plays.points[plays.offsets[:-1] + picks]
        targets = -net.value(after)
        ended = games.make(picks)
        targets[ended.places] = ended.rewards
        net.learn(before, targets)
    return games.finished


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    net = Net(np.random.default_rng(1))
    trained = train(net, seconds)
    player = tavli.Player(net.pick, name="value-net")
    tally = tavli.playout(tavli.Position(), 500, policy=player, policy_opponent="uniform")
    print(f"after {trained} games: {tally.equity.mean:+.2f} ± {tally.equity.standard_error:.2f} points a game")


main()
