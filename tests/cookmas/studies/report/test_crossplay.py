"""The matrix of who played with whom: its cells, on the terminal, as Markdown and as a plot."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.episodes.trace import PlannerClass
from cookmas.evals.columns import SUCCESS
from cookmas.studies.bench.spec import EpisodeResult, SeatSpec
from cookmas.studies.report.crossplay import Matrix, matrices
from cookmas.studies.report.rendering import as_markdown
from cookmas.studies.report.report import report
from cookmas.studies.report.results import read_results
from tests.cookmas.studies.report.conftest import CASES, origin, result, write


def pair(
    one: str, other: str, case: str, success: bool | None, **more: PlannerClass
) -> EpisodeResult:
    made = result(f"{one} + {other}", case, 1, success, **more)
    seats = {
        "cook": SeatSpec(label=one, planner="naive"),
        "waiter": SeatSpec(label=other, planner="naive"),
    }
    spec = made.spec.model_copy(update={"seats": seats, "planner": "cook=naive,waiter=naive"})
    return made.model_copy(update={"spec": spec})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    results = [pair("rule", "rule", case, True) for case in CASES]
    results += [pair("rule", "<b>", case, case < "level2") for case in CASES]
    mixed: PlannerClass = "mixed"
    results += [pair("<b>", "rule", case, False, planner_class=mixed) for case in CASES]
    found = write(tmp_path / "sweep", results)
    origin(found, ["rule + rule", "rule + <b>", "<b> + rule"])
    return found


def matrix(folder: Path) -> Matrix:
    [found] = matrices(read_results([folder]), SUCCESS)
    return found


def test_a_cell_is_a_pair_in_its_order_with_interval_and_number(folder: Path) -> None:
    table = matrix(folder).table()
    assert table.columns == ["cook with waiter", "rule", "<b>"]
    assert table.rows == [
        ["rule", "* 100.0% (63.1 to 100.0), n=8", "50.0% (15.7 to 84.3), n=8"],
        ["<b>", "0.0% (0.0 to 36.9), n=8", ""],
    ]
    cell = matrix(folder).cell("rule", "<b>")
    assert cell
    assert cell.scored == 8


def test_self_play_stands_beside_play_with_others(folder: Path) -> None:
    apart = matrix(folder).table_of_self_play()
    assert apart
    assert apart.columns == ["player", "self-play", "as cook with others", "as waiter with others"]
    assert [[cell.partition(" (")[0] for cell in map(str, row)] for row in apart.rows] == [
        ["rule", "100.0%", "50.0%", "0.0%"]
    ]


def test_it_comes_first_and_across_classes_which_stay_apart_below(folder: Path) -> None:
    sections = report(read_results([folder]))
    assert [section.title for section in sections] == [
        "restaurant: cross-play",
        "restaurant, planners of class pure",
        "restaurant, planners of class mixed",
    ]
    written = as_markdown(sections, folder)
    assert "| rule | \\* 100.0% (63.1 to 100.0), n=8 | 50.0% (15.7 to 84.3), n=8 |" in written
    assert "| &lt;b> | 0.0%" in written


def test_the_plot_has_every_cell_and_frames_self_play(folder: Path) -> None:
    svg = folder.parent / "matrix.svg"
    done = CliRunner().invoke(app, ["report", str(folder), "--svg", str(svg)])
    assert done.exit_code == 0, done.output
    drawn = ElementTree.parse(svg).getroot()
    texts = {"".join(each.itertext()).strip() for each in drawn.iter() if each.tag.endswith("text")}
    assert {"Cross-play: success", "cook", "waiter", "rule", "<b>", "100.0%", "50.0%"} <= texts
    assert svg.read_text().count("stroke: #d55e00") == 1, "one pair is self-play"
    assert "<image" not in svg.read_text()


def test_the_figure_that_is_named_is_in_the_matrix(folder: Path) -> None:
    shown = CliRunner().invoke(app, ["report", str(folder), "--column", "fails"])
    assert "Cross-play: FAILs" in shown.output
    assert "Cross-play: success" not in shown.output


def test_a_single_pair_and_planners_for_all_make_no_matrix(tmp_path: Path, sweep: Path) -> None:
    alone = write(tmp_path / "alone", [pair("rule", "rule", case, True) for case in CASES])
    for each in (alone, sweep):
        assert not list(matrices(read_results([each]), SUCCESS))


def test_fragility_is_the_spread_over_partners_without_self_play(
    folder: Path, tmp_path: Path
) -> None:
    assert matrix(folder).fragility() is None, "nobody has two partners in a seat"
    results = [pair("rule", "rule", case, False) for case in CASES]
    results += [pair("rule", "a", case, True) for case in CASES]
    results += [pair("rule", "b", case, case < "level2") for case in CASES]
    found = write(tmp_path / "three", results)
    origin(found, ["rule + rule", "rule + a", "rule + b"])
    table = matrix(found).fragility()
    assert table
    assert table.columns == ["player", "as cook", "as waiter"]
    assert table.rows == [["rule", "0.354", ""]]
    assert "Partner-specific fragility: success" in as_markdown(
        report(read_results([found])), found
    )
