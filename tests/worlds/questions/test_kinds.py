"""Kinds of questions: the scripted model errs in each apart, and a report correlates them."""

from __future__ import annotations

import pytest
import yaml
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.evals.statistics import correlate
from cookmas.studies.questions.making import make_questions
from cookmas.studies.report.report import Section, report
from cookmas.studies.report.results import read_results
from cookmas.worlds.base.question_suite import QUESTIONS, SuiteLine, write_suite
from cookmas.worlds.base.questions import KINDS
from cookmas.worlds.questions.domain import DOMAIN, SUITES

PLACES = ("collab-capture", "collab-escape")

RATES = {
    "good": {},
    "middling": {"wrong_comprehension": 0.3, "wrong_mind": 0.4, "wrong_planning": 0.5},
    "blind": {"wrong_comprehension": 1.0},
    "bad": {f"wrong_{kind}": 1.0 for kind in KINDS},
}


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> list[Section]:
    """Return the report of scripted models of several rates of faults by kind."""
    folder = tmp_path_factory.mktemp("kinds")
    write_suite(
        folder / "own.jsonl",
        SuiteLine(suite="own", seed=7, version=QUESTIONS),
        make_questions(PLACES, 12, 7),
    )
    arms: list[dict[str, object]] = [
        {"name": name, "planner": "llm", "scripted": rates} for name, rates in RATES.items()
    ]
    arms += [{"planner": name} for name in ("random", "embedded")]
    suite = {"title": "kinds", "world": "questions", "scenarios": ["own.jsonl"], "arms": arms}
    (folder / "kinds.yaml").write_text(yaml.safe_dump(suite))
    command = ("bench", str(folder / "kinds.yaml"), "--folder", str(folder / "played"))
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    return report(read_results([folder / "played"]))


def _of_models(sections: list[Section]) -> Section:
    """Return the section of the planners that asked a model."""
    (found,) = [each for each in sections if each.title.endswith("per-step")]
    return found


def _shares(sections: list[Section]) -> dict[str, list[float]]:
    """Return the accuracy of each model by kind."""
    rows = _of_models(sections).tables[0].rows
    return {
        str(row[0]).removesuffix(" (scripted model)"): [
            float(str(cell).partition("%")[0]) for cell in row[4:7]
        ]
        for row in rows
        if row[1] == "all"
    }


def test_the_scripted_model_errs_by_kind(sections: list[Section]) -> None:
    shares = _shares(sections)
    assert shares.keys() == RATES.keys()
    assert shares["good"] == [100.0, 100.0, 100.0]
    assert shares["blind"] == [0.0, 100.0, 100.0]
    assert shares["bad"] == [0.0, 0.0, 0.0]
    assert all(0 < share < 100 for share in shares["middling"])


def test_a_report_of_several_models_correlates_the_kinds(sections: list[Section]) -> None:
    every = [x for section in sections for x in section.tables]
    (table,) = [x for x in every if x.title == "Correlation over models"]
    shares = list(_shares(sections).values())
    assert [row[:2] for row in table.rows] == [
        ["comprehension", "mind"],
        ["comprehension", "planning"],
        ["mind", "planning"],
    ]
    for row, (one, other) in zip(table.rows, [(0, 1), (0, 2), (1, 2)], strict=True):
        found = correlate([each[one] for each in shares], [each[other] for each in shares])
        assert found
        assert str(row[2]).startswith(f"{found.pearson:.2f} (")
        assert row[3:] == [f"{found.spearman:.2f}", "4"]
    titles = [plot.title for plot in _of_models(sections).plots]
    assert "planning by mind" in titles
    drawn = next(x.svg for x in _of_models(sections).plots if x.title == "planning by mind")
    assert all(name in drawn for name in RATES)


def test_the_keys_of_the_small_suite_are_as_computed() -> None:
    assert DOMAIN.check(SUITES / "small.jsonl") == ["48 questions, and all keys are as computed"]


def test_a_correlation_needs_three_planners_that_differ() -> None:
    assert correlate([0.1, 0.2], [0.2, 0.4]) is None
    assert correlate([0.1, 0.2, 0.3], [0.5, 0.5, 0.5]) is None
    three = correlate([0.1, 0.2, 0.3], [0.1, 0.9, 1.0])
    assert three
    assert three.spearman == pytest.approx(1)
    assert three.pearson == pytest.approx(0.912, abs=0.001)
    assert three.low is None
    four = correlate([0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1])
    assert four
    assert (four.pearson, four.spearman) == pytest.approx((-1, -1))
    assert four.high == pytest.approx(-1)
