"""The headline of a verdict, `A of B`, and the optimality, in every world that comes with CookMAS.

Both sides are computed here a second time, from the states that the trace leads to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import cookmas
from cookmas.display.page.feed import verdict_entry
from cookmas.episodes.replay import Frame
from cookmas.evals.report import verdict_report
from cookmas.evals.verdict import Judged
from docs.figures import list_figures
from tests.worlds.every import SCENARIOS

Measured = Callable[[list[Frame], Any], tuple[float, float]]
"""A function that returns both sides of a headline, from the timesteps and the scenario."""


def count_orders(frames: list[Frame], scenario: Any) -> tuple[float, float]:
    """Return completed minus failed orders, and the same of a play that completes the most."""
    final = frames[-1].after
    closing = [at + scenario.kitchen.lifetimes[event["dish"]] for at, event in scenario.events()]
    lost = sum(at < len(frames) for at in closing) - len(final.completed)
    assert lost == len(final.failed)
    return len(final.completed) - lost, MOST_ORDERS - (sum(at < 60 for at in closing) - MOST_ORDERS)


MOST_POINTS = 700
"""The bound of `asymmetric_advantages`, by the table of its rules."""

MOST_ORDERS = 8
"""The largest number of orders that two agents complete on level_0, by the page of results."""


def count_points(frames: list[Frame], scenario: Any) -> tuple[float, float]:
    """Return 20 points for each delivered soup, and the bound of the linear program."""
    deeds = [deed for frame in frames for deed in frame.after.deeds]
    return 20 * deeds.count("deliver soup"), MOST_POINTS


def count_cards(frames: list[Frame], scenario: Any) -> tuple[float, float]:
    """Return the cards in fireworks while a life is left, and five for each of five colours."""
    final = frames[-1].after
    return (sum(final["fireworks"].values()) if final["lives"] else 0), 5 * 5


SCORED: Mapping[str, Measured] = {
    "cuisineworld": count_orders,
    "overcooked": count_points,
    "hanabi": count_cards,
}
"""The worlds with a score; no other headline has an amount."""


@pytest.mark.parametrize("name", SCENARIOS)
def test_both_sides_of_a_headline_are_of_one_measure(name: str) -> None:
    run, scenario = cookmas.play(name), cookmas.load_scenario(name)
    verdict = run.verdict
    assert verdict
    said = re.search(r"(?i)score (\S+) of (\S+)$", verdict.outcome)
    world = name.partition("/")[0]
    assert (said is not None) is (world in SCORED)
    if said is not None:
        frames = list(cookmas.replay(run.trace))
        assert (float(said[1]), float(said[2])) == SCORED[world](frames, scenario)
        assert float(said[1]) <= float(said[2])
    console = Console(width=100, file=StringIO())
    console.print(verdict_report(verdict, (), lambda _: ()))
    assert isinstance(console.file, StringIO)
    assert console.file.getvalue().startswith(verdict.outcome)
    judged = Judged(path=Path(), trace=run.trace, verdict=verdict)
    assert verdict_entry(judged)["outcome"] == verdict.outcome
    for rate in verdict.of("optimality_rate"):
        assert isinstance(rate.value, float | int)
        assert 0 <= rate.value <= 1
    shown = {check.name for check in verdict.checks} | set(verdict.summary)
    assert shown <= {name for name, each in list_figures().items() if world in each.worlds}
