"""The module gnubg of scripts that GNU Backgammon runs, and the script.

Arguments: the script, and the command of the engine, which answers calls on its standard input.
"""

import base64
import hashlib
import json
import math
import random
import re
import subprocess
import sys
import traceback
import types

_script, *_command = sys.argv[1:]
_engine = subprocess.Popen(_command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def _tuples(value):
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    if isinstance(value, dict):
        return {key: _tuples(item) for key, item in value.items()}
    return value


def _call(name, **arguments):
    """The text that a call prints, and its value."""
    sys.stdout.flush()
    try:
        _engine.stdin.write(json.dumps([name, arguments]) + "\n")
        _engine.stdin.flush()
        answer = json.loads(_engine.stdout.readline())
    except (OSError, ValueError):
        # It has said why.
        sys.exit(_engine.wait() or 1)
    except BaseException:
        # Its answer would be taken for that of the next call.
        _engine.kill()
        raise
    if answer["error"] is not None:
        raise Exception(answer["error"])
    return answer["text"], answer["value"]


def _ask(name, **arguments):
    return _tuples(_call(name, **arguments)[1])


def _about(board=None, cubeinfo=None, evalcontext=None, dice=None):
    about = {"board": board, "cubeinfo": cubeinfo, "dice": dice}
    if evalcontext is not None:
        about["plies"] = int(evalcontext.get("plies", 0))
        about["cubeful"] = int(evalcontext.get("cubeful", 1))
    return about


def command(text):
    """Obeys a command, which prints to standard output."""
    seed = re.fullmatch(r"\s*set\s+seed\s+(\d+)\s*", text)
    if seed is not None:
        _seed(int(seed[1]))
    text, goes_on = _call("command", text=text)
    sys.stdout.write(text)
    sys.stdout.flush()
    if not goes_on:
        sys.exit()


def show(text):
    """What the command show prints."""
    return _call("command", text="show " + text)[0].rstrip("\n")


def _state():
    state = _ask("state")
    if state is None:
        raise Exception("there is no game in progress")
    return state


def board():
    """The checkers of the opponent and of the player on roll: points 1 to 24 and the bar. None without a game."""
    state = _ask("state")
    return state and state["board"]


def _prices(cubeinfo):
    if cubeinfo["matchto"] == 0:
        price = 0.0 if cubeinfo["jacoby"] and cubeinfo["cubeowner"] == -1 else 1.0
        return {**cubeinfo, "gammonprice": ((price, price), (price, price))}
    return {**cubeinfo, "gammonprice": _ask("prices", **_about(positionfromid("4HPwATDgc/ABMA"), cubeinfo))}


def calcgammonprice(cubeinfo):
    """`cubeinfo` with its key gammonprice: the values of gammons and backgammons at its score."""
    return _prices(cubeinfo)


def cubeinfo(cube=None, owner=-1, move=0, length=0, score=(0, 0), crawford=0, bgv=0):
    """The cube and the score of the game, or those that are given."""
    if cube is None:
        return _prices(_state()["cubeinfo"])
    info = {"cube": cube, "cubeowner": owner, "move": move, "matchto": length, "score": tuple(score)}
    return _prices({**info, "crawford": crawford, "jacoby": 0, "beavers": 0, "bgv": bgv})


def posinfo(turn=None, resigned=0, doubled=0, gamestate=1, dice=(0, 0)):
    """Whose turn it is and the dice, or those that are given."""
    if turn is None:
        return _state()["posinfo"]
    info = {"dice": tuple(dice), "turn": turn, "resigned": resigned}
    return {**info, "doubled": doubled, "gamestate": gamestate}


def positionid(board=None):
    return _ask("identify", **_about(board))["position"]


def matchid(cubeinfo=None, posinfo=None):
    dice = posinfo and posinfo["dice"]
    start = None if cubeinfo is None else positionfromid("4HPwATDgc/ABMA")
    return _ask("identify", **_about(start, cubeinfo, None, dice))["match"]


def gnubgid(board=None, cubeinfo=None, posinfo=None):
    dice = posinfo and posinfo["dice"]
    ids = _ask("identify", **_about(board, cubeinfo, None, dice))
    return ids["position"] + ":" + ids["match"]


def positionfromid(text):
    return _ask("board", text=text)


def positionkey(board=None):
    return tuple(base64.b64decode(positionid(board) + "=="))


def positionfromkey(key):
    return positionfromid(base64.b64encode(bytes(key)).decode().rstrip("="))


def evalcontext(cubeful=1, plies=None, deterministic=1, prune=1, noise=0.0):
    """How positions are valued. Here they always are without noise."""
    if plies is None:
        plies = _ask("plies")
    context = {"cubeful": cubeful, "plies": plies, "deterministic": deterministic}
    return {**context, "prune": prune, "noise": noise}


def evaluate(board=None, cubeinfo=None, evalcontext=None):
    """The chances to win, to win and to lose a gammon and a backgammon, and the equity without the cube."""
    value = _ask("evaluate", **_about(board, cubeinfo, evalcontext))
    probs = value["probs"]
    return (*probs, value["equity"])


def cfevaluate(board=None, cubeinfo=None, evalcontext=None):
    """The equities of the best, no double, take and drop, and what is right as a number and in words."""
    context = dict(evalcontext or {}, cubeful=1) if evalcontext else None
    value = _ask("evaluate", **_about(board, cubeinfo, context))
    return tuple(value[name] for name in ("best", "no_double", "take", "drop", "number", "text"))


def findbestmove(board=None, cubeinfo=None, evalcontext=None, dice=None):
    """The points of the best play's steps."""
    plays = _ask("plays", **_about(board, cubeinfo, evalcontext, dice))
    return tuple(point for step in plays[0]["move"] for point in step)


def hint(most=10):
    """The best plays of the roll."""
    if _ask("state") is None:
        raise Exception("there is no game in progress")
    if posinfo()["dice"] == (0, 0):
        raise Exception("hints about the cube are not among those of the module: see cfevaluate")
    plays = [play for play in _ask("plays", **_about()) if play["move"]]
    hints = []
    for number, play in enumerate(plays[:most], 1):
        difference = play["score"] - plays[0]["score"]
        hints.append({
            "movenum": number,
            "type": play["type"],
            "move": play["text"],
            "equity": play["score"],
            "eqdiff": difference,
            "context": evalcontext(plies=play["plies"]),
            "details": {"probs": play["probs"], "score": play["score"]},
        })
    return {"hinttype": "chequer", "gnubgid": gnubgid(), "hint": hints}


def match(analysis=1, boards=1, statistics=0, verbose=0):
    """The match that was imported; None without one."""
    return _ask("match", analysis=int(bool(analysis)), statistics=int(bool(statistics)))


def navigate(next=None, game=None):
    """Goes `game` games and `next` steps on, or to the start of the match. Returns how many it could not go, or None."""
    return _ask("navigate", next=next, game=game)


def met(length=None):
    """The match equity table: before the Crawford game, and after it for each player."""
    return _call("table", length=length)[1]


def _ends(cubeinfo):
    return _ask("ends", **_about(None if cubeinfo is None else positionfromid("4HPwATDgc/ABMA"), cubeinfo))


def eq2mwc(equity=0.0, cubeinfo=None):
    """The chance to win the match that an equity stands for; 0 for money."""
    ends = _ends(cubeinfo)
    return 0.0 if ends is None else (ends[0] + ends[1] + equity * (ends[1] - ends[0])) / 2


def mwc2eq(chance=0.0, cubeinfo=None):
    ends = _ends(cubeinfo)
    return 0.0 if ends is None else (2 * chance - ends[0] - ends[1]) / (ends[1] - ends[0])


def eq2mwc_stderr(equity=0.0, cubeinfo=None):
    ends = _ends(cubeinfo)
    return 0.0 if ends is None else equity * (ends[1] - ends[0]) / 2


def mwc2eq_stderr(chance=0.0, cubeinfo=None):
    ends = _ends(cubeinfo)
    return 0.0 if ends is None else 2 * chance / (ends[1] - ends[0])


def luckrating(luck):
    """0 (go to bed) to 4 (go to Las Vegas), by the luck of a roll in the mean."""
    return sum((luck >= -0.06, luck >= -0.03, luck > 0.03, luck > 0.06))


def errorrating(loss):
    """7 (supernatural) to 0 (awful), by what a decision loses in the mean."""
    return sum(loss < bound for bound in (0.002, 0.005, 0.008, 0.012, 0.018, 0.026, 0.035))


def parsemove(text):
    """The steps of moves, such as 8/5 6/5, from the rear to the front."""
    names = {"bar": 25, "off": 0}
    steps = []
    for word in text.lower().split():
        found = re.fullmatch(r"((?:bar|\d+)(?:\*?/(?:off|\d+))+)\*?(?:\((\d)\))?", word)
        if found is None:
            raise ValueError(f"'{word}' is no move, such as 8/5, bar/20* or 6/off(2)")
        stops = [names[stop] if stop in names else int(stop) for stop in found[1].replace("*", "").split("/")]
        steps += list(zip(stops, stops[1:])) * int(found[2] or 1)
    return tuple(sorted(steps, key=lambda step: -step[0]))


def movetupletostring(move, board):
    """The notation of a move tuple from `findbestmove`."""
    steps = [step for step in zip(move[::2], move[1::2]) if step[0] > 0]
    return _call("moves", steps=steps, board=board)[1]


def classifypos(board=None, variant=0):
    """GNU Backgammon's number of the class of a position: over 0, hypergammon 1 to 3, two-sided bear-off 4, one-sided
    bear-off 6, race 8, crashed 9, contact 10."""
    if not 0 <= variant <= 4:
        raise Exception("Variation unknown")
    if board is None:
        board = _state()["board"]
    sides = [list(side) for side in board]
    if not all(map(any, sides)):
        return 0
    if variant >= 2:
        return variant - 1
    rear = [max(point for point, checkers in enumerate(side) if checkers) for side in sides]
    if sum(rear) > 22:
        return 9 if any(map(_is_crashed, sides)) else 10
    if max(rear) > 5:
        return 8
    return 4 if all(sum(side) <= 6 for side in sides) else 6


def _is_crashed(side):
    """Whether at most six checkers are left to move freely: of those on the ace and deuce points few are."""
    ace, deuce = side[:2]
    stuck = max(ace, ace + deuce - 1 if deuce > 1 else 0) if ace > 1 else max(deuce - 1, 0)
    return sum(side) - stuck <= 6


def positionbearoff(side=None, points=6, checkers=15):
    """The number of a side's checkers on its lowest points among all ways to place them, that of the opponent without
    a side."""
    side = _state()["board"][0] if side is None else side
    bits, rank = points + sum(side[:points]), 0
    if bits > points + checkers:
        raise ValueError(f"{checkers} checkers at most are on the {points} points")
    for point, on_point in enumerate(side[:points]):
        bits -= 1 if point == 0 else side[point - 1] + 1
        rank += math.comb(bits, points - point)
    return rank


def positionfrombearoff(number=0, checkers=15, points=6):
    """The inverse of `positionbearoff`: the checkers of the side with this number."""
    if not 0 <= number < math.comb(points + checkers, points):
        raise ValueError("invalid position number")
    side, before = [0] * 25, None
    for point in range(points):
        bit = points - point - 1
        while math.comb(bit + 1, points - point) <= number:
            bit += 1
        number -= math.comb(bit, points - point)
        if before is not None:
            side[point - 1] = before - bit - 1
        before = bit
    side[points - 1] = before
    return tuple(side)


_dice = random.Random()


def _seed(seed):
    """Seeds the dice by Knuth's generator, as the authors of the Mersenne Twister do."""
    words = [seed & 0xFFFFFFFF]
    for index in range(1, 624):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + index) & 0xFFFFFFFF)
    _dice.setstate((3, (*words, 624), None))


