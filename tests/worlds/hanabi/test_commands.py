"""All commands on Hanabi: play, look, replay, fork, judge, compare, check and generate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.episodes.trace import StepRecord
from cookmas.episodes.trace_file import read_trace

LINEUP = ("--planner", "alice=random,bob=random")


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")


def do(*arguments: str, lost: bool = False) -> str:
    """Return what a command prints; it ends with the code 1 if it judges a `lost` game."""
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == int(lost), done.output
    return done.output


def test_a_run_is_replayed_judged_shown_and_forked() -> None:
    played = CliRunner().invoke(app, ["run", "hanabi/small", *LINEUP, "--draw-seed", "3", "--json"])
    told = json.loads(played.output)
    assert told["scenario"] == "small"
    run = Path(told["folder"])
    trace = read_trace(run / "trace.jsonl")
    assert trace.end
    assert trace.end.termination in ("won", "lost", "over")
    lost = trace.end.termination == "lost"
    assert played.exit_code == int(lost)
    assert f"All {trace.end.timestep} timesteps are equal." in do("replay", str(run))
    assert f"score {trace.end.tally.score:g} of 6" in do("eval", str(run), lost=lost).lower()
    do("view", str(run), "--no-open", "--out", "page.html")
    assert "<title>" in Path("page.html").read_text()
    data = do("view", str(run), "--data")
    assert "cards of alice" in data
    assert '"goals":"fireworks"' in data.replace(": ", ":")
    do("fork", str(run), "--at", "2", "--quiet", lost=lost)
    [fork] = run.parent.glob("*-at-2")
    forked = read_trace(fork / "trace.jsonl")
    assert [step.digest for step in forked.of(StepRecord)] == [
        step.digest for step in trace.of(StepRecord)
    ]
    assert "hanabi/small" in do("runs")


def test_planners_of_all_seats_play_a_suite() -> None:
    suite = {
        "title": "Cards",
        "world": "hanabi",
        "scenarios": ["small"],
        "cross": ["random", {"name": "other", "planner": "random"}],
    }
    Path("cards.yaml").write_text(yaml.safe_dump(suite))
    assert "4 of 4 episodes" in do("bench", "cards.yaml")
    said = do("report", "sweeps/cards")
    for word in ("random", "other", "score"):
        assert word in said


def test_the_list_the_variants_and_new_games_are_shown_and_checked() -> None:
    listed = do("list", "hanabi")
    for word in ("two", "three", "four", "five", "small", "players", "Five players, the full deck"):
        assert word in listed
    assert "lives" in do("show", "hanabi/small")
    do("generate", "3", "--world", "hanabi", "--seed", "4", "--output", "mine.yaml")
    assert do("check", "mine.yaml") == "mine.yaml: scenario mine: sound\n"
    told = do("check", "hanabi/two")
    assert "sound" in told
    assert "mine" in do("check", "mine.yaml", "--json")
