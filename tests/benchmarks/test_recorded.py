"""The commands that compare recordings say where one differs, and what is no recording."""

from __future__ import annotations

import json
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.overcooked_ai import fork
from benchmarks.recordings import archive_of
from cookmas.worlds.overcooked.rules.layout import layouts
from tests.worlds.recordings import change_step, main_of, read_archive

FIRST = 10
"""Number of cards that two players of Hanabi are dealt before the first move."""

CUISINE = "cuisineworld/recordings"
KEPT = archive_of("cuisineworld").read_bytes()
CAPTURE = ("collab_games/recordings", "capture_000.jsonl", "turn")
ESCAPE = ("collab_games/recordings", "escape_001.jsonl", "turn")
EGG = ("collab_overcooked/recordings", "boiled_egg.ref1.jsonl", "step")
PLAN = ("collab_overcooked/recordings", "plan_boiled_egg_0.jsonl", "step")
DEALT = ("hanabi/recordings", "players2_00.jsonl", "move")
ROOM = ("overcooked_ai/recordings", "cramped_room_0.jsonl", "step")
DOOR = ("overcooked_ai/recordings", "no_counter_door_0.jsonl", "step")
TUTORIAL = ("overcooked_ai/fork", "tutorial_1-current-0.jsonl", "step")

DIFFERENCES: list[tuple[tuple[str, str, str], int, dict[str, Any], str]] = [
    (CAPTURE, 2, {"pos": [9, 6, 3]}, "2: pos is (9, 6, 3) as recorded"),
    (CAPTURE, 3, {"doors": {}}, "3: doors is {} as recorded"),
    (CAPTURE, 4, {"options": []}, "4: options is [] as recorded"),
    (CAPTURE, 1, {"outcome": "caught"}, "1: outcome is caught as recorded"),
    (ESCAPE, 3, {"pos": [2, 1, 4]}, "3: pos is (2, 1, 4) as recorded"),
    (ESCAPE, 4, {"fixes": {}}, "4: fixes is {} as recorded"),
    (ESCAPE, 4, {"fixed": {}}, "4: fixed is {} as recorded"),
    (ESCAPE, 4, {"gate": True}, "4: gate is True as recorded"),
    (ESCAPE, 5, {"sees": [True, False]}, "5: sees is (True, False)"),
    (ESCAPE, 5, {"target": "Alice"}, "5: target is Alice as recorded"),
    (ESCAPE, 5, {"killer_aim": 2}, "5: killer_aim is 2 as recorded"),
    (ESCAPE, 5, {"outcome": "win"}, "5: outcome is win as recorded"),
    (EGG, 9, {"reward": 20}, "9: reward is 20 as recorded, 0 in ours"),
    (EGG, 5, {"players": []}, "5: players is [] as recorded"),
    (EGG, 5, {"objects": {}}, "5: objects is {} as recorded"),
    (EGG, 3, {"events": [None, None]}, "3: events is [None, None]"),
    (
        PLAN,
        1,
        {"tried": [[["wait(1)", "busy"]], []]},
        "1: the answer to wait(1) is busy as recorded, ok in ours",
    ),
    (
        PLAN,
        1,
        {"tried": [[], [["wait(1)", "ok"]]]},
        "1: bob was asked is False as recorded, True in ours",
    ),
    (DEALT, FIRST, {"player": 1}, "0: player is 1 as recorded, 0 in ours"),
    (
        DEALT,
        FIRST,
        {"legal": ["(Play 0)"], "move": "(Play 0)"},
        "0: legal is ('(Play 0)',) as recorded",
    ),
    (DEALT, FIRST, {"obs": ["", ""]}, "0: obs is ('', '') as recorded"),
    (DEALT, FIRST, {"rewards": [1, 0]}, "0: rewards is (1.0, 0.0) as recorded, (0, 0) in ours"),
    (DEALT, FIRST, {"returns": [2, 2]}, "0: returns is (2.0, 2.0) as recorded, (0, 0) in ours"),
    (DEALT, FIRST, {"end": True}, "0: end is True as recorded, False in ours"),
    (DEALT, FIRST, {"move": "(Play 9)"}, "0: move is False as recorded, True in ours"),
    (ROOM, 9, {"r": 20}, "9: reward is 20 as recorded, 0 in ours"),
    (ROOM, 5, {"p": []}, "5: cooks is [] as recorded"),
    (ROOM, 5, {"objects": {"0,0": "dish"}}, "5: objects is"),
    (ROOM, 5, {"pots": {"0,0": [1, 0]}}, "5: pots is"),
    (DOOR, 5, {"gates": {}}, "5: gates is {} as recorded"),
    (TUTORIAL, 9, {"points": 20}, "9: points is 20 as recorded, 0 in ours"),
    (TUTORIAL, 5, {"cooks": []}, "5: cooks is [] as recorded"),
    (TUTORIAL, 5, {"objects": {"0,0": 1}}, "5: objects is"),
    (TUTORIAL, 5, {"t": 7}, "7: timestep is 7 as recorded, 5 in ours"),
]
"""A step of a recording, fields that are changed in it, and the difference that is said."""


