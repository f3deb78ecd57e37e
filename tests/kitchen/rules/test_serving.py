"""Serving, throwing away, waiting; and what is seen from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cookmas.episodes.world import Command
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant

if TYPE_CHECKING:
    from tests.kitchen.conftest import Bench


# serve, discard, wait


def ordered(bench: Bench, kitchen: Kitchen, state: KitchenState) -> KitchenState:
    lines = [{"item": "Burger"}, {"item": "Burger"}]
    return bench.after_event(kitchen, state, {"kind": "new_order", "order": "o1", "lines": lines})


def test_serve_closes_the_line(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = ordered(bench, kitchen, bench.state(kitchen, "pass: dish[egg]", "pass: dish[egg]"))
    state = bench.passing(kitchen, state, 3)
    state, reasons = bench.step(kitchen, state, "serve(o1.2)", "serve(o1.2)")
    assert reasons == [None, "closed_line"]
    assert (bench.hand(state, 0), bench.hand(state, 1)) == (None, "dish[egg]")
    assert (state.lines["o1.2"].status, state.lines["o1.2"].closed_at) == ("served", 3)
    assert list(state.open_lines()) == ["o1.1"]


@pytest.mark.parametrize(
    ("place", "line", "reason"),
    [
        ("counter_1: dish[egg]", "o1.1", "wrong_station"),
        ("pass", "o1.1", "hands_empty"),
        ("pass: plate", "o1.1", "unsuitable"),
        ("pass: egg", "o1.1", "unsuitable"),
        ("pass: dish[egg]", "o1.3", "unknown_line"),
        ("pass: dish[egg]", "o1", "unknown_line"),
    ],
)
def test_serve_that_cannot_be_done(bench: Bench, place: str, line: str, reason: str) -> None:
    kitchen = bench.kitchen()
    state = ordered(bench, kitchen, bench.state(kitchen, place))
    after, reasons = bench.step(kitchen, state, f"serve({line})")
    assert reasons == [reason]
    assert len(after.open_lines()) == 2


@pytest.mark.parametrize(
    ("place", "lying", "action", "missing"),
    [
        ("pass: plate", {}, "serve(o1.1)", True),
        ("pass: egg", {}, "serve(o1.1)", True),
        ("plating_1", {"plating_1": ["plate", "egg"]}, "pick(dish)", True),
        ("plating_1", {}, "pick(dish)", False),
        ("counter_1", {"counter_1": ["egg"]}, "pick(dish)", False),
    ],
)
def test_a_missing_assemble_is_called_that(
    bench: Bench, place: str, lying: dict[str, list[str]], action: str, missing: bool
) -> None:
    kitchen = bench.kitchen()
    state = ordered(bench, kitchen, bench.state(kitchen, place, **lying))
    _, outcomes, _ = Restaurant(kitchen).step(state, [Command("ann", action)])
    assert outcomes["ann"].fail
    assert ("assemble is missing" in outcomes["ann"].why) is missing


def test_a_cancelled_line_is_closed(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = ordered(bench, kitchen, bench.state(kitchen, "pass: dish[egg]"))
    state = bench.after_event(kitchen, state, {"kind": "remove_line", "line": "o1.1"})
    _, reasons = bench.step(kitchen, state, "serve(o1.1)")
    assert reasons == ["closed_line"]


def test_discard(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "bin: dish[egg]", "bin", "pass: egg")
    after, reasons = bench.step(kitchen, state, "discard", "discard", "discard")
    assert reasons == [None, "hands_empty", "wrong_station"]
    assert [bench.hand(after, worker) for worker in range(3)] == [None, None, "egg"]


def test_a_worker_without_a_readable_action_waits(bench: Bench) -> None:
    restaurant = Restaurant(bench.kitchen())
    before = restaurant.start()
    commands = [Command("ann", "wait"), Command("bob", "take a break")]
    after, outcomes, _ = restaurant.step(before, commands)
    assert {worker: outcome.fail for worker, outcome in outcomes.items()} == {
        "ann": None,
        "bob": "no_action",
        "cem": "no_action",
    }
    assert outcomes["cem"].why == "cem gave no action."
    assert "take a break" in outcomes["bob"].why
    assert after.workers == before.workers


# Restaurant


def test_a_planner_does_not_see_when_a_fault_ends(bench: Bench) -> None:
    kitchen = bench.kitchen()
    restaurant = Restaurant(kitchen)
    soon = bench.broken(kitchen, restaurant.start(), "oven_1", 2)
    late = bench.broken(kitchen, restaurant.start(), "oven_1", 7)
    assert soon != late
    assert restaurant.observe(soon) == restaurant.observe(late)
    assert restaurant.observe(restaurant.start()) == restaurant.start()


def test_what_is_asked_for(bench: Bench) -> None:
    kitchen = bench.kitchen()
    restaurant = Restaurant(kitchen)
    state = restaurant.start()
    assert restaurant.is_finished(state)
    state = ordered(bench, kitchen, state)
    assert not restaurant.is_finished(state)
    assert restaurant.lookups(state) == ["Burger"]
    state = bench.after_event(kitchen, state, {"kind": "cancel_order", "order": "o1"})
    assert restaurant.is_finished(state)
    assert restaurant.lookups(state) == []


def test_what_cannot_be_read_is_told(bench: Bench) -> None:
    restaurant = Restaurant(bench.kitchen())

    def refusal(*commands: tuple[str, str]) -> str | None:
        return restaurant.refusal([Command(*command) for command in commands])

    assert refusal(("ann", "navigate(nowhere)")) is None
    assert "dance" in (refusal(("ann", "dance")) or "")
    assert refusal(("ann", restaurant.idle), ("bob", restaurant.idle)) is None
    assert refusal(("ann", "wait"), ("ann", "wait")) == (
        "'ann': expected each of ann, bob, cem once"
    )
    assert refusal(("dan", "wait")) == ("'dan': expected each of ann, bob, cem once")
