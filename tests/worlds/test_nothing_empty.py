"""No prompt of any world, seat and form has an empty section, and no list of actions is cut.

What is asked of a question has a test of its own, in the room of questions.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from cookmas.episodes.trace import ModelCall
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.loading import load_planner, load_scenario
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.conversation import shorten
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.models.budget import Budget, limit
from cookmas.studies.previewing import first_requests
from cookmas.world_names import WORLDS
from cookmas.worlds.shipped import import_world
from tests.sampling import CONFORMANCE
from tests.sections import list_empty_sections

PLAYED = {"hanabi": "two", "questions": None, "restaurant": "level3/07"}
"""The scenario of a world, if it is not the first one; None if the world is left out."""

PLACES = {
    name: f"{name}/{PLAYED.get(name) or import_world(name).names()[0]}"
    for name in WORLDS
    if PLAYED.get(name, "") is not None
}

SHORT: Mapping[str, Any] = {"per_step": True, "legal_actions": True}

FORMS: tuple[Mapping[str, Any], ...] = (
    {},
    {"form": "rows"},
    {"form": "plan"},
    {"form": "text"},
    {"form": "choice", **SHORT},
    {"words": True, "memory": 3, "lessons": True, "chain_of_thought": True, **SHORT},
    {"recipes": "tool"},
)


def forms_of(name: str) -> list[Mapping[str, Any]]:
    """Return the forms of prompts of a world: all, and each third preset, others in the next."""
    begin, step = (0, 1) if CONFORMANCE else ([*PLACES].index(name) % 3, 3)
    return [*FORMS, *({"preset": each} for each in [*PRESETS][begin::step])]


BLOCK = re.compile(r"^### (\w+)\n```json\n(.*?)\n```", re.DOTALL | re.MULTILINE)
BULLET = re.compile(r"^- ([A-Z]+)\b(.*?)(?=\n- [A-Z]|\n\n|\Z)", re.DOTALL | re.MULTILINE)
SELDOM: Mapping[str, set[str]] = {
    "collab-overcooked": {"has", "makes", "ready"},
    "restaurant": {"out", "stock"},
}
"""The names in descriptions of a state that no call of the episode shows."""


def list_words(data: Any) -> Iterator[str]:
    """Yield the keys and the words of data."""
    if isinstance(data, dict):
        yield from data
        data = [*data.values()]
    if isinstance(data, list):
        for each in data:
            yield from list_words(each)
    elif isinstance(data, str):
        yield from re.findall(r"\w+", data)


@cache
def lineup(name: str) -> str:
    """Return the names of planners that give every worker a model of its own."""
    workers = load_scenario(PLACES[name]).world().workers
    return ",".join(f"{worker}=llm" for worker in workers)


def first_prompts(name: str) -> Iterator[tuple[str, str]]:
    """Yield the first prompts of a world, each with what it is; leave out what is refused."""
    usual, other = ("llm", "llm-team")[:: 1 if import_world(name).world_type.central else -1]
    for planner, forms in ((usual, forms_of(name)), (other, FORMS[1:4]), (lineup(name), FORMS[:1])):
        for ways in forms:
            try:
                requests = first_requests(PLACES[name], planner, AskingOptions(**ways))
            except InputError:
                continue
            for seat, request in requests.items():
                for message in request.messages:
                    yield f"{planner} {ways} {seat}", message.content


@pytest.mark.parametrize("name", PLACES)
def test_no_first_prompt_has_an_empty_section(name: str) -> None:
    prompts = [*first_prompts(name)]
    assert len(prompts) > 12
    assert {what: list_empty_sections(text) for what, text in prompts} == {
        what: [] for what, _ in prompts
    }


@cache
def later_calls(name: str) -> list[ModelCall]:
    """Return the first calls of an episode in which the scripted model has every seat."""
    loaded = load_scenario(PLACES[name])
    model = limit(ScriptedModel(WORLDS, Faults(rates={}, seed=0)), Budget(calls=6))
    planner = load_planner(
        lineup(name), loaded, asking=AskingOptions(), make_model=lambda *_: model
    )
    return [*asyncio.run(episode_of(loaded, planner).run()).of(ModelCall)]


@pytest.mark.parametrize("name", PLACES)
def test_no_later_prompt_has_an_empty_section(name: str) -> None:
    assert later_calls(name)
    for call in later_calls(name):
        for message in call.messages:
            assert not list_empty_sections(message.content), (call.timestep, call.agent)


@pytest.mark.parametrize("name", PLACES)
def test_every_block_is_described_and_has_what_its_description_names(name: str) -> None:
    data: dict[str, list[Any]] = {}
    for call in later_calls(name):
        system = call.messages[0].content
        for message in call.messages:
            for block, text in BLOCK.findall(message.content):
                described = "WORLD_" if block.startswith("WORLD_") else block
                assert re.search(rf"^- {described}", system, re.MULTILINE), (block, call.purpose)
                data.setdefault(described, []).append(json.loads(text))
    assert {"STATE", "CALL"} <= set(data)
    shown = {*list_words(data["STATE"])}
    described = dict(BULLET.findall(later_calls(name)[0].messages[0].content))["STATE"]
    named = {*re.findall("`([a-z_]+)`", described)}
    assert named - shown == SELDOM.get(name, set())


def test_the_forms_of_actions_are_told_whole_to_who_writes_another_one() -> None:
    told: dict[str, str] = {}
    for name, place in PLACES.items():
        world = load_scenario(place).world()
        if refusal := world.refusal([Command(world.workers[0], "jump(sink1)")]):
            told[name] = f"Timestep 100, {refusal}."
    assert len(told) > 4
    assert shorten([*told.values()]) == tuple(told.values())
    long = f"{told['robotouille'][:40]}{'x' * 5000}{told['robotouille'][40:]}"
    assert " [...] " in shorten([long])[0]
