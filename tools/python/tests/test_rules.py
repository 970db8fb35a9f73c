"""Every rule set: its name, its start, and what its games are worth."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tavli
from tavli import Position


def test_the_types_name_every_rule_set() -> None:
    types = (Path(tavli.__file__).parent / "_tavli.pyi").read_text()
    names = re.search(r"_Rules: TypeAlias = Literal\[(.*)\]", types)
    assert names and tuple(re.findall(r'"(\w+)"', names[1])) == tavli.RULES


@pytest.mark.parametrize("rules", tavli.RULES)
def test_games_begin_at_the_start_of_their_rules(rules: str) -> None:
    start = Position.start(rules)  # type: ignore[arg-type]
    assert start.swapped() == start and not start.is_over(rules)
    tally = tavli.playout(start, 1000, rules=rules)  # type: ignore[arg-type]
    points = [1, 2, 3, -1, -2, -3]
    most = max(abs(worth) for worth, (_, games) in zip(points, tally.outcomes.items(), strict=True) if games)
    assert most == {"mcgammon": 1, "portes": 2}.get(rules, 3)


def test_hypergammon_has_three_checkers() -> None:
    with pytest.raises(tavli.PositionError, match="15 checkers; a side has at most 3 in hypergammon"):
        tavli.playout(Position(), 1, rules="hypergammon")
    opening = np.stack([Position().points])
    calls: list[Callable[[], object]] = [
        lambda: Position().plays("31", rules="hypergammon"),
        lambda: Position().play("8/5 6/5", "31", rules="hypergammon"),
        lambda: Position().is_over("hypergammon"),
        lambda: tavli.Player("fast").best(opening, [(3, 1)], rules="hypergammon"),
    ]
    for call in calls:
        with pytest.raises(tavli.PositionError, match="15 checkers; a side has at most 3 in hypergammon"):
            call()
    lost = np.zeros((1, 26), np.int8)
    lost[0, 1:4] = 1  # none of the three is borne off
    assert tavli.probabilities(lost, rules="hypergammon")[0, tavli.OUTCOMES.index("lose_gammon")] == 1
    assert tavli.probabilities(lost)[0, tavli.OUTCOMES.index("lose_single")] == 1
