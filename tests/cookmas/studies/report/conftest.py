"""A handwritten folder of a sweep: two arms of one class, two levels, two repeats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cookmas.episodes.trace import PlannerClass
from cookmas.evals.verdict import EPISODE, Check, Verdict
from cookmas.studies.bench.folder import MEASUREMENTS, RESULTS, SWEEP
from cookmas.studies.bench.origin import SweepOrigin
from cookmas.studies.bench.spec import EpisodeMeasurements, EpisodeResult, EpisodeSpec, Point
from cookmas.worlds.restaurant.judging import JUDGING

NASTY = "<b>|=1+1*"


def result(
    arm: str,
    case: str,
    repeat: int,
    success: bool | None,
    *,
    planner_class: PlannerClass = "pure",
    at: Point = None,
) -> EpisodeResult:
    checks = [Check(name="complete", subject="o1.1", value=success, passed=success)]
    if success is False:
        said = f"7: worker_1, {NASTY}; 9: worker_2, again"
        checks.append(
            Check(name="mistake", subject="rule violation", value=2, passed=False, evidence=said)
        )
        checks.append(Check(name="recovered", subject=EPISODE, value=True, passed=True))
    verdict = Verdict(
        world="restaurant",
        scenario=case,
        scenario_digest="0" * 16,
        group=case[:6],
        planner=arm,
        planner_class=planner_class,
        termination="finished",
        success=success,
        why="",
        judges=JUDGING.version,
        summary={"fails": 2 * (not success), "model_calls": 4, "tokens": 1000, "planner_calls": 1},
        goals=(),
        checks=tuple(checks),
    )
    spec = EpisodeSpec(
        case=case,
        arm=arm,
        at=at,
        repeat=repeat,
        seed=1,
        world="restaurant",
        scenario=case,
        scenario_digest="0" * 16,
        planner=arm,
    )
    return EpisodeResult(
        spec=spec, suite="s", versions={}, verdict=verdict, trace=f"traces/{spec.file}.jsonl"
    )


def write(folder: Path, results: list[EpisodeResult]) -> Path:
    folder.mkdir(parents=True)
    (folder / RESULTS).write_text("".join(f"{each.line()}\n" for each in results))
    took = [
        EpisodeMeasurements(
            episode=each.spec.name,
            seconds=3.0,
            model_seconds=2.0,
            cost=0.25,
            answered_by=("m-1", "m-2") if each.spec.arm == "poor" else ("m-1",),
        )
        for each in results
    ]
    (folder / MEASUREMENTS).write_text("".join(f"{each.model_dump_json()}\n" for each in took))
    return folder


def origin(
    folder: Path, arms: list[str], repeats: int = 1, vary: dict[str, Any] | None = None
) -> None:
    """Write that the sweep in a folder began with all cases for these arms."""
    suite = {
        "title": "t",
        "scenarios": CASES,
        "repeats": repeats,
        "arms": [{"name": arm} for arm in arms],
    }
    values = vary["values"] if vary else ()
    cases = [f"{case} at {value}" for case in CASES for value in values] or CASES
    began = SweepOrigin(
        suite=suite | ({"vary": vary} if vary else {}),
        arms={},
        scenarios=dict.fromkeys(cases, "0" * 16),
        versions={},
    )
    (folder / SWEEP).write_text(began.model_dump_json())


CASES = [f"level{level}/0{number}" for level in (1, 2) for number in (1, 2, 3, 4)]


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    results = [result("good", case, repeat, True) for case in CASES for repeat in (1, 2)]
    results += [
        result("poor", case, repeat, case < "level2/03" and repeat == 1)
        for case in CASES
        for repeat in (1, 2)
    ]
    results += [result("solver", "level1/01", 1, None, planner_class="hybrid")]
    return write(tmp_path / "sweep", results)
