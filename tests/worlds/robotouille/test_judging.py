"""What is measured of an episode, against the certificate and the published number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import cookmas
from cookmas.evals.verdict import Verdict
from cookmas.solving import certificates
from cookmas.solving import robotouille as solving
from cookmas.solving.certificates import read_certificate
from cookmas.worlds.robotouille.domain import DOMAIN
from cookmas.worlds.robotouille.judging import list_misread
from tests.worlds.robotouille.opened import play, world_of

CERTIFICATES = Path(solving.__file__).with_name("certificates")

TASK = "synchronous/0"
BEST = [
    "move(table1, table3)",
    "pick-up-item(cheese1, table3)",
    "move(table3, table1)",
    "stack(cheese1, bread1, table1)",
    "move(table1, table2)",
    "pick-up-item(bread2, table2)",
    "move(table2, table1)",
    "stack(bread2, cheese1, table1)",
]


def judge(tmp_path: Path, name: str, actions: list[str], **settings: Any) -> Verdict:
    """Return the verdict on an episode in which the first robot does these actions."""
    path = tmp_path / "plan.yaml"
    path.write_text(yaml.safe_dump([{"robot1": action} for action in actions]))
    run = cookmas.play(f"robotouille/{name}", str(path), settings=settings)
    assert run.verdict is not None
    return run.verdict


def value(verdict: Verdict, name: str) -> Any:
    """Return the value of the only check with a name; None if there is none."""
    found = [check.value if check.passed is None else check.passed for check in verdict.of(name)]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(
    ("waits", "published", "optimum"), [(0, True, True), (4, True, True), (5, True, False)]
)
def test_success_counts_within_one_and_a_half_times(
    tmp_path: Path, waits: int, published: bool, optimum: bool
) -> None:
    verdict = judge(tmp_path, TASK, ["wait"] * waits + BEST)
    assert verdict.success
    assert value(verdict, "within_published") is published
    assert value(verdict, "within_optimum") is optimum
    assert value(verdict, "optimality_rate") == round(8 / (8 + waits), 4)
    assert value(verdict, "repeated_states") == waits
    assert value(verdict, "steps_to_go") is None
    assert verdict.goals[0].status == "reached"


def test_a_schedule_that_is_merely_known_is_no_optimum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The certificate here says 10 timesteps, and that 7 are needed; the play takes 8."""
    digest = DOMAIN.scenario(TASK, {}).digest
    proven = read_certificate(CERTIFICATES, TASK, digest)
    assert proven
    weak = proven.model_copy(update={"value": 10, "bound": 7})
    monkeypatch.setattr(certificates, "read_certificate", lambda *_: weak)
    found = judge(tmp_path, TASK, BEST)
    assert value(found, "optimality_rate") == 7 / 8
    assert value(found, "rate_of_best_known") == 10 / 8
    (near,) = found.of("within_optimum")
    assert (near.value, near.passed) == (True, True)
    assert near.reason == "reached after 8 timesteps, against 1.5 times the known schedule of 10"
    assert value(judge(tmp_path, TASK, BEST[:4]), "steps_to_go") == 4 / 10
    monkeypatch.setattr(certificates, "read_certificate", lambda *_: proven)
    found = judge(tmp_path, TASK, BEST)
    assert value(found, "optimality_rate") == value(found, "rate_of_best_known") == 1
    (near,) = found.of("within_optimum")
    assert near.reason == "reached after 8 timesteps, against 1.5 times the optimum of 8"


def test_the_limit_is_told_with_what_it_comes_from(tmp_path: Path) -> None:
    late = judge(tmp_path, TASK, ["wait"] * 5 + BEST)
    (published,) = late.of("within_published")
    assert published.reason.endswith("against 1.5 times the published number of 10")
    (optimum,) = judge(tmp_path, TASK, BEST[:4]).of("within_optimum")
    assert optimum.reason == "not reached, against 1.5 times the optimum of 8"


def test_steps_to_go_come_from_the_search(tmp_path: Path) -> None:
    verdict = judge(tmp_path, TASK, BEST[:4])
    assert verdict.success is False
    assert value(verdict, "within_published") is False
    assert value(verdict, "within_optimum") is False
    assert value(verdict, "optimality_rate") is None
    assert value(verdict, "steps_to_go") == 4 / 8
    assert verdict.goals[0].status == "open"


def test_what_is_unknown_is_not_measured(tmp_path: Path) -> None:
    original = judge(tmp_path, TASK, BEST, timers="original")
    assert original.success
    assert value(original, "within_published") is True
    assert value(original, "within_optimum") is None
    assert value(original, "optimality_rate") is None


def mistakes_of(verdict: Verdict) -> dict[str, Any]:
    """Return the number of mistakes of each kind."""
    return {check.subject: check.value for check in verdict.of("mistake")}


def test_fails_are_rule_violations_or_misjudged_states(tmp_path: Path) -> None:
    wrong = ["cut(bread1, table1)", "move(table3, table1)", "pick-up-item(cheese1, table3)"]
    verdict = judge(tmp_path, TASK, [*wrong, *BEST])
    assert mistakes_of(verdict) == {"rule violation": 1, "state misjudged": 2}
    assert [check.passed for check in verdict.of("recovered")] == [True] * 3


@pytest.mark.parametrize(
    ("name", "actions", "misread"),
    [
        (
            "synchronous/0-42",
            [
                "move(table1, table4)",
                "pick-up-item(onion1, table4)",
                "move(table4, sink1)",
                "stack(onion1, bread2, sink1)",
            ],
            "wrong ingredient: atop(onion1, bread2)",
        ),
        (
            "synchronous/0",
            [
                *BEST[:3],
                "stack(cheese1, bread1, table1)",
                "unstack(cheese1, bread1, table1)",
                "move(table1, table4)",
                "place-item(cheese1, table4)",
                "move(table4, table2)",
                "pick-up-item(bread2, table2)",
                "move(table2, table4)",
                "stack(bread2, cheese1, table4)",
            ],
            "bad start: item_on(cheese1, table4)",
        ),
        (
            "synchronous/3",
            [
                "move(table1, table3)",
                "pick-up-item(patty1, table3)",
                "move(table3, table2)",
                "stack(patty1, topbun1, table2)",
            ],
            "wrong order: atop(patty1, topbun1)",
        ),
    ],
)
def test_what_is_built_against_the_goal_is_a_misread_goal(
    name: str, actions: list[str], misread: str
) -> None:
    world = world_of(name)
    assert list(list_misread(world, world.start())) == []
    assert misread in list(list_misread(world, play(world, world.start(), *actions)))


def test_planners_see_neither_the_certificate_nor_the_published_number() -> None:
    scenario: Any = DOMAIN.scenario(TASK, {})
    known = read_certificate(CERTIFICATES, TASK, scenario.digest)
    assert known is not None
    assert scenario.file.published == 10
    assert "published" not in scenario.world().setup()
    assert known.schedule == [{"robot1": action} for action in BEST]


@pytest.mark.parametrize(
    ("name", "horizon"),
    [("synchronous/0", 15), ("synchronous/1-126", 30), ("two-robots/1", 150)],
)
def test_the_horizon_allows_both_measures(name: str, horizon: int) -> None:
    assert DOMAIN.horizon(DOMAIN.scenario(name, {})) == horizon
