"""The walks on the page of the architecture, and whether an episode passes their steps."""

from __future__ import annotations

import inspect
import pkgutil
import re
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
HOUSE = str(ROOT / "cookmas")
PAGE = ROOT / "docs" / "explanation" / "architecture.md"


class Step(NamedTuple):
    name: str
    file: str

    def code(self) -> CodeType:
        found: Any = inspect.unwrap(pkgutil.resolve_name(self.name))
        assert isinstance(found.__code__, CodeType)
        return found.__code__


class Files(NamedTuple):
    """The files that carry or change a thing on its way, as the page lists and counts them."""

    total: int
    paths: list[str]


_SECTIONS: dict[str, str] = dict(
    re.findall(
        r"^## The walk of (?:an?) (.+?)\n(.*?)(?=^## )",
        PAGE.read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
_LINK = r"\[`([\w.]+)`\]\(([^)]+\.py)\)"
_FILES = re.compile(r"^Files that .*?\((\d+)\): (.*?\.py`)\.", re.DOTALL | re.MULTILINE)

WALKS = {
    walk: [Step(*each) for each in re.findall(_LINK, text)] for walk, text in _SECTIONS.items()
}
FILES = {
    walk: Files(int(listed[1]), re.findall(r"`([\w/]+\.py)`", listed[2]))
    for walk, text in _SECTIONS.items()
    if (listed := _FILES.search(text))
}


class Passed(NamedTuple):
    steps: list[str]
    files: set[str]
    carriers: set[str]
    """The files of the house in which a function takes or returns the thing."""


@contextmanager
def passing(walks: Sequence[str], carried: Collection[type] = ()) -> Iterator[Passed]:
    """Note which steps and files of walks are passed, in all threads that begin now.

    `carried` are the types of the thing on its way.
    """
    steps = {step.code(): step.name for name in walks for step in WALKS[name]}
    passed = Passed([], set(), set())

    def note(frame: FrameType, event: str, arg: object) -> None:
        file = frame.f_code.co_filename
        if event == "call":
            passed.files.add(file)
            if frame.f_code in steps:
                passed.steps.append(steps[frame.f_code])
        if carried and file.startswith(HOUSE) and event in ("call", "return"):
            values = frame.f_locals.values() if event == "call" else (arg,)
            parts = (part for each in values for part in (each if type(each) is tuple else [each]))
            if any(type(part) in carried for part in parts):
                passed.carriers.add(file)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield passed
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def assert_walked(walk: str, passed: Passed) -> None:
    rest = iter(passed.steps)
    for step in WALKS[walk]:
        assert step.name in rest, f"the walk of the {walk} does not pass {step.name} there"
    entered, carriers = (
        {Path(x).resolve() for x in each} for each in (passed.files, passed.carriers)
    )
    listed = {(ROOT / file).resolve() for file in (FILES[walk].paths if walk in FILES else ())}
    assert listed <= entered, "the page counts a file that the thing does not enter"
    assert carriers <= listed, "the page leaves out a file that carries the thing"
