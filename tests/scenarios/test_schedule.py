"""Schedule files: how they are loaded, and what is wrong with a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cookmas.files.errors import InputError
from cookmas.scenarios.check import check
from cookmas.scenarios.scenario import KitchenScenario, load_scenario
from cookmas.scenarios.schedule import load_schedule
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.scenarios.spoiling import spoil, the_line


def test_schedule(schedule_file: Path) -> None:
    assert check(schedule_file) == ["schedule: 2 timesteps, sound for level1/01"]


def test_schedule_as_a_bare_list(tmp_path: Path) -> None:
    path = tmp_path / "bare.yaml"
    path.write_text('- worker_1: "pick(onion, slot 2)"\n- {}\n')
    assert check(path) == [
        "schedule: 2 timesteps, every action can be read; it names no scenario, so workers and "
        "stations were not checked"
    ]


def test_schedule_for_a_scenario_beside_it(schedule_file: Path, scenario_file: Path) -> None:
    spoil(schedule_file, "level1/01", "scenario.yaml")
    assert check(schedule_file) == ["schedule: 2 timesteps, sound for scenario"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("worker_2: wait", "worker_9: wait", "schedule.0.worker_9: no such worker, expected one"),
        ("navigate(fridge)", "navigate(moon)", "schedule.0.worker_1: no station 'moon', expected"),
        ("navigate(fridge)", "fly(fridge)", "schedule.0.worker_1: 'fly(fridge)': is no action"),
        ("navigate(fridge)", "navigate", "schedule.0.worker_1: 'navigate': navigate is written"),
        ("worker_2: wait", "worker_2: 5", "schedule.0.worker_2: expected a text, not 5"),
        ("worker_2: wait", "worker_2: off", "schedule.0.worker_2: YAML reads off as true"),
        ("worker_2: wait", "worker_1: wait", "schedule.0.worker_1: is given twice"),
        ("worker_1: pick(butter)", "worker_1: pick(slot 0)", "schedule.1.worker_1: 'pick(slot 0)'"),
        ("worker_2: wait", "worker_2: pick(egg, slot 2)", "schedule.0.slot 2): has no action"),
        ("schedule:", "shedule:", "the file: is no scenario, kitchen, menu or schedule"),
        ("scenario: level1/01", "level: x", "the file: "),
    ],
)
def test_bad_schedule(schedule_file: Path, old: str, new: str, expected: str) -> None:
    spoil(schedule_file, old, new)
    if new == "level: x":
        assert "level" in the_line(schedule_file)
    else:
        assert the_line(schedule_file).startswith(f"{schedule_file}: {expected}")


def test_schedule_for_a_scenario_that_is_not_there(schedule_file: Path) -> None:
    spoil(schedule_file, "level1/01", "level1/99")
    assert "there is no scenario 'level1/99'" in the_line(schedule_file)


@pytest.fixture
def scenario() -> KitchenScenario:
    return DOMAIN.scenario("level1/01", {"workers": "2"})


def test_load_schedule(tmp_path: Path, scenario: KitchenScenario) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("schedule:\n  - worker_1: navigate(grill_1)\n    worker_2: wait\n  - {}\n")
    assert load_schedule(path, scenario) == [
        {"worker_1": "navigate(grill_1)", "worker_2": "wait"},
        {},
    ]


def test_a_schedule_for_another_scenario_is_refused(
    scenario_file: Path, schedule_file: Path, scenario: KitchenScenario
) -> None:
    own = load_scenario(str(scenario_file))
    for named, played in (("level1/01", own), ("scenario.yaml", scenario), ("level1/01", scenario)):
        schedule_file.write_text(f"scenario: {named}\nschedule: [{{worker_1: wait}}]\n")
        with pytest.raises(InputError) as error:
            load_schedule(schedule_file, played)
        assert f"expected {played.name} ({played.digest})" in str(error.value)
        assert "\n" not in str(error.value)


def test_load_schedule_knows_the_workers_of_the_kitchen(
    tmp_path: Path, scenario: KitchenScenario
) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("- worker_3: wait\n")
    with pytest.raises(InputError) as error:
        load_schedule(path, scenario)
    assert str(error.value) == (
        f"{path}: schedule.0.worker_3: no such worker, expected one of worker_1, worker_2"
    )
