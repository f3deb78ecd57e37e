"""Variants: the same orders for more or fewer workers, sooner or later."""

from __future__ import annotations

import pytest

import cookmas
from cookmas.files.errors import CookMASError
from cookmas.scenarios.scenario import KitchenScenario, load_scenario
from cookmas.scenarios.truth import load_truth
from cookmas.world_names import domain_of
from cookmas.worlds.restaurant.domain import DOMAIN


def test_another_number_of_workers_changes_nothing_else() -> None:
    scenario = load_scenario("level3/01")
    more = DOMAIN.scenario("level3/01", {"workers": "5"})
    assert len(more.kitchen.workers) == 5
    assert more.events() == scenario.events()
    assert more.digest != scenario.digest
    assert load_truth(more).notes == load_truth(scenario).notes


def test_events_lie_further_apart_and_orders_are_due_as_long_after_they_came() -> None:
    scenario = load_scenario("level3/01")
    later = DOMAIN.scenario("level3/01", {"interval": "2.0"})
    assert [at for at, _ in later.events()] == [2 * at for at, _ in scenario.events()]

    def patience(played: KitchenScenario) -> list[int]:
        orders = [(at, event) for at, event in played.events() if event["kind"] == "new_order"]
        return [event["due"] - at for at, event in orders if "due" in event]

    assert patience(later) == patience(scenario)


def test_a_scenario_without_its_faults_is_the_clean_twin() -> None:
    scenario = load_scenario("level3/16")
    clean = DOMAIN.scenario("level3/16", {"faults": "no"})
    faults = [event for _, event in scenario.events() if event["kind"] == "fault"]
    assert faults
    assert clean.events() == [each for each in scenario.events() if each[1] not in faults]
    assert load_truth(clean).notes == load_truth(scenario).notes


def test_what_is_as_it_was_is_the_scenario_itself() -> None:
    same = DOMAIN.scenario("level1/01", {"workers": "3", "interval": "1.0"})
    assert same.digest == load_scenario("level1/01").digest


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
