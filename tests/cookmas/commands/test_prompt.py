"""`cookmas prompt`, and the options of asking on `cookmas run`."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import cookmas
from cookmas import load_planner
from cookmas.episodes.trace import ModelCall
from cookmas.files.errors import CookMASError
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.scenarios.scenario import load_scenario, scenario_path
from cookmas.studies.previewing import CALLS_PER_STEP, expect_calls
from cookmas.worlds.collab_overcooked.voice import VOICE
from cookmas.worlds.restaurant.voice import VOICE as RESTAURANT
from tests.cookmas.commands.calling import cookmas as command
from tests.worlds.recording import Recording


def test_it_prints_what_would_be_sent_and_about_how_many_tokens() -> None:
    done = command("prompt", "level1/01", "--preset", "mindagent")
    assert done.exit_code == 0, done.stderr
    *_, size, episode = done.stdout.strip().splitlines()
    assert size.startswith("about ")
    assert "estimated: one for every four characters" in size
    assert re.fullmatch(
        r"an episode: about \d+ calls \(step \d+\), \d+ tokens in and \d+ out, as the scripted "
        r"model plays it, in \d+ decisions on 3.0 actions each",
        episode,
    )
    for mark in ("----- system -----", "----- user -----", "# Hints", "### CALL", '"task": "step"'):
        assert mark in done.stdout


def test_it_is_exactly_what_the_planner_sends() -> None:
    from cookmas.studies.previewing import first_request

    asking = AskingOptions(preset="cac", recipes="tool")
    request = first_request("level2/06", "llm", asking)
    printed = json.loads(
        command("prompt", "level2/06", "--preset", "cac", "--recipes", "tool", "--json").stdout
    )
    sent = [m.model_dump(mode="json", exclude_defaults=True) for m in request.messages]
    assert printed["messages"] == sent
    assert request.schema is not None
    assert printed["response_format"]["schema"] == request.schema.schema
    assert [tool["name"] for tool in printed["tools"]] == ["look_up_recipe"]
    assert "temperature" not in printed


@pytest.mark.parametrize(("horizon", "last"), [(40, {"last": 39}), (None, {})])
def test_the_last_timestep_is_told_where_the_scenario_says_it(
    horizon: int | None, last: dict[str, int], tmp_path: Path
) -> None:
    """One that is reckoned from what will be ordered would tell of that."""
    from cookmas.studies.previewing import first_request

    data = yaml.safe_load(scenario_path("level1/01").read_text(encoding="utf-8"))
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump({**data, **({"horizon": horizon} if horizon else {})}))
    for preset, told in (("mindagent", last), ("default", {})):
        request = first_request(str(path), "llm", AskingOptions(preset=preset))
        call = parse_blocks(request.messages[-1].content)["CALL"]
        assert {name: call[name] for name in call if name == "last"} == told


def test_what_is_sent_with_it_is_printed_too() -> None:
    done = command("prompt", "level1/01", "--json", "--temperature", "0.5", "--max-tokens", "9")
    printed = json.loads(done.stdout)
    assert (printed["temperature"], printed["max_tokens"]) == (0.5, 9)
    prompt = printed["tokens"]["prompt"]
    assert printed["tokens"] == {"prompt": prompt, "answer": 9, "call": prompt + 9}
    sent = [each["content"] for each in printed["messages"]]
    sent.append(json.dumps(printed["response_format"]["schema"], separators=(",", ":")))
    assert prompt == pytest.approx(sum(map(len, sent)) / 4, rel=0.02)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "; a call needs {prompt} and its answer, which --max-tokens limits"),
        (["--max-tokens", "70"], "; with 70 for the answer, a call needs {call}"),
    ],
)
def test_it_says_how_many_tokens_a_call_needs(options: list[str], said: str) -> None:
    *_, size, _ = command("prompt", "corridor/one", *options).stdout.splitlines()
    found = re.match(r"about (\d+) tokens \(([^)]+)\), ", size)
    assert found
    prompt = int(found[1])
    assert prompt == sum(int(part.split()[1]) for part in found[2].split(", "))
    assert size.endswith(said.format(prompt=prompt, call=prompt + 70))


def test_the_first_call_may_come_later(tmp_path: Path) -> None:
    scenario = tmp_path / "late.yaml"
    order = {"at": 5, "kind": "new_order", "order": "o1", "lines": [{"item": "Greek Salad"}]}
    data = {"title": "Late", "level": 1, "kitchen": "standard", "events": [order]}
    scenario.write_text(yaml.safe_dump(data))
    assert '"timestep": 5' in command("prompt", str(scenario)).stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--planner", "embedded", "--hints"], "calls no model: leave out"),
        (["--planner", "embedded"], "calls no model"),
        (["--preset", "magic"], "expected one of default, io"),
        (["--prompts", "nowhere"], "no such folder of prompts"),
        (["--planner", "hybrid", "--per-step"], "has no use for --per-step"),
        (["--planner", "hybrid", "--preset", "react"], "has no use for --preset"),
        (["--temperature", "inf"], "less than or equal to 100"),
        (["--memory", "some"], "should be a valid integer"),
        (["--nonsense"], "--nonsense: the option is unknown"),
    ],
)
def test_what_cannot_be_is_one_line(arguments: list[str], expected: str) -> None:
    done = command("prompt", "level1/01", *arguments)
    assert done.exit_code == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1


class Modelless:
    """A planner of one's own that takes a model but no way of prompting."""

    name = "own"
    planner_class = "pure"

    def __init__(self, model: Any) -> None: ...

    async def plan(self, observation: Any) -> None: ...


