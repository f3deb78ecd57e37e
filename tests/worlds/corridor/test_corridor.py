"""The smallest complete world, from the command line's names to the verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.trace import StepRecord, Trace
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError, TraceError
from cookmas.worlds.corridor.domain import DOMAIN
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld

BELL = {"kind": "bell", "name": "red"}


@pytest.mark.parametrize("name", DOMAIN.names())
@pytest.mark.parametrize("planner", ["embedded", "team"])
def test_every_bell_is_rung_where_it_hangs(name: str, planner: str) -> None:
    run = cookmas.play(f"corridor/{name}", planner)
    assert run.success is True, run.verdict and run.verdict.why
    assert all(frame.equal for frame in cookmas.replay(run.trace))
    again = cookmas.play(f"corridor/{name}", planner)
    assert list(run.trace.lines()) == list(again.trace.lines())


def test_an_episode_that_ends_before_all_was_asked_for_is_no_success(tmp_path: Path) -> None:
    path = tmp_path / "late.yaml"
    path.write_text(
        "world: corridor\ntitle: Late\nlength: 1\nbells:\n"
        "  - {name: a, text: one}\n  - {at: 900, name: b, text: one}\n"
    )
    path.with_suffix(".truth.yaml").write_text("a: 1\nb: 1\n")
    run = cookmas.play(str(path))
    assert run.success is False
    assert run.verdict
    assert run.verdict.why == "the episode ended early (horizon): The last timestep is over."


def test_a_bell_rung_elsewhere_fails_the_episode(tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.yaml"
    schedule.write_text("- {walker_1: right}\n- {walker_1: ring(red)}\n")
    run = cookmas.play("corridor/one", str(schedule))
    assert run.success is False
    assert run.verdict
    assert run.verdict.why == "not rung where they hang: red"
    assert run.verdict.summary["right"] == 0


def test_a_walker_is_not_shown_what_another_knows() -> None:
    world = CorridorWorld(CorridorLevel())
    state, _ = world.apply(world.start(), {**BELL, "knower": "walker_2"})
    assert world.lookups(world.observe(state, "walker_1")) == []
    assert world.lookups(world.observe(state, "walker_2")) == ["red"]
    assert world.lookups(world.observe(state)) == ["red"]


def test_the_rules() -> None:
    world = CorridorWorld(CorridorLevel(length=1))
    state, ruling = world.apply(world.start(), {**BELL, "ringer": "walker_2"})
    assert ruling.trigger
    assert world.apply(state, BELL)[1].refused == "bell red is asked for already"
    state, outcomes, _ = world.step(
        state, [Command("walker_1", "left"), Command("walker_2", "right")]
    )
    assert [outcomes[walker].fail for walker in world.workers] == ["wall", None]
    _, outcomes, _ = world.step(state, [Command("walker_1", "ring(red)")])
    assert [outcomes[walker].fail for walker in world.workers] == ["not_yours", "no_action"]
    state, outcomes, _ = world.step(
        state, [Command("walker_2", "ring(red)"), Command("walker_1", "ring(blue)")]
    )
    assert [outcomes[walker].fail for walker in world.workers] == ["no_bell", None]
    assert world.is_finished(state)
    assert world.tally(state).done == 1
    with pytest.raises(InputError, match="expected a bell"):
        world.apply(state, {"kind": "gong"})
    with pytest.raises(InputError, match="no walker 'bob'"):
        world.apply(state, {"kind": "bell", "name": "x", "ringer": "bob"})


@given(st.lists(st.sampled_from(["left", "right", "stay", "ring(red)", "hop"]), max_size=30))
def test_what_is_legal_is_what_does_not_fail(actions: list[str]) -> None:
    world = CorridorWorld(CorridorLevel(walkers=1, length=3))
    state, _ = world.apply(world.start(), BELL)
    for action in actions:
        legal = world.legal(state, "walker_1")
        state, outcomes, _ = world.step(state, [Command("walker_1", action)])
        assert outcomes["walker_1"].done == (action in legal)
        assert world.load(json.loads(json.dumps(world.dump(state)))) == state


@pytest.mark.parametrize(
    ("commands", "refused"),
    [
        ([("walker_1", "left"), ("walker_2", "ring(a)")], False),
        ([("walker_1", "left"), ("walker_1", "left")], True),
        ([("walker_3", "left")], True),
        ([("walker_1", "dance")], True),
    ],
)
def test_what_nobody_can_be_given_is_refused(commands: Any, refused: bool) -> None:
    world = CorridorWorld(CorridorLevel(length=3))
    assert (world.refusal([Command(*each) for each in commands]) is not None) == refused


def test_what_is_generated_can_be_played(tmp_path: Path) -> None:
    first = DOMAIN.generate(2, 5, 7, tmp_path / "a.yaml")
    second = DOMAIN.generate(2, 5, 7, tmp_path / "b.yaml")
    assert [path.read_text() for path in first] == [path.read_text() for path in second]
    assert DOMAIN.check(first[0]) == ["scenario a: sound", "its truth: sound"]
    assert cookmas.play(str(first[0])).success is True


def test_a_trace_of_another_world_is_refused() -> None:
    trace = cookmas.play("corridor/one").trace
    with pytest.raises(TraceError, match="expected one of restaurant"):
        list(cookmas.replay(trace, world="restaurant"))
    broken = Trace((trace.header.model_copy(update={"setup": {}}), *trace.records[1:]))
    with pytest.raises(
        TraceError, match="does not describe corridor: setup: lacks length, walkers"
    ):
        list(cookmas.replay(broken))
    assert len(list(trace.of(StepRecord))) == 4
