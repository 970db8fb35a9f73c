"""Matches analysed by tavli and by GNU Backgammon, in one run.

    python3 bench/peers/match_analysis.py FILE.mat ... [--plies N] [--tavli PROGRAM] [--gnubg PROGRAM]

Each match is analysed by `tavli analyze --look-ahead N` and by GNU Backgammon's `analyse match` at N plies for plays and
cube decisions, with its usual move filters and pruning nets, both on one thread, in turns. Prints a table: processor
seconds of both programs, each with its start, and for both players what both programs say that they lost in all
decisions, in points of the cube or equivalent to that (GNU Backgammon's EMG), and by a decision, in thousandths of it,
over the decisions that each program counts. Then the ratios of the times, and how far the losses differ.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", metavar="FILE.mat", nargs="+")
    parser.add_argument("--plies", type=int, default=2, help="how far both look ahead (default: 2)")
    parser.add_argument("--tavli", default="target/release/tavli", help="the program (default: target/release/tavli)")
    parser.add_argument("--gnubg", default="/usr/games/gnubg", help="the program (default: /usr/games/gnubg)")
    return parser.parse_args()


def run(command):
    """What a program prints, and its processor seconds."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{command[0]} failed with status {process.returncode}")
        output.seek(0)
        return output.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime


def of_tavli(given, path):
    """Loss and loss by a decision of each player, and processor seconds."""
    printed, seconds = run([given.tavli, "analyze", path, "--look-ahead", str(given.plies), "--threads", "1", "--json"])
    players = json.loads(printed)["players"]
    return [(player["loss"], 1000 * player["error_rate"]) for player in players], seconds


def of_gnubg(given, path, folder):
    """The same by GNU Backgammon."""
    commands = folder / "commands"
    settings = "".join(
        f"set analysis {decision} evaluation plies {given.plies}\nset analysis {decision} evaluation prune on\n"
        for decision in ("chequerplay", "cubedecision")
    )
    # Behind a drop it reads the line of the winner as another double, even in files of its own.
    text = pathlib.Path(path).read_text(errors="replace")
    played = folder / "played.mat"
    played.write_text(re.sub(r"(Drops[ \t]*\n)[ \t]*Wins[^\n]*\n", r"\1", text))
    commands.write_text(
        f"set threads 1\nset automatic game off\n{settings}import mat {played}\nanalyse match\n"
        "show statistics match\n"
    )
    printed, seconds = run([given.gnubg, "-t", "-q", "-c", commands])
    overall = printed.partition("Overall statistics")[2]

    def numbers(name):
        line = re.search(rf"{name}.*", overall)
        found = re.findall(r"([-+]\d+\.\d+)\s*\(", line[0]) if line else []
        return [abs(float(number)) for number in found]

    totals, rates = numbers("Error total"), numbers("Error rate mEMG")
    if len(totals) != 2 or len(rates) != 2:
        raise SystemExit(f"GNU Backgammon printed no statistics of {path}:\n{overall[:500]}")
    return list(zip(totals, rates)), seconds


def main():
    given = arguments()
    print("| match | tavli s | gnubg s | ratio | tavli: loss | gnubg: loss | tavli: mEMG a decision | gnubg |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    ratios, differences, rates = [], [], []
    total = [0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        for path in given.files:
            own, own_seconds = of_tavli(given, path)
            other, other_seconds = of_gnubg(given, path, pathlib.Path(folder))
            ratios.append(other_seconds / own_seconds)
            total[0] += own_seconds
            total[1] += other_seconds
            for (loss, rate), (other_loss, other_rate) in zip(own, other):
                differences.append(loss - other_loss)
                rates.append((rate, other_rate))
            cells = [" / ".join(f"{player[number]:.{3 - 2 * number}f}" for player in side) for number in range(2)
                     for side in (own, other)]
            print(
                f"| {pathlib.Path(path).stem} | {own_seconds:.2f} | {other_seconds:.2f} | {ratios[-1]:.1f} | "
                + " | ".join(cells) + " |",
                flush=True,
            )
    print(
        f"\nProcessor seconds together: {total[0]:.2f} and {total[1]:.2f}, ratio {total[1] / total[0]:.1f}; of single matches "
        f"{statistics.median(ratios):.1f} in the median, {min(ratios):.1f} to {max(ratios):.1f}."
    )
    mean = statistics.mean(map(abs, differences))
    print(
        f"Losses of a player in a match differ by {mean:.3f} in the mean, {max(map(abs, differences)):.3f} at most; "
        f"all together {sum(differences) / len(differences):+.3f} a player and match."
    )
    if len(rates) > 2:
        correlation = statistics.correlation(*zip(*rates))
        print(f"Losses by a decision correlate by {correlation:.3f}.")


if __name__ == "__main__":
    main()
