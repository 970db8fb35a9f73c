"""Random games by OpenSpiel's Python wheel: openspiel.py SECONDS SEED, as README.md describes."""

import json
import random
import sys
import time
from importlib.metadata import version

try:
    import pyspiel
except ImportError:
    sys.exit("OpenSpiel's Python package is not installed (pip install open_spiel)")


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    draw = random.Random(seed)
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    games = plies = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = [action for action, _ in state.chance_outcomes()]
                # The first throw, which also decides who begins, is a non-double. Chances within a kind are equal: a
                # double is half as likely as another roll.
                weights = [chance for _, chance in state.chance_outcomes()]
                state.apply_action(draw.choices(outcomes, weights)[0])
                plies += 1
            else:
                state.apply_action(draw.choice(state.legal_actions()))
        games += 1
    print(json.dumps({
        "peer": "OpenSpiel",
        "version": version("open_spiel"),
        "games": games,
        "plies": plies,
        "seconds": time.perf_counter() - start,
        "differs": "draws from moves, of which several may lead to one result; a double is two moves of two "
                   "checkers; its loop here is Python",
    }))


main()
