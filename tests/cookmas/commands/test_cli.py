"""The command line: what it prints, and how it ends."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from cookmas.commands.cli import app
from cookmas.display.terminal import LONGEST_ERROR
from cookmas.scenarios.scenario import scenario_names
from cookmas.world_names import WORLDS
from cookmas.worlds.restaurant.domain import DOMAIN as RESTAURANT
from tests.cookmas.commands.calling import ALONE, cookmas, data, fails, process
from tests.loaded import loaded
from tests.warm import COOKMAS, ROOT, Warm


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_run_shows_progress_and_a_verdict(scenario: str, schedule: str) -> None:
    done = cookmas("run", scenario, "--planner", schedule)
    assert done.exit_code == 0, done.output
    assert "worker 1 goes to grill 1; worker 2 " in done.stdout
    assert "o1.1 Buttered Toast is served" in done.stdout
    assert "SUCCESS" in done.stdout
    assert Path("runs/toast-schedule/trace.jsonl").exists()


def test_a_quiet_run_shows_the_verdict_alone(scenario: str, schedule: str) -> None:
    done = cookmas("run", scenario, "--planner", schedule, "--quiet", "--runs", "kept")
    assert "worker 1" not in done.stdout
    assert "SUCCESS" in done.stdout
    assert Path("kept/toast-schedule/run.json").exists()


def test_a_failed_episode_exits_with_one(scenario: str, poor_schedule: str) -> None:
    done = cookmas("run", scenario, "-p", poor_schedule)
    assert done.exit_code == 1
    assert "FAIL worker 1" in done.stdout
    assert "FAILED" in done.stdout


def test_every_run_gets_a_folder_of_its_own(scenario: str, schedule: str) -> None:
    for _ in range(2):
        cookmas("run", scenario, "-p", schedule, "-q")
    traces = [Path(f"runs/toast-schedule{more}/trace.jsonl").read_bytes() for more in ("", "-2")]
    assert traces[0] == traces[1]


def test_several_scenarios_make_a_table_of_the_planner_class(
    scenario: str, poor_schedule: str
) -> None:
    done = cookmas("run", scenario, scenario, "-p", poor_schedule)
    assert done.exit_code == 1
    assert "Planner class: fixed" in done.stdout
    assert re.findall(r"runs/\S+", done.stdout)[:2] == ["runs/toast-poor", "runs/toast-poor-2"]
    assert "worker 1" not in done.stdout


def test_a_level_stands_for_its_scenarios(poor_schedule: str) -> None:
    done = cookmas("run", "level1", "-p", poor_schedule, "--json")
    played = [json.loads(line)["scenario"] for line in done.stdout.splitlines()]
    assert played == scenario_names(1)
    assert played


def test_a_run_as_json(scenario: str, schedule: str) -> None:
    run = data("run", scenario, "-p", schedule)
    assert run["verdict"]["success"] is True
    assert (run["folder"], run["verdict"]["planner"]) == ("runs/toast-schedule", "schedule")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["run", "level9/01"], "there is no scenario 'level9/01'"),
        (["run", "missing.yaml"], "there is no such file"),
        (["run", "level1/01", "-p", "nobody"], "planner 'nobody': expected embedded"),
        (["resume", "nowhere"], "there is no run here"),
        (["order", "-2 Garden Salad"], "words that begin with a dash stand behind --"),
        (["replay", "nowhere.jsonl"], "there is no such trace"),
        (["eval", "nowhere.jsonl"], "there is no such trace"),
        (["check", "nowhere.yaml"], "there is no such file"),
        (["show", "kitchen", "royal"], "there is no kitchen 'royal'"),
        (["show", "recipe", "Unicorn"], "'Unicorn' is not on the menu"),
        (["show", "level1/99"], "there is no scenario"),
        (["list", "level4"], "the groups are adversarial, level1, level2, level3"),
        (["generate", "4", "-o", "x.yaml"], "level: expected 1, 2 or 3, not 4"),
        (["generate", "2", "--size", "99", "-o", "x.yaml"], "size: expected 2 to 12"),
        (["generate", "2", "--size", "0", "-o", "x.yaml"], "size: expected 2 to 12"),
        (["generate", "1", "--world", "corridor", "--size", "0", "-o", "x.yaml"], "1 to 99 bells"),
        (["list", "--world", "mars"], f"expected {', '.join(WORLDS)}"),
        (["run", "cuisineworld/level_3", "--agents", "0"], "--agents"),
        (["generate", "1", "-o", "x.txt"], "expected a file that ends in .yaml"),
        (["graph", "-o", "no/such/folder.mmd"], "no/such/folder.mmd: No such file or directory"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], expected: str) -> None:
    assert expected in fails(*arguments)


def test_a_folder_that_cannot_be_made_is_one_line(scenario: str, schedule: str) -> None:
    Path("occupied").touch()
    said = fails("run", scenario, "-p", schedule, "--runs", "occupied")
    assert said == "cookmas: occupied: Not a directory"


@pytest.mark.parametrize(
    ("arguments", "head", "tail"),
    [
        (("x" * 3000,), "No such command 'xxx", " -h' says what there is"),
        (("run", "x" * 3000), "", "of restaurant; 'cookmas list' names all"),
        (("run", "level1/01", "--world", "x" * 3000), "world 'xxx", "package.module:Domain"),
    ],
)
def test_an_error_line_is_bounded_and_keeps_its_head_and_tail(
    arguments: tuple[str, ...], head: str, tail: str
) -> None:
    line = fails(*arguments)
    assert len(line) == LONGEST_ERROR
    assert line.startswith(f"cookmas: {head}")
    assert " [...] " in line
    assert line.endswith(tail)


def test_every_option_that_is_a_number_with_a_point_has_bounds() -> None:
    def options(command: Any) -> Iterator[Any]:
        yield from command.params
        if hasattr(command, "list_commands"):
            for name in command.list_commands(None):
                yield from options(command.get_command(None, name))

    numbers = [
        each for each in options(get_command(app)) if each.type_descriptor.annotation is float
    ]
    assert len(numbers) > 10
    assert [each.name for each in numbers if each.min is None or each.max is None] == []


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "-1", "1e7"])
def test_seconds_are_a_number_that_can_be_waited_for(number: str) -> None:
    assert "--patience" in fails("order", "1 Lasagne", "--patience", number)
    assert "--pace" in fails(
        "run", "level1/01", "--live", "--pace", number.replace("1e7", "9" * 400)
    )


ABROAD = """
title: Grüße 寿司
level: 1
kitchen: small
events:
  - {at: 0, kind: new_order, order: o1, lines: [{item: Buttered Toast, note: 寿司 ü}]}
