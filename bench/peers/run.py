"""Random games by tavli and by other programs, in turns, one thread each: a table of ratios.

    python3 bench/peers/run.py [--tavli PROGRAM] [--seconds S] [--rounds N] [--python PYTHON] [--agents]

With --agents a second table has random agents that are written in Python. README.md says what is compared. A peer that is not installed is skipped with a line that says so.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def adapters(python):
    """The name and the command of each peer."""
    built = HERE / "bkgm/target/release/tavli-peer-bkgm"
    return [
        ("bkgm", [str(built)]),
        ("OpenSpiel", [python, str(HERE / "openspiel.py")]),
        ("GNU Backgammon", [python, str(HERE / "gnubg.py")]),
        ("pgx", [python, str(HERE / "pgx_games.py")]),
    ]


def agents(python):
    """The name and the command of each random agent in Python, tavli's first."""
    return [
        ("tavli.Games", [python, str(HERE / "tavli_games.py")]),
        ("pgx", [python, str(HERE / "pgx_agent.py")]),
        ("OpenSpiel", [python, str(HERE / "openspiel.py")]),
    ]


def skip(name, why):
    print(f"skipped: {name}: {why}", file=sys.stderr)


def tavli_rate(tavli, tier, seconds, seed):
    command = [tavli, "playout", "--threads", "1", "--seconds", str(seconds), "--seed", str(seed), "--isa", tier,
               "--json"]
    done = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return done["games_per_second"]


def peer_rate(name, command, seconds, seed):
    """Games a second and the whole answer, or None if the peer does not run."""
    try:
        done = subprocess.run(command + [str(seconds), str(seed)], capture_output=True, text=True, timeout=600)
    except FileNotFoundError:
        return skip(name, "not built (cargo build --release in bench/peers/bkgm)")
    except subprocess.TimeoutExpired:
        return skip(name, "no answer within ten minutes")
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        return skip(name, lines[-1])
    answer = json.loads(done.stdout)
    return answer["games"] / answer["seconds"], answer


def compare_agents(python, seconds, rounds):
    """A table of the plies a second of the agents, in turns."""
    rates, answers = {}, {}
    names = dict(agents(python))
    for seed in range(1, rounds + 1):
        for name, command in list(names.items()):
            found = peer_rate(name, command, seconds, seed)
            if found is None:
                del names[name]
                continue
            _, answers[name] = found
            rates.setdefault(name, []).append(answers[name]["plies"] / answers[name]["seconds"])
    ours = rates.get("tavli.Games")
    print("\n| agent in Python | version | plies/s | tavli.Games / agent | what it does |\n|---|---|---|---|---|")
    for name in names:
        ratios = [one / other for one, other in zip(ours or [], rates[name])]
        ratio = f"{statistics.median(ratios):,.1f} ({min(ratios):,.1f} to {max(ratios):,.1f})" if ratios else "-"
        print(f"| {name} | {answers[name]['version']} | {statistics.median(rates[name]):,.0f} | {ratio} | "
              f"{answers[name]['differs']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tavli", default=str(HERE / "../../target/release/tavli"))
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--python", default=sys.executable, help="the Python that has the peers' packages")
    parser.add_argument("--agents", action="store_true", help="compare random agents in Python, too")
    arguments = parser.parse_args()
    signature = json.loads(subprocess.run([arguments.tavli, "signature", "--json"], capture_output=True,
                                          check=True).stdout)
    tiers = list(dict.fromkeys(["portable", signature["isa"]]))
    head = " | ".join(f"tavli {tier} / peer" for tier in tiers)
    rows = []
    for name, command in adapters(arguments.python):
        rates, ratios, answer = [], {tier: [] for tier in tiers}, None
        for seed in range(1, arguments.rounds + 1):
            found = peer_rate(name, command, arguments.seconds, seed)
            if found is None:
                break
            rate, answer = found
            rates.append(rate)
            for tier in tiers:
                ours = tavli_rate(arguments.tavli, tier, arguments.seconds, seed)
                ratios[tier].append(ours / rate)
        if answer is None:
            continue
        plies = f"{answer['plies'] / answer['games']:.1f}" if answer["plies"] else "unknown"
        cells = [f"{statistics.median(ratios[tier]):,.1f} ({min(ratios[tier]):,.1f} to {max(ratios[tier]):,.1f})"
                 for tier in tiers]
        rows.append(f"| {name} | {answer['version']} | {statistics.median(rates):,.0f} | {plies} | "
                    + " | ".join(cells) + f" | {answer['differs']} |")
    print(f"| peer | version | games/s | plies a game | {head} | what it does differently |")
    print("|---" * (5 + len(tiers)) + "|")
    print("\n".join(rows))
    if arguments.agents:
        compare_agents(arguments.python, arguments.seconds, arguments.rounds)


main()
