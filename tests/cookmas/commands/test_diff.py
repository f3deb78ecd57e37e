"""`cookmas diff`: where two runs part, and what it cost."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from cookmas.display.page.comparing import (
    KINDS,
    Film,
    Kind,
    difference,
    find_differences,
    find_first_other_act,
)
from tests.cookmas.commands.calling import cookmas

TRACES = Path(__file__).parents[2] / "traces"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


ENTRIES: list[dict[str, Any]] = [
    {"kind": "run", "scenario": "s", "planner": "p", "workers": ["w_1", "w_2"], "idle": "rest"},
    {"kind": "event", "t": 0, "text": "a bell is asked for", "change": []},
    {"kind": "trigger", "t": 0, "trigger": "new_bell", "cause": "a bell"},
    {"kind": "plan", "t": 0, "reasoning": "so", "schedule": [[["w_1", "go"]], [["w_1", "ring"]]]},
    {"kind": "step", "t": 0, "acts": [["w_1", "go", "goes"], ["w_2", "rest"]], "change": []},
    {
        "kind": "step",
        "t": 1,
        "acts": [["w_1", "ring", "rings"], ["w_2", "rest"]],
        "change": [[["bell"], True]],
    },
    {"kind": "end", "t": 2, "termination": "finished", "why": "", "tally": [1, 0]},
]
CHANGES: dict[Kind, tuple[int, str, Any, tuple[str, str]]] = {
    "event": (1, "text", "no bell", ("a bell is asked for", "no bell")),
    "trigger": (
        2,
        "cause",
        "none",
        ("the planner is called: new bell, a bell", "the planner is called: new bell, none"),
    ),
    "schedule": (
        3,
        "schedule",
        [[["w_1", "go"]], [["w_2", "ring"]]],
        ("timestep 1 of the schedule: w 1 rings", "timestep 1 of the schedule: w 1 rest"),
    ),
    "end": (6, "termination", "horizon", ("it is over (finished)", "it is over (horizon)")),
    "action": (
        5,
        "fails",
        {"w_1": {"fail": "no_bell", "why": "there is none"}},
        ("w 1 rings", "w 1 rings (FAIL, no bell)"),
    ),
    "state": (5, "change", [], ("bell: True", "bell: as before")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_runs_that_differ_in_one_thing_part_there(kind: Kind) -> None:
    number, field, value, words = CHANGES[kind]
    other = deepcopy(ENTRIES)
    other[number][field] = value
    films = Film(ENTRIES), Film(other)
    t = ENTRIES[number]["t"]
    assert list(find_differences(*films)) == [(t, kind)]
    assert difference(*films, t, kind).words == words
    assert find_first_other_act(*films) == (t if kind == "action" else None)
    assert find_first_other_act(*films[::-1]) == find_first_other_act(*films)


def test_what_is_said_beside_is_no_difference() -> None:
    other = deepcopy(ENTRIES)
    other[3] |= {"reasoning": "otherwise", "understood": {"a": ["b"]}}
    other.insert(3, {"kind": "lookup", "t": 0, "key": "a", "text": "b"})
    assert not list(find_differences(Film(ENTRIES), Film(other)))


def test_one_that_goes_on_differs_from_one_that_is_over() -> None:
    films = Film(ENTRIES), Film([*ENTRIES[:-1], {**ENTRIES[4], "t": 2}])
    assert list(find_differences(*films)) == [(2, "end"), (3, "end")]
    assert difference(*films, 2, "end").words == ("it is over (finished)", "it goes on")


def test_one_that_breaks_off_is_compared_up_to_there(toast: Path) -> None:
    trace = toast / "trace.jsonl"
    lines = trace.read_text().splitlines(keepends=True)
    Path("cut.jsonl").write_text("".join(lines[: len(lines) // 2]))
    done = cookmas("diff", str(trace), "cut.jsonl")
    assert (done.exit_code, done.stderr) == (1, "")
    assert (
        "in whether it is over:\n  A: it goes on\n  B: it breaks off, unfinished\n" in done.stdout
    )
    assert "A: SUCCESS, B: none yet." in done.stdout


def test_two_runs_that_do_the_same_are_equal(toast: Path) -> None:
    cookmas("run", "toast.yaml", "-p", "schedule.yaml", "-q")
    done = cookmas("diff", str(toast), f"{toast}-2/trace.jsonl")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "The two runs are the same at every timestep, 14 in all.\n"


def test_what_another_schedule_cost_is_said(toast: Path, poor_schedule: str) -> None:
    cookmas("run", "toast.yaml", "-p", poor_schedule, "-q")
    runs = (str(toast), "runs/toast-poor")
    done = cookmas("diff", *runs)
    assert (done.exit_code, done.stderr) == (1, "")
    assert "They part at timestep 0, in what the planner answers" in done.stdout
    assert "A: worker 1 goes to pantry; worker 2 goes to fridge" in done.stdout
    assert "B: worker 1 takes egg (FAIL, " in done.stdout
    assert "A: SUCCESS, B: FAILED" in done.stdout
    found = json.loads(cookmas("diff", *runs, "--json").stdout)
    assert (found["equal"], found["timesteps"][0]) == (False, 0)
    assert [each["kind"] for each in found["differences"]] == ["schedule", "action"]
    first, second = found["figures"]
    assert (first["makespan"], first["fails"], first["reached"]) == (14, 0, 1)
    assert (second.get("makespan"), second["reached"]) == (None, 0)
    assert second["fails"] > 0
    assert found["goals"][0] == {"o1.1 Buttered Toast": "served at 13"}
    assert "not served" in found["goals"][1]["o1.1 Buttered Toast"]


@pytest.mark.usefixtures("scenario")
def test_the_price_of_disruptions_is_compared() -> None:
    for planner in ("embedded", "most-urgent"):
        cookmas("run", "level3/05", "-p", planner, "-q")
    runs = sorted(map(str, Path("runs").iterdir()))
    figures = json.loads(cookmas("diff", *runs, "--json").stdout)["figures"]
    assert all(each["disruption_cost"] > 0 for each in figures)
    assert figures[0]["replan_regret"] < figures[1]["replan_regret"]
    assert "replan regret" in cookmas("diff", *runs).stdout


def test_a_fork_parts_from_its_parent_where_it_branches_off(toast: Path) -> None:
    run = str(toast)
    cookmas("fork", run, "--at", "2", "-e", "{kind: cancel_order, order: o1}", "--quiet")
    (fork,) = (path for path in Path("runs").iterdir() if path != Path(run))
    done = cookmas("diff", run, str(fork))
    assert done.exit_code == 1
    assert "toast by schedule; forked from toast-schedule at 2" in done.stdout
    assert "They part at timestep 2, in what happens" in done.stdout
    assert "B: order o1 is cancelled" in done.stdout


def test_runs_of_two_scenarios_are_not_compared() -> None:
    done = cookmas("diff", str(TRACES / "level1-01.jsonl"), str(TRACES / "level2-01.jsonl"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "expected two runs of one scenario, not of level1/01 and level2/01" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_runs_of_two_seeds_are_not_compared() -> None:
    for seed in ("1", "2"):
        cookmas("run", "cuisineworld/level_3", "--seed", seed, "-p", "noop", "--quiet")
    done = cookmas("diff", *map(str, sorted(Path("runs").iterdir())))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "not of two variants of level_3, unlike in seed" in done.stderr
    assert len(done.stderr.splitlines()) == 1