"""


def test_output_can_be_shown_in_any_encoding_and_files_are_in_one(tmp_path: Path) -> None:
    Path("abroad.yaml").write_text(ABROAD, encoding="utf-8")
    environment = {**ALONE, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "cookmas", "run", "abroad.yaml", "-p", "naive"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.stderr == b""
    assert rb"\u5bff\u53f8" in done.stdout
    assert done.returncode == 0
    assert "寿司 ü" in Path("runs/abroad-naive/trace.jsonl").read_text(encoding="utf-8")
    for encoding in ("ascii", "latin-1"):
        script = f"import sys; sys.stdout.reconfigure(encoding={encoding!r}); {COOKMAS}"
        for arguments in (["show", "abroad.yaml"], ["show", "abroad.yaml", "--json"]):
            pipe = subprocess.PIPE
            shown = Warm[str](
                (script, *arguments),
                cwd=tmp_path, env=ALONE, stdout=pipe, stderr=pipe, encoding=encoding,
            )  # fmt: skip
            out, errors = shown.answered()
            assert (shown.returncode, errors) == (0, "")
            assert "\\u5bff\\u53f8" in out
            if "--json" in arguments:
                assert "寿司 ü" in str([json.loads(line) for line in out.splitlines()])


def test_wrong_usage_exits_with_two() -> None:
    for arguments in (["run"], ["show", "kitchen"], ["fly"], ["replay", "x", "--at", "soon"]):
        assert cookmas(*arguments).exit_code == 2


def test_words_from_outside_are_no_markup(scenario: str, schedule: str) -> None:
    path = Path(scenario)
    words = "[bold red]hot[/] \\u001b[31mred"
    path.write_text(path.read_text().replace("Toast}", f'Toast, note: "{words}"}}'))
    for done in (cookmas("show", scenario), cookmas("run", scenario, "-p", schedule)):
        assert "\x1b" not in done.stdout
        assert done.exit_code == 0
    assert "[bold red]hot[/]  [31mred" in cookmas("show", scenario).stdout


def test_a_world_is_shown_by_its_scenarios() -> None:
    assert [row["name"] for row in data("show", "corridor")] == ["halves", "one", "two"]
    assert "level_12" in cookmas("show", "cuisineworld").stdout


def test_list_names_the_scenarios_of_a_level() -> None:
    assert [entry["name"] for entry in data("list", "level2")] == scenario_names(2)
    assert "level3/01" in cookmas("list", "3").stdout


def test_show_tells_what_a_planner_is_told(scenario: str) -> None:
    assert "Buttered Toast" in cookmas("show").stdout
    assert "grill_1" in cookmas("show", "kitchen", "small").stdout
    recipe = data("show", "recipe", "buttered toast")["Buttered Toast"]
    shown = cookmas("show", scenario).stdout
    assert recipe.splitlines()[0] in shown
    assert "o1.1  Buttered Toast" in shown
    assert data("show", scenario)["recipes"] == {"Buttered Toast": recipe}
    assert "navigate(station)" in cookmas("show", "actions").stdout


def test_check_tells_sound_files_from_faulty_ones(scenario: str, schedule: str) -> None:
    assert cookmas("check", scenario, schedule).exit_code == 0
    Path("bad.yaml").write_text("title: Bad\nlevel: 7\nevents: []\n")
    assert "level" in fails("check", "bad.yaml", code=1)


def test_check_takes_the_names_of_scenarios() -> None:
    assert "scenario level3/07" in cookmas("check", "level3/07").stdout
    assert cookmas("check", "corridor/two").exit_code == 0
    assert "frenchFries cannot be served" in cookmas("check", "cuisineworld/level_12").stdout


def test_what_is_generated_is_sound_and_the_same_again() -> None:
    for name in ("one.yaml", "two.yaml"):
        assert cookmas("generate", "3", "--size", "5", "--seed", "4", "-o", name).exit_code == 0
    assert Path("one.yaml").read_text() == Path("two.yaml").read_text()
    assert cookmas("check", "one.yaml").exit_code == 0
    assert "exists already" in fails("generate", "1", "-o", "one.yaml")


def test_the_graph_is_drawn_in_mermaid() -> None:
    assert cookmas("graph", "-o", "graph.mmd").exit_code == 0
    drawn = Path("graph.mmd").read_text()
    assert all(node in drawn for node in ("world", "planner", "worker"))
    assert cookmas("graph").stdout == drawn


def test_the_real_command_ends_in_its_exit_codes(
    scenario: str, schedule: str, tmp_path: Path
) -> None:
    done = process("run", scenario, "-p", schedule, "-q", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    bad = process("run", "level9/01", cwd=tmp_path)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.count("\n") == 1


def test_a_planner_in_the_present_folder_is_found(scenario: str, tmp_path: Path) -> None:
    Path("quitter.py").write_text(
        "from cookmas.orchestrator.planner import Plan\n"
        "class Quitter:\n"
        "    name, planner_class = 'quitter', 'assisted'\n"
        "    async def plan(self, observation):\n"
        "        return Plan(schedule=(), gave_up='no')\n"
    )
    done = process("run", scenario, "-p", "quitter:Quitter", "--json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["verdict"]["termination"] == "gave_up"


def test_an_interrupted_run_says_how_to_go_on(scenario: str, tmp_path: Path) -> None:
    Path("slow.py").write_text(
        "import asyncio, pathlib\n"
        "from cookmas.orchestrator.planner import Plan\n"
        "class Slow:\n"
        "    name, planner_class = 'slow', 'assisted'\n"
        "    async def plan(self, observation):\n"
        "        if not pathlib.Path('asked').exists():\n"
        "            pathlib.Path('asked').touch()\n"
        "            await asyncio.sleep(60)\n"
        "        return Plan(schedule=(), gave_up='no')\n"
    )
    playing = Warm[str](
        (COOKMAS, "run", scenario, "-p", "slow:Slow"),
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not Path("asked").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    playing.send_signal(signal.SIGINT)
    _, said = playing.communicate(timeout=60)
    assert playing.returncode == 130, said
    assert said == ("cookmas: interrupted; 'cookmas resume runs/toast-slow' continues it\n")
    done = process("resume", "runs/toast-slow", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["verdict"]["termination"] == "gave_up"


def test_what_judges_and_shows_loads_nothing_that_plays() -> None:
    script = "import cookmas.replaying, cookmas.user_processes, cookmas.display.page.show"
    script += ", cookmas.studies.bench.rescoring, cookmas.studies.report.report"
    assert loaded(script, "langgraph", "langchain_core", "openai") == []


def test_looking_at_what_is_not_there_is_one_line(scenario: str, schedule: str) -> None:
    assert "there is no run here" in fails("live", "nowhere", "--no-open")
    assert "there is no such trace" in fails("view", "nowhere.jsonl", "--no-open")
    cookmas("run", scenario, "-p", schedule, "-q")
    done = cookmas("view", "runs/toast-schedule", "--data")
    assert json.loads(done.stdout.splitlines()[0])["kind"] == "run"
    assert json.loads(done.stdout.splitlines()[-1])["kind"] == "verdict"
    assert "is not a usable address" in fails(
        "live", "runs/toast-schedule", "--host", "203.0.113.7"
    )


def test_the_help_names_the_planners_that_can_be_named() -> None:
    told = " ".join(cookmas("run", "--help").stdout.split())
    assert f"({', '.join(RESTAURANT.planners)})" in told
