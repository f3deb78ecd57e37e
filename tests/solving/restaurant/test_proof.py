"""Every scenario ships with a schedule that solves it, and `check` proves it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.commands.cli import app
from cookmas.episodes.trace import StepRecord
from cookmas.files.errors import InputError
from cookmas.scenarios.scenario import SHIPPED_SCENARIOS, load_scenario
from cookmas.solving.restaurant.proof import SHIPPED_ALTERNATIVES, SHIPPED_SCHEDULES, schedule_path
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.sampling import sampled

NAMES = sorted(
    str(path.relative_to(SHIPPED_SCENARIOS).with_suffix(""))
    for path in SHIPPED_SCENARIOS.rglob("*.yaml")
)


@pytest.mark.parametrize("name", sampled(NAMES, 3))
def test_every_scenario_is_solved_by_the_schedule_that_it_ships_with(name: str) -> None:
    proof = DOMAIN.check(Path(name))[-1]
    assert proof.startswith("its schedule: ")
    assert proof.endswith("every line that was not cancelled was served complete and as asked")


def test_the_shortest_schedule_that_is_known_ships() -> None:
    assert "84 timesteps" in DOMAIN.check(Path("level2/11"))[-1]


def test_there_is_no_schedule_of_a_scenario_that_is_none() -> None:
    kept = {str(p.relative_to(SHIPPED_SCHEDULES)) for p in SHIPPED_SCHEDULES.rglob("*.yaml")}
    assert kept == {f"{name}.yaml" for name in NAMES}


def test_every_alternative_is_of_a_scenario() -> None:
    kept = [path.relative_to(SHIPPED_ALTERNATIVES) for path in SHIPPED_ALTERNATIVES.rglob("*.yaml")]
    assert len(kept) > 60
    assert {f"{path.parent}/{path.name.split('.')[0]}" for path in kept} <= set(NAMES)


@pytest.mark.parametrize("name", ["level1/01", "level3/10"])
def test_it_is_played_as_the_graph_plays_it(name: str) -> None:
    run = cookmas.play(name, planner=str(schedule_path(load_scenario(name))))
    assert run.success
    assert not any(step.fails for step in run.trace.of(StepRecord))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A scenario of one's own, with its schedule."""
    shipped = load_scenario("level1/01")
    path = tmp_path / "own.yaml"
    shutil.copy(shipped.path, path)
    shutil.copy(schedule_path(shipped), path.with_suffix(".schedule.yaml"))
    return path


def test_a_schedule_is_made_by_the_command(own: Path) -> None:
    schedule = own.with_suffix(".schedule.yaml")
    schedule.unlink()
    assert DOMAIN.check(own)[-1] == "it has no schedule: whether it can be solved is not known"
    said = CliRunner().invoke(app, ["check", "--solve", str(own)])
    assert (said.exit_code, said.exception) == (0, None)
    assert "its schedule: 14 timesteps" in said.stdout
    shipped = schedule_path(load_scenario("level1/01")).read_text()
    assert schedule.read_text() == shipped.replace("level1/01", own.name)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("worker_1: place,", "", "schedule.7.worker_1: FAILs: The hand already holds plate."),
        ("pick(butter)", "pick(cheddar)", "does not solve own: not served, or not as asked: o1.1"),
        ("  - {worker_1: serve(o1.1)}\n", "", "does not solve own: not served, or not as asked"),
        ("serve(o1.1)", "serve(o1.2)", "schedule.13.worker_1: FAILs: There is no order line"),
    ],
)
def test_one_that_does_not_solve_it_is_a_fault(own: Path, old: str, new: str, why: str) -> None:
    schedule = own.with_suffix(".schedule.yaml")
    text = schedule.read_text()
    assert old in text
    schedule.write_text(text.replace(old, new))
    with pytest.raises(InputError) as error:
        DOMAIN.check(own)
    assert str(error.value).startswith(f"{schedule}: ")
    assert why in str(error.value)
