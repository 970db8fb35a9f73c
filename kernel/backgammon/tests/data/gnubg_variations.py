"""Nackgammon and Hypergammon by GNU Backgammon, written to gnubg_variations.tsv: starts, perft, and what games are worth.

In an empty folder: yes n | gnubg -t -q -p gnubg_variations.py

GNU Backgammon lists no plays in a game of Hypergammon without its databases. The moves are those of backgammon, so the
plays are listed in a backgammon game with the same checkers.
"""

import os
import re
import tempfile

import gnubg

VARIATIONS = {"nackgammon": "nackgammon", "hypergammon": "3-chequer-hypergammon"}
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
DEPTH = 2
# Where the loser's checkers are when the player on roll bears off his last two.
ENDS = {
    # He has borne off none, with and without a checker in the winner's home or on the bar; or one; or two.
    "hypergammon": [[5, 6, 13], [5, 6, 18], [5, 6, 19], [5, 6, 24], [5, 6, 25], [5, 6], [5, 24], [1]],
    "nackgammon": [[6] * 15, [6] * 14 + [18], [6] * 14 + [19], [6] * 14 + [25], [6] * 14, [6] * 13 + [24]],
}


def quietly(command):
    """Runs a gnubg command and returns what it printed."""
    with tempfile.TemporaryFile() as sink:
        stdout = os.dup(1)
        os.dup2(sink.fileno(), 1)
        gnubg.command(command)
        os.fsync(sink.fileno())
        os.dup2(stdout, 1)
        os.close(stdout)
        sink.seek(0)
        return sink.read().decode()


def begin(variation):
    """Begins a session of a variation."""
    quietly(f"set variation {VARIATIONS.get(variation, variation)}")
    quietly("new session")
    quietly("new game")


def plays(position, roll):
    """The positions after each play of a roll, seen by the next player."""
    quietly(f"set board {position}")
    quietly(f"set dice {roll[0]} {roll[1]}")
    opponent, own = gnubg.positionfromid(position)
    after = []
    for hint in gnubg.hint(4000)["hint"]:
        other, mover = list(opponent), list(own)
        steps = gnubg.parsemove(hint["move"])
        for source, target in steps:
            mover[source - 1] -= 1
            if target > 0:
                mover[target - 1] += 1
                if other[24 - target]:
                    other[24 - target], other[24] = 0, other[24] + 1
        after.append(gnubg.positionid((mover, other)))
    assert len(set(after)) == len(after)
    return after or [gnubg.positionid((own, opponent))]


def perft(position, depth):
    """Plays over the 21 rolls, and over the 36 throws, at a depth."""
    nodes = weighted = 0
    for roll in ROLLS:
        below = plays(position, roll)
        plain, ways = len(below), len(below)
        if depth > 1:
            parts = [perft(after, depth - 1) for after in below]
            plain, ways = (sum(part[at] for part in parts) for at in (0, 1))
        nodes += plain
        weighted += ways * (1 if roll[0] == roll[1] else 2)
    return nodes, weighted


def worth(variation, loser):
    """Position and points of a game in which the player on roll bears off his last two checkers."""
    begin(variation)
    own, other = [0] * 25, [0] * 25
    own[1] = 2
    for point in loser:
        other[point - 1] += 1
    position = gnubg.positionid((other, own))
    quietly(f"set board {position}")
    quietly("set dice 6 5")
    said = quietly("move 2/off 2/off")
    won = re.search(r"wins a .* and (\d+) points?", said)
    assert won, said
    return position, int(won.group(1))


def main():
    for player in (0, 1):
        quietly(f"set player {player} human")
    for setting in ("automatic roll", "automatic game", "automatic bearoff", "automatic move", "confirm new", "jacoby"):
        quietly(f"set {setting} off")
    quietly("set evaluation chequerplay evaluation plies 0")
    with open("gnubg_variations.tsv", "w") as file:
        file.write("#what\trules\tposition_id\tdepth\tnodes, or points\tnodes_weighted36\n")
        for variation in VARIATIONS:
            begin(variation)
            start = gnubg.positionid()
            file.write(f"start\t{variation}\t{start}\t0\t1\t1\n")
            begin("standard")
            for depth in range(1, DEPTH + 1):
                nodes, weighted = perft(start, depth)
                file.write(f"perft\t{variation}\t{start}\t{depth}\t{nodes}\t{weighted}\n")
            for loser in ENDS[variation]:
                position, points = worth(variation, loser)
                file.write(f"worth\t{variation}\t{position}\t0\t{points}\t0\n")


main()
