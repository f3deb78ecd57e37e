"""The embedded planner: what it does where it understands little, and without the truth."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from cookmas.episodes.parts import SearchRecord
from cookmas.episodes.world import Trigger
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import Observation, Plan, check_plan, commands_of
from cookmas.orchestrator.planners.calling import read_answer, write_answer
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.scenario import scenario_names
from cookmas.solving.restaurant.planners import MOST_WORK, EmbeddedPlanner, NaivePlanner
from cookmas.solving.restaurant.scheduling.planning import Planning
from tests.folders import CODE
from tests.sampling import sampled

ROOT = Path(__file__).parents[4]
WORLD = Restaurant(build_kitchen(kitchen_path("standard"), load_menu()))
TOAST = "Grill the bread for 2 to 3 minutes. Put the toast and the butter on a plate and serve."
RIDDLE = "The moon is made of green dreams, and nobody knows why."
SAMPLE = [*sampled(scenario_names()[::10], 3)]
STRANGE = "Chop the unicorn for 2 minutes and put it on a plate."


def ordered(*items: str) -> KitchenState:
    lines = [{"item": item} for item in items]
    state, ruling = WORLD.apply(WORLD.start(), {"kind": "new_order", "order": "o1", "lines": lines})
    assert ruling.refused is None
    return state


def seen(state: KitchenState, texts: Mapping[str, str]) -> Observation[KitchenState]:
    return Observation(
        timestep=state.timestep,
        triggers=(Trigger(kind="new_order", cause="order o1 came in"),),
        world=WORLD,
        state=WORLD.observe(state),
        texts=texts,
        fails={},
    )


def entries(plan: Plan) -> list[dict[str, str]]:
    return [dict(commands_of(entry)) for entry in plan.schedule]


def actions(plan: Plan) -> list[str]:
    return [action for entry in entries(plan) for action in entry.values()]


async def test_what_is_understood_is_said_and_served() -> None:
    plan = await EmbeddedPlanner().plan(seen(ordered("Buttered Toast"), {"Buttered Toast": TOAST}))
    assert plan.gave_up is None
    assert plan.understood == {"o1.1": ["bread > grill 2-3", "butter"]}
    assert "serve(o1.1)" in actions(plan)
    assert check_plan(plan, WORLD)[1] is None
    assert plan.search is not None
    assert plan.search.bound == len(plan.schedule)
    assert plan.search.status == "optimal"


@pytest.mark.parametrize("prose", [RIDDLE, STRANGE, ""])
async def test_it_gives_up_when_nothing_is_understood(prose: str) -> None:
    plan = await EmbeddedPlanner().plan(seen(ordered("Buttered Toast"), {"Buttered Toast": prose}))
    assert plan.gave_up is not None
    assert plan.gave_up.startswith("no open order line can be made as it was understood: ")
    assert plan.gave_up.count("o1.1: no component was understood") == 1
    assert "\n" not in plan.gave_up
    assert plan.schedule == ()


async def test_a_line_that_is_not_understood_keeps_no_other_waiting() -> None:
    state = ordered("Garden Salad", "Buttered Toast")
    plan = await EmbeddedPlanner().plan(
        seen(state, {"Garden Salad": RIDDLE, "Buttered Toast": TOAST})
    )
    assert plan.gave_up is None
    assert "serve(o1.2)" in actions(plan)
    assert "serve(o1.1)" not in actions(plan)
    assert plan.reasoning.count("o1.1: no component was understood") == 1
    assert plan.reasoning.startswith("1 open lines")
    assert "\n" not in plan.reasoning


@pytest.mark.parametrize("planner", [EmbeddedPlanner, NaivePlanner, MOST_WORK])
async def test_a_planner_that_finds_no_schedule_says_so_and_does_not_wait_in_silence(
    monkeypatch: pytest.MonkeyPatch, planner: Callable[[], EmbeddedPlanner]
) -> None:
    monkeypatch.setattr(Planning, "best", lambda self: None)
    state, texts = ordered("Buttered Toast"), {"Buttered Toast": TOAST}
    plan = await planner().plan(seen(state, texts))
    assert plan.gave_up == (
        "the search found no schedule; o1.1: no schedule was found within the effort"
    )
    assert plan.schedule == ()
    out, _ = WORLD.apply(state, {"kind": "fault", "worker": "worker_1", "timesteps": 5})
    plan = await planner().plan(seen(out, texts))
    assert plan.gave_up is None
    assert "waits: o1.1: no schedule was found within the effort" in plan.reasoning


async def test_with_no_open_line_there_is_nothing_to_do() -> None:
    state, _ = WORLD.apply(ordered("Buttered Toast"), {"kind": "cancel_order", "order": "o1"})
    plan = await EmbeddedPlanner().plan(seen(state, {"Buttered Toast": TOAST}))
    assert plan.gave_up is None
    assert not any(action.startswith(("pick", "serve")) for action in actions(plan))
    assert plan.search == SearchRecord(status="optimal", effort=0, fallback="waiting")


async def test_what_the_search_found_crosses_the_wire() -> None:
    plan = await EmbeddedPlanner().plan(seen(ordered("Buttered Toast"), {"Buttered Toast": TOAST}))
    assert plan.search is not None
    assert read_answer(write_answer(plan, Plan), Plan).search == plan.search


async def test_the_same_observation_gives_the_same_plan() -> None:
    observation = seen(ordered("Buttered Toast", "Buttered Toast"), {"Buttered Toast": TOAST})
    planner = EmbeddedPlanner()
    first = await planner.plan(observation)
    assert await planner.plan(observation) == first
    assert await EmbeddedPlanner().plan(observation) == first


async def test_the_naive_planner_makes_one_dish_with_one_worker() -> None:
    observation = seen(ordered("Buttered Toast", "Buttered Toast"), {"Buttered Toast": TOAST})
    plan = await NaivePlanner().plan(observation)
    busy = {
        worker
        for entry in entries(plan)
        for worker, action in entry.items()
        if action != WORLD.idle
    }
    assert busy == {"worker_1"}
    assert [action for action in actions(plan) if action.startswith("serve")] == ["serve(o1.1)"]


async def test_the_naive_planner_takes_the_next_worker_if_the_first_is_out() -> None:
    state, _ = WORLD.apply(
        ordered("Buttered Toast"), {"kind": "fault", "worker": "worker_1", "timesteps": 5}
    )
    plan = await NaivePlanner().plan(seen(state, {"Buttered Toast": TOAST}))
    assert all(entry["worker_1"] == "wait" for entry in entries(plan))
    assert any(entry["worker_2"] == "serve(o1.1)" for entry in entries(plan))


PLAY = """
import json, sys
from pathlib import Path
import cookmas.scenarios
from cookmas.episodes.trace import to_line
from cookmas.solving.restaurant.planners import EmbeddedPlanner

