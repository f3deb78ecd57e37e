"""Suites with a planner for each seat: named line-ups, and all ordered pairs of some players."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.episodes.trace import ModelCall, SeatRecord
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import CookMASError
from cookmas.orchestrator.models.options import Models
from cookmas.studies.bench.folder import RESULTS, Folder, read_lines, read_origin
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.models import make_model_of, options_of
from cookmas.studies.bench.origin import origin_of
from cookmas.studies.bench.spec import EpisodeJob, EpisodeResult, EpisodeSpec
from cookmas.studies.bench.suite import SHIPPED, episodes_of, load_suite
from cookmas.studies.report.rendering import as_csv, as_markdown
from cookmas.studies.report.report import report
from cookmas.studies.report.results import read_results
from tests.modelserver.hosting import Hosted

HALVES: dict[str, Any] = {"title": "Halves", "world": "corridor", "scenarios": ["halves"]}
MODEL = {"name": "model", "planner": "llm", "scripted": {}}


def suite(tmp_path: Path, **more: Any) -> Path:
    path = tmp_path / "suite.yaml"
    path.write_text(yaml.safe_dump({**HALVES, **more}))
    return path


def read(tmp_path: Path, **more: Any) -> list[EpisodeSpec]:
    loaded, path = load_suite(str(suite(tmp_path, **more)))
    return episodes_of(loaded, path)


def test_every_ordered_pair_plays_and_self_play_is_marked(tmp_path: Path) -> None:
    specs = read(tmp_path, cross=["embedded", MODEL])
    assert [(spec.arm, spec.planner) for spec in specs] == [
        ("embedded + embedded (self-play)", "walker_1=embedded,walker_2=embedded"),
        ("embedded + model", "walker_1=embedded,walker_2=llm"),
        ("model + embedded", "walker_1=llm,walker_2=embedded"),
        ("model + model (self-play)", "walker_1=llm,walker_2=llm"),
    ]
    assert specs[1].labels == {"walker_1": "embedded", "walker_2": "model"}
    assert len({spec.file for spec in specs}) == 4
    assert len({spec.seed for spec in specs}) == 1, "all meet the same draws"


def test_a_lineup_has_a_name_and_stands_beside_arms(tmp_path: Path) -> None:
    seats = {"odd": {"walker_2": "embedded", "walker_1": "team"}}
    specs = read(tmp_path, seats=seats, arms=[{"planner": "embedded"}])
    assert [spec.arm for spec in specs] == ["embedded", "odd"]
    assert specs[0].labels == {}
    assert list(specs[1].labels.items()) == [("walker_1", "team"), ("walker_2", "embedded")]


def test_each_seat_has_a_seed_and_kept_answers_of_its_own(tmp_path: Path) -> None:
    asked = {**MODEL, "asking": {"model_seed": 1}}
    [spec] = read(tmp_path, seats={"pair": {"walker_1": asked, "walker_2": MODEL}})
    job = EpisodeJob(spec=spec, answers=tmp_path / "pair.jsonl")
    one, other = job.of_seat("walker_1"), job.of_seat("walker_2")
    assert one.spec.seed != other.spec.seed
    assert one.spec.asking
    assert one.spec.asking.model_seed not in (None, 1)
    assert job.all_answers == [job.answers, one.answers, other.answers]
    assert len(set(job.all_answers)) == 3
    options = options_of(spec)
    assert options
    seats = ("walker_1", "walker_2")
    models = Models(options, seats, make_model_of(job))
    made = [models.of(seat, options.of_seat(seat)) for seat in seats]
    assert made[0] is not made[1]
    assert one.answers
    assert one.answers.exists()


def test_what_asks_a_model_in_a_seat_is_counted_on_the_sweep(tmp_path: Path) -> None:
    specs = read(tmp_path, cross=["embedded", MODEL])
    origin = origin_of(
        load_suite(str(suite(tmp_path, cross=["embedded", MODEL])))[0], specs, SweepLimits()
    )
    folder = Folder(tmp_path, origin)
    asks = [folder.job(spec, SweepLimits()).ledger is not None for spec in specs]
    assert asks == [False, True, True, True]
    assert origin.arms["embedded + model"] == "walker_1=embedded, walker_2=llm (scripted)"
    assert set(origin.planned.values()) == {1}
    assert len(origin.planned) == 4


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (
            {"cross": ["embedded", "embedded"]},
            "cross: 'embedded' occurs twice; give each its own name",
        ),
        (
            {"seats": {"odd": {"walker_1": "team"}}},
            "arm odd, corridor/halves: seat 'walker_2' has no planner; expected walker_1=...",
        ),
        (
            {"seats": {"odd": {"bob": "team"}}},
            "arm odd, corridor/halves: there is no seat 'bob'; expected walker_1, walker_2",
        ),
        (
            {"world": "cuisineworld", "scenarios": ["level_3"], "cross": ["greedy"]}
            | {"settings": {"agents": 3}},
            "cross: there are 3 seats (agent0, agent1, agent2), not two; name line-ups under seats",
        ),
        ({"cross": ["walker_1=team,walker_2=team"]}, "names seats; expected one planner"),
        ({"cross": [{**MODEL, "model": {"model": "m"}}]}, "expected model or scripted, not both"),
        (
            {"cross": ["embedded"], "vary": {"option": "asking.memory", "values": [1]}},
            "vary.option: a line-up varies settings only, not 'asking.memory'",
        ),
        ({"cross": [{"name": "x", "settings": {}}]}, "cross.0.settings"),
        ({}, "arms: expected at least one, or seats, cross, or --planner"),
    ],
)
def test_a_suite_that_does_not_fit_is_told_in_one_line(
    more: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    with pytest.raises(CookMASError) as caught:
        read(tmp_path, **more)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_seats_of_the_command_line_play_a_suite_in_the_place_of_its_arms(tmp_path: Path) -> None:
    path, folder = suite(tmp_path, cross=["embedded"]), tmp_path / "sweep"
    arguments = ["bench", str(path), "-p", "walker_1=team,walker_2=embedded"]
    done = CliRunner().invoke(app, [*arguments, "--folder", str(folder)])
    assert done.exit_code == 0, done.output
    [line] = read_lines(folder / RESULTS, EpisodeResult)
    assert line.spec.labels == {"walker_1": "team", "walker_2": "embedded"}
    assert line.verdict
    assert line.verdict.planner == "walker_1=team, walker_2=embedded"


def test_the_budget_of_a_seat_holds_in_a_sweep(tmp_path: Path) -> None:
    model = {"model": "m", "base_url": "http://127.0.0.1:9/v1", "budget_calls": 0}
    short = {"name": "short", "planner": "llm", "model": model}
    path = suite(tmp_path, seats={"pair": {"walker_1": short, "walker_2": "team"}})
    folder = tmp_path / "sweep"
    done = CliRunner().invoke(app, ["bench", str(path), "--folder", str(folder)])
    assert done.exit_code == 0, done.output
    [line] = read_lines(folder / RESULTS, EpisodeResult)
    assert line.verdict
    assert line.verdict.termination == "budget"
    assert "walker_1: The budget of walker_1 is used up: 0 of 0" in line.verdict.why


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = Hosted()
    yield server.url
    server.stop()


def test_cross_play_over_the_wire_makes_a_matrix(url: str, tmp_path: Path) -> None:
    """Greedy and the scripted model behind an endpoint play CuisineWorld."""
    pytest.importorskip("scipy")
    shipped = yaml.safe_load((SHIPPED / "cross-play.yaml").read_text())
    greedy, *_, model = shipped["cross"]
    del model["scripted"]
    model["model"] = {"model": "scripted", "base_url": url}
    path, folder = tmp_path / "cross.yaml", tmp_path / "sweep"
    path.write_text(yaml.safe_dump({**shipped, "scenarios": ["level_0"], "cross": [greedy, model]}))
    done = CliRunner().invoke(app, ["bench", str(path), "--folder", str(folder)])
    assert done.exit_code == 0, done.output
    results = {line.spec.arm: line for line in read_lines(folder / RESULTS, EpisodeResult)}
    assert len(results) == 4
    pair = results["greedy + scripted model"]
    assert pair.verdict
    assert pair.verdict.planner_class == "mixed"
    trace = read_trace(folder / pair.trace)
    assert trace.header.seats == {
        "agent0": SeatRecord(planner="greedy", planner_class="embedded"),
        "agent1": SeatRecord(planner="llm (scripted)", planner_class="pure"),
    }
    assert {call.agent for call in trace.of(ModelCall)} == {"agent1"}
    assert read_origin(folder).planned[("scripted model + scripted model (self-play)", None)] == 1
    assert not list((folder / "answers").iterdir())
    assert json.loads((folder / "spent.json").read_text())["calls"] > 9
    table = tmp_path / "table.md"
    said = ["report", str(folder), "--column", "completed", "--markdown", str(table)]
    done = CliRunner().invoke(app, said)
    assert done.exit_code == 0, done.output
    rows = [line.split("|")[1:-1] for line in table.read_text().splitlines() if line[:1] == "|"]
    matrix = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows[:4]}
    names = ["greedy", "scripted model"]
    assert matrix["agent0 with agent1"] == names
    for number, name in enumerate(names):
        cells = matrix[name]
        assert all(cell.endswith(", n=1") for cell in cells)
        assert [cell.startswith("\\*") for cell in cells] == [n == number for n in range(2)]


def test_a_seat_of_a_line_up_as_text_is_marked_as_the_scripted_model(tmp_path: Path) -> None:
    """Whatever a planner is called: only what answered counts, in table, plot and CSV."""
    pytest.importorskip("scipy")
    kinds = ("embedded", "llm")
    texts = [f"walker_1={one},walker_2={other}" for one in kinds for other in kinds]
    scripted: dict[str, Any] = {"scripted": {}}
    arms = [{"planner": text} | (scripted if "llm" in text else {}) for text in texts]
    folder = tmp_path / "sweep"
    said = ["bench", str(suite(tmp_path, arms=arms)), "--folder", str(folder)]
    assert CliRunner().invoke(app, said).exit_code == 0
    played = read_results([folder])
    marks = {"embedded": "embedded", "llm": "llm (scripted model)"}
    seats = [
        dict(zip(("walker_1", "walker_2"), pair, strict=True)) for pair in product(kinds, kinds)
    ]
    assert [arm.seats for arm in played] == [
        {seat: marks[planner] for seat, planner in each.items()} for each in seats
    ]
    sections = report(played)
    plots = "".join(plot.svg for section in sections for plot in section.plots)
    for shown in (as_csv(played), as_markdown(sections, tmp_path), plots):
        for line in re.findall(r"[^\n<>|]*\bllm\b[^\n<>|]*", shown):
            assert "(scripted model)" in line
    assert "\n| llm (scripted model) | " in as_markdown(sections, tmp_path)