def dicerolls(number):
    """Rolls of the Mersenne Twister, which set seed makes repeatable."""
    if number <= 0:
        raise ValueError("number of rolls must be greater than 0")
    step = 2**32 // 6

    def die():
        while True:
            word = _dice.getrandbits(32)
            if word < 6 * step:
                return 1 + word // step

    return tuple((die(), die()) for _ in range(number))


def matchchecksum():
    """An MD5 digest of the match, other than GNU Backgammon's."""
    text = json.dumps(_call("match", analysis=0, statistics=0)[1], sort_keys=True)
    return hashlib.md5(text.encode()).hexdigest()


def getevalhintfilter():
    """The move filters that looking ahead has."""
    return list(_ask("filters"))


def rolloutcontext(*settings):
    """The settings of rollouts in GNU Backgammon's names, the first of which may be given in order."""
    trials, seed = _ask("rollouts")
    context = {
        "cubeful": 1,
        "variance-reduction": 1,
        "initial-position": 0,
        "quasi-random-dice": 1,
        "late-eval": 0,
        "truncated-rollouts": 0,
        "n-truncation": 10,
        "truncate-bearoff2": 1,
        "truncate-bearoffOS": 1,
        "stop-on-std": 0,
        "trials": trials,
        "seed": seed,
        "minimum-games": 324,
        "stop-on-jsd": 0,
        "late-on-move-n": 5,
        "minimum-jsd-games": 324,
        "std-limit": 0.01,
        "jsd-limit": 2.33,
    }
    return {**context, **dict(zip(context, settings))}


def nextturn():
    pass


def updateui():
    pass


_names = [name for name, value in globals().items() if isinstance(value, types.FunctionType) and name[0] != "_"]


def _missing(name):
    raise AttributeError(f"this module gnubg has no {name}; it has {', '.join(sorted(_names))}")


def _run():
    module = types.ModuleType("gnubg", __doc__)
    module.__dict__.update({name: globals()[name] for name in _names}, __getattr__=_missing)
    sys.modules["gnubg"] = module
    with open(_script, "rb") as file:
        source = file.read()
    sys.argv = [""]
    try:
        exec(compile(source, _script, "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
    except Exception as error:
        # As there, an error of the script is printed and does not change the exit status.
        traceback.print_exception(type(error), error, error.__traceback__.tb_next)
    finally:
        sys.stdout.flush()
        _engine.stdout.close()
        _engine.stdin.close()
        _engine.wait()


_run()
