"""What a call of a sweep needs is said before the sweep begins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.studies.bench.suite import episodes_of, load_suite
from cookmas.studies.previewing import largest_call

CASES = ["one", "halves"]
NOBODY = {"model": "m", "base_url": "http://127.0.0.1:9/v1", "budget_calls": 0}
SUITE: dict[str, Any] = {"title": "Sizes", "world": "corridor", "scenarios": CASES, "repeats": 2}


def write(folder: Path, **arm: Any) -> Path:
    path = folder / "suite.yaml"
    arms = [{"planner": "embedded"}, {"name": "asked", "planner": "llm", **arm}]
    path.write_text(yaml.safe_dump({**SUITE, "arms": arms}))
    return path


def tokens_of(case: str, *options: str) -> dict[str, int]:
    """Return what `cookmas prompt` says of a scenario."""
    said = CliRunner().invoke(app, ["prompt", f"corridor/{case}", *options, "--json"])
    return dict(json.loads(said.stdout)["tokens"])


def test_the_largest_first_call_is_told_before_the_first_episode(tmp_path: Path) -> None:
    suite = write(tmp_path, model=NOBODY, asking={"max_tokens": 300})
    said = ["bench", str(suite), "--folder", str(tmp_path / "sweep")]
    first, *_ = CliRunner().invoke(app, said).stdout.splitlines()
    sizes = {case: tokens_of(case, "--max-tokens", "300") for case in CASES}
    case = max(CASES, key=lambda each: sizes[each]["call"])
    assert sizes[case] != sizes[min(CASES, key=lambda each: sizes[each]["call"])]
    assert first == (
        f"the largest first call (corridor/{case}, asked) has a prompt of about "
        f"{sizes[case]['prompt']} tokens; with 300 for the answer, a call needs "
        f"{sizes[case]['call']}; the endpoint's context and its limit for each minute must not be "
        "smaller"
    )
    again = CliRunner().invoke(app, said).stdout
    assert "the largest first call" not in again, "it was said when the sweep began"


@pytest.mark.parametrize(
    "arm",
    [
        {"scripted": {}},
        {"model": {"replay": "kept.jsonl"}},
        {"planner": "tests.of:Own", "model": NOBODY},
        {"planner": "walker_1=tests.of:Own,walker_2=llm", "model": NOBODY},
    ],
)
def test_nothing_is_told_where_no_endpoint_is_asked_or_a_planner_is_not_ours(
    arm: dict[str, Any], tmp_path: Path
) -> None:
    loaded, path = load_suite(str(write(tmp_path, **arm)))
    specs = [spec for spec in episodes_of(loaded, path) if spec.scenario == "halves"]
    assert largest_call(specs) is None


def test_the_seats_of_a_line_up_are_sized_each(tmp_path: Path) -> None:
    text = "walker_1=embedded,walker_2=llm"
    loaded, path = load_suite(str(write(tmp_path, planner=text, model=NOBODY)))
    call = largest_call(spec for spec in episodes_of(loaded, path) if spec.scenario == "halves")
    assert call
    assert (call.spec.arm, call.size.needed) == ("asked", tokens_of("halves", "-p", text)["call"])
