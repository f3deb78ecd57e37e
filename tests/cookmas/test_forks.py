"""Forks: from any timestep a run goes on, as it did or otherwise; LangGraph's history agrees."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.api import Run, aresume, create, load_planner, load_scenario, play
from cookmas.commands.cli import app
from cookmas.display.page.show import films
from cookmas.episodes.trace import ForkRecord, PlanRecord, StepRecord, TriggerRecord, to_line
from cookmas.episodes.trace_file import iterate_whole_lines, read_trace
from cookmas.files.errors import CookMASError, InputError
from cookmas.forking import ForkRequest, afork, create_fork
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.graph.restoring import count_kept_records
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.folder import CHECKPOINTS, TRACE, RunFolder, is_finished, read_run
from cookmas.orchestrator.runs.opening import open_run
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.replaying import judge_run

MORE = {"kind": "add_line", "order": "o1", "item": "Buttered Toast"}


@pytest.fixture(scope="module")
def corridor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with an event while it goes on, of a planner that is called again."""
    folder = tmp_path_factory.mktemp("runs") / "two"
    play("corridor/two", folder=folder)
    return folder


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "halves"
    play("corridor/halves", "team", folder)
    return folder


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "salad"
    play("level1/03", folder=folder)
    return folder


def told(run: Path | Run) -> list[str]:
    """What is in a trace beside forks, without the chain."""
    folder = run.folder if isinstance(run, Run) else run
    assert folder
    records = read_trace(folder / TRACE).records
    return [to_line(record) for record in records if not isinstance(record, ForkRecord)]


def length(folder: Path) -> int:
    return sum(1 for _ in read_trace(folder / TRACE).of(StepRecord))


def triggers(run: Run) -> list[tuple[int, str]]:
    return [(record.timestep, record.trigger) for record in run.trace.of(TriggerRecord)]


