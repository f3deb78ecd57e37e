"""The segments of a request: without gaps, each in its part."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.episodes.conversation import Message
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.dialogue.segments import segments
from cookmas.studies.previewing import first_request


def texts(messages: Any) -> list[tuple[str, str, str]]:
    return [
        (each.part, each.name, messages[each.message].content[each.begin : each.end])
        for each in segments(messages)
    ]


def test_a_message_is_divided_at_headings_and_blocks() -> None:
    system = "You cook.\n\n# Actions\n\n- chop\n\n# Turns\n\nIn turn.\n"
    block = '### TALK\n```json\n[\n"# Actions"\n]\n```'
    user = f"### STATE\n```json\n{{}}\n```\n\n{block}\n\nIt is your turn."
    assert texts([Message(role="system", content=system), Message(role="user", content=user)]) == [
        ("rules", "", "You cook.\n\n"),
        ("action space", "Actions", "# Actions\n\n- chop\n\n"),
        ("collaboration rules", "Turns", "# Turns\n\nIn turn.\n"),
        ("observation", "STATE", "### STATE\n```json\n{}\n```\n"),
        ("task", "", "\n"),
        ("collaboration context", "TALK", f"{block}\n"),
        ("task", "", "\nIt is your turn."),
    ]


@pytest.mark.parametrize("name", ["collab", "default", "react"])
def test_the_segments_of_a_request_have_no_gaps(name: str) -> None:
    assert name in PRESETS
    scenario = "collab-overcooked/level_1/01" if name == "collab" else "level1/01"
    planner = "llm-team" if name == "collab" else "llm"
    messages = first_request(scenario, planner, AskingOptions(preset=name)).messages
    for number, message in enumerate(messages):
        own = [each for each in segments(messages) if each.message == number]
        assert "".join(message.content[each.begin : each.end] for each in own) == message.content
    parts = {each.part for each in segments(messages)}
    assert {"rules", "action space", "collaboration rules", "observation", "task"} <= parts
    assert "recipe" in parts


def test_the_command_shows_them_as_data() -> None:
    done = CliRunner().invoke(app, ["prompt", "corridor/two", "--json"])
    data = json.loads(done.stdout)
    for part, name, message, begin, end in data["segments"]:
        assert isinstance(part, str)
        text = data["messages"][message]["content"][begin:end]
        assert not name or name in text
