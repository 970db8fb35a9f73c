"""A search of tavli against Samuel, the engine of GUI Checkers, from the three-move ballots of English draughts.

    python3 bench/peers/samuel_match.py [--simulations N] [--depth D] [--seconds S] [--ballots N] [--tavli FILE]
        [--endgames FILE]

Each ballot is played from both sides: the pair is the unit of the error. tavli plays by UCT with proven wins and losses,
one tree and N simulations a move; Samuel by its own search to depth D or for S whole seconds, whichever ends first, with
its opening book and its endgames of two to four pieces. tavli is the referee: a move of Samuel's must be among the
plays, and games are drawn by its rule. Needs the packages samuel and pydraughts (PyPI), which bring the engine and the
ballots. Prints JSON with the results of tavli.
"""

import argparse
import contextlib
import importlib.metadata
import importlib.resources
import json
import math
import os
import subprocess
import sys
import time

try:
    import draughts
    from samuel import engine
except ImportError as error:
    sys.exit(f"skipped: {error.name} is not installed (pip install samuel pydraughts)")

# How Samuel names the sides, and its level that takes a depth and a time.
SIDES = {"B": 1, "W": 2}
OWN_LEVEL = 3


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--simulations", type=int, default=20_000, help="of tavli, for each move (default: 20000)")
    parser.add_argument("--depth", type=int, default=6, help="of Samuel (default: 6)")
    parser.add_argument("--seconds", type=int, default=1, help="of Samuel at most, for each move (default: 1)")
    parser.add_argument("--ballots", type=int, default=10, help="spread evenly over all of them (default: 10)")
    parser.add_argument("--tavli", default="target/release/tavli", help="the command (default: target/release/tavli)")
    parser.add_argument("--endgames", help="solved endgames for tavli, a file of tavli solve draughts")
    given = parser.parse_args()
    for name in ("simulations", "depth", "seconds", "ballots"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} {getattr(given, name)}: write a number from 1 on")
    return given


def ballots(number):
    """As many of the ballots in play as are asked for, by name, with their positions."""
    text = importlib.resources.files(draughts).joinpath("ballot_files", "3move_english.json").read_text()
    content = json.loads(text)
    names = content["standard"]
    number = min(number, len(names))
    return [(name, content["all"][name]) for name in (names[i * len(names) // number] for i in range(number))]


@contextlib.contextmanager
def quiet():
    """Sends away what the engine prints."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


class Samuel:
    def __init__(self, depth, seconds):
        data = os.path.join(sys.prefix, "share", "samuel", "data")
        with quiet():
            engine.init(*(os.path.join(data, name) for name in ("opening.gbk", "2pc.cdb", "3pc.cdb", "4pc.cdb")))
            engine.setlevel(OWN_LEVEL, depth, seconds)

    def play(self, position):
        """The position after its move."""
        with quiet():
            engine.setposfromFEN(position.split(":H")[0])
            side = SIDES[position[0]]
            engine.setcomputercolour(side)
            engine.cmove(str(side))
        # It leaves out the letter of a side without pieces.
        mover, *sides = engine.getFEN().removesuffix(".").split(":")
        return ":".join([mover, *(side or name for side, name in zip(sides, "WB"))])


class Tavli:
    def __init__(self, given):
        self.command = given.tavli
        self.options = ["--simulations", str(given.simulations), "--trees", "1", "--threads", "1", "--proofs"]
        self.options += ["--endgames", given.endgames] if given.endgames else []

    def ask(self, *words):
        run = subprocess.run([self.command, *words, "--game", "draughts", "--json"], capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{self.command} {' '.join(words)}: {run.stderr.strip()}")
        return json.loads(run.stdout)

    def read(self, position):
        return self.ask("position", position)

    def plays(self, position):
        return self.ask("plays", position)["plays"]

    def play(self, position, seed):
        """The moves of its play."""
        return self.ask("search", position, "--seed", str(seed), *self.options)["plays"][0]["moves"]


def game(tavli, samuel, position, side, seed):
    """The points of tavli, which has this side, the plies, and the seconds of both."""
    seconds = [0.0, 0.0]
    ply = 0
    while (points := tavli.read(position)["points"]) is None:
        plays = tavli.plays(position)
        start = time.perf_counter()
        is_tavli = position[0] == side
        if is_tavli:
            moves = tavli.play(position, seed + ply)
            found = [play for play in plays if play["moves"] == moves]
        else:
            after = tavli.read(samuel.play(position))["position"]
            found = [play for play in plays if play["position"] == after]
        seconds[0 if is_tavli else 1] += time.perf_counter() - start
        if not found:
            sys.exit(f"Samuel has made no play of {position}")
        position = found[0].get("state", found[0]["position"])
        ply += 1
    return (points if position[0] == side else -points), ply, seconds


def main():
    given = arguments()
    tavli, samuel = Tavli(given), Samuel(given.depth, given.seconds)
    results, pairs, plies, seconds = {1: 0, 0: 0, -1: 0}, [], 0, [0.0, 0.0]
    for number, (_, position) in enumerate(ballots(given.ballots)):
        both = 0
        for side in "BW":
            points, length, spent = game(tavli, samuel, position, side, 1000 * number)
            results[points] += 1
            both += points
            plies += length
            seconds = [a + b for a, b in zip(seconds, spent)]
        pairs.append(both / 2)
    mean = sum(pairs) / len(pairs)
    squares = sum((pair - mean) ** 2 for pair in pairs)
    error = math.sqrt(squares / (len(pairs) - 1) / len(pairs)) if len(pairs) > 1 else None
    print(json.dumps({
        "peer": "Samuel",
        "version": importlib.metadata.version("samuel"),
        "depth": given.depth,
        "simulations": given.simulations,
        "endgames": given.endgames is not None,
        "games": 2 * len(pairs),
        "won": results[1],
        "drawn": results[0],
        "lost": results[-1],
        "points_per_game": mean,
        "standard_error": error,
        "mean_plies": plies / (2 * len(pairs)),
        "seconds": dict(zip(("tavli", "samuel"), seconds)),
    }))


main()
