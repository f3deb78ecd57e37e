"""What actions claim: the first of two begins, and the device of the other hears nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.episodes.level import Level
from cookmas.episodes.play import Play
from cookmas.episodes.replay import replay
from cookmas.episodes.trace import StepRecord, Trace, to_line
from cookmas.episodes.world import Command
from cookmas.evals.evidence import Act
from cookmas.evals.mistakes import is_mistake
from cookmas.orchestrator.dialogue.look_ahead import look_ahead
from cookmas.worlds.base.checking import _Checker
from tests.workers.incubator import LASTS, Incubator, Written, play
from tests.workers.test_payload import Reader

BOTH = {"left": "incubate", "right": "incubate"}


class OneOven(Incubator):
    """A laboratory with one oven: its state takes the first sample that is put in."""

    wanted = 9

    def advance(self, state: Any, actions: Mapping[str, str], draw: Random) -> Any:
        baking = [name for name, action in actions.items() if action == "incubate"]
        stirred = state["stirred"] + [*actions.values()].count("stir")
        return {**state, "stirred": stirred, "busy": (state["busy"] + baking)[:1]}


class Claiming(OneOven):
    """The same, in which the action says what it needs."""

    def claims(self, action: str) -> Sequence[str]:
        return ["the oven"] if action == "incubate" else []


def fails_of(trace: Trace) -> list[tuple[int, str, str, str]]:
    return [
        (step.timestep, name, fail.fail, fail.why)
        for step in trace.of(StepRecord)
        for name, fail in step.fails.items()
    ]


async def play_both(*rows: Mapping[str, str], workers: Any) -> Trace:
    trace = await play(Written(*rows, *[{}] * 9), Claiming(Level()), workers=workers, horizon=5)
    assert all(frame.equal for frame in replay(trace, Claiming(Level())))
    return trace


@pytest.mark.parametrize("polls", [0, 9])
async def test_of_two_that_claim_the_same_the_first_begins(polls: int) -> None:
    left, right = Reader(polls), Reader(polls)
    trace = await play_both(BOTH, workers={"left": left, "right": right})
    why = "the oven is taken by left, which does incubate."
    assert fails_of(trace) == [(0, "right", "claimed", why)]
    assert "0/left" in [key for key, _ in left.got]
    assert "0/right" not in [key for key, _ in right.got]


async def test_long_work_holds_what_it_claims_until_it_ends() -> None:
    rows = [{"right": "incubate"}, *[{"left": "incubate"}] * 4]
    left = Reader()
    trace = await play_both(*rows, workers={"left": left})
    held = "the oven is held by right, which does incubate."
    claimed = [(t, name, "claimed", held) for t, name in ((1, "left"), (2, "left"))]
    assert fails_of(trace) == claimed
    assert not {"1/left", "2/left"} & {key for key, _ in left.got}
    assert f"{LASTS}/left" in {key for key, _ in left.got}


async def test_an_action_that_fails_by_the_rules_claims_nothing() -> None:
    class Locked(Claiming):
        def legal(self, state: Any, worker: str) -> Sequence[str]:
            return ["wait"] if worker == "left" else super().legal(state, worker)

    world = Locked(Level())
    trace = await play(Written(BOTH, {}, {}), world, workers={"right": Reader()}, horizon=2)
    assert [each[1:3] for each in fails_of(trace)] == [("left", "not_legal")]


def test_a_long_action_of_a_worker_that_does_not_exist_does_not_begin() -> None:
    world = OneOven(Level())
    episode = Play(world, [(0, {"kind": "begin"})], 9)
    assert all(
        each.done for each in episode.step([Command("nobody", "incubate")]).outcomes.values()
    )
    state = world.apply(world.start(), {"kind": "begin"})[0]
    assert look_ahead(world, state, 0, [{"nobody": "incubate"}]) == []


def test_claims_hold_without_workers_and_in_a_look_ahead_too() -> None:
    world = Claiming(Level())
    episode = Play(world, [(0, {"kind": "begin"})], 9)
    outcomes = episode.step([Command(*each) for each in BOTH.items()]).outcomes
    assert [outcomes[name].fail for name in world.workers] == [None, "claimed"]
    outcomes = episode.step([Command("right", "incubate")]).outcomes
    assert outcomes["right"].why == "the oven is held by left, which does incubate."
    state = world.apply(world.start(), {"kind": "begin"})[0]
    (violation,) = look_ahead(world, state, 0, [BOTH])
    assert (violation.worker, violation.reason) == ("right", "claimed")


def test_a_claim_that_is_taken_is_a_mistake_of_the_planner() -> None:
    world = Claiming(Level())
    episode = Play(world, [(0, {"kind": "begin"})], 9)
    outcome = episode.step([Command(*each) for each in BOTH.items()]).outcomes["right"]
    assert is_mistake(Act(timestep=0, worker="right", action="incubate", outcome=outcome))


async def test_without_claims_a_trace_is_as_before() -> None:
    trace = await play(Written(BOTH), workers={"left": Reader()}, horizon=3)
    assert not any('"claimed"' in to_line(record) for record in trace.records)


class Deaf(Incubator):
    """A laboratory in which incubating changes nothing."""

    def advance(self, state: Any, actions: Mapping[str, str], draw: Random) -> Any:
        return state


@pytest.mark.parametrize(
    ("world", "faults"), [(Incubator, 0), (Claiming, 0), (OneOven, 1), (Deaf, 1)]
)
def test_the_checker_names_long_work_that_the_world_does_not_take(
    world: type[Incubator], faults: int
) -> None:
    built = world(Level())
    scenario: Any = SimpleNamespace(
        name="first", horizon=3, events=lambda: [(0, {"kind": "begin"})], world=lambda: built
    )
    found = [*_Checker(built, "first").episode(scenario, Random(0))]
    assert bool(found) == bool(faults)
    assert {each.what.partition(",")[0] for each in found} <= {"a long action begins"}
