"""Rows of the scripted model: every table, plot and file says that it answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.episodes.parts import SCRIPTED, mark_scripted
from cookmas.evals.columns import SUCCESS
from cookmas.files.errors import CookMASError
from cookmas.studies.bench.folder import MEASUREMENTS
from cookmas.studies.bench.spec import EpisodeResult, SeatSpec
from cookmas.studies.report.estimates import pairs
from cookmas.studies.report.rendering import as_csv, as_markdown
from cookmas.studies.report.report import report
from cookmas.studies.report.results import read_results
from tests.cookmas.studies.report.conftest import CASES, result, write


def answered_by(folder: Path, names: dict[str, str]) -> None:
    """Write into the measurements of a sweep which model answered each arm."""
    file = folder / MEASUREMENTS
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        line["answered_by"] = [names[line["episode"].split("/")[0]]]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def changed(line: EpisodeResult, **changes: Any) -> EpisodeResult:
    return line.model_copy(update={"spec": line.spec.model_copy(update=changes)})


def played(arm: str) -> list[EpisodeResult]:
    return [result(arm, case, 1, True) for case in CASES]


def test_a_row_follows_from_what_answered_and_not_from_its_name(tmp_path: Path) -> None:
    """One arm asks the scripted model by its endpoint, one in the process, and one asks another."""
    pytest.importorskip("scipy")
    inside = [changed(line, scripted={}) for line in played("inside")]
    folder = write(tmp_path / "sweep", [*played("gpt-9"), *played("by wire"), *inside])
    answered_by(folder, {"gpt-9": "gpt-9-2026", "by wire": SCRIPTED, "inside": "anything"})
    arms = read_results([folder])
    assert {arm.label for arm in arms} == {
        "gpt-9",
        "by wire (scripted model)",
        "inside (scripted model)",
    }
    sections = report(arms)
    shown = [
        as_csv(arms),
        as_markdown(sections, tmp_path),
        "".join(plot.svg for section in sections for plot in section.plots),
    ]
    for text in shown:
        assert "gpt-9" in text
        assert "gpt-9 (" not in text
        assert "by wire (scripted model)" in text
        assert text.count("by wire") == text.count("by wire (scripted model)")
    frame = cookmas.frame([folder])
    assert set(frame["arm"]) == {arm.name for arm in arms}


def test_a_seat_of_the_scripted_model_is_called_that_in_a_matrix(tmp_path: Path) -> None:
    seats = {
        "cook": SeatSpec(label="ours", planner="llm", scripted={}),
        "waiter": SeatSpec(label="naive", planner="naive"),
    }
    folder = write(tmp_path / "sweep", [changed(line, seats=seats) for line in played("pair")])
    [arm] = read_results([folder])
    assert arm.seats == {"cook": "ours (scripted model)", "waiter": "naive"}
    assert arm.label == "pair (scripted model)"


def test_arms_of_one_name_in_two_sweeps_still_have_their_folders(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, [changed(line, scripted={}) for line in played("model")])
    arms = read_results([tmp_path / "one", tmp_path / "two"])
    assert [arm.label for arm in arms] == [
        "one: model (scripted model)",
        "two: model (scripted model)",
    ]


def test_arms_are_compared_by_their_names_in_the_suite_too(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    inside = [changed(line, scripted={}) for line in [*played("one"), *played("other")]]
    arms = read_results([write(tmp_path / "sweep", inside)])
    for names in (("one", "other"), ("one (scripted model)", "other")):
        [pair] = pairs(arms, SUCCESS, names)
        assert (pair.one.label, pair.other.label) == (
            "one (scripted model)",
            "other (scripted model)",
        )
    with pytest.raises(CookMASError, match="there is no 'two'"):
        pairs(arms, SUCCESS, ("one", "two"))


def test_a_name_that_says_it_already_stays() -> None:
    assert mark_scripted("Scripted model, 2% errors") == "Scripted model, 2% errors"