@pytest.mark.parametrize("name", ["corridor", "team"])
def test_a_fork_without_changes_ends_as_its_parent_from_every_timestep(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    parent: Path = request.getfixturevalue(name)
    for at in range(length(parent) + 1):
        fork = cookmas.fork(parent, at, folder=tmp_path / str(at))
        assert told(fork) == told(parent), at
        assert all(frame.equal for frame in cookmas.replay(fork.trace))


async def test_the_same_holds_in_a_kitchen_which_is_judged_and_shown(
    kitchen: Path, tmp_path: Path
) -> None:
    fork = await afork(kitchen, 7, folder=tmp_path / "fork")
    assert told(fork) == told(kitchen)
    assert fork.success
    assert fork.verdict
    assert (fork.verdict.planner, fork.verdict.planner_class) == ("embedded", "embedded")
    shown = [json.loads(line) for line in films([judge_run(tmp_path / "fork")])]
    marks = [entry for entry in shown if entry["kind"] == "fork"]
    assert [(entry["t"], entry["run"]) for entry in marks] == [(7, "salad")]


async def test_the_lines_before_are_the_parents_and_both_say_so(
    corridor: Path, tmp_path: Path
) -> None:
    child = tmp_path / "child"
    await afork(corridor, 5, folder=child)
    before, after = (
        list(iterate_whole_lines(corridor / TRACE)),
        list(iterate_whole_lines(child / TRACE)),
    )
    (place,) = (n for n, line in enumerate(after) if line.startswith('{"kind":"fork"'))
    assert after[:place] == before[:place]
    parent = read_run(child).parent
    assert parent
    assert (parent.run, parent.timestep) == (corridor.name, 5)
    assert before[place - 1].endswith(f'"chain":"{parent.chain}"}}')


async def test_forks_of_forks_need_no_parent(corridor: Path, tmp_path: Path) -> None:
    event = {"kind": "bell", "name": "green", "at": 6}
    child = tmp_path / "child"
    await afork(corridor, 2, events=[event], folder=child)
    whole = told(child)
    at = [3, 2, length(child)]
    grown = [await afork(child, t, folder=tmp_path / f"at {t}") for t in at]
    assert [told(run) for run in grown] == [whole] * 3
    shutil.rmtree(child)
    later = await afork(tmp_path / "at 3", 5, folder=tmp_path / "later")
    assert told(later) == whole
    places = [(fork.run, fork.timestep) for fork in later.trace.of(ForkRecord)]
    assert places == [("two", 2), ("child", 3), ("at 3", 5)]


async def test_another_planner_takes_over_and_is_called(team: Path, tmp_path: Path) -> None:
    run = await afork(team, 3, "embedded", folder=tmp_path / "fork")
    assert (3, "handover") in triggers(run)
    assert [answer.agent for answer in run.trace.of(PlanRecord) if answer.timestep >= 3] == [None]
    assert run.verdict
    assert run.verdict.planner == f"{read_trace(team / TRACE).header.planner}, then embedded"
    assert all(frame.equal for frame in cookmas.replay(run.trace))
    with pytest.raises(
        CookMASError, match="at timestep 2 the planner was team; name it with --planner"
    ):
        await afork(tmp_path / "fork", 2)
    again = await afork(tmp_path / "fork", 3, folder=tmp_path / "again")
    assert told(again) == told(run), "who takes over is called in a fork of the fork too"


async def test_an_event_is_injected(kitchen: Path, tmp_path: Path) -> None:
    run = await afork(kitchen, 4, events=[MORE, {**MORE, "at": 6}], folder=tmp_path / "fork")
    assert triggers(run)[1:3] == [(4, "changed_order"), (6, "changed_order")]
    assert run.verdict
    assert run.verdict.group == "level3"
    assert [goal.status for goal in run.verdict.goals] == ["served"] * 3
    assert all(frame.equal for frame in cookmas.replay(run.trace))


async def test_an_event_injected_at_the_timestep_of_a_fork_is_in_it(
    kitchen: Path, tmp_path: Path
) -> None:
    parent = await afork(kitchen, 4, events=[{**MORE, "at": 6}], folder=tmp_path / "parent")
    run = await afork(tmp_path / "parent", 6, folder=tmp_path / "fork")
    assert told(run) == told(parent)
    assert (6, "changed_order") in triggers(run)


def test_what_is_refused_at_once_makes_no_fork(kitchen: Path, tmp_path: Path) -> None:
    gone = {"kind": "remove_line", "line": "o1.1"}
    with pytest.raises(InputError, match=r"event 2: .*o1\.1"):
        create_fork(kitchen, ForkRequest(at=4, events=[gone, gone], folder=tmp_path / "fork"))
    assert not (tmp_path / "fork").exists()


async def test_what_is_to_come_in_a_fork_is_not_on_its_page(kitchen: Path, tmp_path: Path) -> None:
    later = {**MORE, "at": 9}
    folder = create_fork(kitchen, ForkRequest(at=4, events=[later], folder=tmp_path / "fork"))
    assert "Buttered Toast" in (folder / TRACE).read_text()
    before = [json.loads(line) for line in films([judge_run(folder)])]
    assert before[-1] == {
        "kind": "fork",
        "t": 4,
        "run": "salad",
        "planner": "embedded",
        "planner_class": "embedded",
    }
    await aresume(folder)
    after = [json.loads(line) for line in films([judge_run(folder)])]
    (event,) = (n for n, entry in enumerate(after) if entry.get("injected"))
    assert "Toast" in after[event]["text"]
    assert not any("Toast" in json.dumps(entry) for entry in after[1:event])


def own_kitchen(path: Path, **counts: int) -> Path:
    """The small kitchen with other numbers of stations."""
    text = (Path("scenarios/kitchens/small.yaml")).read_text().replace("name: small", "name: own")
    for kind, count in counts.items():
        line = next(line for line in text.splitlines() if line.startswith(f"  {kind}:"))
        text = text.replace(line, line.replace(line.split("count: ")[1][0], str(count), 1))
    path.write_text(text)
    return path


async def test_the_kitchen_is_altered(kitchen: Path, tmp_path: Path) -> None:
    more = own_kitchen(tmp_path / "more.yaml", board=4)
    run = await afork(kitchen, 3, kitchen=str(more), folder=tmp_path / "fork")
    assert (3, "handover") in triggers(run)
    frames = list(cookmas.replay(run.trace))
    assert all(frame.equal for frame in frames)
    assert "board_4" in frames[3].world.kitchen.stations
    assert "board_4" not in frames[2].world.kitchen.stations
    assert run.success
    assert run.verdict
    reasons = {check.name: check.reason for check in run.verdict.checks}
    assert reasons["makespan_bound"] == "the kitchen was altered at timestep 3"
    later = await afork(tmp_path / "fork", 6, folder=tmp_path / "later")
    assert told(later) == told(run)
    altered = [
        entry
        for entry in map(json.loads, films([judge_run(tmp_path / "fork")]))
        if "altered" in entry
    ]
    assert altered[0]["altered"] == "the kitchen is own now (with board_3, board_4)"


@pytest.mark.parametrize(
    ("at", "counts", "why"),
    [
        (8, {"board": 1}, "there is no board_2, which holds tomato"),
        (10, {"board": 1}, "there is no board_2, at which worker_2 stands"),
        (2, {"pantry": 2}, "there is no pantry, at which worker_2 stands"),
    ],
)
def test_what_no_longer_fits_is_refused_in_one_line(
    kitchen: Path, tmp_path: Path, at: int, counts: dict[str, int], why: str
) -> None:
    fewer = own_kitchen(tmp_path / "fewer.yaml", **counts)
    with pytest.raises(CookMASError) as refused:
        cookmas.fork(kitchen, at, kitchen=str(fewer), folder=tmp_path / "fork")
    assert str(refused.value) == f"kitchen own at timestep {at}: {why}"
    assert not (tmp_path / "fork").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--at", "99"], "--at: expected a timestep from 0 to"),
        (["--at", "3", "--kitchen", "large"], "--kitchen: the world corridor cannot be altered"),
        (["--at", "3", "--event", "{kind: earthquake}"], "expected a bell"),
        (["--at", "3", "--event", "{at: 2, kind: bell}"], "expected a timestep from 3 on, not 2"),
        (["--at", "3", "--event", "bell"], "expected a mapping, not 'bell'"),
        (["--at", "3", "--event", "{a: b: c}"], "--event, line 1: is no YAML"),
        (["--at", "3", "--planner", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    corridor: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    done = CliRunner().invoke(app, ["fork", str(corridor), *options, "--runs", str(tmp_path)])
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_from_the_command_line(corridor: Path, tmp_path: Path) -> None:
    event = "{kind: bell, name: red, at: 9}"
    command = ["fork", str(corridor), "--at", "5", "--event", event, "--runs", str(tmp_path)]
    done = CliRunner().invoke(app, [*command, "--quiet"])
    assert done.exit_code == 0, done.output
    assert done.output.startswith(
        f"{tmp_path / 'two-at-5'} continues from timestep 5 of {corridor}"
    )
    trace = str(tmp_path / "two-at-5" / TRACE)
    assert "timesteps are equal" in CliRunner().invoke(app, ["replay", trace]).output
    assert CliRunner().invoke(app, ["eval", trace]).exit_code == 0


async def test_people_are_asked_to_go_on_where_they_took_part(tmp_path: Path) -> None:
    played = tmp_path / "played"
    create(played, RunRequest(scenario="corridor/one", planner="embedded", people=("walker_1",)))
    parent = await aresume(played)
    done = CliRunner().invoke(app, ["fork", str(played), "--at", "2"])
    assert done.exit_code == 0
    child = tmp_path / "played-at-2"
    assert f"'cookmas play {child}' continues it" in done.output
    assert not is_finished(child)
    fork = await aresume(child)
    assert told(fork) == told(parent)
    assert fork.trace.planner_class == "human"


def test_the_models_options_may_be_others_for_the_same_planner(tmp_path: Path) -> None:
    nobody = ModelOptions(model="one", base_url="http://127.0.0.1:9/v1", deadline=0.01)
    parent = tmp_path / "run"
    create(
        parent,
        RunRequest(
            scenario="corridor/one",
            planner="llm",
            model=nobody,
            asking=AskingOptions(chain_of_thought=True),
        ),
    )
    asyncio.run(aresume(parent))
    other = nobody.model_copy(update={"model": "other"})
    child = create_fork(parent, ForkRequest(at=0, model=other, folder=tmp_path / "child"))
    file = read_run(child)
    assert (file.planner, file.model, file.asking) == ("llm", other, read_run(parent).asking)


async def test_a_fork_that_was_left_goes_on(corridor: Path, tmp_path: Path) -> None:
    event = {"kind": "bell", "name": "red", "at": 8}
    whole = await afork(corridor, 3, events=[event], folder=tmp_path / "whole")
    trace = (tmp_path / "whole" / TRACE).read_bytes()
    scenario = load_scenario("corridor/two")
    for leave in (3, 5, 7, 9):
        request = ForkRequest(at=3, events=[event], folder=tmp_path / str(leave))
        folder = create_fork(corridor, request)
        planner = load_planner("embedded", scenario)
        async with open_run(RunFolder(folder), scenario, planner) as episode:
            async for record in episode.stream():
                if isinstance(record, StepRecord) and record.timestep == leave:
                    break
        resumed = await aresume(folder)
        assert (folder / TRACE).read_bytes() == trace, leave
        assert resumed.verdict == whole.verdict


async def test_a_fork_killed_before_its_first_checkpoint_begins_anew(
    corridor: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    await afork(corridor, 4, events=[{"kind": "bell", "name": "red", "at": 6}], folder=whole)
    trace = (whole / TRACE).read_bytes()
    begun = trace.index(b"\n", trace.index(b'{"kind":"fork"')) + 1
    for more in (0, 30, 700):
        folder = tmp_path / str(more)
        shutil.copytree(whole, folder)
        (folder / CHECKPOINTS).unlink()
        (folder / TRACE).write_bytes(trace[: begun + more])
        await aresume(folder)
        assert (folder / TRACE).read_bytes() == trace, more


def bare(values: dict[str, Any], kept: int) -> dict[str, Any]:
    """A checkpoint of a fork, with the numbers that its records would have in the parent."""

    def number(each: int) -> int:
        return each - 1 if each > kept else each

    return {
        **values,
        "records": number(values["records"]),
        "schedule": {
            name: {**part, "plan": number(part["plan"])}
            for name, part in values["schedule"].items()
        },
        "memory": {name: number(place) for name, place in values["memory"].items()},
    }


async def history(folder: Path) -> list[tuple[Any, tuple[str, ...], dict[str, Any]]]:
    """All checkpoints of a run, the first one first."""
    async with sqlite_checkpoints(folder / CHECKPOINTS) as saver:
        graph = build_graph(saver)
        config: Any = {"configurable": {"thread_id": saver.thread}}
        found = [each async for each in graph.aget_state_history(config)]
    return [(each.config, each.next, each.values) for each in reversed(found)]


async def test_a_forks_checkpoints_are_its_parents(corridor: Path, tmp_path: Path) -> None:
    whole = await history(corridor)
    for at in range(1, length(corridor)):
        kept = count_kept_records(read_trace(corridor / TRACE), at)
        await afork(corridor, at, folder=tmp_path / str(at))
        grown = [each for each in await history(tmp_path / str(at)) if "__start__" not in each[1]]
        then = [each for each in whole if each[2].get("timestep", -1) >= at]
        assert [each[1] for each in grown[1:]] == [each[1] for each in then], at
        for (_, _, mine), (_, _, theirs) in zip(grown[1:], then, strict=True):
            gone = {"forked", "acts"} if theirs["acts"]["timestep"] < at else {"forked"}
            gone |= {"commands"} if theirs["triggers"] else set()
            for key in theirs.keys() - gone:
                assert bare(mine, kept)[key] == theirs[key], (at, key)


async def test_langgraph_goes_on_from_its_own_history_to_the_same_trace(
    corridor: Path, tmp_path: Path
) -> None:
    places = [each for each in await history(corridor) if each[2].get("timestep", 0) > 0][::5]
    assert len(places) >= 3
    for number, (config, following, values) in enumerate(places):
        if not following:
            continue
        folder = tmp_path / str(number)
        shutil.copytree(corridor, folder)
        async with sqlite_checkpoints(folder / CHECKPOINTS) as saver:
            graph = build_graph(saver)
            await graph.aupdate_state(config, {"asleep": False}, as_node=_last(following, values))
        await aresume(folder)
        assert told(folder) == told(corridor), (following, values["timestep"])
        assert (folder / TRACE).read_bytes() == (corridor / TRACE).read_bytes()
        fork = await afork(corridor, values["timestep"], folder=tmp_path / f"fork {number}")
        assert told(fork) == told(folder)


def _last(following: tuple[str, ...], values: dict[str, Any]) -> str:
    """The node that made a checkpoint, by what follows it."""
    if following == ("world",):
        return "worker"
    begun = {part["begin"] for part in values["schedule"].values()}
    asked = values["timestep"] in begun and following[0] == "worker"
    return "planner" if asked else "world"
