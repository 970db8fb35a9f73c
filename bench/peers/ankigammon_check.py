"""AnkiGammon beside tavli: its reader of OGIDs both ways, and its analysis of matches by `tavli gnubg`.

    pip install ankigammon
    python3 bench/peers/ankigammon_check.py [FILE.mat ...] [--tavli PROGRAM] [--gnubg PROGRAM]

The boards of kernel/backgammon/tests/data/id_vectors.tsv get a cube, a score and dice by chance. `tavli position` writes the OGID
of each, AnkiGammon reads it, and both must have the same; then AnkiGammon writes it and tavli reads it. Each match is analysed by
AnkiGammon, which runs `tavli gnubg` through a link named gnubg, and, with --gnubg, by GNU Backgammon too: both must give the same
plays. Decisions about the cube are not compared: AnkiGammon keeps those that are mistakes by the values.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    from ankigammon.models import CubeState, Player
    from ankigammon.utils.gnubg_analyzer import GNUBGAnalyzer
    from ankigammon.utils.ogid import encode_ogid, parse_ogid
    from ankigammon.utils.xgid import parse_xgid
except ImportError as error:
    print(f"SKIPPED: {error}: pip install ankigammon", file=sys.stderr)
    raise SystemExit(0) from None

VECTORS = pathlib.Path(__file__).parents[2] / "kernel/backgammon/tests/data/id_vectors.tsv"
COMPARED = ("on_roll", "dice", "cube_value", "cube_owner", "score_x", "score_o", "match_length")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", metavar="FILE.mat", nargs="*")
    parser.add_argument("--tavli", default="target/release/tavli", help="the program (default: target/release/tavli)")
    parser.add_argument("--gnubg", help="GNU Backgammon, to compare with")
    return parser.parse_args()


def xgids():
    """XGIDs of all boards, from both sides, with a game around them."""
    chance = random.Random(1)
    for line in VECTORS.read_text().splitlines()[1:]:
        _, _, bottom, top = line.split("\t")[:4]
        for turn, board in ((1, bottom), (-1, top)):
            owner = chance.choice((-1, 0, 1))
            cube = chance.randint(1, 4) if owner else 0
            dice = chance.choice(("00", "D", *(f"{high}{low}" for high in range(1, 7) for low in range(1, high + 1))))
            length = chance.choice((0, 3, 5, 7, 25))
            score = [chance.randrange(length) if length else chance.randrange(9) for _ in range(2)]
            crawford = int(length > 0 and length - 1 in score and dice != "D" and chance.random() < 0.5)
            yield f"XGID={board}:{cube}:{owner}:{turn}:{dice}:{score[0]}:{score[1]}:{crawford}:{length}:10"


def written(tavli, positions):
    """What tavli writes of positions."""
    command = [tavli, "position", "--json"]
    run = subprocess.run(command, input="\n".join(positions), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def same_position(ours, theirs):
    return list(ours.points) == list(theirs.points)


def check_ogids(tavli):
    positions = list(xgids())
    again = []
    for xgid, document in zip(positions, written(tavli, positions), strict=True):
        position, meant = parse_xgid(xgid)
        read, found = parse_ogid(document["ogid"])
        assert same_position(read, position), (xgid, document["ogid"])
        for name in COMPARED:
            ours, theirs = found.get(name), meant.get(name)
            same = sorted(ours) == sorted(theirs) if name == "dice" and ours and theirs else ours == theirs
            assert same, (name, xgid, document["ogid"], ours, theirs)
        is_double = xgid.split(":")[4] == "D"
        assert (found["cube_action"] == "O") == is_double, (xgid, document["ogid"])
        is_crawford = meant["match_length"] > 0 and meant["crawford_jacoby"] == 1
        assert (found.get("match_modifier") == "C") == is_crawford, (xgid, document["ogid"])
        again.append(
            encode_ogid(
                position,
                cube_value=meant["cube_value"],
                cube_owner=meant["cube_owner"],
                cube_action="O" if is_double else "N",
                dice=meant.get("dice"),
                on_roll=meant["on_roll"],
                score_x=meant["score_x"],
                score_o=meant["score_o"],
                match_length=meant["match_length"],
                match_modifier="C" if is_crawford else "",
            )
        )
    for xgid, ogid, document in zip(positions, again, written(tavli, again), strict=True):
        assert document["xgid"] == xgid, (xgid, ogid, document["xgid"])
    print(f"OGIDs: {len(positions)} positions are the same both ways")


def decisions(program, path, folder):
    """The decisions of a match, by AnkiGammon with a program as GNU Backgammon."""
    link = folder / "gnubg"
    link.unlink(missing_ok=True)
    link.symlink_to(pathlib.Path(program).resolve())
    return GNUBGAnalyzer(str(link), 0).analyze_match_file(path, max_moves=5)


def shape(decision):
    """What does not depend on values."""
    return (
        decision.decision_type,
        decision.on_roll,
        decision.dice,
        decision.match_length,
        decision.score_x,
        decision.score_o,
        decision.cube_value,
        decision.cube_owner,
        tuple(decision.position.points),
    )


def check_match(given, path):
    with tempfile.TemporaryDirectory() as folder:
        ours = decisions(given.tavli, path, pathlib.Path(folder))
        assert ours and all(decision.candidate_moves for decision in ours), path
        text = f"{path}: {len(ours)} decisions"
        if given.gnubg:
            theirs = decisions(given.gnubg, path, pathlib.Path(folder))
            ours, theirs = [[shape(decision) for decision in side if decision.dice] for side in (ours, theirs)]
            missing = [decision for decision in theirs if decision not in ours]
            more = [decision for decision in ours if decision not in theirs]
            text += f"; GNU Backgammon has {len(theirs)} plays, of which {len(missing)} are missing, and {len(more)} are more"
            for decision in missing + more:
                text += f"\n  {decision}"
        print(text)


def main():
    given = arguments()
    check_ogids(given.tavli)
    for path in given.files:
        check_match(given, path)


if __name__ == "__main__":
    main()
