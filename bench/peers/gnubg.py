"""Games rolled out by GNU Backgammon: gnubg.py SECONDS SEED, as README.md describes."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time

# A few games, whose time shows how many more to play.
PROBE = 36


def roll_out(gnubg, games, seed):
    """Seconds that a rollout of the opening takes, without the start of the program."""
    commands = f"""
set threads 1
set rollout trials {games}
set rollout varredn off
set rollout cubeful off
set rollout seed {seed}
set rollout truncation enable off
set rollout bearofftruncation exact off
set rollout bearofftruncation onesided off
set rollout player 0 chequerplay evaluation plies 0
set rollout player 1 chequerplay evaluation plies 0
new match 1
set board 4HPwATDgc/ABMA
rollout
"""
    times = []
    for script in (commands, commands.replace("\nrollout\n", "\n")):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(script)
            file.flush()
            start = time.perf_counter()
            done = subprocess.run([gnubg, "-t", "-q", "-c", file.name], input="y\n", text=True,
                                  capture_output=True, check=True)
            times.append(time.perf_counter() - start)
            version = re.search(r"GNU Backgammon\s+(\S+)", done.stdout)
    return times[0] - times[1], version.group(1) if version else "unknown"


def main():
    gnubg = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")  # where Debian has it
    if gnubg is None:
        sys.exit("gnubg is not installed (Debian's package gnubg)")
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    took, version = roll_out(gnubg, PROBE, seed)
    games = max(PROBE, round(PROBE * seconds / max(took, 0.01)))
    took, version = roll_out(gnubg, games, seed)
    print(json.dumps({
        "peer": "GNU Backgammon",
        "version": version,
        "games": games,
        "plies": None,
        "seconds": took,
        "differs": "chooses each play by its neural net (0-ply): far more work on a ply, fewer plies a game",
    }))


main()
