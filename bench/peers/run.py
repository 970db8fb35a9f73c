"""Random games by tavli and by other programs, in turns, all on one CPU: a table of rates and ratios.

    python3 bench/peers/run.py [--tavli PROGRAM] [--bkgm PROGRAM] [--seconds S] [--rounds N] [--python PYTHON] [--cpu N]
                               [--output FILE.md] [--agents] [--policies]

With --agents a second table has random agents that are written in Python. With --policies another has games that are
played on purpose. With --output the tables go to a file, and what they are made of to a JSON file beside it. README.md
says what is compared. A peer that is not installed is skipped with a line that says so.
"""

import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


class NotRunning(Exception):
    """A program that does not run, with a line that says why."""


def adapters(python, bkgm):
    """The name and the command of each peer."""
    return {
        "bkgm": [bkgm],
        "OpenSpiel": [python, str(HERE / "openspiel.py")],
        "GNU Backgammon": [python, str(HERE / "gnubg.py")],
        "pgx": [python, str(HERE / "pgx_games.py")],
    }


def agents(python):
    """The name and the command of each random agent in Python, tavli's first."""
    return {
        "tavli.Games": [python, str(HERE / "tavli_games.py")],
        "pgx": [python, str(HERE / "pgx_agent.py")],
        "OpenSpiel": [python, str(HERE / "openspiel.py")],
    }


def skip(name, why):
    print(f"skipped: {name}: {why}", file=sys.stderr)


def answer_of(command, not_built):
    """The JSON that a program writes."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except FileNotFoundError:
        raise NotRunning(not_built) from None
    except OSError as error:
        raise NotRunning(f"{command[0]} does not start: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise NotRunning("no answer within ten minutes") from None
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise NotRunning(lines[-1])
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise NotRunning("its answer is not JSON") from None


class Tavli:
    """The tavli command."""

    def __init__(self, program):
        self.program = program

    def ask(self, *arguments):
        not_built = f"tavli is not built: no program {self.program}; run cargo build --release, or name it with --tavli"
        return answer_of([self.program, *arguments, "--json"], not_built)

    def record(self):
        """A short record, which says what the machine and the build are, and which tiers the CPU has."""
        return self.ask("bench", "quick", "--isa", "all", "--repetitions", "1", "--seconds", "0.01", "--warm-up", "0",
                        "--threads", "1")

    def play(self, tier, seconds, seed, policy="uniform"):
        return self.ask("playout", "--threads", "1", "--seconds", str(seconds), "--seed", str(seed), "--isa", tier,
                        "--policy", policy)


def peer(name, command, seconds, seed, *more):
    """The answer of a peer."""
    answer = answer_of([*command, str(seconds), str(seed), *more],
                       "not built: cargo build --release in bench/peers/bkgm" if name == "bkgm"
                       else f"no program {command[0]}")
    missing = {"version", "games", "plies", "seconds", "differs"} - answer.keys()
    if missing:
        raise NotRunning(f"its answer lacks {', '.join(sorted(missing))}")
    return answer


def in_turns(players, rounds):
    """The answers of each player over the rounds, in which they take turns. One that does not run is left out."""
    answers = {name: [] for name in players}
    for seed in range(1, rounds + 1):
        for name in list(answers):
            try:
                answers[name].append(players[name](seed))
            except NotRunning as why:
                skip(name, why)
                del answers[name]
    return answers


def plies_of(answer):
    """Plies a game, which tavli has itself; None if they are unknown."""
    if "mean_plies" in answer:
        return answer["mean_plies"]
    return answer["plies"] / answer["games"] if answer["plies"] else None


def rate(answer, unit="games"):
    return answer[unit] / answer["seconds"]


def rates(answers, unit="games"):
    return [rate(answer, unit) for answer in answers]


def ratio(ours, theirs, unit="games"):
    """The median of the ratios of a round, with their range, as text and as numbers."""
    return spread([a / b for a, b in zip(rates(ours, unit), rates(theirs, unit))])


def spread(ratios):
    """The median of ratios, with their range, as text and as numbers."""
    median, least, most = statistics.median(ratios), min(ratios), max(ratios)
    digits = 2 if median < 10 else 1 if median < 100 else 0
    text = f"{median:,.{digits}f} ({least:,.{digits}f} to {most:,.{digits}f})"
    return text, {"median": median, "least": least, "most": most}


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def compare_games(tavli, tiers, version, peers, seconds, rounds):
    """A table with a row for each tier of tavli and for each peer."""
    ours = {f"tavli {tier}": (lambda seed, tier=tier: tavli.play(tier, seconds, seed)) for tier in tiers}
    theirs = {name: (lambda seed, name=name, command=command: peer(name, command, seconds, seed))
              for name, command in peers.items()}
    answers = in_turns({**ours, **theirs}, rounds)
    for name in ours:
        if name not in answers:
            raise NotRunning(f"{name} does not run")
    rows, found = [], []
    for name, given in answers.items():
        last = given[-1]
        ratios = {one: ratio(answers[one], given) for one in ours}
        own = name in ours
        plies = plies_of(last)
        differs = "" if own else last["differs"]
        rows.append([name, version if own else last["version"], f"{statistics.median(rates(given)):,.0f}",
                     f"{plies:.1f}" if plies else "unknown"]
                    + [ratios[one][0] for one in ours] + [differs])
        found.append({"program": name, "version": version if own else last["version"], "games_per_second": rates(given),
                      "plies_a_game": plies,
                      "ratios": {one: ratios[one][1] for one in ours}, "differs": differs or None})
    head = ["program", "version", "games/s", "plies a game", *(f"{one} / it" for one in ours), "what it does differently"]
    return table(head, rows), found


def compare_agents(python, seconds, rounds):
    """A table of the plies a second of the agents."""
    players = {name: (lambda seed, name=name, command=command: peer(name, command, seconds, seed))
               for name, command in agents(python).items()}
    answers = in_turns(players, rounds)
    ours = answers.get("tavli.Games")
    rows, found = [], []
    for name, given in answers.items():
        text, numbers = ratio(ours, given, "plies") if ours else ("-", None)
        rows.append([name, given[-1]["version"], f"{statistics.median(rates(given, 'plies')):,.0f}", text,
                     given[-1]["differs"]])
        found.append({"agent": name, "version": given[-1]["version"], "plies_per_second": rates(given, "plies"),
                      "ratio": numbers, "differs": given[-1]["differs"]})
    return table(["agent in Python", "version", "plies/s", "tavli.Games / agent", "what it does"], rows), found


# Who plays by tavli's command, the weakest first.
POLICIES = ["pubeval", "fast", "strong"]


def compare_policies(tavli, tier, gnubg, seconds, rounds):
    """A table of the games a second of players against themselves and of GNU Backgammon's nets."""
    ours = {policy: (lambda seed, policy=policy: tavli.play(tier, seconds, seed, policy)) for policy in POLICIES}
    peers = {"GNU Backgammon": lambda seed: peer("GNU Backgammon", gnubg, seconds, seed)}
    answers = in_turns({**ours, **peers}, rounds)
    theirs = answers.pop("GNU Backgammon", None)
    if theirs is None:
        return "", []
    version, their_rates = theirs[-1]["version"], rates(theirs)
    rows, found = [], []
    for policy, given in answers.items():
        text, numbers = ratio(given, theirs)
        rows.append([policy, f"{statistics.median(rates(given)):,.0f}", "GNU Backgammon, 0-ply", version,
                     f"{statistics.median(their_rates):,.0f}", text])
        found.append({"policy": policy, "games_per_second": rates(given), "peer": "GNU Backgammon",
                      "version": version, "peer_games_per_second": their_rates, "ratio": numbers})
    head = ["policy", "games/s", "peer", "version", "its games/s", "policy / peer"]
    return table(head, rows), found


