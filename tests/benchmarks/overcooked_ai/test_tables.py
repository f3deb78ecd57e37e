"""The published numbers, the page that has them, and the counts of the clone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cookmas
from benchmarks.overcooked_ai import tables
from benchmarks.overcooked_ai.clone import FEWEST, make_weights
from benchmarks.overcooked_ai.published import GATED, LAYOUTS, load_points
from benchmarks.page import DOCS
from cookmas.api import load_scenario
from cookmas.solving.overcooked.clone import (
    describe_action,
    describe_situations,
    draw_action,
    load_counts,
)
from cookmas.solving.overcooked.needs import CookNeeds

NOTHING = tables.PairPoints({})


def test_the_published_numbers_are_those_of_the_papers() -> None:
    found = load_points()
    best = [max(row.points[number] for row in found.self_play) for number in range(5)]
    assert best == [220, 280, 190.8, 200, 160]
    assert [max(row.points[number] for row in found.gates) for number in range(2)] == [240, 180]
    cloned = {row.name: (row.first, row.second) for row in found.proxy}
    assert cloned["BC"][0][0] == 103.5
    assert cloned["PPO_BC"][1][1] == 178.8


def test_the_page_of_the_docs_has_the_published_numbers() -> None:
    shown = (DOCS / "reference" / "overcooked-results.md").read_text(encoding="utf-8")
    for first, layouts, rows in (
        ("agents", LAYOUTS, tables._self_play(NOTHING, NOTHING)),
        ("agent", LAYOUTS, tables._with_proxy(NOTHING, NOTHING)),
        ("agents", GATED, tables._at_gates(NOTHING, NOTHING)),
    ):
        for row in tables._table(first, layouts, rows).splitlines():
            assert row in shown
    assert (
        "| PPO_BC | 156.4, 163.9 | 72.6, 178.8 | 126.4, 129.8 | 58.9, 76.9 | 69.5, 57.6 |" in shown
    )


def arm(one: str, other: str, *points: float) -> Any:
    played = [
        SimpleNamespace(case="cramped_room", copy=False, values={"score": [x]}) for x in points
    ]
    copied = SimpleNamespace(case="cramped_room", copy=True, values={"score": [7.0]})
    return SimpleNamespace(seats={"alice": one, "bob": other}, played=[*played, copied])


def test_pairs_are_shown_from_both_seats() -> None:
    arms = [arm("a", "clone", 20, 40), arm("clone", "a", 60), arm("a", "a", 1, 2, 3, 4, 5)]
    found = tables.read_played(arms)
    assert dict(tables._with_proxy(found, NOTHING))["*a*"][0] == "30, 60"
    assert dict(tables._self_play(found, NOTHING))["*a*"][0] == "3"
    pairs = list(tables.list_pairs(found))
    assert len(pairs) == 7 * 2 * 2
    assert pairs[:3] == [
        ("Cramped Room", "a", "a", "3 (1 to 5)"),
        ("Cramped Room", "a", "clone", "30"),
        ("Cramped Room", "clone", "a", "60"),
    ]


def test_decisions_are_counted_as_they_were_made() -> None:
    settings = {"horizon": 60}
    run = cookmas.play("overcooked/cramped_room", "alice=greedy,bob=onion-only", settings=settings)
    made = make_weights([run.trace, run.trace])
    (one, other) = made["runs"]
    assert one == other
    assert one["planner"] == "alice=greedy, bob=onion-only"
    counted = sum(
        sum(acts.values()) for name, acts in made["counts"].items() if name.count(" ") == 2
    )
    assert counted == 2 * one["decisions"] > 0
    assert all(count >= FEWEST for acts in made["counts"].values() for count in acts.values())


def test_the_clone_does_what_was_done_in_the_most_similar_situation() -> None:
    world: Any = load_scenario("overcooked/cramped_room").world()
    needs = CookNeeds.of(world, world.start(), "alice")
    exact, middle, core = describe_situations(needs)
    assert core == "- 000 111"
    described = {describe_action(world.kitchen, each) for each in needs.legal}
    assert described == {"pick_up onion", "pick_up dish"}
    draw: Any = SimpleNamespace(choices=lambda population, weights: [population[0]])
    counts = {core: {"pick_up dish": 2}, middle: {"put onion": 9}, exact: {}}
    assert draw_action(needs, counts, draw) == "pick_up(dish,p0)"
    assert draw_action(needs, {}, draw) == "stay"
    assert draw_action(needs, {exact: {"stay": 2}, core: {"pick_up dish": 2}}, draw) == "stay"


def test_the_counts_that_come_with_the_clone_name_their_runs() -> None:
    import json

    from cookmas.solving.overcooked.clone import WEIGHTS

    data = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    assert len(data["runs"]) == 7 * 16
    assert {len(run["last_state"]) for run in data["runs"]} == {16}
    assert len(load_counts()) > 1000
