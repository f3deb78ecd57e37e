"""Dispatching by a rule: the lines come in the order of the rule, and all are served."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.solving.dispatching import RULES
from cookmas.solving.restaurant.scheduling.schedule import make_schedule
from tests.sampling import seeds

SHORT, LONG = "Buttered Toast", "Classic Burger"


def served(floor: Any, rule: str, *items: str, due: dict[str, int] | None = None) -> list[str]:
    """Return the lines in the order in which one worker serves them by a rule."""
    shift = floor.shift(workers=1)
    shift.rule = rule
    shift.order(items)
    lines = {
        name: line._replace(due=(due or {}).get(name)) for name, line in shift.state.lines.items()
    }
    shift.state = shift.state._replace(lines=lines)
    shift.finish()
    return sorted(shift.served, key=shift.served.__getitem__)


@pytest.mark.parametrize(
    ("rule", "items", "first"),
    [
        ("first-come", (LONG, SHORT), "o1.1"),
        ("first-come", (SHORT, LONG), "o1.1"),
        ("shortest-first", (LONG, SHORT), "o1.2"),
        ("shortest-first", (SHORT, LONG), "o1.1"),
    ],
)
def test_the_line_that_the_rule_names_is_served_first(
    floor: Any, rule: str, items: tuple[str, ...], first: str
) -> None:
    assert served(floor, rule, *items)[0] == first


@pytest.mark.parametrize("first", ["o1.1", "o1.2", "o1.3"])
def test_the_line_that_is_due_first_is_served_first(floor: Any, first: str) -> None:
    assert served(floor, "most-urgent", SHORT, SHORT, SHORT, due={first: 60})[0] == first


@pytest.mark.parametrize(("items", "line"), [((LONG, SHORT), "o1.1"), ((SHORT, LONG), "o1.2")])
def test_the_line_with_the_most_work_is_begun_first(
    floor: Any, items: tuple[str, ...], line: str
) -> None:
    shift = floor.shift(workers=1)
    shift.order(items)
    rows = [
        make_schedule(shift.kitchen, shift.seen(), wanted, rule="most-work").schedule
        for wanted in (shift.open(), {line: shift.wanted[line]})
    ]
    picks = [next(a for row in each for a in row.values() if a.startswith("pick")) for each in rows]
    assert picks[0] == picks[1]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", seeds(0, 3, 40))
def test_every_rule_serves_everything(floor: Any, rule: str, seed: int) -> None:
    shift, rng = floor.random(seed, effort=600)
    shift.rule = rule
    shift.play(rng.randint(0, 30))
    shift.order([SHORT, LONG], rng)
    shift.finish()


@pytest.mark.parametrize("rule", RULES)
def test_a_schedule_says_by_which_rule_it_was_made_and_is_made_the_same_again(
    floor: Any, rule: str
) -> None:
    shift = floor.shift()
    shift.order([LONG, SHORT, LONG])
    one, other = (shift.result(rule=rule) for _ in range(2))
    assert one.configuration == f"rule {rule}"
    assert one == other


def test_a_state_in_which_a_rule_left_many_lines_begun_is_no_dead_end_for_the_search(
    floor: Any,
) -> None:
    shift, rng = floor.random(3, effort=600)
    shift.rule = "shortest-first"
    shift.play(rng.randint(0, 30))
    shift.order([SHORT, LONG], rng)
    found = shift.result(effort=600)
    assert (found.status, found.fallback) == ("partial", None)
    assert any("no schedule was found within the effort" in each for each in found.blocked)
    shift.rule = None
    shift.finish()
