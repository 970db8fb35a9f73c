"""Writes gnubg_vectors.tsv and gnubg_boards.txt; run inside GNU Backgammon, in an empty folder:

    yes n | gnubg -t -q -p gnubg_vectors.py

GNU Backgammon reads each XGID (`set xgid`), plays the double where one is offered (`double`), and then writes
its own Position ID and Match ID (`gnubgid`) and its own FIBS board line (`set output rawboard on`, `show board`).
When the player on roll is the one at the top, gnubg exchanges the players on reading; `swap players` undoes it.
"""

import os
import random
import tempfile

import gnubg

ROWS = 240
random.seed(20070615)


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


def random_board():
    """26 XGID characters: the opponent's bar, the points 1 to 24 of the bottom player, his bar."""
    counts = [0] * 26
    for sign, bar in ((1, 25), (-1, 0)):
        checkers = random.choice([15, 15, 15, random.randint(1, 15)])
        points = random.randint(2, 9)
        for _ in range(checkers):
            while True:
                place = bar if random.random() < 0.03 else random.randint(1, 24)
                held = sum(1 for n in counts if n * sign > 0)
                if counts[place] * sign > 0 or (counts[place] == 0 and held < points):
                    counts[place] += sign
                    break
                if random.random() < 0.02:
                    points += 1
    return "".join("-" if n == 0 else chr(ord("A") + n - 1) if n > 0 else chr(ord("a") - n - 1) for n in counts)


def random_context():
    turn = random.choice([1, -1])
    high_low = sorted((random.randint(1, 6), random.randint(1, 6)), reverse=True)
    dice = random.choice(["00", "D", "%d%d" % tuple(high_low)])
    if random.random() < 0.4:
        length, scores, rules = 0, [random.randint(0, 9), random.randint(0, 9)], random.choice([0, 1, 2, 3])
    else:
        length = random.choice([1, 2, 3, 5, 7, 9, 11, 13, 17, 21, 25, 64])
        scores, rules = [random.randint(0, length - 1) for _ in range(2)], 0
        if length > 1 and random.random() < 0.3:
            rules = random.choice([0, 1])
            leader = random.randint(0, 1)
            scores[leader], scores[1 - leader] = length - 1, random.randint(0, length - 2)
    cube, owner = random.choice([(0, 0), (0, 0), (1, turn), (2, turn), (1, -turn), (3, -turn), (6, turn)])
    if rules == 1 and length > 0:
        cube, owner = 0, 0
        dice = dice.replace("D", "00")
    if dice == "D" and (owner == -turn or length == 1):
        dice = "00"
    return cube, owner, turn, dice, scores[0], scores[1], rules, length


def load(board, context):
    """Sets a position up without its double; says whether gnubg has it as asked."""
    cube, owner, turn, dice, *rest = context
    fields = [cube, owner, turn, dice.replace("D", "00"), *rest, 10]
    quietly("set xgid XGID=" + ":".join([board] + [str(f) for f in fields]))
    if turn == -1:
        quietly("swap players")
    if dice == "D":
        quietly("double")
    return gnubg.posinfo()["doubled"] == (dice == "D")


quietly("set lang C")
for setting in (
    "automatic roll off", "automatic game off", "player 0 human", "player 1 human",
    "confirm new off", "confirm save off", "display off", "output rawboard on",
):
    quietly("set " + setting)
quietly("new match 3")

with open("gnubg_vectors.tsv", "w") as out:
    version = quietly("show version").splitlines()[0]
    print("# %s; written by gnubg_vectors.py, which says how" % version, file=out)
    print("#xgid\tposition_id\tmatch_id\tfibs", file=out)
    rows = 0
    while rows < ROWS:
        board, context = random_board(), random_context()
        if not load(board, context):
            continue
        position_id, match_id = gnubg.gnubgid().split(":")
        fibs = [line for line in quietly("show board").splitlines() if line.startswith("board:")]
        xgid = "XGID=" + ":".join([board] + [str(f) for f in context] + ["10"])
        print(xgid, position_id, match_id, fibs[0], sep="\t", file=out)
        rows += 1

quietly("set output rawboard off")
with open("gnubg_boards.txt", "w") as out:
    print("# %s; written by gnubg_vectors.py, which says how" % version, file=out)
    for board in ["-b----E-C---eE---c-e----B-"] + [random_board() for _ in range(11)]:
        load(board, (0, 0, 1, "00", 0, 0, 0, 0))
        print(gnubg.gnubgid().split(":")[0], file=out)
        lines = quietly("show board").splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith(" +13"))
        for line in lines[start:start + 13]:
            print(line.rstrip(), file=out)
