"""The command that compares recordings of CuisineWorld says where one differs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.cuisineworld.recorded import (
    CuisineStep,
    RecordedAgent,
    compare,
    main,
)
from benchmarks.recordings import archive_of, read_archive

RECORDINGS = archive_of("cuisineworld")


@pytest.fixture(scope="module")
def recording() -> list[CuisineStep]:
    return next(lines for name, lines in read_archive(RECORDINGS, CuisineStep) if "level_3" in name)


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
    recording: list[CuisineStep], step: int, field: str, value: object
) -> None:
    changed = recording[step].model_copy(update={field: value})
    difference = compare(NAME, [*recording[:step], changed])
    assert difference is not None
    assert difference.field == field
    assert difference.where == f"{NAME}, episode 1, step {step}"


def test_contents_and_occupation_are_compared(recording: list[CuisineStep]) -> None:
    line = recording[10]
    for place, (content, occupied) in line.locs.items():
        changed = line.model_copy(update={"locs": {**line.locs, place: (content, not occupied)}})
        difference = compare(NAME, [*recording[:10], changed])
        assert difference is not None
        assert difference.field == "locs"


def test_the_second_episode_goes_on_in_the_stream(recording: list[CuisineStep]) -> None:
    second = compare(NAME, recording[61:])
    assert second is not None
    assert second.field == "tasks"


def test_an_episode_cut_short_has_drawn_fewer_orders(recording: list[CuisineStep]) -> None:
    """On level_3 an order comes every 6 timesteps: after 7 the third is still to be drawn."""
    (third,) = {tuple(task) for task in recording[12].tasks} - {
        (dish, lifetime - 1) for dish, lifetime in recording[11].tasks
    }
    again = recording[61].model_copy(update={"tasks": [third]})
    assert compare(NAME, [*recording[:8], again]) is None
    difference = compare(NAME, [*recording[:14], again])
    assert difference is not None
    assert difference.where == f"{NAME}, episode 2, step 0"


def test_a_recording_is_compared_with_the_orders_of_its_seed(
    recording: list[CuisineStep], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "\n".join(line.model_dump_json() for line in recording)
    for name, seed, code in (
        (NAME, "0", 0),
        (NAME, "1", 1),
        ("x_level_3_a2_t1.0_s0.jsonl", "1", 0),
        ("x_level_3_a2_t1.0_s1.jsonl", "0", 1),
    ):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert main(["--seed", seed, str(path)]) == code
        assert (f"{name}, episode 1" in capsys.readouterr().out) is bool(code)


def by_hand(step: int, **said: Any) -> CuisineStep:
    """Return a line of level_0 at tau 3.0 with one agent, at the table unless said otherwise."""
    locs = dict.fromkeys(("storage0", "servingtable0", "blender0"), (None, False))
    line = {
        "step": step,
        "tasks": [("salmonMeatcake", 23 - step)],
        "agents": [RecordedAgent(at="servingtable0", hold=None)],
        "locs": locs,
        "accomplished": [],
        "just_success": [],
        "just_failed": False,
        "success_count": 0,
        "failed_count": 0,
        "commands": None,
        "ok": None,
        "feedback": [],
    }
    return CuisineStep.model_validate({**line, **said})


def test_answers_that_no_recording_in_the_repository_has_are_known() -> None:
    at_storage = [RecordedAgent(at="storage0", hold=None)]
    with_rice = [RecordedAgent(at="storage0", hold="rice")]
    back = [RecordedAgent(at="servingtable0", hold="rice")]
    lines = [
        by_hand(0),
        by_hand(1, commands=["noop_0"], ok=[True], feedback=["None of the agents did"]),
        by_hand(2, commands=["goto_0_storage0"], ok=[True], agents=at_storage),
        by_hand(3, commands=["get_0_rice_storage0"], ok=[True], agents=with_rice),
        by_hand(4, commands=["goto_0_servingtable0"], ok=[True], agents=back),
        by_hand(
            5,
            commands=["put_0_servingtable0"],
            ok=[False],
            agents=back,
            feedback=["rice is not any dish needed"],
        ),
    ]
    name = "x_level_0_a1_t3.0.jsonl"
    assert compare(name, lines) is None
    for number in (1, 5):
        silent = lines[number].model_copy(update={"feedback": []})
        difference = compare(name, [*lines[:number], silent])
        assert difference is not None
        assert difference.field == "feedback"


def test_a_file_by_itself_can_differ(
    recording: list[CuisineStep], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / NAME
    good = [line.model_dump_json() for line in recording[:61]]
    path.write_text("\n".join(good), encoding="utf-8")
    assert main([str(path)]) == 0
    bad = [line.model_copy(update={"failed_count": 9}).model_dump_json() for line in recording]
    path.write_text("\n".join(bad), encoding="utf-8")
    capsys.readouterr()
    assert main([str(path), str(RECORDINGS)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"{NAME}, episode 1, step 0: failed_count is 9")
    assert said[1:] == ["1 of 11 recordings differ"]
