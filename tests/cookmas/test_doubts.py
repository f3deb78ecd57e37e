"""What the embedded planner is in doubt about: said as it plans, in the trace and the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.cli import app
from episodes.trace import PlanRecord

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


def test_a_doubt_is_said_once_and_quoted_by_the_verdict(lunch: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["run", str(lunch), "--runs", str(tmp_path)])
    assert done.exit_code == 1
    told, verdict = done.output.split("FAILED")
    assert told.count("in doubt about o1.1: ") == 1
    assert "in doubt about o1.1: " in verdict


def test_doubts_stand_in_the_trace_apart_from_the_reasoning(lunch: Path) -> None:
    first = next(cookmas.play(str(lunch)).trace.of(PlanRecord))
    assert first.doubts
    assert all(doubt.startswith("o1.1: ") for doubt in first.doubts)
    assert not any(doubt in first.reasoning for doubt in first.doubts)
