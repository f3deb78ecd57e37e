"""Reports: the numbers in them, and each way of writing them down."""

from __future__ import annotations

import csv
import gc
import re
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pandas
import pytest
from typer.testing import CliRunner, Result

import cookmas
from cookmas.commands.cli import app
from cookmas.evals.columns import SUCCESS
from cookmas.evals.verdict import Check
from cookmas.files.errors import CookMASError
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.studies.bench.folder import RESULTS
from cookmas.studies.bench.spec import EpisodeResult as Line
from cookmas.studies.report.estimates import cases_of, pairs
from cookmas.studies.report.rendering import as_csv, as_markdown
from cookmas.studies.report.report import report
from cookmas.studies.report.results import Progress, columns_of, read_results
from cookmas.studies.report.tables import Link, Table, progress
from cookmas.worlds.restaurant.judging import JUDGING
from tests.cookmas.studies.report.conftest import CASES, origin, result, write

ROOT = Path(__file__).parents[4]


def command(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, arguments)])


def tables(folder: Path, title: str) -> list[Table]:
    sections = report(read_results([folder]))
    return [each for section in sections for each in section.tables if each.title == title]


def measures(folder: Path) -> list[Table]:
    sections = report(read_results([folder]))
    return [each for section in sections for each in section.tables if "group" in each.columns]


def test_classes_are_never_mixed(sweep: Path) -> None:
    sections = report(read_results([sweep]))
    assert [section.title for section in sections] == [
        "restaurant, planners of class pure",
        "restaurant, planners of class hybrid",
    ]
    for section in sections:
        for table in section.tables:
            planners = {str(row[0]) for row in table.rows}
            assert not ({"good", "poor"} & planners and "solver" in planners)


def test_strict_and_lenient_readings_are_never_mixed(tmp_path: Path) -> None:
    def read_as(answers: Any, *kinds: tuple[str, int]) -> Line:
        line = result(answers or "unset", CASES[0], 1, True)
        assert line.verdict is not None
        found = [Check(name="lenient", subject=kind, value=number) for kind, number in kinds]
        return line.model_copy(
            update={
                "spec": line.spec.model_copy(
                    update={
                        "model": ModelOptions(model="m"),
                        "asking": AskingOptions(answers=answers) if answers else None,
                    }
                ),
                "verdict": line.verdict.model_copy(
                    update={"checks": (*line.verdict.checks, *found)}
                ),
            }
        )

    lines = [read_as("strict"), read_as(None, ("comment", 2), ("wrapper", 3)), read_as("lenient")]
    folder = write(tmp_path / "read", lines)
    assert [(arm.name, arm.answers) for arm in read_results([folder])] == [
        ("lenient", "lenient"),
        ("strict", "strict"),
        ("unset", "lenient"),
    ]
    sections = report(read_results([folder]))
    assert [section.title for section in sections] == [
        "restaurant, planners of class pure, lenient answers",
        "restaurant, planners of class pure, strict answers",
    ]
    for section in sections:
        for table in section.tables:
            planners = {str(row[0]) for row in table.rows}
            assert not ("strict" in planners and {"unset", "lenient"} & planners)
    (counted,) = tables(folder, "Leniency")
    assert counted.rows == [["unset", "wrapper", "1", "3"], ["unset", "comment", "1", "2"]]


def test_measures_are_by_group_with_their_intervals(sweep: Path) -> None:
    first = measures(sweep)[0]
    assert first.title == "Success, dishes, customizations and makespan"
    assert first.columns[:4] == ["planner", "group", "episodes", "success"]
    cells = {(row[0], row[1]): row[2:4] for row in first.rows}
    assert cells["good", "all"] == ["16", "100.0% (63.1 to 100.0)"]
    assert str(cells["poor", "all"][1]).startswith("37.5% (")
    assert cells["poor", "level1"] == ["8", "50.0% (15.7 to 84.3)"]
    assert str(cells["poor", "level2"][1]).startswith("25.0% (")


