"""Variants: the same orders for more or fewer workers, sooner or later."""

from __future__ import annotations

from typing import Any

import pytest

import cookmas
from cookmas.files.errors import CookMASError
from cookmas.kitchen.events import NewOrder
from cookmas.scenarios.scenario import load_scenario, vary_scenario
from cookmas.scenarios.truth.truth import load_truth
from cookmas.world_names import domain_of


def test_another_number_of_workers_changes_nothing_else() -> None:
    scenario = load_scenario("level3/01")
    more = vary_scenario(scenario, {"workers": 5})
    assert len(more.kitchen.workers) == 5
    assert more.events() == scenario.events()
    assert more.digest != scenario.digest
    assert load_truth(more).notes == load_truth(scenario).notes


def test_events_lie_further_apart_and_orders_are_due_as_long_after_they_came() -> None:
    scenario = load_scenario("level3/01")
    later = vary_scenario(scenario, {"interval": 2.0})
    assert [at for at, _ in later.events()] == [2 * at for at, _ in scenario.events()]

    def patience(events: list[Any]) -> list[int]:
        orders = [timed for timed in events if isinstance(timed.event, NewOrder)]
        return [timed.event.due - timed.at for timed in orders if timed.event.due is not None]

    assert patience(later.file.events) == patience(scenario.file.events)


def test_what_is_as_it_was_is_the_scenario_itself() -> None:
    scenario = load_scenario("level1/01")
    assert vary_scenario(scenario, {"workers": 3, "interval": 1.0}) is scenario


@pytest.mark.parametrize(
    "settings", [{"workers": "7"}, {"workers": "two"}, {"interval": "0"}, {"hats": "1"}]
)
def test_a_variant_that_cannot_be_is_one_line(settings: dict[str, str]) -> None:
    with pytest.raises(CookMASError) as caught:
        domain_of("restaurant").scenario("level1/01", settings)
    assert "\n" not in str(caught.value)


def test_a_variant_is_played_and_judged_without_a_reference() -> None:
    run = cookmas.play("level1/01", settings={"workers": 1})
    assert run.success
    assert run.verdict
    assert not list(run.verdict.of("progress_completeness"))
    assert list(run.trace.header.workers) == ["worker_1"]
