"""Seats: planners, teams and policies side by side, each for one worker."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from cookmas.episodes.trace import PlannerClass, PlanRecord, SeatRecord, StepRecord, Trace, to_line
from cookmas.files.errors import InputError
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.calling import read_answer, write_answer
from cookmas.orchestrator.planners.seats import seat_of, seat_policy, team_of_seats
from cookmas.world_names import domain_of

SCENARIO = domain_of("corridor").scenario("halves", {})
WALKERS = SCENARIO.world().workers
FIRST, SECOND = WALKERS


class Rightwards:
    """Plans for both; in its seat only its own worker's commands count."""

    name = "rightwards"
    planner_class: PlannerClass = "pure"

    async def plan(self, observation: Observation[Any]) -> Plan:
        return Plan(schedule=[{FIRST: "right", SECOND: "left"}, {SECOND: "left"}], memory={"n": 1})


class Stays:
    def act(self, observation: Observation[Any]) -> str:
        return "stay"


class Walks:
    name = "walks"

    async def act(self, observation: Observation[Any]) -> str:
        return "right"


def play(team: Team, horizon: int = 2) -> Trace:
    return asyncio.run(episode_of(SCENARIO, team, horizon=horizon).run())


def commands(trace: Trace) -> list[dict[str, str]]:
    return [dict(step.commands) for step in trace.of(StepRecord)]


def pair(first: Any, second: Any) -> Team:
    return team_of_seats(
        {FIRST: seat_of(first, FIRST, WALKERS), SECOND: seat_of(second, SECOND, WALKERS)}
    )


def test_a_planner_and_a_policy_have_a_seat_each() -> None:
    trace = play(pair(Rightwards(), Walks()))
    assert commands(trace) == [
        {FIRST: "right", SECOND: "right"},
        {FIRST: "stay", SECOND: "right"},
    ]
    assert trace.header.planner == f"{FIRST}=rightwards, {SECOND}=walks"
    assert trace.header.planner_class == "mixed"
    assert trace.header.seats == {
        FIRST: SeatRecord(planner="rightwards", planner_class="pure"),
        SECOND: SeatRecord(planner="walks", planner_class="embedded"),
    }


def test_a_planner_in_a_seat_says_what_it_understood_and_what_not() -> None:
    class Reader(Rightwards):
        async def plan(self, observation: Observation[Any]) -> Plan:
            plan = await super().plan(observation)
            read = {"red": ["at 3"]}
            return replace(plan, understood=read, doubts=["blue: where?"], declined={"blue": "no"})

    [first, *_] = play(pair(Reader(), Stays())).of(PlanRecord)
    assert (first.agent, first.refused) == (FIRST, None)
    assert (first.understood, first.doubts) == ({"red": ["at 3"]}, ["blue: where?"])


def test_a_turn_from_another_process_says_so_too() -> None:
    turn = Turn(actions=["stay"], understood={"red": ["at 3"]}, doubts=["blue: where?"])
    sent = read_answer(write_answer(turn, Turn), Turn)
    assert (sent.understood, sent.doubts) == (turn.understood, turn.doubts)


def test_seats_of_one_name_and_class_have_these_together() -> None:
    team = seat_policy(Stays(), WALKERS)
    assert (team.name, team.planner_class) == ("Stays", "embedded")
    assert commands(play(team)) == [dict.fromkeys(WALKERS, "stay")] * 2


def test_a_team_gives_the_member_that_it_has_for_a_worker() -> None:
    class Left:
        async def turn(self, observation: Observation[Any]) -> Turn:
            return Turn(actions=["stay", "stay"])

    given = Team(name="lefts", planner_class="pure", members={FIRST: Left()})
    team = pair(given, Rightwards())
    assert team.seats[FIRST] == SeatRecord(planner="lefts", planner_class="pure")
    assert commands(play(team))[0] == {FIRST: "stay", SECOND: "left"}
    with pytest.raises(InputError, match=f"lefts has no member for {SECOND}"):
        pair(Rightwards(), given)


def test_the_seat_that_may_talk_least_says_how_much_all_talk() -> None:
    class Silent:
        rounds = 0

        async def turn(self, observation: Observation[Any]) -> Turn:
            raise NotImplementedError

    class Talkative(Silent):
        rounds = 3

    assert pair(Stays(), Stays()).rounds == 4
    assert pair(Silent(), Stays()).rounds == 0
    assert pair(Silent(), Talkative()).rounds == pair(Talkative(), Silent()).rounds == 0
    team = {FIRST: seat_of(Silent(), FIRST, WALKERS), SECOND: seat_of(Stays(), SECOND, WALKERS)}
    assert team_of_seats(team, rounds=3).rounds == 3


def test_a_seat_is_one_of_the_workers() -> None:
    with pytest.raises(InputError, match="there is no 'bob', only walker_1, walker_2"):
        seat_of(Stays(), "bob", WALKERS)


def test_members_of_several_classes_make_a_mixed_team() -> None:
    class Rule:
        planner_class = "embedded"

        async def turn(self, observation: Observation[Any]) -> Turn:
            return Turn(actions=["stay"])

    class Model(Rule):
        planner_class = "pure"

    team = Team(name="pair", planner_class="pure", members={FIRST: Rule(), SECOND: Model()})
    assert team.planner_class == "mixed"
    assert team.seats[FIRST].planner_class == "embedded"


@pytest.mark.parametrize(
    ("answer", "why"),
    [(7, "TypeError: act answers int; expected an action as text"), (None, "act answers NoneType")],
)
def test_a_policy_that_answers_no_action_has_failed(answer: Any, why: str) -> None:
    class Odd:
        def act(self, observation: Observation[Any]) -> Any:
            return answer

    trace = play(pair(Stays(), Odd()))
    assert trace.end
    assert trace.end.termination == "planner_failed"
    assert trace.end.why.startswith(f"{SECOND}: planner failed: TypeError: ")
    assert why in trace.end.why


def test_seats_play_the_same_in_the_graph_and_in_the_plain_loop() -> None:
    def lines(by: PlannerClass) -> list[str]:
        members = pair(Rightwards(), Walks()).members
        for seat in members.values():
            seat.planner_class = by  # type: ignore[attr-defined]
        team = Team(name="pair", planner_class=by, members=members)
        assert team.planner_class == by
        return [to_line(record) for record in play(team, horizon=6).records[1:]]

    assert lines("embedded") == lines("pure")