# The standard error of an equity, in points, that rollouts are timed to.
ERROR = 0.01


def seconds_to_error(tavli, evaluator, seed):
    """The time of a rollout of the opening by `strong`, less the luck that an evaluator measures, to ERROR: that of 648
    trials, times the square of their error over it."""
    answer = tavli.ask("rollout", "--policy", "strong", "--variance-reduction", "--evaluator", evaluator, "--trials", "648",
                       "--threads", "1", "--seed", str(seed), "4HPwATDgc/ABMA")
    return answer["seconds"] * (answer["candidates"][0]["se_equity"] / ERROR) ** 2


def compare_errors(tavli, gnubg, rounds):
    """A table of the time that rollouts with variance reduction take to a standard error."""
    ours = {evaluator: (lambda seed, evaluator=evaluator: seconds_to_error(tavli, evaluator, seed))
            for evaluator in ["fast", "strong"]}
    theirs = {"GNU Backgammon": lambda seed: peer("GNU Backgammon", gnubg, "error", seed)["seconds"]}
    answers = in_turns({**ours, **theirs}, rounds)
    their_seconds = answers.pop("GNU Backgammon", None)
    if their_seconds is None:
        return "", []
    rows, found = [], []
    for evaluator, seconds in answers.items():
        # Less time is more.
        text, numbers = spread([b / a for a, b in zip(seconds, their_seconds)])
        rows.append([f"strong, luck by {evaluator}", f"{statistics.median(seconds):,.2f}",
                     f"{statistics.median(their_seconds):,.1f}", text])
        found.append({"policy": "strong", "luck": evaluator, "seconds": seconds, "peer": "GNU Backgammon",
                      "peer_seconds": their_seconds, "ratio": numbers})
    head = ["rollout of the opening", f"seconds to a standard error of {ERROR}", "GNU Backgammon's, 0-ply", "its / ours"]
    return table(head, rows), found


