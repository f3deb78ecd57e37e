"""What the embedded planner is in doubt about: said as it plans, in the trace and the verdict."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import cookmas
from cookmas.commands.cli import app
from cookmas.episodes.trace import PlanRecord, StepRecord

pytestmark = pytest.mark.usefixtures("least_effort")

FILES = {
    "menu/menu.yaml": """\
ingredients:
  pantry: [bread]
  fridge: [egg]
doneness:
  bread:
    grill: {golden: [3, 4], burnt: 9}
""",
    "menu/truth.yaml": """\
Toast: [bread > grill golden]
Egg Toast: [bread > grill golden, egg > fry 3]
""",
    "menu/recipes/Toast.txt": "Toast the bread until golden.",
    "menu/recipes/Egg Toast.txt": "Toast the bread until golden. Fry the egg.",
    "lunch.yaml": """\
title: An egg, fried nobody knows how long
level: 3
kitchen: small
menu: menu
events:
  - {at: 0, kind: new_order, order: o1, lines: [{item: Egg Toast}, {item: Toast}]}
  - {at: 30, kind: new_order, order: o2, lines: [{item: Toast}]}
""",
}


@pytest.fixture(scope="module")
def lunch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lunch")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "lunch.yaml"


def ran(*arguments: object) -> Result:
    """Return what the command line does with these arguments."""
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_a_doubt_is_said_once_and_quoted_by_the_verdict(lunch: Path, tmp_path: Path) -> None:
    done = ran("run", lunch, "--runs", tmp_path)
    assert done.exit_code == 1
    told, verdict = done.output.split("FAILED")
    assert told.count("in doubt about o1.1: fry egg") == 1
    assert "in doubt about o1.1: " in verdict


def test_doubts_are_said_where_nobody_sees_it_plan(lunch: Path, tmp_path: Path) -> None:
    def said(*arguments: object) -> list[str]:
        done = ran("run", *arguments, "--runs", tmp_path)
        assert done.exit_code == 1
        return done.output.splitlines()

    data = [json.loads(line) for line in said(lunch, "level1/03", "--json")]
    assert data[0]["doubts"][0].startswith("o1.1: fry egg: ")
    assert data[1]["doubts"] == []
    doubts = [f"  in doubt about {doubt}" for doubt in data[0]["doubts"]]
    quiet = said(lunch, "--quiet")
    assert quiet[: len(doubts)] == doubts
    assert "FAILED" in "".join(quiet[len(doubts) :])
    several = said(lunch, "level1/03")
    assert "FAILED" in several[0]
    assert several[1 : 1 + len(doubts)] == doubts
    assert several[1 + len(doubts)].startswith("level1/03 ")
    assert not any("in doubt about" in line for line in several[1 + len(doubts) :])


def test_a_strict_kitchen_refuses_the_line_and_goes_on_with_the_others(
    lunch: Path, tmp_path: Path
) -> None:
    done = ran("run", lunch, "--strict", "--runs", tmp_path)
    assert done.exit_code == 1
    assert "o1.1 is refused: fry egg: no minutes are told" in done.output
    trace = cookmas.read_trace(tmp_path / "lunch-embedded-strict" / "trace.jsonl")
    assert all(frame.equal for frame in cookmas.replay(trace))
    goals = cookmas.judge(trace, cookmas.truth_of(trace, lunch)).goals
    assert [(goal.name, goal.status) for goal in goals] == [
        ("o1.1", "refused"),
        ("o1.2", "served"),
        ("o2.1", "served"),
    ]
    assert trace.end is not None
    assert trace.end.termination == "finished"


def test_a_scenario_without_doubts_is_played_as_ever() -> None:
    by = {name: cookmas.play("level1/03", name) for name in ("embedded", "embedded-strict")}
    steps = [list(run.trace.of(StepRecord)) for run in by.values()]
    assert steps[0] == steps[1]
    assert by["embedded-strict"].success


def test_an_episode_of_which_every_line_is_refused_ends(lunch: Path) -> None:
    alone = lunch.with_name("alone.yaml")
    alone.write_text(
        "title: An egg\nlevel: 1\nkitchen: small\nmenu: menu\n"
        "events: [{at: 0, kind: new_order, order: o1, lines: [{item: Egg Toast}]}]\n"
    )
    run = cookmas.play(str(alone), "embedded-strict")
    assert run.verdict is not None
    assert (run.success, run.verdict.termination) == (False, "finished")
    why = [check.reason for check in run.verdict.of("complete")]
    assert len(why) == 1
    assert why[0].startswith("refused: fry egg: no minutes are told: 'Fry the egg'")


def test_a_planner_without_doubts_cannot_be_strict(lunch: Path) -> None:
    done = ran("run", lunch, "--strict", "--planner", "naive")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


def test_doubts_stand_in_the_trace_apart_from_the_reasoning(lunch: Path) -> None:
    first = next(cookmas.play(str(lunch)).trace.of(PlanRecord))
    assert first.doubts
    assert all(doubt.startswith("o1.1: ") for doubt in first.doubts)
    assert not any(doubt in first.reasoning for doubt in first.doubts)


@pytest.mark.parametrize(
    ("truth", "why"),
    [
        ("[(bread + egg)]", "(bread + egg) is joined by nothing the kitchen can do"),
        ("[]", "its truth is empty"),
    ],
)
@pytest.mark.parametrize("command", ["check", "run"])
def test_a_truth_that_nobody_can_cook_is_refused_in_one_line(
    lunch: Path, tmp_path: Path, command: str, truth: str, why: str
) -> None:
    shutil.copytree(lunch.parent, tmp_path / "there")
    (tmp_path / "there/menu/truth.yaml").write_text(f"Toast: {truth}\nEgg Toast: [bread]\n")
    done = ran(command, tmp_path / "there/lunch.yaml")
    assert done.exit_code == 2 if command == "run" else done.exit_code == 1
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_a_kitchen_has_no_room_for_is_found_by_cooking_it(lunch: Path, tmp_path: Path) -> None:
    shutil.copytree(lunch.parent / "menu", tmp_path / "menu")
    parts = " + ".join(f"bread > slice {n}" for n in range(1, 14))
    (tmp_path / "menu/truth.yaml").write_text(f"Toast: [({parts}) > mix 1]\nEgg Toast: [egg]\n")
    done = ran("check", tmp_path / "menu/menu.yaml")
    assert done.exit_code == 1
    assert "Toast: mixer_1 has no room for bread" in done.stderr


def test_check_says_doubts_and_what_is_read_otherwise_than_the_truth(lunch: Path) -> None:
    done = ran("check", lunch.parent / "menu/menu.yaml")
    assert "Egg Toast: fry egg: no minutes are told" in done.output
    assert "Egg Toast: should be egg > fry 3" in done.output
