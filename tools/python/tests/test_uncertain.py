"""Means without a standard error: of one game, or of none."""

import math

import tavli

OPENING = "4HPwATDgc/ABMA"


def test_one_game_has_no_standard_error() -> None:
    tally = tavli.playout(OPENING, 1)
    for estimate in (tally.equity, tally.mean_plies):
        assert math.isnan(estimate.standard_error) and repr(estimate) == f"<tavli.Estimate {estimate.mean:+.5f}>"
    assert repr(tally).endswith(f", equity {tally.equity.mean:+.4f}>")
    assert f"<td>{tally.equity.mean:+.4f}</td>" in tally._repr_html_()
    for plies in (None, 9):
        rollout = tavli.rollout(OPENING, "31", ["8/5 6/5", "24/20"], trials=1, truncate=plies)
        best = rollout.best
        for statistic in (best.equity, best.win, rollout.difference(0, 1).lose):
            assert math.isnan(statistic.standard_error) and math.isnan(statistic.standard_deviation)
            assert repr(statistic) == f"<tavli.Statistic {statistic.mean:+.5f}>"
        texts = [repr(best), repr(rollout), repr(rollout.difference(0, 1)), rollout._repr_html_(), best._repr_html_()]
        for text in texts:
            assert "±" not in text and "nan" not in text.lower(), text
    [pair] = {math.isnan(tavli.duel("uniform", "uniform", 2)["standard_error"])}
    assert pair


def test_no_game_has_no_mean() -> None:
    rollout = tavli.Rollout(OPENING, "31", ["8/5 6/5", "24/20"])
    moves = rollout.best.moves
    assert repr(rollout) == f"<tavli.Rollout 2 plays of 31 from 4HPwATDgc/ABMA: 0 trials, {moves} unknown>"
    assert math.isnan(rollout.best.equity.mean)
    assert repr(rollout.best) == f"<tavli.CandidateResult {moves}: equity unknown>"
    assert repr(rollout.best.equity) == "<tavli.Statistic unknown>"
    assert repr(rollout.difference(0, 1)) == "<tavli.Difference 0 minus 1: equity unknown>"
    assert "nan" not in rollout._repr_html_().lower()


def test_two_games_have_one() -> None:
    assert "±" in repr(tavli.rollout(OPENING, trials=2)) and "±" in repr(tavli.playout(OPENING, 2))
