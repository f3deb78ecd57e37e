"""The page of results: optima out of the certificates, and agents beside the published figures."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchmarks.robotouille.tables import ARMS, PAGE, certificates, page
from cookmas.evals.verdict import EPISODE
from cookmas.solving.certificates import Certificate
from tests.benchmarks.judged import judged


@pytest.fixture(scope="module")
def known() -> Mapping[str, Certificate]:
    return certificates()


def test_agents_are_counted_over_all_tasks(known: Mapping[str, Certificate]) -> None:
    won = judged(
        "robotouille/synchronous",
        ("within_published", EPISODE, 1),
        ("within_optimum", EPISODE, 0),
        ("optimality_rate", EPISODE, 0.62),
        ("repeated_states", EPISODE, 2),
        ("mistake", "state misjudged", 4),
    )
    lost = judged(
        "robotouille/synchronous",
        ("within_published", EPISODE, 0),
        ("within_optimum", EPISODE, 0),
        ("steps_to_go", EPISODE, 0.5),
        ("repeated_states", EPISODE, 1),
        ("mistake", "goal misread", 1),
        won=False,
    )
    text = page({"an agent": [won, lost]}, known)
    row = "| an agent | 50 | 50 | 0 | 0.62 | 0.50 | 3.0 | 1.50 | 0 | 4 | 1 |"
    assert row in text
    assert "of the seed 42 of 2 tasks" in text


@pytest.mark.parametrize(
    "row",
    [
        "| synchronous/0 | 10 | 8 | 7 | 10 | 8 | 8 | 8 |",
        "| asynchronous/2 | 37 | 37 | 31 | 36 | 37 | 30 | 34 |",
        "| GPT-4o | 4 | 14 | 47 | 1 | 1 | 11 |",
        "| synchronous/1 | 0 | 20 | 80 |",
    ],
)
def test_the_page_has_optima_and_published_figures(row: str) -> None:
    shown = PAGE.read_text(encoding="utf-8")
    assert row in shown
    assert "is that of a large model" in shown
    assert all(f"\n| {arm.label} |" in shown for arm in ARMS)


def test_the_page_has_the_optima_of_the_certificates(known: Mapping[str, Certificate]) -> None:
    shown = PAGE.read_text(encoding="utf-8")
    optima = page({}, known).partition("## The fewest")[2].partition("## Our")[0]
    assert optima in shown