assert Path(cookmas.scenarios.__file__).resolve().parents[1] == Path.cwd()
EmbeddedPlanner.effort = 60
for name in sys.argv[1:]:
    run = cookmas.play(name)
    print(json.dumps([name, run.success, list(map(to_line, run.trace.records[1:]))]))
"""


def play_all(checkout: Path) -> dict[str, tuple[bool, list[str]]]:
    """What came of the sample in a checkout: the success and the trace's records."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, *SAMPLE],
        cwd=checkout,
        env={"PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    played = [json.loads(line) for line in done.stdout.splitlines()]
    return {name: (success, records) for name, success, records in played}


def checkout(folder: Path) -> Path:
    for name in CODE:
        shutil.copytree(ROOT / name, folder / name, symlinks=True)
    return folder


def alter(truth: Path) -> None:
    """Make nearly every dish of the truth another one: no note means anything, minutes differ."""
    for path in truth.glob("level*/*.yaml"):
        data = yaml.safe_load(path.read_text())
        for meanings in data["notes"].values():
            meanings.update({note: [] for note in meanings})
        path.write_text(yaml.safe_dump(data))
    menu = truth / "menu.yaml"
    text = menu.read_text()
    changed = re.sub(
        r"(chop|slice|peel|grate|mix|blend|knead|boil|fry|bake|grill) (\d+)\b(?!-)", r"\1 9\2", text
    )
    assert changed != text
    menu.write_text(changed)


def test_no_schedule_depends_on_the_truth(tmp_path: Path) -> None:
    after = checkout(tmp_path)
    alter(after / "scenarios" / "truth")
    as_it_is, altered = play_all(ROOT), play_all(after)
    assert list(as_it_is) == list(altered) == SAMPLE
    for name in as_it_is:
        assert as_it_is[name][1] == altered[name][1], name
    successes = [sum(bool(done[0]) for done in played.values()) for played in (as_it_is, altered)]
    assert successes[0] == len(SAMPLE)
    assert successes[1] < 2, "the truth was altered indeed"
