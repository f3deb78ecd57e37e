"""What is wrong in a file is said in people's words: the field, the problem, what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel, validate
from cookmas.files.yaml_text import parse_yaml


class Knock(FileModel):
    kind: Literal["knock"]
    times: Annotated[int, Field(ge=1, le=9)]


class Ring(FileModel):
    kind: Literal["ring"]
    softly: bool = False


class Door(FileModel):
    horizon: Annotated[int, Field(gt=0)] = 9
    title: Annotated[str, Field(min_length=2, max_length=5)] = "door"
    wide: bool = True
    hatch: Door | None = None
    events: Annotated[
        list[Annotated[Knock | Ring, Field(discriminator="kind")]], Field(max_length=2)
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "events: is missing"),
        ({"events": [], "horizion": 3}, "horizion: there is no such field; is it 'horizon'?"),
        ({"events": [], "x": 3}, "x: there is no such field; leave it out, or correct its name"),
        ({"events": [{}]}, "events.0.kind: is missing"),
        ({"evnts": []}, "evnts: there is no such field; is it 'events'?"),
        (
            {"events": [{"kind": "knock", "tmes": 1}]},
            "events.0.knock.tmes: there is no such field; is it 'times'?",
        ),
        (
            {"events": [{"kind": "knock", "times": 1, "softley": 1}]},
            "events.0.knock.softley: there is no such field; leave it out, or correct its name",
        ),
        (
            {"events": [], "hatch": {"Horizon": 1}},
            "hatch.Horizon: there is no such field; is it 'horizon'?",
        ),
        (
            {"events": [{"kind": "rings"}]},
            "events.0.kind: expected one of 'knock', 'ring', not 'rings'; is it 'ring'?",
        ),
        (
            {"events": [{"kind": "shout"}]},
            "events.0.kind: expected one of 'knock', 'ring', not 'shout'",
        ),
        (
            {"events": [{"kind": "ring", "at": 1}]},
            "events.0.ring.at: there is no such field; leave it out, or correct its name",
        ),
        (
            {"events": [{"kind": "knock", "times": 0}]},
            "events.0.knock.times: expected at least 1, not 0",
        ),
        ({"events": [], "horizon": 0}, "horizon: expected a number greater than 0, not 0"),
        ({"events": [], "horizon": "9"}, "horizon: expected a whole number, not '9'"),
        ({"events": [], "title": "a"}, "title: expected at least 2 characters, not 'a'"),
        ({"events": [], "wide": 1}, "wide: expected true or false, not 1"),
        ({"events": {}}, "events: expected a list, not {}"),
        ({"events": [{"kind": "ring"}] * 3}, "events: expected at most 2 of them, not [{"),
        ([], "the file: expected a mapping of names to values, not []"),
    ],
)
def test_errors_are_in_peoples_words(data: Any, said: str) -> None:
    with pytest.raises(InputError) as raised:
        validate(Door, data, "door.yaml")
    assert str(raised.value).startswith(f"door.yaml: {said}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb:\n\t- 2\n", "door.yaml, line 3: is no YAML: the line begins with a tab"),
        ("a:\n  \tb: 2\n  - c", "the line begins with a tab; indent with spaces"),
        ("title: Lunch: Monday", "line 1: is no YAML: a value has a colon in it; put quotes"),
        ("- {a: 1}\n- note: see: this", "line 2: is no YAML: a value has a colon in it"),
    ],
)
def test_tabs_and_colons_are_named_as_the_cause(text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_yaml(text, "door.yaml")
    assert said in str(raised.value)


def test_a_locale_that_cannot_read_the_name_of_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "käse.layout"
    path.write_text("{}")
    run = subprocess.run(
        [sys.executable, "-m", "cookmas", "check", str(path)],
        env={**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
    )
    assert run.returncode == 1
    assert "the locale cannot read this name; choose one of UTF-8" in run.stderr