def test_ways_of_prompting_are_for_planners_that_have_them(monkeypatch: Any) -> None:
    from types import ModuleType

    from cookmas.orchestrator.models.options import ModelOptions

    module = ModuleType("own_planners")
    module.Modelless = Modelless  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "own_planners", module)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    options = ModelOptions(model="m", base_url="http://127.0.0.1:9/v1")
    scenario = load_scenario("level1/01")
    with pytest.raises(CookMASError, match="no prompting options: leave out --memory"):
        load_planner("own_planners:Modelless", scenario, options, AskingOptions(memory=2))
    named = load_planner("llm", scenario, options, AskingOptions(preset="react", memory=2))
    assert named.name == "llm:react,memory=2 (m)"
    assert named.planner_class == "per-step"


def test_a_planner_that_a_world_does_not_take_is_called_as_it_was_named() -> None:
    world = "tests.worlds.base.test_checking:APART"
    done = command("prompt", "six", "--world", world, "--planner", "llm")
    assert done.exit_code == 2
    assert done.stderr.startswith("cookmas: planner 'llm': dice has no central planner")


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_has_its_calls_and_tokens_told_before_anybody_pays(preset: str) -> None:
    asking = AskingOptions(preset=preset)
    team = preset in ("collab-text", "llm-co", "cac", "cac-triggers")
    planner = "walker_1=llm,walker_2=llm" if team else "llm"
    seats = ["walker_1", "walker_2"] if team else [None]
    expected = expect_calls(seats, "corridor/two", planner, asking)
    assert list(expected) == seats
    for found in expected.values():
        assert found.calls == sum(found.purposes.values()) >= found.decisions > 0
        assert found.prompt > 500
        assert found.completion > 0


def test_the_calls_of_an_episode_are_those_that_the_scripted_model_takes() -> None:
    scenario = "collab-overcooked/level_1/01"
    planner = "bob=collab,alice=collab"
    expected = expect_calls(["bob", "alice"], scenario, planner)
    model = Recording()
    workers = ["bob", "alice"]
    run = cookmas.play(scenario, TalkingTeam([model] * 2, workers, PRESETS["collab"], voice=VOICE))
    calls = list(run.trace.of(ModelCall))
    assert {name: each.calls for name, each in expected.items()} == {
        name: sum(call.agent == name for call in calls) for name in workers
    }
    assert sum(each.prompt for each in expected.values()) == sum(c.usage.prompt for c in calls)
    (bob, alice) = (
        json.loads(line)
        for line in command("prompt", scenario, "-p", planner, "--json").stdout.splitlines()
    )
    assert (bob["episode"]["calls"], alice["episode"]["calls"]) == tuple(
        expected[name].calls for name in workers
    )


def test_a_planner_that_is_asked_at_every_timestep_is_played_for_a_while_only() -> None:
    asking = AskingOptions(preset="mindagent")
    (estimated,) = expect_calls([None], "level1/01", "llm", asking).values()
    planner = SchedulingPlanner(Recording(), PRESETS["mindagent"], voice=RESTAURANT)
    played = len(list(cookmas.play("level1/01", planner).trace.of(ModelCall)))
    assert estimated.calls == pytest.approx(played, rel=0.2)
    assert estimated.calls > CALLS_PER_STEP
