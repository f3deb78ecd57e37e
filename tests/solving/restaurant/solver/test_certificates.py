"""The certificates of the restaurant, the command that makes them, and the planner `optimal`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from cookmas import play
from cookmas.commands.cli import app
from cookmas.episodes.trace import PlanRecord
from cookmas.files.errors import InputError
from cookmas.solving import restaurant as solving
from cookmas.solving.certificate_check import describe
from cookmas.solving.certificates import read_certificate
from cookmas.solving.restaurant.certifying import find_bound, find_own_bound, find_standing
from cookmas.solving.restaurant.scheduling.decode import Improvement
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.sampling import sampled, seeds

CERTIFICATES = Path(solving.__file__).with_name("certificates")

NAMES = DOMAIN.names()


def cookmas(*words: str) -> tuple[int, str]:
    """Return the exit code of a command, and what it says."""
    result = CliRunner().invoke(app, [*words])
    return result.exit_code, " ".join(result.output.split())


def test_each_scenario_has_a_certificate() -> None:
    for name in NAMES:
        found = read_certificate(CERTIFICATES, name, DOMAIN.scenario(name, {}).digest)
        assert found is not None, name
        assert found.bound <= min(found.model_bound or found.value, found.value)


def test_no_certificate_has_a_bound_below_that_without_a_solver() -> None:
    for name in sampled(NAMES, 8):
        scenario = DOMAIN.scenario(name, {})
        found = read_certificate(CERTIFICATES, name, scenario.digest)
        assert found
        assert DOMAIN.bound_without_solver(scenario) <= found.bound


def test_level_1_is_proven_but_for_one() -> None:
    open_ones = [
        name
        for name in DOMAIN.names("level1")
        for found in [read_certificate(CERTIFICATES, name, DOMAIN.scenario(name, {}).digest)]
        if found is None or not found.proven
    ]
    assert open_ones == ["level1/09"]


@pytest.mark.parametrize("number", seeds(0, 3, len(NAMES)))
def test_a_check_plays_the_schedule_and_says_what_it_does_not_check(number: int) -> None:
    path = CERTIFICATES / f"{NAMES[number * 21 % len(NAMES)]}.yaml"
    code, said = cookmas("check", str(path))
    assert code == 0
    assert "were not checked" in said
    assert "the bound without a solver is" in said


def test_solving_writes_a_certificate_that_is_proven_again(tmp_path: Path) -> None:
    path = tmp_path / "toast.yaml"
    code, said = cookmas("solve", "level1/01", "--units", "1", "-o", str(path))
    assert (code, path.read_text()) == (0, (CERTIFICATES / "level1/01.yaml").read_text())
    assert "14 timesteps, which no schedule beats" in said
    code, said = cookmas("solve", "level1/01", "--verify", "--units", "1")
    assert code == 0
    assert "proven again" in said


def test_a_scenario_without_a_known_schedule_is_solved(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(DOMAIN.scenario("level1/01", {}).path.read_text())
    code, said = cookmas("solve", str(path), "--units", "1")
    assert code == 0
    assert "certificate of own: 14 timesteps, which no schedule beats" in said


def test_a_bound_that_is_too_high_is_not_proven(tmp_path: Path) -> None:
    data: dict[str, Any] = yaml.safe_load((CERTIFICATES / "level1/01.yaml").read_text())
    late = {"schedule": [{}, *data["schedule"]], "value": 15, "bound": 15, "model_bound": 15}
    path = tmp_path / "toast.yaml"
    path.write_text(yaml.safe_dump({**data, **late}))
    code, said = cookmas("solve", str(path), "--verify", "--units", "1")
    assert code == 2
    assert "only 14 was proven, not 15" in said


def test_a_line_is_released_by_its_order_or_by_its_last_change() -> None:
    """The change at 95 comes after the dish was served, so it asks for nothing."""
    scenario = DOMAIN.scenario("level3/09", {})
    events: dict[str, list[int]] = {}
    for at, event in scenario.events():
        for number, _ in enumerate(event.get("lines", ()), start=1):
            events[f"{event['order']}.{number}"] = [at]
        if event["kind"] == "change_line":
            events[str(event["line"])].append(at)
    assert events["o1.2"] == [0, 12, 95]
    standing = find_standing(scenario, DOMAIN.truth(scenario))
    assert standing.release == {
        line: max(at for at in times if at < 95) for line, times in events.items()
    }
    assert standing.steady
    assert not find_standing(
        DOMAIN.scenario("level3/19", {}), DOMAIN.truth(DOMAIN.scenario("level3/19", {}))
    ).steady


def test_no_bound_is_lowered_to_a_schedule_that_refutes_it() -> None:
    scenario = DOMAIN.scenario("level1/01", {})
    standing = find_standing(scenario, DOMAIN.truth(scenario))
    own = find_own_bound(scenario, standing)
    assert find_bound(scenario, standing, own, 0.1) == own
    with pytest.raises(InputError, match=f"the bound {own} is refuted by a schedule of {own - 1}"):
        find_bound(scenario, standing, own - 1, 0.1)


def test_the_bound_of_the_model_is_written_as_it_was_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The known schedule takes 14, and the model of the solver is said to need 17."""

    def improve(*_: object) -> Improvement:
        return Improvement(None, 17, "CP-SAT")

    monkeypatch.setattr("cookmas.solving.restaurant.certifying.improve", improve)
    scenario = DOMAIN.scenario("level1/01", {})
    made = DOMAIN.certify(scenario, 1, lambda said: None)
    assert (made.value, made.bound, made.model_bound) == (14, 14, 17)
    told = describe(made.model_copy(update={"bound": 13}))
    assert told.endswith(
        "14 timesteps, and at least 13 are needed; at least 17 in the solver's model"
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("one", "--world", "corridor"), "has no solver"),
        (("one", "--world", "corridor", "--verify"), "there is no certificate of corridor/one"),
        (("level1/01", "--verify", "-o", "x.yaml"), "expected one of them at a time"),
    ],
)
def test_what_cannot_be_solved_is_one_line(words: tuple[str, ...], why: str) -> None:
    code, said = cookmas("solve", *words)
    assert code == 2
    assert why in said


def test_without_the_solver_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from cookmas.solving.restaurant.solver.cpsat import load_cpsat

    load_cpsat.cache_clear()
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    code, said = cookmas("solve", "level1/01")
    assert code == 2
    assert "pip install 'cookmas[solver]'" in said


def test_the_planner_optimal_says_whose_schedule_it_is() -> None:
    run = play("level1/03", planner="optimal")
    assert run.success
    (plan,) = run.trace.of(PlanRecord)
    assert plan.search is not None
    assert (plan.search.configuration, plan.search.model_bound) == ("CP-SAT", 20)
    assert plan.search.bound == 19
    assert run.verdict is not None
    (rate,) = run.verdict.of("optimality_rate")
    assert (rate.value, "an optimum of 20" in (rate.reason or "")) == (1.0, True)
