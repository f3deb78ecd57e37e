"""Evaluators that a person wrote: their checks stand beside the others, and a crash is unscored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cookmas.commands.calling import cookmas

EVALUATORS = """
import os, sys
from cookmas.evals.verdict import Check

def steps(evidence):
    print("judging")
    yield Check(name="steps", subject="episode", value=9, evidence="\\x1b[31m acts")

def raises(evidence):
    yield Check(name="steps", subject="episode", value=1)
    raise ValueError("no \\x1b[2J idea")

def exits(evidence):
    sys.exit(0)

def dies(evidence):
    os._exit(0)

def words(evidence):
    return ["good"]

def not_a_number(evidence):
    return [Check(name="steps", subject="episode", value=float("nan"))]

number = 7
"""


@pytest.fixture(autouse=True)
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_evaluators.py").write_text(EVALUATORS)
    (tmp_path / "broken_evaluators.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))


def test_own_checks_stand_beside_the_others_and_a_crash_is_unscored() -> None:
    names = ["steps", "raises", "exits", "words", "not_a_number", "dies"]
    specs = [f"own_evaluators:{name}" for name in names] + ["broken_evaluators:any"]
    chosen = [word for spec in specs for word in ("--evaluator", spec)]
    done = cookmas("run", "corridor/one", *chosen, "--json")
    assert (done.exit_code, done.stderr) == (1, "judging\n"), done.output
    verdict: dict[str, Any] = json.loads(done.stdout)["verdict"]
    assert verdict["success"] is True
    assert verdict["own"][0]["value"] > 0
    assert [check["value"] for check in verdict["own"][1:]] == [None] * 6
    assert [
        check["reason"].removeprefix("the evaluator crashed: ") for check in verdict["own"]
    ] == [
        "",
        "ValueError: no [2J idea at own_evaluators.py:11",
        "SystemExit: 0 at own_evaluators.py:14",
        "TypeError: an evaluator gives checks, not 'good' at own_evaluators.py:19",
        "ValueError: Out of range float values are not JSON compliant",
        "its process ended with exit code 0",
        "ZeroDivisionError: division by zero at broken_evaluators.py:1",
    ]
    trace = str(Path(json.loads(done.stdout)["folder"]) / "trace.jsonl")
    again = cookmas("eval", trace, *chosen, "--json")
    assert json.loads(again.stdout) == verdict
    shown = cookmas("eval", trace, *chosen[:4])
    assert shown.exit_code == 1
    assert "By evaluators of your own" in shown.stdout
    assert "\x1b" not in shown.output


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("own_evaluators:missing", "module own_evaluators has no missing"),
        ("own_evaluators:number", "is not an evaluator: it cannot be called"),
        ("walking", "expected module:function"),
    ],
)
def test_what_is_no_evaluator_is_refused_before_anything_is_played(
    spec: str, expected: str
) -> None:
    done = cookmas("run", "corridor/one", "--evaluator", spec)
    assert done.exit_code == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path("runs").exists()
