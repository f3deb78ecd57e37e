"""Prompts of every world: nothing is listed twice, and an error has the forms of actions whole."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

import pytest

import cookmas
from cookmas.episodes.base import World
from cookmas.episodes.possible import list_legal
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.conversation import shorten
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.studies.previewing import first_request
from tests.worlds.every import SCENARIOS

BLOCK = re.compile(r"^### (\w+)\n```json\n(.*?)\n```", re.MULTILINE | re.DOTALL)


def first_prompt(name: str, **options: Any) -> str:
    """Return the first prompt of a scenario, to a planner for all workers or to an agent."""
    central = cookmas.load_scenario(name).world().central
    planner = "llm" if central else "llm-team"
    request = first_request(name, planner, AskingOptions(**options))
    return "\n\n".join(each.content for each in request.messages)


def lists_actions(world: World) -> bool:
    """Return whether a world can list what a planner, or its first agent, can do."""
    agent = None if world.central else world.workers[0]
    return list_legal(world, world.start(), agent, world.workers[:1]) is not None


@pytest.mark.parametrize("options", [{}, {"legal_actions": True, "per_step": True}])
@pytest.mark.parametrize("name", SCENARIOS)
def test_no_prompt_lists_the_same_twice(name: str, options: Any) -> None:
    world = cookmas.load_scenario(name).world()
    if options and not lists_actions(world):
        with pytest.raises(InputError, match="leave out --legal-actions"):
            first_prompt(name, **options)
        return
    found = BLOCK.findall(first_prompt(name, **options))
    blocks = {block: data for block, text in found if (data := json.loads(text))}
    assert len(blocks) > 1
    for one, other in combinations(blocks, 2):
        assert blocks[one] != blocks[other], f"{one} and {other}"


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_error_about_an_action_is_never_cut(name: str) -> None:
    world = cookmas.load_scenario(name).world()
    for action in ("dance(here)", "dance", "x" * 300):
        why = world.refusal([Command(world.workers[0], action)])
        assert why is None or shorten([why]) == (why,)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_last_timestep_is_told_where_it_belongs_to_the_rules(name: str) -> None:
    scenario = cookmas.load_scenario(name)
    timed = scenario.world().timed
    assert timed == (name.partition("/")[0] in ("collab-capture", "collab-escape"))
    prompt = first_prompt(name)
    call = json.loads(dict(BLOCK.findall(prompt))["CALL"])
    assert call.get("last") == ((scenario.horizon or 0) - 1 if timed else None)
    assert ("- CALL, `last`: the last timestep." in prompt) == timed


@pytest.mark.parametrize("form", ["rows", "plan"])
def test_a_planner_of_one_worker_is_not_asked_who_does_what(form: str) -> None:
    alone = first_prompt("robotouille/synchronous/0", form=form, chain_of_thought=True)
    several = first_prompt("robotouille/two-robots/1", form=form, chain_of_thought=True)
    asked = [text for text in ("who does it", "who can do it") if text in several]
    assert len(asked) == 1
    assert asked[0] not in alone
