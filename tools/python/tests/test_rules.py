"""Every rule set: its name, its start, and what its games are worth."""

import copy
import pickle
import re
import warnings
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


def test_values_by_rules_that_a_player_has_not_learned_warn(tmp_path: Path) -> None:
    start = Position.start("hypergammon")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        unlearned = tavli.Rollout(start, rules="hypergammon", truncate=5, trials=36)
    saved, path = unlearned.to_json(), tmp_path / "rollout.json"
    path.write_text(saved)
    remark = "the player '[a-z0-9+:]*' has not learned {}: its values are far off"
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: tavli.Player().evaluate([start], rules="hypergammon"), "hypergammon"),
        (lambda: tavli.Player("fast").evaluate([Position()], rules="mcgammon"), "mcgammon"),
        (lambda: tavli.rollout(start, rules="hypergammon", truncate=5, trials=36), "hypergammon"),
        (lambda: tavli.Player().evaluate([Position.start("longgammon")], rules="longgammon"), "longgammon"),
        (lambda: tavli.Rollout(start, "21", rules="hypergammon", filter=0.001, trials=36), "hypergammon"),
        (lambda: tavli.search(start, "31", rules="hypergammon", bias=1.0, simulations=500), "hypergammon"),
        (lambda: tavli.Rollout.from_json(saved), "hypergammon"),
        (lambda: tavli.Rollout.load(path), "hypergammon"),
    ]
    for call, rules in calls:
        with pytest.warns(tavli.PlayerWarning, match=remark.format(rules)) as warned:
            call()
        assert [warning.filename for warning in warned] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tavli.Player("sampled").evaluate([start], rules="hypergammon")
        tavli.Player().evaluate([Position()], rules="mcgammon")
        tavli.rollout(start, rules="hypergammon", trials=36)
        tavli.Rollout.from_json(tavli.Rollout(start, rules="hypergammon", trials=36).to_json())
        # Copies of a rollout say nothing: whoever made it was warned.
        pickle.loads(pickle.dumps(copy.copy(unlearned)))


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
