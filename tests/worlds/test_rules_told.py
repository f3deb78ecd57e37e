"""What models are told about each world beside the restaurant is what its engine does.

Each sentence of the rules and of the actions has a proof: a text on the world's page of rules, or
a play. After a change of a sentence these tests fail until its proof is looked at too.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.worlds.collab_overcooked import words as collab_words
from cookmas.worlds.cuisineworld import voice as cuisine_voice
from cookmas.worlds.overcooked.rules import grounding
from tests.worlds.collab_capture import told as collab_capture
from tests.worlds.collab_escape import told as collab_escape
from tests.worlds.collab_overcooked import told as collab_overcooked
from tests.worlds.corridor import told as corridor
from tests.worlds.cuisineworld import told as cuisineworld
from tests.worlds.hanabi import told as hanabi
from tests.worlds.overcooked import told as overcooked
from tests.worlds.robotouille import told as robotouille
from tests.worlds.telling import find_false, list_missing, sentences, with_other_numbers

WORLDS = (
    overcooked,
    collab_overcooked,
    cuisineworld,
    robotouille,
    corridor,
    collab_capture,
    collab_escape,
    hanabi,
)

PLANTED: dict[ModuleType, list[tuple[str, str]]] = {
    overcooked: [
        ("all cooks stay where they", "the first of them goes where it"),
        ("at the third ingredient", "at the second ingredient"),
        ("any other soup gives none", "any other soup gives five"),
        ("then all move", "before them all move"),
        ("one step up", "one step down"),
    ],
    collab_overcooked: [
        ("with an empty hand, start a pot", "with food in the hand, start a pot"),
        ("is destroyed when it is", "is kept when it is"),
        ("a shared one first", "an own one first"),
        ("can be ordered is lost", "can be ordered comes back"),
    ],
    cuisineworld: [
        ("in one timestep", "in two timesteps"),
        ("At 0 the order expires", "At 1 the order expires"),
        ("at most one item", "at most two items"),
        ("or what is on a chopboard", "or what is on any tool"),
        ("An agent that is named later", "An agent that is named earlier"),
    ],
    robotouille: [
        ("one thing at a time", "two things at a time"),
        ("where no other robot is", "where another robot is"),
        ("Nothing burns", "Everything burns"),
        ("which is empty", "which is full"),
    ],
    corridor: [
        ("Walkers can pass", "Walkers cannot pass"),
        ("is a FAIL", "is a step back"),
        ("rung only once", "rung only twice"),
        ("`left`: go one step", "`left`: go two steps"),
    ],
    collab_capture: [
        ("as far as possible from", "as near as possible to"),
        ("except in the first", "even in the first"),
        ("opens a closed door", "breaks a closed door"),
    ],
    collab_escape: [
        ("did not see a turn before", "saw a turn before"),
        ("It never stays", "It often stays"),
        ("all earlier fixes of it are lost", "all earlier fixes of it remain"),
    ],
    hanabi: [
        ("but not their own", "and their own"),
        ("and there must be at least one", "and there may be none"),
        ("Otherwise it is discarded", "Otherwise it stays in the hand"),
        ("Nobody discards while", "Anybody discards while"),
    ],
}
"""For each world false rules: a text of the prompt, and what takes its place."""


@pytest.mark.parametrize("world", WORLDS)
def test_every_sentence_has_a_proof(world: ModuleType) -> None:
    assert find_false(world.rules_told(), world.RULES) == []


def test_every_sentence_about_other_pots_has_a_proof() -> None:
    assert find_false(overcooked.rules_told("current/cramped_room"), overcooked.RULES) == []


@pytest.mark.parametrize("world", WORLDS)
def test_the_page_says_what_the_prompt_says(world: ModuleType) -> None:
    assert all(rule.quotes or rule.play for rule in world.RULES)
    assert list_missing(world.PAGE, world.RULES) == []


@pytest.mark.parametrize("world", WORLDS)
def test_a_wrong_number_is_noticed(world: ModuleType) -> None:
    right = sentences(world.rules_told())
    wrong = {text for each in right for text in with_other_numbers(each)} - {*right}
    assert wrong
    assert [text for text in sorted(wrong) if not find_false(text, world.RULES)] == []


@pytest.mark.parametrize(
    ("world", "old", "new"), [(world, *each) for world, some in PLANTED.items() for each in some]
)
def test_a_false_rule_is_noticed(world: ModuleType, old: str, new: str) -> None:
    text = "\n\n".join(sentences(world.rules_told()))
    assert old in text
    assert find_false(text.replace(old, new, 1), world.RULES)


@pytest.mark.parametrize(
    ("name", "value", "words"), [("TICKS", 4, "works for 4"), ("CAPACITY", 2, "takes up to 2")]
)
def test_a_number_that_only_the_prompt_has_is_noticed(
    name: str, value: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collab_words, name, value)
    (said, *_) = find_false(collab_overcooked.rules_told(), collab_overcooked.RULES)
    assert words in said


def test_an_engine_that_no_longer_does_what_is_told_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grounding, "PATIENCE", 5)
    assert find_false(overcooked.rules_told(), overcooked.RULES)


def test_a_wrong_length_of_the_game_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuisine_voice, "STEPS", 50)
    assert find_false(cuisineworld.rules_told(), cuisineworld.RULES)


def test_a_false_rule_in_a_prompt_file_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = cuisine_voice.VOICE.prompts
    for path in prompts.glob("*.md"):
        text = path.read_text(encoding="utf-8").replace("t + `wait`", "t + `wait` + 1")
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(type(cuisine_voice.VOICE), "prompts", tmp_path)
    assert Templates(tmp_path).text("rules")
    assert find_false(cuisineworld.rules_told(), cuisineworld.RULES)
