"""Players of tavli against GNU Backgammon in matches with the cube, with GNU Backgammon as the referee.

    python3 bench/peers/gnubg_external.py [PLAYER ...] [--plies N,..] [--matches N] [--seconds S] [--points N]
        [--seed S] [--tavli PROGRAM] [--gnubg PROGRAM] [--save FOLDER]

GNU Backgammon rolls the dice, keeps the score and plays its side, each of --plies plies ahead, in plays and in cube
decisions. It asks `tavli external` for the other side, as it asks any external player. PLAYER is a name of tavli, with
`+2ply` behind it to look ahead. The matches of a row end after --matches, or with the first after --seconds. Then
`tavli analyze --look-ahead 2` finds what each side lost by its decisions. Prints a table: matches and points won, with
standard errors, and the mean loss of a decision of both, times 500 as eXtreme Gammon's rating, with standard errors over
matches.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("players", metavar="PLAYER", nargs="*", default=["fast", "strong", "strong+2ply"])
    parser.add_argument("--plies", default="0,2", help="how far GNU Backgammon looks ahead (default: 0,2)")
    parser.add_argument("--matches", type=int, default=20, help="the most matches of a row (default: 20)")
    parser.add_argument("--seconds", type=float, default=300, help="the last begins within these a row (default: 300)")
    parser.add_argument("--points", type=int, default=5, help="the length of a match in points (default: 5)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first match's dice (default: 1)")
    parser.add_argument("--tavli", default="target/release/tavli", help="the program (default: target/release/tavli)")
    parser.add_argument("--gnubg", default="/usr/games/gnubg", help="the program (default: /usr/games/gnubg)")
    parser.add_argument("--save", type=pathlib.Path, metavar="FOLDER", help="keep the matches there")
    return parser.parse_args()


def commands(address, plies, points, seed, saved):
    """What GNU Backgammon is told: one match."""
    lines = [
        "set confirm new off",
        f"set player 0 external {address}",
        "set player 1 gnubg",
        f"set player 1 chequerplay evaluation plies {plies}",
        f"set player 1 cubedecision evaluation plies {plies}",
        "set automatic roll on",
        "set automatic move on",
        "set automatic game on",
        "set display off",
        f"set seed {seed}",
        f"new match {points}",
        # A game stops after each answer; what comes after the match does nothing.
        *["play"] * 400 * points,
        f"export match mat {saved}",
        "quit",
    ]
    return "\n".join(lines) + "\n"


def play(given, address, plies, seed, folder):
    """Plays a match, and returns its file; none if it was not finished."""
    saved = folder / f"{seed}.mat"
    script = folder / "commands"
    script.write_text(commands(address, plies, given.points, seed, saved))
    subprocess.run(
        [given.gnubg, "-t", "-q", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True
    )
    # A match in which an answer was missing ends within a game.
    is_finished = saved.exists() and "Wins" in saved.read_text(errors="replace").rstrip().rpartition("\n")[2]
    return saved if is_finished else None


def mean(numbers):
    """The mean and its standard error."""
    middle = sum(numbers) / len(numbers)
    squares = sum((number - middle) ** 2 for number in numbers)
    return middle, math.sqrt(squares / (len(numbers) - 1) / len(numbers)) if len(numbers) > 1 else math.nan


def points_of(game):
    """The points of tavli, which is player 0, in a game."""
    return game["points"] if game["winner"] == 0 else -game["points"]


def rate(documents, player):
    """500 times the mean loss of a decision, with its standard error over matches."""
    losses = [document["players"][player]["loss"] for document in documents]
    decisions = [document["players"][player]["decisions"] for document in documents]
    rating = sum(losses) / sum(decisions)
    _, error = mean([loss - rating * number for loss, number in zip(losses, decisions)])
    return 500 * rating, 500 * error * len(documents) / sum(decisions)


def row(given, player, plies, folder):
    """Plays a row of the table, and prints it."""
    name, ahead = re.fullmatch(r"(.*?)(?:\+(\d)ply)?", player).groups()
    server = subprocess.Popen(
        [given.tavli, "external", "127.0.0.1:0", "--player", name, "--look-ahead", ahead or "0", "--threads", "1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    files, start = [], time.monotonic()
    try:
        address = server.stdout.readline().split()[-1]
        for number in range(given.matches):
            if time.monotonic() - start > given.seconds:
                break
            played = play(given, address, plies, given.seed + number, folder)
            if played is None:
                print(f"match {given.seed + number} of {player} was not finished: left out", file=sys.stderr)
            else:
                files.append(played)
    finally:
        server.terminate()
        server.wait()
    if not files:
        print(f"| {player} | {plies} | 0 | | | | |", flush=True)
        return
    analysed = subprocess.run(
        [given.tavli, "analyze", *files, "--look-ahead", "2", "--json"], stdout=subprocess.PIPE, text=True, check=True
    )
    # One document a line, or a single one on several lines.
    lines = analysed.stdout.splitlines() if len(files) > 1 else [analysed.stdout]
    documents = [json.loads(line) for line in lines]
    games = [game for document in documents for game in document["games"] if game["winner"] is not None]
    won, won_error = mean([float(document["games"][-1]["winner"] == 0) for document in documents])
    points, points_error = mean([float(points_of(game)) for game in games])
    rates = " | ".join("{:.2f} ± {:.2f}".format(*rate(documents, side)) for side in range(2))
    print(
        f"| {player} | {plies} | {len(files)} | {100 * won:.0f} ± {100 * won_error:.0f} % | {len(games)} | "
        f"{points:+.2f} ± {points_error:.2f} | {rates} |",
        flush=True,
    )


def main():
    given = arguments()
    print("| player | plies of gnubg | matches | won | games | points a game | its rating | gnubg's rating |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for player in given.players:
        for plies in map(int, given.plies.split(",")):
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                if given.save:
                    folder = given.save / f"{player}-{plies}"
                    folder.mkdir(parents=True, exist_ok=True)
                row(given, player, plies, folder)


if __name__ == "__main__":
    main()
