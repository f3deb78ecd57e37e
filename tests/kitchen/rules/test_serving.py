"""Serving, throwing away, waiting; and what is seen from outside."""

from __future__ import annotations

import pytest

from cookmas.episodes.world import Command
from cookmas.kitchen.actions import LIBRARY
from tests.kitchen.bench import Bench


def ordered(*places: str, **lying: list[str]) -> Bench:
    """Return a bench with an order of two burgers."""
    bench = Bench(*places)
    bench.lay(**lying)
    lines = [{"item": "Burger"}, {"item": "Burger"}]
    bench.take({"kind": "new_order", "order": "o1", "lines": lines})
    return bench


def test_serve_closes_the_line() -> None:
    bench = ordered("pass: dish[egg]", "pass: dish[egg]")
    bench.wait(3)
    assert bench.step("serve(o1.2)", "serve(o1.2)") == [None, "closed_line"]
    assert bench.hands[:2] == [None, "dish[egg]"]
    line = bench.state.lines["o1.2"]
    assert (line.status, line.closed_at) == ("served", 3)
    assert list(bench.state.open_lines()) == ["o1.1"]


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
def test_serve_that_cannot_be_done(place: str, line: str, reason: str) -> None:
    bench = ordered(place)
    assert bench.step(f"serve({line})") == [reason]
    assert len(bench.state.open_lines()) == 2


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
    place: str, lying: dict[str, list[str]], action: str, missing: bool
) -> None:
    bench = ordered(place, **lying)
    _, outcomes, _ = bench.restaurant.step(bench.state, [Command("ann", action)])
    assert outcomes["ann"].fail
    assert ("assemble is missing" in outcomes["ann"].why) is missing


def test_a_cancelled_line_is_closed() -> None:
    bench = ordered("pass: dish[egg]")
    bench.take({"kind": "remove_line", "line": "o1.1"})
    assert bench.step("serve(o1.1)") == ["closed_line"]


def test_discard() -> None:
    bench = Bench("bin: dish[egg]", "bin", "pass: egg")
    assert bench.step(*["discard"] * 3) == [None, "hands_empty", "wrong_station"]
    assert bench.hands == [None, None, "egg"]


def test_a_worker_without_a_readable_action_waits() -> None:
    bench = Bench()
    commands = [Command("ann", "wait"), Command("bob", "take a break")]
    after, outcomes, _ = bench.restaurant.step(bench.state, commands)
    fails = {worker: outcome.fail for worker, outcome in outcomes.items()}
    assert fails == {"ann": None, "bob": "no_action", "cem": "no_action"}
    assert outcomes["cem"].why == "cem gave no action."
    assert "take a break" in outcomes["bob"].why
    assert after.workers == bench.state.workers


def test_a_planner_does_not_see_when_a_fault_ends() -> None:
    soon, late = Bench(), Bench()
    observe, start = soon.restaurant.observe, soon.state
    assert observe(start) == start
    soon.fault(2, station="oven_1")
    late.fault(7, station="oven_1")
    assert soon.state != late.state
    assert observe(soon.state) == observe(late.state)


def test_what_is_asked_for() -> None:
    bench = Bench()
    assert bench.restaurant.is_finished(bench.state)
    bench = ordered()
    assert not bench.restaurant.is_finished(bench.state)
    assert bench.restaurant.lookups(bench.state) == ["Burger"]
    bench.take({"kind": "cancel_order", "order": "o1"})
    assert bench.restaurant.is_finished(bench.state)
    assert bench.restaurant.lookups(bench.state) == []


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        (["ann: navigate(nowhere)"], None),
        (["ann: wait", "bob: wait"], None),
        (["ann: wait", "ann: wait"], "'ann': expected each of ann, bob, cem once"),
        (["dan: wait"], "'dan': expected each of ann, bob, cem once"),
        (["ann: dance"], f"ann: 'dance': is no action; the actions are {', '.join(LIBRARY)}"),
    ],
)
def test_what_cannot_be_read_is_told(commands: list[str], said: str | None) -> None:
    restaurant = Bench().restaurant
    assert restaurant.idle == "wait"
    assert restaurant.refusal([Command(*each.split(": ")) for each in commands]) == said
