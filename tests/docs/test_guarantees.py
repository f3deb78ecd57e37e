"""Every promise names a test, and the tests that it names are there."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "explanation" / "guarantees.md"
ROW = re.compile(r"^\| (?!promise|---)(?P<promise>.+?) \| (?P<tests>.+?) \|$", re.MULTILINE)
NAMED = re.compile(r"`(?P<file>[\w/]+\.py)(?:::(?P<test>\w+))?`")


PAINS = PAGE.with_name("pains-and-proofs.md")
PAIN = re.compile(
    r"^\| (?!pain|---)(?P<pain>.+?) \| .+? \| `(?P<at>.+?)` \| (?P<tests>.+?) \|$", re.M
)


def test_each_answer_to_a_pain_names_its_place_and_its_tests() -> None:
    rows = PAIN.findall(PAINS.read_text(encoding="utf-8"))
    assert len(rows) >= 15
    for pain, place, tests in rows:
        assert (TESTS.parent / place).exists(), (pain, place)
        _check_named(pain, tests)


def test_each_promise_names_its_tests_and_they_are_there() -> None:
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    assert len(rows) >= 13
    for promise, tests in rows:
        _check_named(promise, tests)


def _check_named(promise: str, tests: str) -> None:
    named = NAMED.findall(tests)
    assert named or "benchmarks" in tests, promise
    for file, name in named:
        source = (TESTS / file).read_text(encoding="utf-8")
        assert not name or f"def {name}(" in source, (promise, name)
