"""What a world tells models in its prompt, sentence by sentence, and the proof of each sentence.

A proof is a text on the world's page of rules, or a function that plays the sentence: it gets the
numbers in it, and fails if the engine does something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cookmas.orchestrator.dialogue.voice import Templates, Voice

DOCS = Path(__file__).parents[2] / "docs"
NUMBER = "<n>"


class Rule(NamedTuple):
    """A sentence of a prompt, with `<n>` in the place of each number, and its proofs."""

    says: str
    quotes: Sequence[str] = ()
    """Texts on the page of rules with the same meaning, perhaps with `<n>` for numbers."""
    play: Callable[..., None] | None = None
    """A function that plays the sentence with the numbers in it."""


def quoted(says: str, play: Callable[..., None] | None = None) -> Rule:
    """Return a rule that the page has in the same words, with numbers that are right too."""
    return Rule(says, (says,), play)


def read_rules(text: str, plays: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return the rules of a text: each is a sentence, and below it its proofs.

    After `page:` stands a text of the page of rules; after `play:` the name of one of the `plays`,
    and perhaps what it gets before the numbers. Further lines of a text on the page are indented.
    """
    rules: list[Rule] = []
    for block in re.findall(r"(?:^\S.*\n)+(?:^ .*\n)+", text, re.MULTILINE):
        says, *proofs = re.split(r"\n  (?=page: |play: )", block)
        proved = [plain(proof).split(": ", 1) for proof in proofs]
        quotes = [proof for kind, proof in proved if kind == "page"]
        (play, *given) = next((proof.split() for kind, proof in proved if kind == "play"), [""])
        found = partial(plays[play], *given) if play else None
        rules.append(Rule(plain(says), quotes, found))
    return tuple(rules)


def plain(text: str) -> str:
    return " ".join(text.split())


def page(*names: str) -> str:
    return plain("\n".join((DOCS / name).read_text(encoding="utf-8") for name in names))


def told(world: Any, voice: Voice) -> str:
    """Return the rules and the actions that a central planner is told."""
    parts = voice.rules_and_actions(world, Templates(voice.prompts))
    return f"{parts['rules']}\n\n{parts['library']}"


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; each item of a list begins a new one."""
    items = re.split(r"\n\s*\n|\n(?=- )", text)
    bullets = [plain(item.strip().removeprefix("- ")) for item in items if item.strip()]
    return [one for each in bullets for one in re.split(r"(?<=\.) (?=[A-Z`])", each)]


def find_false(text: str, rules: Sequence[Rule]) -> list[str]:
    """Return the sentences of a text that no rule has, or whose numbers the engine contradicts."""
    return [each for each in sentences(text) if not _holds(each, rules)]


def list_missing(text: str, rules: Sequence[Rule]) -> list[str]:
    """Return the quotes that a page does not have, or whose numbers the engine contradicts."""
    return [
        quote
        for rule in rules
        for quote in rule.quotes
        if not (found := _pattern_of(quote).search(text)) or not _plays(rule, found)
    ]


def _holds(sentence: str, rules: Sequence[Rule]) -> bool:
    for rule in rules:
        if match := _pattern_of(rule.says).fullmatch(sentence):
            return _plays(rule, match)
    return False


def _plays(rule: Rule, match: re.Match[str]) -> bool:
    """Play a rule with the numbers of a sentence that has as many; return whether it holds."""
    if rule.play and len(match.groups()) == rule.says.count(NUMBER):
        try:
            rule.play(*map(int, match.groups()))
        except (AssertionError, pytest.fail.Exception):
            return False
    return True


@cache
def _pattern_of(says: str) -> re.Pattern[str]:
    return re.compile(re.escape(plain(says)).replace(re.escape(NUMBER), r"(\d+)"))


def with_other_numbers(text: str) -> list[str]:
    """Return the text once for each number in it, with that number one greater."""
    found = re.finditer(r"(?<!\w)\d+", text)
    return [text[: m.start()] + str(int(m[0]) + 1) + text[m.end() :] for m in found]
