"""No table and no plot of the docs has a row of the scripted model under another name."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from benchmarks import central_or_many, errors, knowing
from benchmarks.collab_games import agents as games
from benchmarks.collab_overcooked import pairs
from benchmarks.hanabi import agents as hanabi
from benchmarks.robotouille import tables as robotouille
from cookmas.episodes.parts import mark_scripted
from cookmas.studies.bench.suite import SHIPPED, Suite, load_suite

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SUITES = sorted(file.stem for file in SHIPPED.glob("*.yaml"))
ELSEWHERE = {"faults": "experiments/disruptions.md"}
"""Pages of suites that have no page of their name."""

LINE_UPS = ROOT / "benchmarks/overcooked_ai/line_ups.yaml"
NAMES = {
    "reference/collab-overcooked-results.md": [a.name for a in pairs.ARMS if a.rate is not None],
    "reference/robotouille-results.md": [a.name for a in robotouille.ARMS if a.rate is not None],
    "reference/collab-games-rules.md": [agent.name for agent in games.AGENTS],
    "reference/hanabi-results.md": list(hanabi.PRESETS),
    "reference/overcooked-results.md": [
        player["name"]
        for seats in yaml.safe_load(LINE_UPS.read_text())["seats"].values()
        for player in seats.values()
        if "scripted" in player
    ],
    "experiments/knowing.md": [agent.name for agent in knowing.AGENTS],
    "experiments/central-or-many.md": [arm.name for arm in central_or_many.ARMS],
    "explanation/errors.md": list(errors.ARMS),
}
"""Names of the scripted model's rows, before they are marked, on the pages of benchmarks."""

PROSE = {"experiments/central-or-many.md": "| arm | planners |"}
"""Heads of tables that explain arms and have no results."""


def rows(page: Path) -> Iterator[str]:
    """Yield the first cell of every row of a page's tables, without its marks."""
    explains = PROSE.get(str(page.relative_to(DOCS)))
    head = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        head = (head or line) if line.startswith("|") else ""
        if line.startswith("| ") and not (explains and head.startswith(explains)):
            yield line.removeprefix("| ").split(" |")[0].strip("*")


def texts(plot: Path) -> list[str]:
    return list(map(html.unescape, re.findall(r"<text[^>]*>([^<]*)</text>", plot.read_text())))


def names_of(suite: Suite) -> set[str]:
    players = [player for arm in suite.all_arms for player in (arm, *arm.all_players)]
    return {each.label for each in players if each.scripted is not None}


def check(shown: list[str], names: set[str], where: str) -> None:
    """Fail if a shown name is the unmarked name of the scripted model, perhaps with a value."""
    for name in {name for name in names if mark_scripted(name) != name}:
        wrong = [x for x in shown if x == name or re.fullmatch(re.escape(name) + r", [\d.]+", x)]
        assert not wrong, f"{where}: the scripted model's row {wrong[0]!r} should say that it is"


@pytest.mark.parametrize("name", SUITES)
def test_the_tables_and_plots_of_a_suite_name_the_scripted_model(name: str) -> None:
    names = names_of(load_suite(name)[0])
    page = DOCS / ELSEWHERE.get(name, f"experiments/{name}.md")
    if not (names and page.exists()):
        return
    found = list(rows(page))
    assert any(mark_scripted(each) in row for each in names for row in found), page
    check(found, names, page.name)
    for plot in page.parent.glob(f"{page.stem}*.svg"):
        check(texts(plot), names, plot.name)


@pytest.mark.parametrize("page", NAMES)
def test_the_tables_of_a_benchmark_name_the_scripted_model(page: str) -> None:
    found = list(rows(DOCS / page))
    for name in NAMES[page]:
        assert mark_scripted(name) in found, f"{page}: {mark_scripted(name)!r} has no row"
    check(found, set(NAMES[page]), page)
    for plot in (DOCS / page).parent.glob("model-errors-*.svg") if "errors" in page else ():
        check(texts(plot), set(NAMES[page]), plot.name)


def test_no_row_of_an_experiment_is_called_model_or_llm() -> None:
    found = [row for page in (DOCS / "experiments").glob("*.md") for row in rows(page)]
    assert not [row for row in found if re.fullmatch(r"(model|llm)(, .*)?", row)]