def test_cost_and_latency_are_taken_from_beside_the_results(sweep: Path) -> None:
    found = {
        column: row[3 + number]
        for table in measures(sweep)
        for number, column in enumerate(table.columns[3:])
        for row in table.rows
        if row[:2] == ["good", "all"]
    }
    assert str(found["cost"]).startswith("0.2500")
    assert str(found["latency"]).startswith("0.50 s")


def test_an_unfinished_sweep_says_on_every_table_what_is_played_and_judged(
    sweep: Path, tmp_path: Path
) -> None:
    for section in report(read_results([sweep]))[:1]:
        assert all(each.about.startswith("32 played.") for each in section.tables)
    results = [result("poor", case, 1, None if case == CASES[0] else True) for case in CASES[:7]]
    unjudged = result("good", CASES[0], 1, True).model_copy(update={"verdict": None})
    folder = write(tmp_path / "begun", [*results, unjudged])
    origin(folder, ["poor", "good", "later"], repeats=2)
    first, section = report(read_results([folder]))
    assert list(first.notes) == ["good: 1 of 16 played, 1 not judged", "later: 0 of 16 played"]
    assert {each.about[:31] for each in section.tables} == {"7 of 16 played, 1 not judged."}
    (row, *_) = csv.DictReader(as_csv(read_results([folder])).splitlines())
    assert (row["planned"], row["played"], row["unjudged"]) == ("16", "7", "1")
    both = report(read_results([sweep, folder]), ["sweep: good", "begun: poor"])[-1]
    assert both.tables[0].about.startswith("23 played, 1 not judged.")
    assert list(both.notes) == ["begun: poor: 7 of 16 played, 1 not judged"]


def test_what_is_varied_is_planned_for_each_value(tmp_path: Path) -> None:
    results = [result("poor", CASES[0], 1, True, at=workers) for workers in (10, 2)]
    folder = write(tmp_path / "varied", results)
    origin(folder, ["poor"], vary={"option": "settings.workers", "values": [2, 10]})
    arms = read_results([folder])
    assert [(arm.label, str(arm.progress)) for arm in arms] == [
        ("poor, 2", "1 of 8 played"),
        ("poor, 10", "1 of 8 played"),
    ]


def test_the_order_of_the_lines_changes_nothing(sweep: Path, tmp_path: Path) -> None:
    lines = (sweep / RESULTS).read_text().splitlines(keepends=True)
    before = read_results([sweep])
    whole = as_csv(before), as_markdown(report(before), sweep)
    for seed in range(4):
        (sweep / RESULTS).write_text("".join(Random(seed).sample(lines, len(lines))))
        arms = read_results([sweep])
        assert (as_csv(arms), as_markdown(report(arms), sweep)) == whole


def test_a_report_holds_numbers_and_not_verdicts(tmp_path: Path) -> None:
    verdict = cookmas.play("level2/06").verdict
    assert verdict
    results = [
        each.model_copy(update={"verdict": verdict})
        for each in (result("good", CASES[0], repeat, True) for repeat in range(200))
    ]
    folder = write(tmp_path / "real", results)
    read_results([folder])
    tracemalloc.start()
    arms = read_results([folder])
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert arms[0].progress.played == 200
    assert held / 200 < 8000


def test_a_report_of_many_episodes_takes_time_in_proportion(sweep: Path) -> None:
    def seconds(repeats: int) -> float:
        (arm, *_) = read_results([sweep])
        played = [
            replace(each, case=f"{each.case} {number}", repeat=repeat)
            for number in range(repeats)
            for repeat, each in enumerate(arm.played)
        ]
        many = replace(arm, played=played)
        begun = time.process_time()
        assert many.repeats == 2
        assert cases_of(many.played, SUCCESS)
        return time.process_time() - begun

    assert seconds(1250) < 1, "20,000 episodes"


def test_pass_hat_falls_with_every_further_repeat(sweep: Path) -> None:
    (table,) = (each for each in tables(sweep, "pass^k") if each.rows[0][0] == "good")
    assert table.columns == ["planner", "k = 1", "k = 2", "noise of a single run"]
    poor = next(row for row in table.rows if row[0] == "poor")
    assert str(poor[1]).startswith("37.5%")
    assert str(poor[2]).startswith("0.0%")
    success = next(row for row in measures(sweep)[0].rows if row[:2] == ["poor", "all"])
    assert poor[1] == success[3]


