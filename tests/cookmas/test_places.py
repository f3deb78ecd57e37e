"""There is one way from a name to a scenario, and back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cookmas.studies.bench.suite import Suite, episodes_of
from cookmas.studies.questions.making import make_questions
from cookmas.world_names import USUAL, WORLDS, ScenarioPlace, domain_of, locate, locate_all
from cookmas.worlds.questions.domain import SUITES
from tests.cookmas.commands.calling import cookmas
from tests.warm import ROOT

LEVEL = ROOT / "scenarios" / "levels" / "level1" / "01.yaml"


@pytest.mark.parametrize("world", [*WORLDS])
def test_the_place_of_each_shipped_scenario_is_found_by_its_spelling(world: str) -> None:
    places = [ScenarioPlace(world, name) for name in domain_of(world).names()]
    assert [locate(place.spelled) for place in places] == places
    if world != USUAL:
        assert [place.spelled for place in places] == [f"{world}/{place.name}" for place in places]


@pytest.mark.parametrize("world", [*WORLDS])
@pytest.mark.parametrize("name", ["{}.yaml", "{}1.yaml", "{}-mine.yml", "{}/own.yaml", "a/{}.yaml"])
def test_a_file_is_one_whatever_its_name_begins_with(world: str, name: str) -> None:
    place = locate(name.format(world))
    assert place == ScenarioPlace(USUAL, name.format(world))
    assert (place.is_file, place.spelled) == (True, place.name)
    assert locate_all(place.name) == [place]


@pytest.mark.parametrize("name", ["restaurant1.yaml", "restaurant/own.yaml"])
def test_a_file_named_after_its_world_is_played_and_swept(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(exist_ok=True)
    shutil.copy(LEVEL, name)
    done = cookmas("run", name, "--quiet", "--runs", "runs")
    assert "no such file" not in done.output
    assert Path("runs", f"{Path(name).stem}-embedded", "trace.jsonl").is_file()
    suite = Suite.model_validate({"title": "t", "scenarios": [name], "arms": [{}]})
    assert [each.case for each in episodes_of(suite, tmp_path / "s.yaml")] == [Path(name).stem]


def test_a_question_in_a_file_has_the_same_name_in_every_folder(tmp_path: Path) -> None:
    shipped = SUITES / "small.jsonl"
    cases = list[list[str]]()
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        shutil.copy(shipped, folder / "mine.jsonl")
        suite = Suite.model_validate({"title": "t", "scenarios": ["mine.jsonl"], "arms": [{}]})
        cases.append([each.case for each in episodes_of(suite, folder / "s.yaml")])
    assert cases[0] == cases[1]
    assert cases[0][0] == "questions/mine/collab-capture-comprehension-001"


@pytest.mark.parametrize("name", ["collab-capture.yaml", "hanabi/p:q.yaml"])
def test_questions_are_asked_about_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(exist_ok=True)
    domain = domain_of("collab-capture")
    shipped = domain.find_shipped("building")
    text = shipped.read_text(encoding="utf-8")
    Path(name).write_text(
        text if "\nworld:" in f"\n{text}" else f"world: collab-capture\n{text}", encoding="utf-8"
    )
    lines = list(make_questions([name], 2, 1))
    assert {(line.of, line.place) for line in lines} == {("collab-capture", Path(name).stem)}
    assert len(lines) == 2
