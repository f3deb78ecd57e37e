"""The walks on the page of the architecture, and whether an episode passes their steps."""

from __future__ import annotations

import inspect
import pkgutil
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "architecture.md"


class Step(NamedTuple):
    name: str
    file: str

    def code(self) -> CodeType:
        found: Any = inspect.unwrap(pkgutil.resolve_name(self.name))
        assert isinstance(found.__code__, CodeType)
        return found.__code__


def _walks() -> dict[str, list[Step]]:
    page = PAGE.read_text(encoding="utf-8")
    walks = re.findall(
        r"^## The walk of (?:an?) (.+?)\n(.*?)(?=^## )", page, re.DOTALL | re.MULTILINE
    )
    links = r"\[`([\w.]+)`\]\(([^)]+\.py)\)"
    return {name: [Step(*found) for found in re.findall(links, text)] for name, text in walks}


WALKS = _walks()


@contextmanager
def passing(walks: Sequence[str]) -> Iterator[list[str]]:
    """Note which steps of walks are passed, in all threads that begin now."""
    steps = {step.code(): step.name for name in walks for step in WALKS[name]}
    passed: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in steps:
            passed.append(steps[frame.f_code])

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield passed
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def assert_walked(walk: str, passed: Sequence[str]) -> None:
    rest = iter(passed)
    for step in WALKS[walk]:
        assert step.name in rest, f"the walk of the {walk} does not pass {step.name} there"