def compare_best(tavli, python, tier, seconds, rounds):
    """A table of the plies a second of players through Python and in games of the command."""
    rows, found = [], []
    for policy in POLICIES:
        players = {
            "Python": lambda seed: peer("tavli.Player.best", [python, str(HERE / "tavli_best.py")], seconds, seed, policy),
            "command": lambda seed: tavli.play(tier, seconds, seed, policy),
        }
        answers = in_turns(players, rounds)
        if "Python" not in answers or "command" not in answers:
            return "", []
        for answer in answers["command"]:
            answer["plies"] = plies_of(answer) * answer["games"]
        text, numbers = ratio(answers["Python"], answers["command"], "plies")
        medians = [f"{statistics.median(rates(answers[name], 'plies')):,.0f}" for name in ("Python", "command")]
        rows.append([policy, *medians, text])
        found.append({"policy": policy, "plies_per_second": {name: rates(answers[name], "plies") for name in answers},
                      "ratio": numbers})
    return table(["policy", "Player.best, plies/s", "games of the command, plies/s", "ratio"], rows), found


def bind(cpu):
    """Binds this process, and all that it starts, to one CPU; the last one allowed if none is named."""
    allowed = os.sched_getaffinity(0)
    cpu = max(allowed) if cpu is None else cpu
    if cpu not in allowed:
        sys.exit(f"--cpu {cpu}: this process may not use it: choose from {', '.join(map(str, sorted(allowed)))}")
    os.sched_setaffinity(0, {cpu})
    return cpu


def machine_of(record):
    """The processor with what tells it from others of the same name."""
    machine = record["machine"]
    processor = machine.get("processor") or {}
    parts = [design["name"] for design in processor.get("designs", [])]
    parts += [f"{name} {processor[name]}" for name in ("family", "model", "stepping") if processor.get(name) is not None]
    virtual = ", virtual machine" if machine["virtual_machine"] else ""
    return f"{machine['cpu']} ({', '.join(parts)}){virtual}" if parts else machine["cpu"] + virtual


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tavli", default=str(HERE / "../../target/release/tavli"))
    parser.add_argument("--bkgm", default=str(HERE / "bkgm/target/release/tavli-peer-bkgm"))
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--python", default=sys.executable, help="the Python that has the peers' packages")
    parser.add_argument("--cpu", type=int, help="the CPU that everything is bound to [default: the last one allowed]")
    parser.add_argument("--output", type=Path, help="write the tables to this file, and JSON to one beside it")
    parser.add_argument("--agents", action="store_true", help="compare random agents in Python, too")
    parser.add_argument("--policies", action="store_true", help="compare games that are played on purpose, too")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or not arguments.seconds > 0:
        parser.error("--rounds is 1 or more, and --seconds more than 0")
    cpu = bind(arguments.cpu)
    start = time.perf_counter()
    tavli = Tavli(arguments.tavli)
    peers = adapters(arguments.python, arguments.bkgm)
    seconds, rounds = arguments.seconds, arguments.rounds
    try:
        record = tavli.record()
        tiers = record["program"]["isa"].split(", ")
        program = record["program"]
        version = f"{program['version']}, commit {program['commit'] or 'unknown'}"
        games, found = compare_games(tavli, tiers, version, peers, seconds, rounds)
    except NotRunning as why:
        sys.exit(f"error: {why}")
    today = datetime.date.today().isoformat()
    machine, system = machine_of(record), record["machine"]["system"]
    result = {"machine": machine, "system": system, "date": today, "cpu": cpu, "compiler": program["compiler"],
              "seconds": seconds, "rounds": rounds, "games": found}
    used = os.times()
    share = (used.children_user + used.children_system) / (time.perf_counter() - start)
    result["cpu_share"] = share
    text = (f"# Random games by tavli and by other programs\n\n"
            f"{machine}; {system}; {program['compiler']}; {today}. Everything on CPU {cpu} alone; {rounds} rounds of "
            f"{seconds:g} s each, in turns; the programs had {100 * share:.0f} % of its time, and others the rest. Medians; ratios with their range over the rounds. [README.md](README.md) says what "
            f"is compared.\n\n{games}")
    if arguments.agents:
        more, result["agents"] = compare_agents(arguments.python, seconds, rounds)
        text += f"\n{more}"
    if arguments.policies:
        more, result["policies"] = compare_policies(tavli, tiers[0], peers["GNU Backgammon"], seconds, rounds)
        text += f"\n{more}" if more else ""
        more, result["errors"] = compare_errors(tavli, peers["GNU Backgammon"], rounds)
        text += f"\n{more}" if more else ""
        more, result["best"] = compare_best(tavli, arguments.python, tiers[0], seconds, rounds)
        text += f"\n{more}" if more else ""
    if arguments.output is None:
        print(text, end="")
        return
    arguments.output.write_text(text)
    arguments.output.with_suffix(".json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
