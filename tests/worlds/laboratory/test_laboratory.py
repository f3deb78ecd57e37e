"""A laboratory that needs few lines beside its rules: what it takes, and how a day goes."""

from __future__ import annotations

from typing import Any

import pytest

import cookmas
from cookmas.episodes.messages import Numbered
from cookmas.episodes.replay import replay_to_end
from cookmas.episodes.trace import PlanRecord
from cookmas.episodes.world import Ruling
from cookmas.files.errors import InputError
from cookmas.mailboxes.desk import Origin
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.worlds.base.checking import faults_of
from cookmas.worlds.base.voice import VOICE
from tests.worlds.laboratory.domain import DOMAIN, VIEWING
from tests.worlds.laboratory.world import INSTRUMENTS

SPEC = "tests.worlds.laboratory.domain:DOMAIN"
MONDAY = DOMAIN.scenario("monday", {})
DESK = DOMAIN.desk(DOMAIN.scenario("open", {}))


def test_a_day_goes_well() -> None:
    run = cookmas.play("monday", world=SPEC)
    assert run.success is True
    assert run.verdict is not None
    assert {goal.name: (goal.status, goal.when) for goal in run.verdict.goals} == {
        "a": ("reported", 18),
        "b": ("reported", 36),
        "c": ("reported", 50),
        "u": ("reported", 15),
        "d": ("cancelled", 20),
    }
    assert len(list(run.trace.of(PlanRecord))) == 7


def test_its_rules_are_sound() -> None:
    assert list(faults_of(DOMAIN, MONDAY, range(3))) == []


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({"kind": "new_job", "protocol": "none", "due": 5}, "protocol: expected one of elisa"),
        ({"kind": "new_job", "protocol": "elisa"}, "expected protocol"),
        ({"kind": "new_job", "protocol": "elisa", "due": "soon"}, "due: expected a whole number"),
        ({"kind": "new_job", "protocol": "elisa", "due": 5, "job": "mine"}, "expected protocol"),
        ({"kind": "new_job", "protocol": "elisa", "due": 5, "urgent": "very"}, "expected one of"),
        ({"kind": "fault", "instrument": "kettle"}, "instrument: expected one of bench_1"),
        ({"kind": "order", "protocol": "elisa", "due": 5}, "expected one of new_job"),
        ({"protocol": "elisa"}, "expected one of new_job"),
    ],
)
def test_what_its_messages_do_not_declare_is_refused(event: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError) as refused:
        DESK.admit(event, {})
    assert why in str(refused.value)


def test_a_sample_has_the_next_number_and_belongs_to_its_sender() -> None:
    job = {"kind": "new_job", "protocol": "elisa", "due": "60", "urgent": ""}
    new = DESK.admit(job, {"sample": 3})
    assert new == {"kind": "new_job", "protocol": "elisa", "due": 60, "job": "sample4"}
    assert DESK.origin(new) is None
    cancel = DESK.admit({"kind": "cancel_job", "job": "sample4"}, {})
    assert DESK.origin(cancel) == Origin("sample4", "job", Numbered("sample", 4))
    assert DESK.origin({"kind": "cancel_job", "job": "a"}) is None
    assert DOMAIN.desk(MONDAY).origin({"kind": "cancel_job", "job": "a"}) == Origin("a", "job")


def test_samples_wait_outside_while_many_are_open() -> None:
    world = MONDAY.world()
    state = world.start()
    event = {"kind": "new_job", "protocol": "elisa", "due": 60}
    assert DESK.room(state)(event)
    for number in range(world.most_open):
        state, ruling = world.apply(state, {**event, "job": f"sample{number}"})
        assert isinstance(ruling, Ruling)
    room = DESK.room(state)
    assert not room(event)
    assert room({"kind": "cancel_job", "job": "sample1"})


def test_the_scripted_model_plans_as_the_embedded_planner() -> None:
    model = ScriptedModel({"lab": SPEC}, Faults())
    played = cookmas.play("monday", SchedulingPlanner(model, voice=VOICE), world=SPEC)
    assert played.success is True


def test_people_see_its_instruments_and_its_samples() -> None:
    run = cookmas.play("monday", world=SPEC)
    world, state = replay_to_end(run.trace, DOMAIN.world(run.trace.header.setup))
    goals = {goal.name: (goal.tone, goal.when) for goal in VIEWING.goals(world, state)}
    assert goals["u"] == ("reached", 15)
    assert goals["d"] == ("lost", 20)
    assert [item.name for item in VIEWING.panels(world, state)[0].items] == [*INSTRUMENTS]
    said = VIEWING.event({"kind": "new_job", "job": "a", "protocol": "elisa", "due": 5})
    assert said == "new job a elisa 5"
