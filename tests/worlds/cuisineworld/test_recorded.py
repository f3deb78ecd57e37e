"""The engine agrees with recordings of the original, and the command says where one does not."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from worlds.cuisineworld.recorded import compare, main, read_recordings

RECORDINGS = Path(__file__).with_name("recordings.tar.xz")


def test_every_recorded_step_agrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(RECORDINGS)]) == 0
    assert capsys.readouterr().out == "10 recordings with 1220 steps agree\n"


@pytest.fixture(scope="module")
def recording() -> list[dict[str, Any]]:
    return next(lines for name, lines in read_recordings(RECORDINGS) if "level_3" in name)


NAME = "fuzz_level_3_a2_t1.0.jsonl"


@pytest.mark.parametrize(
    ("step", "field", "value"),
    [
        (5, "tasks", [["tunaSushi", 9]]),
        (5, "ok", [True, False]),
        (4, "feedback", []),
        (4, "feedback", ["chopboard0 is occupied"]),
        (40, "accomplished", []),
        (40, "success_count", 2),
        (14, "failed_count", 0),
        (14, "just_failed", False),
        (40, "just_success", []),
    ],
)
def test_the_first_difference_is_named(
    recording: list[dict[str, Any]], step: int, field: str, value: object
) -> None:
    changed = [{**line, field: value} if i == step else line for i, line in enumerate(recording)]
    difference = compare(NAME, changed)
    assert difference is not None
    assert difference.field == field
    assert difference.where == f"{NAME}, episode 1, step {step}"


def test_contents_and_occupation_are_compared(recording: list[dict[str, Any]]) -> None:
    line = recording[10]
    for place, its in line["locs"].items():
        locs = {**line["locs"], place: [its[0], not its[1]]}
        difference = compare(NAME, [*recording[:10], {**line, "locs": locs}])
        assert difference is not None
        assert difference.field == "locs"


def test_the_second_episode_goes_on_in_the_stream(recording: list[dict[str, Any]]) -> None:
    second = compare(NAME, recording[61:])
    assert second is not None
    assert second.field == "tasks"


def test_a_file_by_itself_can_differ(
    recording: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / NAME
    path.write_text("\n".join(json.dumps(line) for line in recording[:61]), encoding="utf-8")
    assert main([str(path)]) == 0
    path.write_text(
        "\n".join(json.dumps({**line, "failed_count": 9}) for line in recording), encoding="utf-8"
    )
    assert main([str(path)]) == 1
    assert f"{NAME}, episode 1, step 0: failed_count is 9" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        (NAME, "no json", "not a recording"),
        (NAME, '{"step": 3, "commands": []}', "the first line is not step 0"),
        (NAME, '{"step": 0}', "a line has no"),
        ("other.jsonl", '{"step": 0}', "name it after what was played"),
        ("x_level_77_a2_t1.0.jsonl", '{"step": 0}', "there is no level 'level_77'"),
        ("no.tar", "no archive", "not a recording"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, problem: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 2
    said = capsys.readouterr().err
    assert problem in said
    assert said.count("\n") == 1


def test_no_file_is_a_mistake() -> None:
    assert main([]) == 2


def test_the_recordings_are_the_ten_levels_that_were_recorded() -> None:
    with tarfile.open(RECORDINGS) as archive:
        names = archive.getnames()
    assert len([name for name in names if name.endswith(".jsonl")]) == 10
