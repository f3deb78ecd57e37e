"""CookMAS from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import cookmas
from cookmas.episodes.trace import StepRecord, Trace
from cookmas.files.errors import InputError, TraceError
from cookmas.scenarios.scenario import load_scenario
from cookmas.scenarios.truth import load_menu_truth
from cookmas.solving.restaurant.bound import Demand, makespan_bound


def test_a_scenario_is_played_judged_and_replayed(scenario: str, schedule: str) -> None:
    run = cookmas.play(scenario, schedule)
    assert run.success is True
    assert run.verdict
    assert run.verdict.summary["makespan"] == 14
    assert all(frame.equal for frame in cookmas.replay(run.trace))


async def test_in_a_running_loop_the_function_to_await_is_named(
    scenario: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"write 'await cookmas\.aplay\(\.\.\.\)'"):
        cookmas.play(scenario)
    run = await cookmas.aplay("corridor/one", folder=tmp_path / "run")
    with pytest.raises(InputError, match=r"write 'await cookmas\.afork\(\.\.\.\)'"):
        cookmas.fork(run, 1)
    assert (await cookmas.afork(run, 1)).success


def test_every_public_name_is_there() -> None:
    assert all(getattr(cookmas, name) for name in cookmas.__all__)  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no attribute 'cook'"):
        _ = cookmas.cook  # type: ignore[attr-defined]


def test_a_run_in_a_folder_leaves_a_trace_that_is_judged_alike(
    scenario: str, schedule: str, tmp_path: Path
) -> None:
    heard: list[Any] = []
    run = cookmas.play(scenario, schedule, tmp_path / "run", heard.append)
    assert heard == list(run.trace.records)
    path = tmp_path / "run" / "trace.jsonl"
    trace = cookmas.read_trace(path)
    assert trace == run.trace
    assert cookmas.judge(trace, cookmas.truth_of(trace, path)) == run.verdict


async def test_an_event_injected_makes_it_level_three(scenario: str, schedule: str) -> None:
    loaded = cookmas.load_scenario(scenario)
    planner = cookmas.load_planner(schedule, loaded)
    episode = cookmas.episode_of(loaded, planner)
    records = []
    async for record in episode.stream():
        records.append(record)
        if isinstance(record, StepRecord) and record.timestep == 3:
            episode.inject({"kind": "add_line", "order": "o1", "item": "Garden Salad"})
    trace = Trace(tuple(records))
    assert trace.end
    assert trace.end.termination == "gave_up", "the schedule knows nothing of a salad"
    truth = cookmas.truth_of(trace, Path(scenario).with_name("trace.jsonl"))
    verdict = cookmas.judge(trace, truth)
    assert (verdict.group, verdict.success) == ("level3", False)


def test_a_scenario_without_truth_is_played_and_not_judged(scenario: str, schedule: str) -> None:
    path = Path(scenario)
    path.write_text(
        path.read_text().replace("{item: Buttered Toast}", "{item: Buttered Toast, note: dark}")
    )
    run = cookmas.play(scenario, schedule)
    assert run.verdict is None
    assert run.unjudged
    assert "expected the truth of toast" in run.unjudged


def test_the_horizon_is_ten_times_the_bound(scenario: str, schedule: str) -> None:
    loaded = load_scenario(scenario)
    components = load_menu_truth(loaded.menu)["Buttered Toast"]
    bound = makespan_bound(loaded.kitchen, [Demand(release=0, components=components)])
    assert cookmas.play(scenario, schedule).trace.header.horizon == 10 * bound.value


def test_a_planner_object_cannot_be_kept_in_a_folder(
    scenario: str, schedule: str, tmp_path: Path
) -> None:
    planner = cookmas.load_planner(schedule, cookmas.load_scenario(scenario))
    assert cookmas.play(scenario, planner).success
    with pytest.raises(InputError, match="by name"):
        cookmas.play(scenario, planner, tmp_path / "run")


def test_a_trace_of_another_scenario_is_not_judged(
    scenario: str, schedule: str, tmp_path: Path
) -> None:
    run = cookmas.play(scenario, schedule, tmp_path / "run")
    path = Path(scenario)
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), "seed": 3}))
    with pytest.raises(InputError, match="has been changed since it was played"):
        cookmas.truth_of(run.trace, tmp_path / "run" / "trace.jsonl")


def test_a_trace_of_another_world_does_not_replay(scenario: str, schedule: str) -> None:
    trace = cookmas.play(scenario, schedule).trace
    wrong: list[dict[str, Any]] = [{"world": "corridor"}, {"setup": {}}]
    for changes in wrong:
        header = trace.header.model_copy(update=changes)
        with pytest.raises(TraceError):
            list(cookmas.replay(Trace((header, *trace.records[1:]))))
