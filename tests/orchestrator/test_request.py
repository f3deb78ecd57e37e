"""The record of a run request."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_type_hints

import pytest
from pydantic import ValidationError

import cookmas
from cookmas.api import PlayOptions, RunRequest, create
from cookmas.files.errors import InputError
from cookmas.loading import load, planner_of
from cookmas.orchestrator.runs.folder import RunFolder


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


def test_play_takes_fields_of_the_request_with_their_types() -> None:
    taken = get_type_hints(PlayOptions)
    fields = {name: field.annotation for name, field in RunRequest.model_fields.items()}
    assert taken == {name: fields[name] for name in taken}
