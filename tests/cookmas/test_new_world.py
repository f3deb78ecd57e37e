"""The smallest world, as `cookmas new world` writes it, goes through every command."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import create
from cookmas.episodes.messages import Numbered
from cookmas.episodes.replay import replay_to_end
from cookmas.episodes.trace import StepRecord, Trace, TriggerRecord
from cookmas.files.errors import InputError
from cookmas.mailboxes.desk import Origin
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.runs.folder import read_run
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.world_names import describe_change, digest_code
from tests.cookmas.commands.calling import cookmas as run

WORLD = "my_lamp:DOMAIN"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run("new", "world", "my_lamp").exit_code == 0
    yield tmp_path / "my_lamp"
    for name in [name for name in sys.modules if name.partition(".")[0] == "my_lamp"]:
        del sys.modules[name]


def test_it_has_at_most_ninety_lines_in_files_with_the_names_of_all_worlds(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(len(path.read_text().splitlines()) for path in files) <= 90
    shown = ["__init__.py", "domain.py", "levels/one.yaml", "planners.py", "world.py"]
    assert sorted(str(path.relative_to(folder)) for path in files) == shown
    assert not [path for path in files if "{{" in path.read_text()]


def test_every_command_works_for_it(folder: Path, tmp_path: Path) -> None:
    played = run("run", "one", "--world", WORLD, "--json", "--quiet")
    assert played.exit_code == 0, played.output
    trace = tmp_path / "runs" / "one-embedded" / "trace.jsonl"
    for command in (
        ("list",),
        ("show", "one"),
        ("replay", trace),
        ("replay", trace, "--at", 2),
        ("eval", trace),
        ("view", trace, "--no-open"),
        ("view", trace, "--data"),
        ("prompt", "one"),
        ("prompt", "one", "--planner", "llm-team"),
        ("check", folder / "levels" / "one.yaml"),
        ("check",),
    ):
        done = run(*command, "--world", WORLD)
        assert done.exit_code == 0, (command, done.output)


def test_a_sweep_plays_it(folder: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        f"title: Lamps\nworld: {WORLD}\nscenarios: [one]\n"
        "arms: [{planner: embedded}, {planner: llm, scripted: {}}]\n"
    )
    done = run("bench", suite, "--jobs", 1)
    assert done.exit_code in (0, 1), done.output
    results = next(tmp_path.rglob("results.jsonl")).read_text().splitlines()
    assert len(results) == 2
    assert not [line for line in results if json.loads(line).get("error")]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("generate", "1", "-o", "a.yaml"), "generate: the world my_lamp generates no scenarios"),
        (("check", "--fix", "my_lamp/levels/one.yaml"), "--fix: the world my_lamp repairs nothing"),
        (("check", "--solve", "my_lamp/levels/one.yaml"), "of my_lamp have no schedules"),
        (("show", "one", "two"), "show: the world my_lamp shows one scenario at a time"),
        (("run", "two"), "there is no scenario 'two' of my_lamp, only one"),
        (("run", "one", "--cooks", "2"), "--cooks: the world my_lamp has no such option"),
    ],
)
def test_what_it_cannot_do_is_said_in_one_line(
    folder: Path, command: tuple[str, ...], said: str
) -> None:
    done = run(*command, "--world", WORLD)
    assert done.exit_code != 0
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["My", "class", "json", "a-b", "", "a" * 41, "sub/world"])
def test_a_name_that_no_package_can_have_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "world", name)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(folder: Path) -> None:
    done = run("new", "world", "my_lamp")
    assert done.exit_code == 2
    assert "is there already" in done.stderr


@pytest.mark.parametrize("planner", ["llm", "llm-team"])
async def test_the_scripted_model_does_what_is_legal(folder: Path, planner: str) -> None:
    from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
    from cookmas.worlds.base.voice import VOICE

    scenario = cookmas.load_scenario("one", WORLD)
    model = ScriptedModel({"my_lamp": WORLD}, Faults())
    asked = (
        SchedulingPlanner(model, voice=VOICE)
        if planner == "llm"
        else TalkingTeam([model, model], scenario.world().workers, voice=VOICE)
    )
    trace = await episode_of(scenario, asked, horizon=10).run()
    assert not any(each["fails"] for each in _steps(trace))
    assert any(dict(each["commands"]).get("walker_1") == "right" for each in _steps(trace))


async def test_a_fault_of_the_scripted_model_is_no_legal_action(folder: Path) -> None:
    from cookmas.orchestrator.planners.llm import SchedulingPlanner
    from cookmas.worlds.base.voice import VOICE

    scenario = cookmas.load_scenario("one", WORLD)
    model = ScriptedModel({"my_lamp": WORLD}, Faults(rates={"illegal": 1.0}))
    trace = await episode_of(scenario, SchedulingPlanner(model, voice=VOICE), horizon=3).run()
    assert any(each["fails"] for each in _steps(trace))


def test_it_can_be_trained_in(folder: Path) -> None:
    from cookmas.bridges.pettingzoo import parallel_env

    env = parallel_env("one", world=WORLD)
    seen, _ = env.reset(seed=1)
    assert list(env.actions) == ["wait", "left", "right", "light"]
    assert list(seen["walker_1"]["action_mask"]) == [1, 0, 1, 0]
    for action in (2, 2, 2, 3):
        _, _, ended, _, _ = env.step({"walker_1": action, "walker_2": 0})
    assert all(ended.values())
    assert env.verdict
    assert env.verdict.success is True


def _steps(trace: Trace) -> list[dict[str, Any]]:
    lines = map(json.loads, trace.lines())
    return [{"fails": {}, **line} for line in lines if line["kind"] == "step"]


def test_the_prompt_says_what_can_be_done(folder: Path) -> None:
    for planner in ("llm", "llm-team"):
        prompt = run("prompt", "one", "--planner", planner, "--world", WORLD).stdout
        assert '"left"' in prompt
        assert "- `light`: light the lamp, at its place." in prompt
        assert '"walker_1": ["wait", "right"]' in prompt
        assert ('"walker_2": ["wait", "right"]' in prompt) is (planner == "llm")
        assert '"seed"' not in prompt


LIVE = "my_jobs:DOMAIN"


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run("new", "world", "my_jobs", "--live").exit_code == 0
    yield tmp_path / "my_jobs"
    for name in [name for name in sys.modules if name.partition(".")[0] == "my_jobs"]:
        del sys.modules[name]


def test_one_that_takes_messages_has_less_than_150_lines_and_is_sound(live: Path) -> None:
    files = [path for path in live.rglob("*") if path.is_file()]
    assert sum(len(path.read_text().splitlines()) for path in files) < 150
    assert run("check", "--world", LIVE).exit_code == 0
    played = run("run", "one", "--world", LIVE, "--json", "--quiet")
    assert played.exit_code == 0, played.output
    data = json.loads(played.stdout)
    checks = data["verdict"]["checks"]
    trace = cookmas.read_trace(Path(data["folder"]) / "trace.jsonl")
    world = importlib.import_module("my_jobs").DOMAIN.world(trace.header.setup)
    left = replay_to_end(trace, world)[1]
    assert (left["jobs"], left["done"]) == ({}, 2)
    assert {c["subject"]: c["passed"] for c in checks if c["name"] == "in_time"} == {
        "job1": True,
        "job2": True,
    }


async def test_its_own_worker_fails_with_a_reason_that_the_planner_is_told(live: Path) -> None:
    domain: Any = importlib.import_module("my_jobs").DOMAIN
    arm = importlib.import_module("my_jobs.worker").Arm()
    planner = importlib.import_module("my_jobs.planners").EmbeddedPlanner()
    workers = {"arm_1": arm, "arm_2": arm}
    episode = episode_of(domain.scenario("one", {}), planner, workers=workers, episode="b")
    trace = Trace(tuple([record async for record in episode.stream()]))
    whys = [fail.why for step in trace.of(StepRecord) for fail in step.fails.values()]
    assert whys
    assert all("has slipped." in why for why in whys)
    causes = [each.cause for each in trace.of(TriggerRecord)]
    assert trace.end is not None
    assert trace.end.termination == "finished"
    assert any("slipped" in cause for cause in causes)


def test_its_desk_takes_what_its_messages_declare(live: Path) -> None:
    domain: Any = importlib.import_module("my_jobs").DOMAIN
    desk = domain.desk(domain.scenario("open", {}))
    order = {"kind": "order", "amount": "3", "due": 20}
    job = {"kind": "order", "amount": 3, "due": 20, "job": "job7"}
    assert desk.admit(order, {"job": 6}) == job
    for wrong in ({"amount": "much"}, {"job": "mine"}, {"kind": "bid"}):
        with pytest.raises(InputError):
            desk.admit({**order, **wrong}, {})
    cancel = desk.admit({"kind": "cancel", "job": "job7"}, {})
    assert desk.origin(cancel) == Origin("job7", "job", Numbered("job", 7))
    assert desk.name_subject(cancel) == "job7"


def test_a_run_notices_that_the_code_of_its_world_has_changed(live: Path) -> None:
    folder = create("changing", RunRequest(scenario="one", world=LIVE))
    before = read_run(folder).world_code
    assert before is not None
    assert describe_change(LIVE, before) is None
    with (live / "world.py").open("a") as file:
        file.write("# changed\n")
    done = run("resume", folder, "--quiet")
    assert "the code of my_jobs:DOMAIN has changed since the run began" in done.stderr
    assert (
        "has changed"
        not in run(
            "resume", create("again", RunRequest(scenario="one", world=LIVE)), "--quiet"
        ).stderr
    )
    assert digest_code("restaurant") is None


@pytest.mark.parametrize("there", ["sub dir", "it's", "."])
def test_what_is_printed_works_where_it_is_printed(
    there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(there).mkdir(exist_ok=True)
    said = run("new", "world", "my_bell", "--in", there).stdout.splitlines()[-1]
    assert said.endswith("cookmas run one --world my_bell:DOMAIN")
    found = subprocess.run(
        ["sh", "-c", said.replace("cookmas run one --world my_bell:DOMAIN", "ls my_bell")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "__init__.py" in found.stdout
