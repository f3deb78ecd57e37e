"""The command that compares recordings of Robotouille says where one differs."""

from __future__ import annotations

import tarfile

import pytest

from benchmarks.recordings import archive_of, read_archive
from benchmarks.robotouille.recorded import RobotouilleLine, build_world, compare
from cookmas.files.errors import InputError
from tests.sampling import sampled

RECORDINGS = archive_of("robotouille")
NAME = "soup_asynchronous-5_potato_soup_s42.jsonl"


def test_all_layouts_and_a_play_of_each_task_are_recorded() -> None:
    with tarfile.open(RECORDINGS) as archive:
        names = archive.getnames()
    assert len([name for name in names if name.startswith("rand_") and "_s42" in name]) == 20
    layouts = {
        name: len(lines)
        for name, lines in read_archive(RECORDINGS, RobotouilleLine)
        if name.endswith("layouts.jsonl")
    }
    assert layouts == {"base-layouts.jsonl": 31, "layouts.jsonl": 100}


@pytest.fixture(scope="module")
def recording() -> list[RobotouilleLine]:
    return next(lines for name, lines in read_archive(RECORDINGS, RobotouilleLine) if name == NAME)


@pytest.mark.parametrize(
    ("step", "field", "value"),
    [
        (50, "true", []),
        (50, "valid", ["wait()"]),
        (50, "done", True),
        (51, "timers", []),
        (52, "timers", [("conditional", "potato1", None, None, False, False)]),
    ],
)
def test_the_first_difference_is_named(
    recording: list[RobotouilleLine], step: int, field: str, value: object
) -> None:
    changed = recording[step].model_copy(update={field: value})
    difference = compare(NAME, [*recording[:step], changed])
    assert difference is not None
    assert difference.field == field
    assert difference.where == f"{NAME}, step {step}"


def test_an_action_that_fails_is_a_difference(recording: list[RobotouilleLine]) -> None:
    changed = recording[1].model_copy(update={"actions": recording[50].actions})
    difference = compare(NAME, [recording[0], changed])
    assert difference is not None
    assert difference.field == "fail"


def test_a_layout_or_a_goal_that_differs_is_named() -> None:
    (lines,) = (
        lines
        for name, lines in read_archive(RECORDINGS, RobotouilleLine)
        if name == "layouts.jsonl"
    )
    wrong = lines[1].model_copy(update={"goal": lines[1].goal[1:]})
    difference = compare("layouts.jsonl", [lines[0], wrong])
    assert difference is not None
    assert difference.field == "goal"
    assert difference.where == f"layouts.jsonl, {lines[1].task}"


OTHER_SEED = "rand_asynchronous-3_tomato_burger_and_fries_s84.jsonl"


def test_a_layout_that_does_not_come_with_cookmas_is_built_from_the_first_line() -> None:
    recordings = dict(read_archive(RECORDINGS, RobotouilleLine))
    lines = recordings[OTHER_SEED]
    world = build_world(OTHER_SEED, first=lines[0])
    assert world.level.objects["potato1"] == ["potato", "board1", "iscuttable", "isfryableifcut"]
    first = lines[0].model_copy(update={"true": lines[0].true[1:]})
    difference = compare(OTHER_SEED, [first, *lines[1:]])
    assert difference is not None
    assert difference.where == f"{OTHER_SEED}, step 0"


@pytest.mark.parametrize("name", ["base-layouts.jsonl", "layouts.jsonl"])
def test_each_layout_can_be_built_from_its_line(name: str) -> None:
    for line in sampled(dict(read_archive(RECORDINGS, RobotouilleLine))[name], 4):
        world = build_world(f"{line.task}_s7.jsonl", first=line)
        true = {str(x).replace(", ", ",") for x in world.engine.literals(world.start().true)}
        assert true == set(line.true)


@pytest.mark.parametrize(
    ("true", "said"),
    [
        (["loc(robot1"], "line 1: expected literals"),
        (["istable(plate1)"], "there is no kind 'plate'"),
    ],
)
def test_a_first_line_that_is_no_layout_is_refused(true: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        compare(OTHER_SEED, [RobotouilleLine(true=true)])