@pytest.mark.parametrize(("recording", "step", "fields", "said"), DIFFERENCES)
def test_the_first_difference_is_named(
    recording: tuple[str, str, str],
    step: int,
    fields: dict[str, Any],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    archive, name, what = recording
    path = change_step(tmp_path, archive, name, step, **fields)
    assert main_of(archive)([str(path)]) == 1
    out = capsys.readouterr().out
    shown = path.stem if archive == "overcooked_ai/fork" else name
    assert f"{shown}, {what} {said}" in out
    assert "1 of 1 recordings differ" in out


HEADLESS = "expected the scene at first"
FUZZ = "x_level_0_a2_t1.0.jsonl"
ORDERED = """{"step": 0, "tasks": [["salmonMeatcake", 23]], "locs": {},
"agents": [{"at": "storage0", "hold": %s}], "accomplished": [], "just_success": [],
"just_failed": false, "success_count": 0, "failed_count": 0, "commands": null, "ok": null,
"feedback": []}""".replace("\n", " ")
"""The first line of a recording of CuisineWorld."""
LINE = ORDERED % "null"
UNNAMED = "name it after what was played"

REFUSED: list[tuple[str, str, str | bytes | None, str]] = [
    (CUISINE, FUZZ, "no json", "line 1: not a recording: the line: Invalid JSON"),
    (CUISINE, FUZZ, LINE.replace('"step": 0', '"step": 3'), "the first line is not step 0"),
    (CUISINE, FUZZ, "", "the first line is not step 0"),
    (CUISINE, FUZZ, '{"step": 0}', "line 1: not a recording: tasks: Field required"),
    (CUISINE, FUZZ, ORDERED % 3, "line 1: not a recording: agents.0.hold: Input should"),
    (CUISINE, "other.jsonl", LINE, UNNAMED),
    (CUISINE, "x_level_0_a2_t1.0_s.jsonl", LINE, UNNAMED),
    (CUISINE, "x_level_77_a2_t1.0.jsonl", LINE, "there is no level 'level_77'"),
    (CUISINE, "x_level_0_a5_t1.0.jsonl", LINE, "5 is not between 1 and 4"),
    (CUISINE, "no.tar.xz", "no archive", "no.tar.xz: not a recording"),
    (CUISINE, FUZZ, None, f"{FUZZ}: not a recording"),
    (CUISINE, FUZZ, b"\xff", f"{FUZZ}: not a recording"),
    (CUISINE, "cut.tar.xz", KEPT[:9000], "cut.tar.xz: not a recording"),
    (CUISINE, "spoiled.tar.xz", KEPT[:9000] + b"\xff" * 999, "spoiled.tar.xz: not a recording"),
    ("robotouille/recordings", "other.jsonl", '{"true": []}', "name it after its task"),
    ("collab_overcooked/recordings", "x.jsonl", "", HEADLESS),
    ("collab_overcooked/recordings", "x.jsonl", "{}", "line 1: not a recording: t: Field required"),
    ("collab_overcooked/recordings", "x.jsonl", "nonsense", "line 1: not a recording"),
    ("collab_overcooked/recordings", "none.jsonl", None, "none.jsonl"),
    ("overcooked_ai/recordings", "moon_0.jsonl", "", HEADLESS),
    ("overcooked_ai/fork", "x-y-0.jsonl", "", HEADLESS),
]


@pytest.mark.parametrize(("archive", "name", "content", "said"), REFUSED)
def test_a_file_that_is_no_recording_is_refused_in_one_line(
    archive: str,
    name: str,
    content: str | bytes | None,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    assert main_of(archive)([str(path)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("recording", [EGG, ROOM, TUTORIAL])
def test_a_recording_without_its_scene_is_refused(
    recording: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive, name, _ = recording
    path = tmp_path / name
    path.write_bytes(read_archive(archive)[name].partition(b"\n")[2])
    assert main_of(archive)([str(path)]) == 2
    assert HEADLESS in capsys.readouterr().err


DECK = "the recorded cards are not those of the deck"


@pytest.mark.parametrize(
    ("recording", "step", "fields", "name", "said"),
    [
        (ESCAPE, 1, {"killer_roll": 9}, "escape_001", "recording: the killer cannot go to room 9"),
        (ESCAPE, 1, {}, "hunt_001", "name it after its game, such as capture_001.jsonl"),
        (EGG, 0, {"task": "pizza"}, "boiled_egg.ref1", "there is no task 'pizza'"),
        (DEALT, 0, {"chance": "(Deal R9)"}, "players2_00", f"players2_00.jsonl: {DECK}"),
        (ROOM, 0, {}, "moon_0", "no layout 'moon'"),
        (TUTORIAL, 0, {}, "x-y-0", "LAYOUT-DYNAMICS-SEED"),
    ],
)
def test_a_recording_that_cannot_be_played_is_one_line(
    recording: tuple[str, str, str],
    step: int,
    fields: dict[str, Any],
    name: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    archive, old, _ = recording
    path = change_step(tmp_path, archive, old, step, **fields)
    assert main_of(archive)([str(path.rename(tmp_path / f"{name}.jsonl"))]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_a_card_that_is_dealt_too_often_is_no_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another card of the deck is a difference; one more than there are is another deck."""
    archive, name, _ = DEALT
    path = change_step(tmp_path, archive, name, 0, chance="(Deal Y5)")
    dealt = path.read_text().count("(Deal Y5)")
    assert main_of(archive)([str(path)]) == (2 if dealt > 1 else 1)
    assert capsys.readouterr().err in ("", f"{name}: {DECK}\n")


@pytest.mark.parametrize(
    ("archive", "kinds"),
    [
        ("collab_games/recordings", {"capture": 300, "escape": 300}),
        ("collab_overcooked/recordings", {"plan": 65, "fuzz": 63, "reference": 34}),
        (CUISINE, {"fuzz": 10}),
        ("hanabi/recordings", {f"players{number}": 25 for number in (2, 3, 4, 5)}),
    ],
)
def test_all_kinds_of_play_are_recorded(archive: str, kinds: dict[str, int]) -> None:
    first = [name.partition("_")[0] for name in read_archive(archive)]
    assert Counter(kind if kind in kinds else "reference" for kind in first) == kinds


def test_all_tasks_and_layouts_are_recorded() -> None:
    tasks: dict[str, set[str]] = {"plan": set(), "fuzz": set()}
    for name, lines in read_archive("collab_overcooked/recordings").items():
        kind = name.partition("_")[0]
        if kind in tasks:
            tasks[kind].add(json.loads(lines.splitlines()[0])["task"])
    assert [len(each) for each in tasks.values()] == [30, 30]
    played = [name.split("-")[:2] for name in read_archive("overcooked_ai/fork")]
    current = [name for name, dynamics in played if dynamics == "current"]
    assert current == fork.list_layouts()
    assert len(played) - len(current) == 34
    assert len(fork.list_layouts()) + len(fork.LEFT_OUT) == 49
    assert fork.LEFT_OUT.keys().isdisjoint(layouts("current"))


def test_no_file_and_no_recording_in_an_archive_are_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.tar.xz"
    tarfile.open(path, "w:xz").close()
    assert main_of(CUISINE)([str(path)]) == 2
    assert "no recording" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main_of(CUISINE)([])
    assert "files" in capsys.readouterr().err
