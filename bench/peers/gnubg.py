"""Games rolled out by GNU Backgammon: gnubg.py SECONDS SEED, as README.md describes.

With the word `error` in place of SECONDS it rolls out the opening, with its variance reduction, until the standard error
of the equity is 0.01 points.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time

# A few games, whose time shows how many more to play.
PROBE = 36


# Plays this number of games, each to its end.
OF_GAMES = """
set rollout trials {games}
set rollout varredn off
"""

# Plays at least 144 games, and ends when the standard error is 0.01 points.
UNTIL_ERROR = """
set rollout trials 46656
set rollout varredn on
set rollout limit enable on
set rollout limit minimumgames 144
set rollout limit maxerror 0.01
"""


def roll_out(gnubg, settings, seed):
    """Seconds that a rollout of the opening takes, without the start of the program."""
    commands = f"""
set threads 1
{settings}
set rollout cubeful off
set rollout seed {seed}
set rollout truncation enable off
set rollout bearofftruncation exact off
set rollout bearofftruncation onesided off
set rollout player 0 chequerplay evaluation plies 0
set rollout player 1 chequerplay evaluation plies 0
new session
set turn 0
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
    seed = int(sys.argv[2])
    if sys.argv[1] == "error":
        games = None
        took, version = roll_out(gnubg, UNTIL_ERROR, seed)
    else:
        took, version = roll_out(gnubg, OF_GAMES.format(games=PROBE), seed)
        games = max(PROBE, round(PROBE * float(sys.argv[1]) / max(took, 0.01)))
        took, version = roll_out(gnubg, OF_GAMES.format(games=games), seed)
    print(json.dumps({
        "peer": "GNU Backgammon",
        "version": version,
        "games": games,
        "plies": None,
        "seconds": took,
        "differs": "chooses each play by its neural net (0-ply): far more work on a ply, fewer plies a game",
    }))


main()
