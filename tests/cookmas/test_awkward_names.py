"""Every command takes the name of a scenario apart in the same way, however awkward the name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cookmas.api import create
from cookmas.files.naming import SUITE, is_in_file, is_yaml
from cookmas.loading import load, load_scenario
from cookmas.orchestrator.runs.folder import read_run
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.studies.bench.suite import Suite, episodes_of
from cookmas.world_names import OWN_FILES, WORLDS, domain_of, locate, locate_all
from cookmas.worlds.questions.domain import SUITES
from tests.cookmas.commands.calling import cookmas, data, fails
from tests.warm import ROOT

WORLD = "collab-capture"
"""A world that is not the usual one; what is found in another world than this was misunderstood."""

FILES = [
    *("restaurant1.yaml", "restaurant-week/a.yaml", "hanabi/own.yml", f"{WORLD}.yaml", ".yaml"),
    *("a b/c=d,e.yaml", "p:q.yaml", "level1.yaml", "d.jsonl/e.yaml", "m.layout/größe.yaml"),
]

QUESTION = "collab-capture-comprehension-001"

SCHEDULE = ROOT / "scenarios" / "schedules" / "level1" / "01.yaml"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def level() -> str:
    """The text of a scenario file that names its world."""
    text = domain_of(WORLD).find_shipped("building").read_text(encoding="utf-8")
    return text if "\nworld:" in f"\n{text}" else f"world: {WORLD}\n{text}"


def suite(*names: str) -> Suite:
    return Suite.model_validate({"title": "t", "scenarios": list(names), "arms": [{}]})


@pytest.mark.parametrize("name", FILES)
def test_every_door_finds_a_file_with_an_awkward_name(name: str) -> None:
    put(name, level())
    short = Path(name).stem
    scenario = load_scenario(name)
    assert (scenario.name, scenario.world().name) == (short, WORLD)
    checked = data("check", name)
    assert (checked["findings"][0], checked["fault"]) == (f"scenario {short}: sound", None)
    assert data("show", name)["title"] == domain_of(WORLD).scenario("building", {}).data()["title"]
    assert fails("solve", name) == f"cookmas: solve: the world {WORLD} has no solver"
    assert [each.case for each in episodes_of(suite(name), Path("s.yaml"))] == [f"{WORLD}/{short}"]
    assert [place.spelled for place in locate_all(name)] == [name]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        *(("restaurant-week/a.yaml", "a"), ("p:q.yaml", "p-q"), (".yaml", "yaml")),
        *(("hanabi/my.layout", "my"), (f"hanabi/my.jsonl/{QUESTION}", f"my-{QUESTION}")),
    ],
)
def test_the_run_of_a_file_goes_on_from_every_folder(
    name: str, short: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = next(ROOT.glob("cookmas/worlds/overcooked/**/*.layout"))
    put("hanabi/my.layout", layout.read_text(encoding="utf-8"))
    put("hanabi/my.jsonl", (SUITES / "small.jsonl").read_text(encoding="utf-8"))
    if is_yaml(name):
        put(name, level())
    request = RunRequest(scenario=name, planner="greedy")
    folder = create("runs", request, new=True).resolve()
    assert folder.name == f"{short}-greedy"
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert load(read_run(folder)).scenario.name.endswith(Path(name).stem)


@pytest.mark.parametrize("name", [f"{WORLD}/bare", "bare", "./building", "UPPER.YAML"])
def test_a_file_that_does_not_end_like_one_is_refused_by_its_whole_name(name: str) -> None:
    put(name, level())
    if name.startswith(WORLD):
        put("bare", "another file")
    shown = str(Path(name))
    for command in ("run", "check", "show", "solve"):
        (*_, line) = cookmas(command, name).stderr.splitlines()
        assert line.startswith(f"cookmas: {shown}: is text that begins with 'world: {WORLD}"), line
        assert line.endswith("a .yaml file")


def test_a_name_of_a_world_is_meant_even_if_there_is_such_a_file() -> None:
    name = f"{WORLD}/building"
    put(name, "a file of this name")
    put("level1/01.yaml", level())
    put("level1/01", level())
    assert load_scenario(name).digest == domain_of(WORLD).scenario("building", {}).digest
    assert data("check", name)["findings"][0] == "scenario building: sound"
    assert load_scenario("level1/01").world().name == "restaurant"
    assert load_scenario("level1/01.yaml").world().name == WORLD


@pytest.mark.parametrize("world", [*WORLDS])
def test_a_name_may_say_the_world_that_an_option_says_too(world: str) -> None:
    names = domain_of(world).names()[:3]
    for name in names:
        assert locate(name, world) == locate(f"{world}/{name}", world) == (world, name)
        assert locate(f"{world}/{name}") == (world, name)
    assert locate_all(world, world) == locate_all(world)


def test_a_hint_names_a_scenario_that_its_command_finds() -> None:
    said = fails("solve", "--verify", f"{WORLD}/building")
    assert said.endswith(f"cookmas solve {WORLD}/building makes one")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mine.jsonl", f"mine.jsonl/{QUESTION}"),
        ("hanabi/mine.jsonl", f"hanabi/mine.jsonl/{QUESTION}"),
        ("questions/a b.jsonl", f"questions/a b.jsonl/{QUESTION}"),
        ("mine.jsonl", f"./mine.jsonl/{QUESTION}"),
        ("mine.jsonl", f"questions/mine.jsonl/{QUESTION}"),
    ],
)
def test_every_door_finds_a_question_in_a_file(file: str, name: str) -> None:
    put(file, (SUITES / "small.jsonl").read_text(encoding="utf-8"))
    place = locate(name)
    assert (place.world, str(Path(place.name))) == ("questions", f"{file}/{QUESTION}")
    assert locate(place.spelled) == locate(name, "questions") == place
    assert load_scenario(name).world().name == "questions"
    assert data("check", name)["findings"] == ["1 questions, and all keys are as computed"]
    assert cookmas("show", name).exit_code == 0
    (episode,) = episodes_of(suite(f"./{file}/{QUESTION}"), Path("s.yaml"))
    assert episode.case == f"questions/{Path(file).stem}/{QUESTION}"
    assert locate_all(file)[0] == ("questions", f"{file}/{QUESTION}")
    assert fails("show", file).startswith(f"cookmas: {file}: is a suite; expected a question of it")


def test_a_suite_that_is_shipped_is_told_from_one_that_is_not() -> None:
    assert "is a suite; expected a question" in fails("solve", "questions/small")
    assert fails("solve", "questions/smal") == "cookmas: smal: there is no suite 'smal'"
    assert data("check", f"questions/small/{QUESTION}")["fault"] is None


@pytest.mark.parametrize("name", ["p:q.yaml", "./a=1.yaml", "embedded.yaml", "llm.yml"])
def test_a_schedule_is_a_file_whatever_its_name(name: str) -> None:
    shutil.copy(SCHEDULE, name)
    done = cookmas("run", "level1/01", "-p", name, "--quiet", "--runs", "runs")
    (folder,) = Path("runs").iterdir()
    assert done.exit_code == 0, done.output
    written = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert written["planner"] == str(Path(name).resolve())


@pytest.mark.parametrize("scenario", ["level1/01", "restaurant/level1/01", "own.yaml"])
def test_a_schedule_names_its_scenario_as_people_do(scenario: str) -> None:
    shutil.copytree(ROOT / "scenarios" / "levels" / "level1", "folder", dirs_exist_ok=True)
    shutil.copy(Path("folder", "01.yaml"), Path("folder", "own.yaml"))
    rows = SCHEDULE.read_text(encoding="utf-8")
    field = f"scenario: {scenario}\n"
    put("folder/plan.yaml", field + rows[rows.index("schedule:") :])
    assert data("check", "folder/plan.yaml")["fault"] is None
    played = cookmas("run", "level1/01", "-p", "folder/plan.yaml", "--quiet", "--runs", "runs")
    assert played.exit_code == 0, played.output


@pytest.mark.parametrize("output", [f"{WORLD}/g.yaml", "restaurant.yaml", "p:q.yaml"])
def test_what_is_generated_is_found_by_its_name(output: str) -> None:
    Path(output).parent.mkdir(exist_ok=True)
    made = data("generate", "2", "--world", "hanabi", "-o", output)
    assert locate(made["scenario"]) == ("hanabi", output)
    assert data("check", output)["fault"] is None


def test_a_file_of_a_world_has_an_ending_of_a_file_of_scenarios() -> None:
    assert all(is_in_file(f"a{ending}") for ending in OWN_FILES)
    assert OWN_FILES[SUITE] == "questions"
