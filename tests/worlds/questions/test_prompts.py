"""What a model is told that is asked a question: no section is empty, and the rules are there."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from cookmas.orchestrator.models.message import Request
from cookmas.studies.previewing import first_request
from cookmas.worlds.base.question_suite import (
    QuestionLine,
    SuiteLine,
    ToldState,
    read_suite,
    write_suite,
)
from cookmas.worlds.questions.domain import DOMAIN
from cookmas.worlds.shipped import import_world
from tests.sections import list_empty_sections


@cache
def one_of_each() -> dict[str, QuestionLine]:
    """Return a question of each place, kind and form in the suites, by its name."""
    found = dict[tuple[str, ...], tuple[str, QuestionLine]]()
    for path in DOMAIN.folder.glob("*.jsonl"):
        for line in read_suite(path).questions.values():
            key = (line.of, line.place, line.kind, line.form)
            found.setdefault(key, (f"questions/{path.stem}/{line.name}", line))
    return dict(found.values())


@cache
def ask(name: str) -> Request:
    return first_request(name)


def test_no_prompt_about_a_question_has_an_empty_section() -> None:
    for name in one_of_each():
        request = ask(name)
        for message in request.messages:
            assert not list_empty_sections(message.content), name


def test_the_rules_and_actions_of_a_game_are_those_that_its_players_are_told() -> None:
    worlds = {line.of: (name, line) for name, line in one_of_each().items()}
    assert len(worlds) == 7
    for name, line in worlds.values():
        planner = "llm" if import_world(line.of).world_type.central else "llm-team"
        played = first_request(f"{line.of}/{line.place}", planner)
        asked = ask(name).messages[0].content
        for heading in ("# The rules", "# Actions"):
            told = played.messages[0].content.partition(f"\n{heading}\n")[2].partition("\n# ")[0]
            assert told.strip()
            assert told.strip() in asked, (line.of, heading)


@pytest.mark.parametrize("rules", ["", "Who is last loses."])
def test_a_state_in_words_has_its_rules_or_says_them(rules: str, tmp_path: Path) -> None:
    line = next(iter(one_of_each().values()))
    told = ToldState(rules=rules, scene="It is dark.")
    suite = tmp_path / "told.jsonl"
    write_suite(suite, SuiteLine(suite="told", seed=0), [line.model_copy(update={"told": told})])
    system = ask(f"questions/{suite}/{line.name}").messages[0].content
    assert not list_empty_sections(system)
    assert (rules or "The state in words has all that is told of the rules.") in system


@pytest.mark.parametrize(
    ("prompt", "empty"),
    [
        ("# One\ntext\n## Two\ntext", []),
        ("# One\n\n# Two\ntext", ["# One"]),
        ("# One\n## Two\ntext\n# Three", ["# Three"]),
        ("# One\nActions:\n\n# Two\n- a", ["Actions:"]),
        ("# One\nActions:", ["Actions:"]),
        ("# One\nActions:\n- a", []),
        ("### TEXTS\n```json\n{}\n```", ["### TEXTS"]),
        ("### TEXTS\n```json\n{\n}\n```\n### STATE\n```json\n{\n1: 2\n}\n```", ["### TEXTS"]),
    ],
)
def test_an_empty_section_is_found(prompt: str, empty: list[str]) -> None:
    assert list_empty_sections(prompt) == empty