def test_the_noise_of_a_single_run_is_told(sweep: Path) -> None:
    (table,) = (each for each in tables(sweep, "pass^k") if each.rows[0][0] == "good")
    noise = {row[0]: row[-1] for row in table.rows}
    expected = 1.959964 * (2 * (6 / 8 * 0.5) / 8) ** 0.5
    assert noise == {"good": "0.0%", "poor": f"{100 * expected:.1f}%"}
    said = f"Two single runs of this suite must differ by {100 * expected + 0.5:.0f} points"
    assert said in table.about


def test_two_planners_are_compared_case_by_case(sweep: Path) -> None:
    (table, *_) = tables(sweep, "Differences in success")
    assert table.rows[0][:2] == ["good", "poor"]
    assert table.rows[0][2:4] == ["100.0%", "37.5%"]
    assert str(table.rows[0][4]).startswith("+62.5 (")
    assert tables(sweep, "Differences in tokens")[0].rows[0][4] == "+0.0 (+0.0 to +0.0)"
    assert tables(sweep, "Differences in cost")
    (pair,) = pairs(read_results([sweep])[:2], SUCCESS, ())
    assert pair.found.p == pytest.approx(2 / 2**8)
    assert pair.found.cases == len(CASES)


def test_classes_are_compared_only_where_two_planners_are_named(sweep: Path) -> None:
    sections = report(read_results([sweep]), ["good", "poor"])
    assert sections[-1].title == "restaurant: compared"
    with pytest.raises(CookMASError, match="there is no 'nobody'"):
        report(read_results([sweep]), ["good", "nobody"])


def test_mistakes_have_examples_that_lead_to_traces(sweep: Path) -> None:
    (table,) = tables(sweep, "Mistakes")
    (row,) = table.rows
    assert row[:4] == ["poor", "rule violation", "10", "20"]
    example = row[4]
    assert isinstance(example, Link)
    assert example.text.startswith("level1/01, 7: worker_1")
    assert example.path == sweep / "traces" / "poor-level1-01-2.jsonl"


def test_a_model_that_changed_its_name_is_noted(sweep: Path) -> None:
    section = report(read_results([sweep]))[0]
    assert list(section.notes) == ["poor was answered by several models: m-1, m-2"]


def test_sweeps_are_put_together_and_arms_of_one_name_told_apart(
    sweep: Path, tmp_path: Path
) -> None:
    other = write(tmp_path / "other", [result("good", CASES[0], 1, False)])
    names = [arm.name for arm in read_results([sweep, other])]
    assert names == ["sweep: good", "poor", "solver", "other: good"]
    with pytest.raises(CookMASError, match="no results here"):
        read_results([tmp_path])
    nothing = write(tmp_path / "nothing", [])
    with pytest.raises(CookMASError, match=r"nothing.*: no episode has been played yet"):
        read_results([sweep, nothing])


