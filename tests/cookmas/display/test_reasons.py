"""The reason of an unscored episode stands once: on the terminal, in a sweep and on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from cookmas.commands.bench import group_by_reason
from cookmas.commands.cli import app
from cookmas.display.page.feed import verdict_entry
from cookmas.orchestrator.models.patience import tell_tries
from cookmas.replaying import judge_run
from tests.cookmas.away import AWAY, Away
from tests.cookmas.display.conftest import Opened, played

NOBODY = ["--planner", "llm", "--model", "m", "--base-url", "http://127.0.0.1:9/v1"]
REASON = "http://127.0.0.1:9/v1: "
"""The beginning of the reason. The rest may have a line break in it."""


@pytest.mark.parametrize("scenario", ["level1/01", "corridor/one"])
def test_a_run_says_it_once(scenario: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(app, ["run", scenario, *NOBODY, "--deadline", "2"])
    assert said.exit_code == 1
    assert "UNSCORED" in said.stdout
    assert said.stdout.count(REASON) == 1


def test_a_sweep_says_it_once_for_all_episodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    suite = {"title": "x", "world": "corridor", "scenarios": ["one", "two"], "repeats": 1}
    Path("suite.yaml").write_text(yaml.safe_dump(suite))
    said = CliRunner().invoke(
        app, ["bench", "suite.yaml", "--jobs", "1", "--planner", f"{Away.__module__}:Away"]
    )
    told = [line for line in said.output.splitlines() if " not played: " in line]
    assert len(told) == 1, said.output
    assert f" and 1 more are not played: {AWAY}" in told[0]


def test_how_often_a_call_was_tried_makes_no_other_reason() -> None:
    why = "http://here/v1: there is no connection"
    tried = {name: why + tell_tries(number) for name, number in (("a", 3), ("b", 12), ("c", 1))}
    assert tried["a"] == f"{why} (3 tries)"
    unplayed = {**tried, "d": "no key"}
    assert group_by_reason(unplayed) == {why: ["a", "b", "c"], "no key": ["d"]}


def test_a_page_says_it_once(opened: Opened, tmp_path: Path) -> None:
    run = played(tmp_path, "level1/01", Away())
    checks = verdict_entry(judge_run(run))["checks"]
    assert not [check for check in checks if AWAY in check.get("reason", "")]
    page = opened([run], at="#t=9")
    for tab in page.locator("[role=tab]").all():
        tab.click()
        assert page.locator("body").inner_text().count(AWAY) == 1, tab.inner_text()
