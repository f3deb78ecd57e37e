"""Nothing that is misspelt plays something else: each door names it, and the nearest known name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import create
from cookmas.bridges.inspect_ai.registry import scenarios
from cookmas.bridges.inspect_ai.solver import orchestrator
from cookmas.bridges.pettingzoo import aec_env, parallel_env
from cookmas.bridges.studio import StudioContext
from cookmas.episodes.instruction import apply_event
from cookmas.episodes.messages import message_of
from cookmas.files.reading import validate
from cookmas.kitchen.events import parse_event
from cookmas.mailboxes.desk import Desk
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.folder import read_run
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.studies.bench.suite import Suite, episodes_of, load_suite
from cookmas.world_names import domain_of
from tests.worlds.laboratory.domain import DOMAIN

CORRIDOR = "corridor/one"
KITCHEN = {"title": "t", "level": 1, "kitchen": "small", "events": []}
ORDER = {"at": 0, "kind": "new_order", "order": "o1", "lines": [{"item": "Toast"}]}


def make(kind: Any, **given: Any) -> Any:
    return kind(**given)


def corridor() -> Any:
    return cookmas.load_scenario(CORRIDOR)


def suite_of(**given: Any) -> Any:
    whole = {"title": "t", "scenarios": ["one"], "world": "corridor", **given}
    return episodes_of(validate(Suite, whole, "suite.yaml"), Path("suite.yaml"))


def kitchen_of(**given: Any) -> Any:
    Path("own.yaml").write_text(json.dumps(KITCHEN | given), encoding="utf-8")
    return cookmas.load_scenario("own.yaml")


def run_of(**given: Any) -> Any:
    folder = create("runs", RunRequest(scenario=CORRIDOR), new=True)
    file = folder / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | given), encoding="utf-8")
    return read_run(folder)


LAB: Any = DOMAIN.scenario("monday", {}).world()
LAB_DESK = Desk(LAB)


def message(kind: str) -> Any:
    return message_of(LAB.messages, kind)


def reset(make: Callable[..., Any], **options: Any) -> Any:
    return make(CORRIDOR).reset(options=options)


DOORS: dict[str, tuple[Callable[[], Any], str, str]] = {
    "a world": (lambda: domain_of("coridor"), "coridor", "corridor"),
    "a scenario": (lambda: cookmas.load_scenario("corridor/ones"), "ones", "one"),
    "a scenario of the restaurant": (
        lambda: cookmas.load_scenario("leve1/01"),
        "leve1/01",
        "level1/01",
    ),
    "a planner": (lambda: cookmas.load_planner("embeded", corridor()), "embeded", "embedded"),
    "a setting": (
        lambda: cookmas.load_scenario("cuisineworld/level_1", settings={"agent": 2}),
        "agent",
        "--agents",
    ),
    "a seat": (
        lambda: cookmas.load_planner("walker_1=llm,walker2=llm", corridor()),
        "walker2",
        "walker_2",
    ),
    "a worker": (
        lambda: cookmas.play(CORRIDOR, workers={"walker1": "x.y:Z"}),
        "walker1",
        "walker_1",
    ),
    "a run request": (lambda: make(RunRequest, scenario=CORRIDOR, planer="x"), "planer", "planner"),
    "a run's file": (lambda: run_of(plannr="x"), "plannr", "planner"),
    "options of a model": (
        lambda: make(ModelOptions, budget_cals=1),
        "budget_cals",
        "budget_calls",
    ),
    "options of asking": (lambda: make(AskingOptions, look_ahed=1), "look_ahed", "look_ahead"),
    "options of reset, together": (
        lambda: reset(parallel_env, scenari="one"),
        "scenari",
        "scenario",
    ),
    "options of reset, in turns": (lambda: reset(aec_env, Scenario="one"), "Scenario", "scenario"),
    "the scenario of reset": (lambda: reset(parallel_env, scenario="ones"), "scenario", "one"),
    "options of an environment": (
        lambda: parallel_env(CORRIDOR, horizn=3),  # type: ignore[call-arg]
        "horizn",
        "horizon",
    ),
    "a task of Inspect": (lambda: scenarios(CORRIDOR, look_ahed=1), "look_ahed", "look_ahead"),
    "a solver of Inspect": (lambda: orchestrator(look_ahed=1), "look_ahed", "look_ahead"),
    "Studio's context": (lambda: make(StudioContext, scenari="x"), "scenari", "scenario"),
    "a suite": (lambda: suite_of(arm=[]), "arm", "arms"),
    "a suite by name": (lambda: load_suite("cuisin"), "cuisin", ""),
    "an arm": (lambda: suite_of(arms=[{"planer": "embedded"}]), "arms.0.planer", "planner"),
    "an arm's model": (
        lambda: suite_of(arms=[{"planner": "llm", "model": {"budget_cals": 1}}]),
        "budget_cals",
        "budget_calls",
    ),
    "an arm's faults": (
        lambda: suite_of(arms=[{"planner": "llm", "scripted": {"prosee": 0.1}}]),
        "prosee",
        "prose",
    ),
    "a seat of a suite": (
        lambda: suite_of(seats={"duo": {"walker_1": "embedded", "walker2": "embedded"}}),
        "walker2",
        "walker_2",
    ),
    "a scenario file": (lambda: kitchen_of(titel="x"), "titel", "title"),
    "an event of a scenario": (
        lambda: kitchen_of(events=[ORDER | {"ordr": "o2"}]),
        "ordr",
        "order",
    ),
    "a kind of event": (
        lambda: kitchen_of(events=[ORDER | {"kind": "new_ordr"}]),
        "new_ordr",
        "new_order",
    ),
    "a line of an order": (
        lambda: kitchen_of(events=[ORDER | {"lines": [{"item": "Toast", "notes": "x"}]}]),
        "notes",
        "note",
    ),
    "a kitchen": (lambda: kitchen_of(kitchen="smal", events=[ORDER]), "smal", "small"),
    "a message": (lambda: message("ordr"), "ordr", "order"),
    "a field of a message": (
        lambda: message("order").fill(named={"protcol": "x"}),
        "protcol",
        "protocol",
    ),
    "a field of a posted message": (
        lambda: LAB_DESK.admit({"kind": "new_job", "protcol": "x"}, {}),
        "protcol",
        "protocol",
    ),
    "a kind of posted message": (
        lambda: LAB_DESK.admit({"kind": "new_jb"}, {}),
        "new_jb",
        "new_job",
    ),
    "a message to the restaurant": (
        lambda: parse_event({"kind": "new_order", "order": "o1", "line": []}),
        "line",
        "lines",
    ),
    "an instruction": (
        lambda: apply_event(
            corridor().world(), corridor().world().start(), {"kind": "instruct", "word": "stop"}
        ),
        "word",
        "words",
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_misspelt_name_is_an_error_with_the_nearest_known_one(
    door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, misspelt, near = DOORS[door]
    with pytest.raises(Exception, match=r"\w") as raised:
        call()
    said = str(raised.value)
    assert misspelt in said.removesuffix(f"is it '{near}'?")
    assert f"is it '{near}'" in said or not near
    assert "\n" not in said