def test_two_sweeps_of_one_name_are_two_and_one_sweep_named_twice_is_one(
    sweep: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(sweep)
    once = read_results([sweep])
    assert read_results([sweep, sweep / RESULTS, tmp_path / "link"]) == once
    other = write(tmp_path / "other", [result("more", CASES[0], 1, True)])
    assert [arm.name for arm in read_results([sweep, other, sweep])][-1] == "more"
    twin = write(tmp_path / "b" / "sweep", [result("good", CASES[0], 1, False)])
    (tmp_path / "a").mkdir()
    sweep.rename(tmp_path / "a" / "sweep")
    arms = read_results([tmp_path / "a" / "sweep", twin])
    assert [(arm.name, len(arm.played)) for arm in arms] == [
        ("a/sweep: good", 16),
        ("poor", 16),
        ("solver", 1),
        ("b/sweep: good", 1),
    ]


def test_a_csv_is_read_as_it_is_meant(tmp_path: Path) -> None:
    """A name that a suite refuses today may stand in the results of an older one."""
    names = ["NA", "null", "None", "n/a", "true", "1e5", "-inf", "3/4", "=1+1", "été", "plain"]
    made = [result(name, case, 1, True, at="nan") for name in names for case in CASES[:2]]
    folder, path = write(tmp_path / "odd", made), tmp_path / "figures.csv"
    assert command(folder, "--csv", path).exit_code == 0
    assert path.read_bytes().startswith(b"\xef\xbb\xbfworld,")
    read = pandas.read_csv(path)
    assert set(read["arm"]) == {*(f"'{name}" for name in names[:-2]), *names[-2:]}
    assert list(read["at"].unique()) == ["'nan"]
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for column in ("arm", "at", "group", "other"):
        assert [row[column] for row in rows] == list(read[column].astype(object).fillna(""))


def test_every_figure_is_in_the_csv(sweep: Path) -> None:
    done = command(sweep, "--csv", sweep / "figures.csv")
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((sweep / "figures.csv").read_text("utf-8-sig").splitlines()))
    success = {
        (row["arm"], row["group"]): (row["mean"], row["scored"], row["unscored"])
        for row in rows
        if row["column"] == "success" and not row["other"]
    }
    assert success["good", ""] == ("1.0", "16", "0")
    assert success["poor", "level2"] == ("0.25", "8", "0")
    assert success["solver", ""] == ("", "0", "1")
    names = {c.name for c in columns_of("restaurant")}
    assert {row["column"] for row in rows} == names | {"pass^1", "pass^2"}
    assert [row["mean"] for row in rows if row["column"] == "pass^2"] == ["1.0", "0.0"]
    (pair,) = (row for row in rows if row["other"] and row["column"] == "success")
    assert (pair["arm"], pair["other"], pair["mean"]) == ("good", "poor", "0.625")
    assert float(pair["p"]) == pytest.approx(2 / 2**8)
    assert float(pair["low"]) > 0
    assert pair["q"] == pair["p"]


def test_markdown_and_html_take_nothing_of_a_trace_for_markup(sweep: Path) -> None:
    done = command(sweep, "--markdown", sweep / "a.md", "--html", sweep / "a.html")
    assert done.exit_code == 0, done.output
    page = (sweep / "a.html").read_text()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert 'href="traces/poor-level1-01-2.jsonl"' in page
    assert page.count("<svg") == 2
    assert f"<h1>{sweep.name}</h1>" in page
    assert str(sweep.parent) not in page
    text = (sweep / "a.md").read_text()
    assert r"&lt;b>\|=1+1\*" in text
    assert "](traces/poor-level1-01-2.jsonl)" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(re.fullmatch(r"(\| ([^|]|\\\|)+ )+\|", row) for row in rows)


def test_a_plot_is_the_same_bytes_again_and_has_every_arm(sweep: Path) -> None:
    for name in ("one.svg", "two.svg"):
        done = command(sweep, "--svg", sweep / name, "--plot", "dishes")
        assert done.exit_code == 0, done.output
    one = (sweep / "one.svg").read_bytes()
    assert one == (sweep / "two.svg").read_bytes()
    drawn = ElementTree.fromstring(one)
    assert drawn.attrib["height"] == f"{72 * (1 + 2 * 0.35):.1f}pt", "two arms have a row each"
    text = "".join(drawn.itertext())
    assert "good" in text
    assert "poor" in text
    assert "dishes" in text


def test_what_is_varied_is_drawn_along_it(tmp_path: Path) -> None:
    results = [
        result(arm, case, 1, workers > 1 or arm == "good", at=workers)
        for arm in ("good", "poor")
        for workers in (1, 2, 6)
        for case in CASES
    ]
    folder = write(tmp_path / "varied", results)
    done = command(folder, "--svg", folder / "plot.svg")
    assert done.exit_code == 0, done.output
    labels = "".join(ElementTree.fromstring((folder / "plot.svg").read_bytes()).itertext())
    assert "success, %" in labels
    (table, *_) = tables(folder, "Differences in success")
    assert ("good, 1", "poor, 1") in {(row[0], row[1]) for row in table.rows}
    assert ("good, 1", "poor, 2") not in {(row[0], row[1]) for row in table.rows}


