"""CookMAS as an environment of PettingZoo: its own tests, and what they do not look at."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils import parallel_to_aec

import cookmas
from cookmas.bridges.pettingzoo import Rewards, TogetherEnv, parallel_env
from cookmas.episodes.trace import EventRecord, StepRecord, Trace
from cookmas.episodes.world import Command
from cookmas.files.errors import CookMASError
from cookmas.world_names import domain_of
from cookmas.worlds.base.training import NOTHING
from tests.worlds.every import SCENARIOS

ROOT = Path(__file__).parents[3]
UNJUDGED = Rewards(success=0)
"""Rewards for which no episode is judged, where the verdict is not tested."""

SEVERAL = ["level3/12", "corridor/two", "cuisineworld/level_3"]


def drawn(env: TogetherEnv, seed: int, cycles: int = 10**6) -> list[Any]:
    """Play with legal actions drawn with a seed; all that the environment gave."""
    given: list[Any] = [env.reset(seed=seed)]
    observations = given[0][0]
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + number)
    while env.agents and cycles:
        masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
        given.append(env.step({a: env.action_space(a).sample(m) for a, m in masks.items()}))
        observations = given[-1][0]
        cycles -= 1
    return given


def written(trace: Trace) -> str:
    return "".join(f"{line}\n" for line in trace.lines())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_tests_of_pettingzoo_pass(scenario: str) -> None:
    parallel_api_test(parallel_env(scenario, horizon=60), num_cycles=80)
    parallel_seed_test(lambda: parallel_env(scenario, horizon=60), num_cycles=80)


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_agents_can_act_one_after_the_other_as_well() -> None:
    api_test(parallel_to_aec(parallel_env("level1/01", horizon=20)), num_cycles=50)


@pytest.mark.parametrize("scenario", SEVERAL)
def test_whole_episodes_are_the_same_byte_for_byte(scenario: str) -> None:
    one, other = (parallel_env(scenario, horizon=120, rewards=UNJUDGED) for _ in range(2))
    first, second = drawn(one, 7), drawn(other, 7)
    assert len(first) == len(second) > 5
    for this, that in zip(first, second, strict=True):
        np.testing.assert_equal(this, that)
    assert written(one.trace()) == written(other.trace())
    drawn(other, 8)
    assert written(one.trace()) != written(other.trace())


DIGEST = """
import hashlib
from tests.cookmas.bridges.test_pettingzoo import UNJUDGED, drawn, written
from cookmas.bridges.pettingzoo import parallel_env
env = parallel_env("level3/08", horizon=40, rewards=UNJUDGED)
drawn(env, 7)
print(hashlib.sha256(written(env.trace()).encode()).hexdigest())
"""


def test_nothing_depends_on_the_order_of_sets() -> None:
    env = parallel_env("level3/08", horizon=40, rewards=UNJUDGED)
    drawn(env, 7)
    done = subprocess.run(
        [sys.executable, "-c", DIGEST],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == hashlib.sha256(written(env.trace()).encode()).hexdigest()


@pytest.mark.parametrize("scenario", SEVERAL)
def test_the_trace_replays_and_is_judged_like_any_other(scenario: str) -> None:
    env = parallel_env(scenario, horizon=40, policy="drawing lots")
    *_, last = drawn(env, 1)
    trace = env.trace()
    assert all(frame.equal for frame in cookmas.replay(trace))
    assert trace.header.planner == "drawing lots"
    assert trace.end
    assert trace.end.timestep == len(list(trace.of(StepRecord)))
    assert env.verdict == cookmas.judge(trace, cookmas.truth_of(trace, Path("trace.jsonl")))
    ended = trace.end.termination
    assert set(last[2].values()) == {ended == "finished"}
    assert set(last[3].values()) == {ended == "horizon"}


@settings(max_examples=12)
@example("level2/06", 513, 14)
@given(st.sampled_from(["level2/06", *SEVERAL]), st.integers(0, 999), st.integers(0, 40))
def test_the_mask_has_what_would_be_done_by_one_name_and_nothing_else(
    scenario: str, seed: int, cycles: int
) -> None:
    env = parallel_env(scenario)
    observations = drawn(env, seed, cycles)[-1][0]
    state, world, training = played(env)
    for agent in env.possible_agents:
        mask = observations[agent]["action_mask"]
        ways: dict[bool, list[Any]] = {True: [], False: []}
        for number, legal in enumerate(mask):
            text = training.text(state, number)
            commands = [Command(w, text if w == agent else world.idle) for w in world.workers]
            after, outcomes, _ = world.step(state, commands)
            assert outcomes[agent].done or not legal, text
            if outcomes[agent].done:
                ways[bool(legal)].append(world.dump(after))
        assert [way for way in ways[False] if way not in ways[True]] == []


def played(env: TogetherEnv) -> tuple[Any, Any, Any]:
    """The present state, by the trace, its world, and the world in numbers."""
    trace = env.trace()
    domain = domain_of(trace.header.world)
    world = domain.world(trace.header.setup)
    state = world.start()
    for record in trace.records:
        if isinstance(record, EventRecord) and not record.refused:
            state = world.apply(state, record.event)[0]
        if isinstance(record, StepRecord):
            state = world.step(state, record.commands)[0]
    return state, world, domain.training(world)


@pytest.mark.parametrize(
    "scenario",
    ["level1/01", "level3/12", pytest.param("level3/08", marks=pytest.mark.conformance)],
)
def test_what_the_embedded_planner_does_can_be_done(scenario: str) -> None:
    env = parallel_env(scenario)
    observations, _ = env.reset()
    total = dict.fromkeys(env.possible_agents, 0.0)
    trace = cookmas.play(scenario).trace
    _, world, training = played(env)
    for frame in cookmas.replay(trace):
        numbers = {
            agent: same_as(
                action, agent, observations[agent]["action_mask"], frame.before, world, training
            )
            for agent, action in frame.commands
        }
        observations, rewards, terminated, _, infos = env.step(numbers)
        for agent, reward in rewards.items():
            total[agent] += reward
        assert {info["fail"] for info in infos.values()} == {None}
    assert all(terminated.values())
    assert env.verdict
    assert env.verdict.success
    served = env.verdict.summary["served"]
    assert total == pytest.approx(dict.fromkeys(total, 1.0 + 0.1 * float(served or 0)))


def same_as(
    action: str, agent: str, mask: Sequence[int], state: Any, world: Any, training: Any
) -> int:
    """The number of a legal action that does in a state what `action` does."""

    def after(text: str) -> object:
        commands = [Command(w, text if w == agent else world.idle) for w in world.workers]
        return world.dump(world.step(state, commands)[0])

    wanted = after(action)
    if not action.startswith("pick"):
        return next(n for n, _ in enumerate(training.actions) if training.text(state, n) == action)
    numbers = (number for number, legal in enumerate(mask) if legal)
    return next(n for n in numbers if after(training.text(state, n)) == wanted)


FIRST = {"at": 0, "kind": "new_order", "order": "o1"}
LATER = [
    {"at": 9, "kind": "new_order", "order": "o2", "lines": [{"item": "Garden Salad"}]},
    {"at": 9, "kind": "cancel_order", "order": "o1"},
]


def kitchen(path: Path, note: str = "", later: Sequence[Mapping[str, Any]] = ()) -> str:
    lines = [{"item": "Buttered Toast", "note": note}]
    events = [{**FIRST, "lines": lines}, *later]
    path.write_text(
        yaml.safe_dump({"title": "T", "level": 3, "kitchen": "small", "events": events})
    )
    return str(path)


def test_nothing_tells_what_is_to_come(tmp_path: Path) -> None:
    quiet = parallel_env(kitchen(tmp_path / "quiet.yaml"))
    busy = parallel_env(kitchen(tmp_path / "busy.yaml", later=LATER))
    assert quiet.actions == busy.actions
    agent = quiet.possible_agents[0]
    assert quiet.observation_space(agent) == busy.observation_space(agent)
    np.testing.assert_equal(drawn(quiet, 3, 8), drawn(busy, 3, 8))
    idle = dict.fromkeys(busy.agents, 0)
    (one, *_), (other, *_) = quiet.step(idle), busy.step(idle)
    assert (one[agent]["observation"]["lines"] != other[agent]["observation"]["lines"]).any()


def test_observations_say_what_lies_where_and_what_was_asked_for(tmp_path: Path) -> None:
    env = parallel_env(kitchen(tmp_path / "toast.yaml", "Well done, s'il vous plaît."))
    observations, infos = env.reset()
    worker = env.possible_agents[1]
    assert [int(observations[agent]["me"][0]) for agent in env.agents] == [0, 1, 2]
    assert "Buttered Toast" in infos[worker]["texts"]
    seen = observations[worker]["observation"]
    note = seen["notes"][0]
    words = bytes(note[note != NOTHING].astype(np.uint8)).decode()
    assert words == "Well done, s'il vous plaît."
    assert (seen["portions"] == NOTHING).all()
    number = {text: n for n, text in enumerate(env.actions)}
    done = ["navigate(pantry)", "pick(bread)", "navigate(board_1)", "place", "slice", "slice"]
    for text in done:
        observations, *_, infos = env.step({worker: number[text]})
        assert infos[worker]["fail"] is None
    assert env.observation_space(worker).contains(observations[worker])
    columns = env.columns["portions"]
    rows = observations[worker]["observation"]["portions"]
    row = dict(zip(columns, map(int, rows[0]), strict=True))
    assert (rows[1:] == NOTHING).all()
    _, _, training = played(env)
    assert training.stations[row["index"]] == "board_1"
    assert training.foods[row["food"]] == "bread"
    assert (row["where"], row["slot"], row["component"]) == (0, 1, 1)
    assert (row["slice"], row["chop"], row["cooking"]) == (2, 0, NOTHING)


def test_who_fails_is_told_and_pays_alone() -> None:
    env = parallel_env("level1/01", rewards=Rewards(fail=-0.5, timestep=-0.1, success=0))
    env.reset()
    serve = env.actions.index("serve(line 2)")
    _, rewards, _, _, infos = env.step({"worker_1": serve})
    assert rewards == pytest.approx({"worker_1": -0.6, "worker_2": -0.1, "worker_3": -0.1})
    assert infos["worker_1"]["fail"]
    assert infos["worker_2"]["fail"] is None


def test_no_episode_is_judged_where_success_counts_for_nothing() -> None:
    env = parallel_env("level1/01", horizon=3, rewards=UNJUDGED)
    drawn(env, 1)
    assert env.agents == []
    assert env.verdict is None


def test_each_reset_draws_a_scenario_or_takes_the_one_that_is_named() -> None:
    env = parallel_env(["level1/01", "level1/02"])
    seeds = range(20)
    names = [scenario_after(env, seed=seed) for seed in seeds]
    assert set(names) == {"level1/01", "level1/02"}
    assert names == [scenario_after(env, seed=seed) for seed in seeds]
    named = {"scenario": "level1/02", "options": 1}
    assert scenario_after(env, options=named) == "level1/02"
    with pytest.raises(CookMASError, match="only scenario; is it 'scenario'"):
        env.reset(options={"scenarios": "level1/02"})


def orders_after(env: TogetherEnv, seed: int | None = None) -> list[Any]:
    env.reset(seed=seed)
    while env.agents:
        env.step({})
    trace = env.trace()
    assert all(frame.equal for frame in cookmas.replay(trace))
    assert env.verdict is not None
    return [record.event for record in trace.of(EventRecord)]


def test_the_seed_of_a_reset_draws_the_orders_of_a_cuisine() -> None:
    env = parallel_env("cuisineworld/level_8")
    first, second, *rest = (orders_after(env, seed) for seed in (1, 2, 1, 2))
    assert first != second
    assert rest == [first, second]
    assert orders_after(env) != orders_after(env)


def test_a_seed_in_the_settings_stands_at_each_reset() -> None:
    env = parallel_env("cuisineworld/level_8", settings={"seed": 5})
    assert orders_after(env, 1) == orders_after(env, 2)
    assert env.trace().header.seed == 5


def test_a_run_says_how_the_orders_of_a_cuisine_are_drawn() -> None:
    with pytest.raises(CookMASError, match="draws its events by its own option --seed"):
        cookmas.play("cuisineworld/level_1", "noop", seed=3)


def scenario_after(env: TogetherEnv, **given: Any) -> str:
    env.reset(**given)
    return env.trace().header.scenario_name


async def test_it_can_be_reset_within_a_running_loop() -> None:
    _, infos = parallel_env("level1/01").reset()
    assert all(info["texts"] for info in infos.values())


def test_a_state_and_a_picture_are_there_for_who_wants_them() -> None:
    env = parallel_env("level1/01", render_mode="ansi")
    observations, _ = env.reset()
    arrays = observations[env.agents[0]]["observation"].values()
    assert env.state().tolist() == [int(x) for array in arrays for x in array.ravel()]
    assert "Buttered Toast" in (env.render() or "")
    assert parallel_env("level1/01").render() is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scenarios": []}, "expected a scenario"),
        ({"scenarios": "level1/01", "render_mode": "human"}, "expected a scenario"),
        ({"scenarios": ["level1/01", "level3/08"]}, "same actions and arrays"),
        ({"scenarios": ["level1/01", "corridor/two"]}, "one world"),
        ({"scenarios": "level9/01"}, "there is no scenario"),
        *(
            ({"scenarios": "level1/01", "horizon": horizon}, "horizon: expected a whole number")
            for horizon in (0, -5, 1.5, True, "60", float("nan"))
        ),
    ],
)
def test_what_cannot_be_trained_on_is_refused_in_a_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(CookMASError, match=said):
        parallel_env(**options)


NO_NUMBERS = [0.5, 0.0, "0", "wait", True, np.array([0]), np.array(0), float("nan"), [0], -1, 10**9]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_wrong_action_is_refused_in_a_line_that_names_its_agent(scenario: str) -> None:
    env = parallel_env(scenario)
    env.reset(seed=0)
    before = written(env.trace())
    for agent in env.agents:
        for action in NO_NUMBERS:
            with pytest.raises(CookMASError) as refused:
                env.step({agent: action})  # type: ignore[dict-item]
            line = str(refused.value)
            assert line.startswith(f"action of {agent}: expected a whole number from 0 to ")
            assert "\n" not in line
    assert written(env.trace()) == before


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_mistyped_agent_is_refused_with_the_names_of_all(scenario: str) -> None:
    env = parallel_env(scenario)
    env.reset(seed=0)
    said = f"there is no 'ghost'; expected {', '.join(env.agents)}"
    for wrong in (
        lambda: env.step({"ghost": 0}),
        lambda: env.step(dict.fromkeys([*env.agents, "ghost"], 0)),
        lambda: env.action_space("ghost"),
        lambda: env.observation_space("ghost"),
        lambda: env.actions_of("ghost"),
        lambda: env.columns_of("ghost"),
    ):
        with pytest.raises(CookMASError, match=re.escape(said)):
            wrong()
    with pytest.raises(CookMASError, match="expected the number of an action for each agent"):
        env.step([0] * len(env.agents))  # type: ignore[arg-type]


def test_a_seed_that_is_none_is_refused_in_a_line() -> None:
    env = parallel_env("level1/01")
    for seed in (-1, 1.5, "1", True):
        with pytest.raises(CookMASError, match="seed: expected a whole number from 0 on"):
            env.reset(seed=seed)  # type: ignore[arg-type]


def test_a_whole_number_of_numpy_counts_as_a_number() -> None:
    env = parallel_env("level1/01", horizon=np.int64(5))  # type: ignore[arg-type]
    env.reset(seed=np.int64(3))  # type: ignore[arg-type]
    env.step({agent: np.int32(0) for agent in env.agents})
    assert env.trace().header.horizon == 5


def test_actions_that_stand_for_nothing_and_missing_resets_are_refused() -> None:
    env = parallel_env("level1/01")
    with pytest.raises(CookMASError, match="call reset first"):
        env.step({})
    env.reset()
    with pytest.raises(CookMASError, match="expected a whole number from 0 to"):
        env.step({"worker_1": len(env.actions)})
    with pytest.raises(CookMASError, match="expected one of level1/01"):
        env.reset(options={"scenario": "level1/02"})
