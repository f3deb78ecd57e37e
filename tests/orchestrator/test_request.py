"""The record of a run request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import cookmas
from cookmas.api import RunRequest, create
from cookmas.files.errors import InputError
from cookmas.loading import load, planner_of
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.orchestrator.thinking import ThinkingPrice


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"scenari": "corridor/one"}, "scenari: there is no such option"),
        ({"max_stalled": 0}, "--max-stalled: expected at least 1, not 0"),
        ({"keep_checkpoints": 0}, "--keep-checkpoints: expected at least 1, not 0"),
    ],
)
def test_what_is_no_good_is_refused_in_one_line(said: dict[str, Any], error: str) -> None:
    with pytest.raises(InputError, match=error):
        RunRequest(scenario="corridor/two", **said)


def test_it_does_not_change() -> None:
    request = RunRequest(scenario="corridor/two")
    with pytest.raises(ValidationError, match="frozen"):
        request.scenario = "corridor/one"  # type: ignore[misc]


def test_settings_and_named_seats_are_kept_as_text() -> None:
    seats = {"walker_1": "team", "walker_2": "embedded"}
    request = RunRequest(scenario="corridor/two", planner=seats, settings={"agents": 2})
    assert request.planner == "walker_1=team,walker_2=embedded"
    assert request.settings == {"agents": "2"}


def test_a_folder_keeps_the_record_and_says_what_was_resolved(tmp_path: Path) -> None:
    request = RunRequest(scenario="level1/01", planner="random", planner_seed=5, max_stalled=7)
    file = RunFolder(create(tmp_path / "run", request)).file
    changed = {name for name, value in request if getattr(file, name) != value}
    assert changed == {"world", "suggestions"}
    assert (file.world, file.suggestions, file.horizon) == ("restaurant", True, 140)


def test_objects_are_played_but_not_kept(tmp_path: Path) -> None:
    scenario = cookmas.load_scenario("corridor/two")
    planner = cookmas.load_planner("embedded", scenario)
    assert cookmas.play(scenario, planner).success
    for said in ({"scenario": scenario}, {"scenario": "corridor/two", "planner": planner}):
        with pytest.raises(InputError, match="takes scenario and planner by name"):
            create(tmp_path / "run", RunRequest(**said))
    assert not (tmp_path / "run").exists()


def test_the_seed_of_a_planner_reaches_it() -> None:
    request = RunRequest(scenario="level1/01", planner="random", planner_seed=5)
    assert vars(planner_of(load(request)))["_seed"] == 5


def test_play_takes_fields_of_the_request() -> None:
    assert cookmas.play("corridor/two", max_stalled=7, thinking="1 timesteps").success
    with pytest.raises(InputError, match=r"max_staled: there is no such option.*'max_stalled'"):
        cookmas.play("corridor/two", max_staled=7)


@pytest.mark.parametrize(
    "said",
    [
        {"checkpoints": "postgresql://localhost/runs"},
        {"people": ("walker_1",)},
        {"pace": 0.0},
        {"fallback": "embedded"},
        {"clock": "wall"},
        {"worker_deadline": 3.0},
    ],
)
def test_what_a_run_without_a_folder_cannot_do_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(said))}: needs a run in a folder"):
        cookmas.play("corridor/two", **said)


def test_a_price_is_parsed_once_and_stays_text_in_the_file() -> None:
    request = RunRequest(scenario="corridor/two", thinking="2.5 seconds")
    assert request.thinking == ThinkingPrice(2.5, "seconds")
    assert request.model_dump(mode="json")["thinking"] == "2.5 seconds"
    assert RunRequest.model_validate_json(request.model_dump_json()) == request
    assert RunRequest(**dict(request)) == request


@pytest.mark.parametrize("deadline", [0.0, -1.0, 1e7, float("nan")])
def test_a_deadline_has_the_bounds_of_its_option(deadline: float) -> None:
    with pytest.raises(InputError, match="--worker-deadline: expected "):
        RunRequest(scenario="corridor/two", worker_deadline=deadline)
