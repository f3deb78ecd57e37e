"""A team in the graph: turns, talk, and what a kill in the middle of it leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from cookmas.episodes.trace import (
    MessageRecord,
    PlanRecord,
    StepRecord,
    Superstep,
    Trace,
    TriggerRecord,
)
from cookmas.episodes.world import Command, Commands
from cookmas.files.errors import InfrastructureError, MissingError
from cookmas.orchestrator.episode import Episode, episode_of
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.world_names import domain_of
from cookmas.worlds.corridor.world import Corridor, CorridorLevel, CorridorWorld

SCENARIO = domain_of("corridor").scenario("halves", {})


@dataclass
class Puppet:
    """Takes the turns it was made with, one after the other, then idles; keeps what it saw."""

    turns: list[Turn | Exception]
    seen: list[Observation[Any]] = field(default_factory=list)

    async def turn(self, observation: Observation[Any]) -> Turn:
        self.seen.append(observation)
        turn = self.turns.pop(0) if self.turns else Turn(actions=["stay"])
        if isinstance(turn, Exception):
            raise turn
        return turn


def team(first: Sequence[Any], second: Sequence[Any], rounds: int = 3) -> tuple[Team, Any]:
    puppets = {"walker_1": Puppet(list(first)), "walker_2": Puppet(list(second))}
    return Team(name="puppets", planner_class="pure", members=puppets, rounds=rounds), puppets


def play(who: Team, horizon: int = 2, **more: Any) -> Trace:
    return asyncio.run(episode_of(SCENARIO, who, horizon=horizon, **more).run())


def turns_at(trace: Trace, timestep: int) -> int:
    steps = trace.of(Superstep)
    return sum(step.timestep == timestep and step.nodes == ["agent"] for step in steps)


def test_each_has_a_turn_and_then_all_act() -> None:
    who, puppets = team([Turn(actions=["right"])], [Turn(actions=["stay", "right"])])
    trace = play(who, horizon=1)
    assert turns_at(trace, 0) == 2
    (step,) = trace.of(StepRecord)
    assert [tuple(command) for command in step.commands] == [
        ("walker_1", "right"),
        ("walker_2", "stay"),
    ]
    assert [seen.agent for each in puppets.values() for seen in each.seen] == list(puppets)


def test_each_is_shown_what_it_may_know_and_no_more() -> None:
    who, puppets = team([Turn(actions=["right"])], [Turn(actions=["stay"])])
    play(who, horizon=1)
    for walker, bell, text in (
        ("walker_1", "blue", "Two steps from the left end hangs the blue bell."),
        ("walker_2", "red", "The red bell hangs five steps from the left end."),
    ):
        (seen,) = puppets[walker].seen
        assert seen.texts == {bell: text}
        hidden = {name: bell["hidden"] for name, bell in seen.state["bells"].items()}
        assert hidden == {"red": bell == "blue", "blue": bell == "red"}


def test_each_sees_what_is_left_of_its_own_actions() -> None:
    who, puppets = team(
        [Turn(actions=["left", "right"])],
        [Turn(actions=["left", "right", "left"])],
    )
    play(who, horizon=2)
    first, second = puppets["walker_1"].seen, puppets["walker_2"].seen
    assert [list(seen[0].underway) for seen in (first, second)] == [[], []]
    assert [tuple(map(tuple, entry)) for entry in first[1].underway] == [(("walker_1", "right"),)]
    assert [tuple(map(tuple, entry)) for entry in second[1].underway] == [
        (("walker_2", "right"),),
    ]


def test_who_hears_something_new_may_think_again() -> None:
    who, puppets = team(
        [Turn(actions=["right"]), Turn(actions=["left"])],
        [Turn(say="not there", actions=["stay"])],
    )
    trace = play(who, horizon=1)
    assert turns_at(trace, 0) == 3
    assert [said.text for said in puppets["walker_1"].seen[1].talk] == ["not there"]
    (step,) = trace.of(StepRecord)
    assert step.commands[0].action == "left"


def test_who_has_decided_need_not_hear_what_settles() -> None:
    agreed = Turn(say="Agreed.", actions=["stay"], settles=True)
    who, puppets = team([Turn(say="I go right.", actions=["right"], settles=True)], [agreed])
    trace = play(who, horizon=2)
    assert turns_at(trace, 0) == 2
    assert [said.text for said in puppets["walker_1"].seen[1].heard] == ["I go right.", "Agreed."]


def test_who_has_decided_hears_what_is_said_beside_what_settles() -> None:
    who, puppets = team(
        [Turn(say="I go right.", actions=["right"], settles=True), Turn(actions=["left"])],
        [Turn(say="Not there!"), Turn(say="Good.", actions=["stay"], settles=True)],
    )
    trace = play(who, horizon=1)
    assert turns_at(trace, 0) == 4
    assert [said.text for said in puppets["walker_1"].seen[1].talk] == ["I go right.", "Not there!"]


def test_who_has_not_decided_hears_what_settles() -> None:
    who, puppets = team(
        [Turn(say="And you?"), Turn(actions=["right"])],
        [Turn(say="I stay.", actions=["stay"], settles=True)],
    )
    assert turns_at(play(who, horizon=1), 0) == 3
    assert [said.text for said in puppets["walker_1"].seen[1].talk] == ["And you?", "I stay."]


def test_own_words_are_no_news_to_who_has_decided() -> None:
    who, puppets = team([Turn(say="right!", actions=["right"])], [Turn(actions=["stay"])])
    assert turns_at(play(who, horizon=1), 0) == 2
    assert len(puppets["walker_1"].seen) == 1


def test_talk_comes_to_an_end() -> None:
    chatter = [Turn(say=f"word {n}") for n in range(9)]
    who, _ = team(chatter, [*chatter], rounds=3)
    trace = play(who, horizon=1)
    assert turns_at(trace, 0) == 6 == len(list(trace.of(MessageRecord)))
    (step,) = trace.of(StepRecord)
    assert {command.action for command in step.commands} == {"stay"}


def test_actions_that_cannot_be_read_are_refused_and_recorded() -> None:
    who, _ = team([Turn(actions=["fly"]), Turn(actions=["right"])], [Turn(actions=["stay"])])
    trace = play(who, horizon=1)
    refused = [(plan.agent, plan.refused) for plan in trace.of(PlanRecord) if plan.refused]
    assert [agent for agent, _ in refused] == ["walker_1"]
    (step,) = trace.of(StepRecord)
    assert step.commands[0].action == "right"


def test_an_endpoint_that_fails_ends_the_episode_unscored() -> None:
    who, _ = team([InfrastructureError("down")], [])
    trace = play(who)
    assert trace.end
    assert (trace.end.termination, trace.end.why) == ("infrastructure_error", "walker_1: down")


def test_what_a_member_keeps_comes_back_to_it_alone() -> None:
    who, puppets = team(
        [Turn(actions=["right"], memory={"n": 1}), Turn(actions=["right"])],
        [Turn(actions=["stay"])],
    )
    play(who, horizon=2)
    assert puppets["walker_1"].seen[1].memory == {"n": 1}
    assert puppets["walker_2"].seen[1].memory == {}


def asked(trace: Trace, puppets: Any) -> list[tuple[int, str]]:
    """At which timesteps who had a turn."""
    turns = [(seen.timestep, str(seen.agent)) for each in puppets.values() for seen in each.seen]
    assert len(turns) == sum(step.nodes == ["agent"] for step in trace.of(Superstep))
    return sorted(turns)


def test_whoever_runs_out_is_asked_and_the_others_go_on() -> None:
    who, puppets = team([Turn(actions=["right"] * 3)], [Turn(actions=["right"])])
    trace = play(who, horizon=3)
    assert asked(trace, puppets) == [
        (0, "walker_1"),
        (0, "walker_2"),
        (1, "walker_2"),
        (2, "walker_2"),
    ]
    assert [dict(step.commands)["walker_1"] for step in trace.of(StepRecord)] == ["right"] * 3
    seen = puppets["walker_2"].seen[1]
    assert [(each.kind, each.to) for each in seen.triggers] == [("exhausted", ("walker_2",))]
    told = [(each.timestep, each.to) for each in trace.of(TriggerRecord) if each.timestep]
    assert told == [(1, ["walker_2"]), (2, ["walker_2"])]


def test_a_fail_is_told_to_the_one_whose_it_is() -> None:
    who, puppets = team([Turn(actions=["left", "right"])], [Turn(actions=["right"] * 3)])
    trace = play(who, horizon=2)
    assert asked(trace, puppets) == [(0, "walker_1"), (0, "walker_2"), (1, "walker_1")]
    assert list(puppets["walker_1"].seen[1].fails) == ["walker_1"]


def test_who_is_at_work_hears_what_is_said_and_goes_on() -> None:
    who, puppets = team(
        [Turn(actions=["right"] * 3), Turn()],
        [Turn(actions=["stay"]), Turn(say="left!", actions=["stay"])],
    )
    trace = play(who, horizon=2)
    woken = puppets["walker_1"].seen[1]
    assert (woken.timestep, woken.triggers) == (1, ())
    assert [said.text for said in woken.talk] == ["left!"]
    assert [dict(step.commands)["walker_1"] for step in trace.of(StepRecord)] == ["right"] * 2


def test_what_was_said_earlier_and_done_last_is_in_view() -> None:
    who, puppets = team([Turn(say="a", actions=["right"])], [Turn(actions=["stay"])])
    play(who, horizon=2)
    later = puppets["walker_2"].seen[-1]
    assert (later.timestep, later.talk) == (1, ())
    assert [(said.agent, said.text, said.timestep) for said in later.heard] == [
        ("walker_1", "a", 0)
    ]
    assert dict(later.did) == {"walker_1": "right", "walker_2": "stay"}


def test_without_rounds_nobody_is_told_anything() -> None:
    who, puppets = team([Turn(say="a", actions=["right"])], [Turn(say="b")], rounds=0)
    trace = play(who, horizon=1)
    assert turns_at(trace, 0) == 2
    assert not list(trace.of(MessageRecord))
    assert [seen.rounds for each in puppets.values() for seen in each.seen] == [0, 0]


class Strict(CorridorWorld):
    """A corridor in which the walkers move in turn, see what was decided, and cannot talk."""

    talk_rounds = 0
    discloses_decisions = True

    def filter_commands(self, commands: Commands, worker: str) -> Commands:
        return [command for command in commands if command.worker == worker]


class InTurn(CorridorWorld):
    """A corridor in which the walkers move in turn; who waits is no FAIL."""

    def movers(self, state: Corridor) -> Sequence[str]:
        return [self.workers[state["timestep"] % 2]]

    def step(self, state: Corridor, commands: Commands) -> Any:
        given = dict(commands)
        return super().step(state, [Command(w, given.get(w, "stay")) for w in self.workers])


RED = {"kind": "bell", "name": "red"}


async def test_a_world_may_forbid_talk_disclose_decisions_and_hide_what_is_done(
    corridor: Callable[..., Episode],
) -> None:
    who, puppets = team([Turn(say="a", actions=["right", "left"])], [Turn(actions=["stay"])])
    trace = await corridor(who, (0, RED), world=Strict(CorridorLevel()), horizon=2).run()
    assert not list(trace.of(MessageRecord))
    first, second = puppets["walker_1"].seen, puppets["walker_2"].seen
    assert (first[0].decided, second[0].decided) == ({}, {"walker_1": ["right", "left"]})
    assert dict(second[1].did) == {"walker_2": "stay"}


async def test_decisions_are_not_disclosed_where_the_world_does_not_say_so(
    corridor: Callable[..., Episode],
) -> None:
    who, puppets = team([Turn(actions=["right"])], [Turn(actions=["stay"])])
    await corridor(who, (0, RED), horizon=1).run()
    assert puppets["walker_2"].seen[0].decided == {}


async def test_who_is_not_to_move_is_not_asked_and_is_told_later(
    corridor: Callable[..., Episode],
) -> None:
    who, puppets = team([Turn(actions=["left"])], [Turn(actions=["right"])])
    trace = await corridor(who, (0, RED), world=InTurn(CorridorLevel()), horizon=3).run()
    assert asked(trace, puppets) == [(0, "walker_1"), (1, "walker_2"), (2, "walker_1")]
    (first, again), (second,) = puppets["walker_1"].seen, puppets["walker_2"].seen
    assert [each.kind for each in first.triggers] == ["new_bell"]
    assert [each.kind for each in second.triggers] == ["new_bell", "exhausted"]
    assert [each.kind for each in again.triggers] == ["failure", "exhausted"]
    assert list(again.fails) == ["walker_1"]
    assert (first.movers, second.movers) == (("walker_1",), ("walker_2",))


async def test_a_policy_is_asked_at_every_move_of_its_own_and_triggers_nothing(
    corridor: Callable[..., Episode],
) -> None:
    class Steps:
        def __init__(self) -> None:
            self.at: list[int] = []

        def act(self, observation: Observation[Any]) -> str:
            self.at.append(observation.timestep)
            return "stay"

    level = CorridorLevel()
    for world, at in ((CorridorWorld(level), [*range(40)]), (InTurn(level), [*range(1, 40, 2)])):
        policy = Steps()
        first, second = world.workers
        seats = {
            first: seat_of(Puppet([]), first, world.workers),
            second: seat_of(policy, second, world.workers),
        }
        seats[first].member.turns = [Turn(actions=["stay"] * 40)]  # type: ignore[attr-defined]
        trace = await corridor(team_of_seats(seats), (0, RED), world=world, max_stalled=3).run()
        assert policy.at == at
        assert [each.trigger for each in trace.of(TriggerRecord)] == ["new_bell"]
        assert trace.end
        assert trace.end.termination == "horizon"


@pytest.mark.parametrize("kill_at", [1, 2, 3])
def test_a_dialogue_that_is_killed_goes_on_with_the_next_turn(kill_at: int, tmp_path: Path) -> None:
    """The paid turns before the kill are in the checkpoint; none is taken twice."""

    def turns() -> tuple[list[Turn | Exception], list[Turn | Exception]]:
        return (
            [Turn(say="a"), Turn(actions=["right"])],
            [Turn(say="b"), Turn(actions=["stay"])],
        )

    whole = play(team(*turns())[0], horizon=1)

    class KilledError(BaseException):
        pass

    asked: list[str] = []

    class Mortal(Puppet):
        async def turn(self, observation: Observation[Any]) -> Turn:
            if len(asked) == kill_at:
                raise KilledError
            asked.append(str(observation.agent))
            return await super().turn(observation)

    first, second = turns()
    members = {"walker_1": Mortal(first), "walker_2": Mortal(second)}
    who = Team(name="puppets", planner_class="pure", members=members, rounds=3)

    async def attempt() -> Trace:
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as saver:
            path = tmp_path / "trace.jsonl"
            episode = episode_of(SCENARIO, who, horizon=1, path=path, checkpointer=saver)
            return await episode.run()

    with pytest.raises(KilledError):
        asyncio.run(attempt())
    asked.append("after the kill")
    resumed = asyncio.run(attempt())
    assert list(resumed.lines()) == list(whole.lines())
    assert len(asked) == 1 + 4


async def test_an_agent_looks_up_what_it_may_know_and_nothing_else() -> None:
    found: list[str] = []

    class Prying:
        async def turn(self, observation: Observation[Any]) -> Turn:
            mine, other = ("blue", "red") if observation.agent == "walker_1" else ("red", "blue")
            found.append(await observation.look_up(mine))
            with pytest.raises(MissingError, match=f"has nothing to look up about '{other}'"):
                await observation.look_up(other)
            return Turn(actions=["stay"])

    members = {name: Prying() for name in ("walker_1", "walker_2")}
    who = Team(name="prying", planner_class="pure", members=members)
    await episode_of(SCENARIO, who, horizon=1).run()
    assert len(found) == 2