def test_the_terminal_shows_it_where_no_file_is_named(sweep: Path) -> None:
    done = command(sweep)
    assert done.exit_code == 0, done.output
    assert "planners of class hybrid" in done.stdout
    assert "Differences in success" in done.stdout
    assert command(sweep, "--plot", "taste").exit_code == 2
    assert command(sweep, "--compare", "good").exit_code == 2


def test_results_are_a_frame_too(sweep: Path) -> None:
    frame = cookmas.frame([sweep])
    assert len(frame) == 33
    by_arm = frame.groupby("arm")["success"].mean()
    assert by_arm["poor"] == pytest.approx(0.375)
    assert set(frame["group"]) == {"level1", "level2"}


def test_unscored_values_are_in_no_mean(sweep: Path) -> None:
    arms = {arm.name: arm for arm in read_results([sweep])}
    assert cases_of(arms["solver"].played, SUCCESS) == {"level1/01": []}


def test_a_frame_has_the_mean_of_the_scored_values_alone(tmp_path: Path) -> None:
    line = result("good", "level1/01", 1, True)
    assert line.verdict
    values = (True, False, None, None)
    checks = [
        Check(name="complete", subject=str(n), value=x, passed=x) for n, x in enumerate(values)
    ]
    verdict = line.verdict.model_copy(update={"checks": tuple(checks)})
    folder = write(tmp_path / "sweep", [line.model_copy(update={"verdict": verdict})])
    assert list(cookmas.frame([folder])["dishes"]) == [0.5]


@pytest.mark.parametrize(
    ("planned", "played", "unjudged", "complete"),
    [(3, 3, 0, True), (None, 3, 0, True), (3, 2, 0, False), (3, 3, 1, False), (None, 3, 1, False)],
)
def test_progress_is_complete_where_all_that_is_planned_is_judged(
    planned: int | None, played: int, unjudged: int, complete: bool
) -> None:
    assert Progress(planned=planned, played=played, unjudged=unjudged).complete is complete


def test_the_progress_of_arms_together_is_their_sum(sweep: Path) -> None:
    arms = read_results([sweep])
    assert progress(arms).unjudged == sum(arm.progress.unjudged for arm in arms)
    alike = [replace(arm, progress=Progress(planned=2, played=2, unjudged=1)) for arm in arms]
    count = len({arm.label for arm in arms})
    assert progress(alike) == Progress(planned=2 * count, played=2 * count, unjudged=count)


def test_a_line_that_is_no_result_is_named(sweep: Path) -> None:
    with (sweep / RESULTS).open("a") as file:
        file.write("{}\n")
    with pytest.raises(CookMASError, match="line 34"):
        read_results([sweep])
    assert Line.model_fields


def test_results_of_other_evaluators_are_refused_in_one_line(sweep: Path) -> None:
    """Also a single one: its figures may have another meaning."""
    file = sweep / RESULTS
    lines = file.read_text().splitlines()
    assert f'"judges":"{JUDGING.version}"' in lines[-1]
    lines[-1] = lines[-1].replace(f'"judges":"{JUDGING.version}"', '"judges":"1"')
    file.write_text("".join(f"{line}\n" for line in lines))
    why = "judged by version 1 of the evaluators of restaurant; "
    why += f"these have version {JUDGING.version}: cookmas rescore {sweep}"
    for read in (lambda: read_results([sweep]), lambda: cookmas.frame([sweep])):
        with pytest.raises(CookMASError) as refused:
            read()
        assert str(refused.value) == f"{file}: {why}"
    assert command(sweep, "--csv", sweep / "figures.csv").exit_code
    assert not (sweep / "figures.csv").exists()


def test_what_extras_bring_is_imported_by_what_needs_it_alone() -> None:
    extras = {"scipy", "pandas", "matplotlib", "numpy", "distributed", "dask", "inspect_ai"}
    extras |= {"pettingzoo", "gymnasium", "redis", "psycopg", "starlette", "uvicorn", "openai"}
    code = "import sys, cookmas.api, cookmas.commands.cli\n"
    code += "from cookmas.studies.report import report\n"
    code += "from cookmas.studies.bench import executor, sweep\n"
    code += f"print({extras} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
