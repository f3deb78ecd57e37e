"""The front door: the README is short and true, and the index lists every page once."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.studies.bench.folder import RESULTS, read_lines
from cookmas.studies.bench.spec import EpisodeResult
from cookmas.studies.bench.suite import load_suite
from cookmas.world_names import WORLDS, locate_all
from tests.modelserver.hosting import Hosted

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MOST_LINES = 90
FIRST_SCREEN = 25


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_the_index_lists_every_page_once_with_a_line_about_it() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[[^\]]+\]\(([^)]+\.md)\): .+\.$", index, re.MULTILINE)
    pages = {
        str(page.relative_to(DOCS))
        for page in DOCS.rglob("*.md")
        if page.parent.name != "experiments" and page != DOCS / "README.md"
    }
    pages.add("experiments/README.md")
    assert len(listed) == len(set(listed))
    assert set(listed) == pages


def test_the_results_of_the_readme_are_those_of_the_experiment() -> None:
    played = (DOCS / "experiments" / "restaurant.md").read_text(encoding="utf-8")
    shown = _rows((ROOT / "README.md").read_text(encoding="utf-8"))
    for planner in ("embedded", "naive", "random"):
        row = next(row for row in _rows(played) if row[0] == planner)
        _, _, _, success, _, gap, progress = row
        gap = gap.removesuffix(" (1 unscored)")
        [found] = [row for row in shown if row[0].startswith(f"{planner}:")]
        assert found[1:] == [success, gap, progress]


def test_the_first_screen_says_that_no_capable_model_is_measured_and_how_to_measure_one(
    tmp_path: Path,
) -> None:
    """The command is run as it stands there, against the model server, on one of its scenarios."""
    screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:FIRST_SCREEN]
    assert "No capable model has been measured yet" in " ".join(screen)
    [command] = [line for line in screen if line.startswith("    .venv/bin/cookmas ")]
    _, *words = shlex.split(command)
    scenarios = [
        place.spelled for given in load_suite(words[1])[0].scenarios for place in locate_all(given)
    ]
    assert f"on all {len(scenarios)} scenarios" in " ".join(screen)
    suite = tmp_path / f"{words[1]}.yaml"
    suite.write_text(f"title: one of them\nscenarios: [{scenarios[2]}]\n")
    server = Hosted()
    given = {words[1]: str(suite), "NAME": "mine", "URL": server.url}
    arguments = [given.get(word, word) for word in words]
    done = CliRunner().invoke(app, [*arguments, "--folder", str(tmp_path / "sweep")])
    server.stop()
    assert done.exit_code == 0, done.output
    [line] = read_lines(tmp_path / "sweep" / RESULTS, EpisodeResult)
    assert line.verdict
    assert line.verdict.success
    assert line.verdict.planner == "llm (mine) (scripted model)"


def test_the_readme_counts_the_worlds_and_links_to_a_page_of_each() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    numbers = ("eight", "nine", "ten", "eleven", "twelve", "thirteen")
    assert f"one of {numbers[len(WORLDS) - 8]} worlds" in text
    door = " ".join(text[text.index("**[Make a world]") :].split())
    door = door[: door.index("- **[Build on it]")].casefold().replace("-", " ")
    assert not [name for name in WORLDS if name.replace("-", " ") not in door]


def _rows(page: str) -> list[list[str]]:
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
