"""The team: every worker is an agent that plans for itself from what it may know, and may talk.

    world -> agent -> agent -> ... -> worker x n -> world

The agents that a trigger concerns take turns, in the order of the workers, if they may move. In a
turn an agent sends a message, decides on its own actions from now on, or both. An agent that
continues its earlier decision gets another turn only after a new message, and one that has decided
only after a message that asks for an answer. Where a
world has listeners, they hear messages and answer although it is not their move. Each turn is a
superstep of its own, so that a killed dialogue continues with the next turn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from cookmas.episodes.base import limit_talk, movers
from cookmas.episodes.trace import MessageRecord, PlanRecord, Superstep
from cookmas.episodes.world import Command
from cookmas.orchestrator.graph.bookkeeping import conclude_talk
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.observation import messages_of, observe
from cookmas.orchestrator.graph.plans import (
    UNANSWERED,
    charge,
    end_unanswered,
    interpretation,
    record_calls,
    remember,
    rest_of,
    run_out,
)
from cookmas.orchestrator.graph.state import AGENT, State
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planners.calling import ask_member

LONGEST_MESSAGE = 2000
"""Maximum length of a message, in characters; the rest is cut off."""


async def agent(state: State, context: Context) -> State:
    """Give one agent one turn; after the last turn activate the schedules."""
    team = context.planner
    assert isinstance(team, Team)
    state = context.write(state, Superstep(timestep=state["timestep"], nodes=[AGENT]))
    circle = _circle(state, team, context)
    name = circle.next(state)
    assert name is not None
    member = team.members[name]
    observation = await observe(
        state,
        context,
        known=not getattr(member, "looks_up", False),
        agent=name,
        talk=messages_of(state["talk"].get("messages", ()), context),
        rounds=circle.rounds,
        decided=_disclose(state, name, team, context),
    )
    try:
        turn = await ask_member(member, observation)
    except UNANSWERED as error:
        return await end_unanswered(state, context, error, name)
    record_calls(context, turn.calls, turn.measured, name)
    state, due = charge(turn, state, context, name)
    state = remember(state, context, turn.memory, name)
    if circle.rounds and turn.say:
        text = turn.say[:LONGEST_MESSAGE]
        said = MessageRecord(timestep=state["timestep"], agent=name, text=text)
        state = context.write(state, said)
        if turn.settles:
            talk = state["talk"]
            last = talk["messages"][-1]
            state = {**state, "talk": {**talk, "settled": [*talk.get("settled", ()), last]}}
    if turn.actions is not None:
        plan = _plan_of(turn, turn.actions, name, due, state, context)
        state = context.write(state, plan)
    state = _end_turn(state, name)
    return state if circle.next(state) else conclude_talk(state, context.conditions)


def _plan_of(
    turn: Turn, actions: Sequence[str], name: str, due: int | None, state: State, context: Context
) -> PlanRecord:
    commands = [[Command(name, action)] if action else [] for action in actions]
    problems = (context.world.refusal(each) for each in commands if each)
    return PlanRecord(
        timestep=state["timestep"],
        agent=name,
        reasoning=turn.reasoning,
        schedule=commands,
        **interpretation(turn),
        refused=next(filter(None, problems), None),
        due=due,
        queued=turn.queued or None,
    )


def _end_turn(state: State, name: str) -> State:
    """Return the state after a turn of an agent, which has now heard all messages."""
    talk = state["talk"]
    turns = talk.get("turns", {})
    return {
        **state,
        "talk": {
            **talk,
            "turns": {**turns, name: turns.get(name, 0) + 1},
            "heard": {**talk.get("heard", {}), name: len(talk.get("messages", ()))},
            "last": name,
        },
    }


class _Circle(NamedTuple):
    """The agents that take part in a dialogue, in the order of the workers."""

    names: Sequence[str]
    """The agents that may move or listen."""
    moving: Collection[str]
    """The workers that may move."""
    at_work: Collection[str]
    """The agents with an active schedule."""
    rounds: int
    """The turns that each agent may take; with 0 each takes one turn and sends no messages."""

    def next(self, state: State) -> str | None:
        """Return the agent whose turn it is; None if no agent needs a turn.

        An agent needs a turn if it has to decide or has not got all messages.
        """
        names, last = self.names, state["talk"].get("last")
        begin = names.index(last) + 1 if last in names else 0
        circle = (*names[begin:], *names[:begin])
        return next((name for name in circle if self._has_turn(name, state)), None)

    def _has_turn(self, name: str, state: State) -> bool:
        talk = state["talk"]
        taken = talk.get("turns", {}).get(name, 0)
        if taken >= max(self.rounds, 1):
            return False
        decided = name in talk.get("decided", {})
        settled = talk.get("settled", ()) if decided else ()
        unheard = talk.get("messages", [])[talk.get("heard", {}).get(name, 0) :]
        if any(number not in settled for number in unheard):
            return True
        if taken == 0:
            return name in state["asked"]
        return name in self.moving and not decided and name not in self.at_work


def _circle(state: State, team: Team, context: Context) -> _Circle:
    world = context.world
    moving = movers(world, state["world"])
    present = {*moving, *world.listeners(state["world"])}
    names = [name for name in world.workers if name in team.members and name in present]
    ran_out = run_out(state["schedule"], state["timestep"], context.recorder, names)
    at_work = [name for name in names if name not in ran_out]
    return _Circle(names, moving, at_work, limit_talk(world, team.rounds))


def _disclose(state: State, name: str, team: Team, context: Context) -> Mapping[str, list[str]]:
    """Return the actions that agents other than `name` have decided on, by agent.

    The result is empty if the world does not disclose them.
    """
    if not context.world.discloses_decisions:
        return {}
    decided = state["talk"].get("decided", {})
    recorder, timestep = context.recorder, state["timestep"]
    found: dict[str, list[str]] = {}
    for other in context.world.workers:
        part, rows = state["schedule"].get(other), []
        if other in decided:
            rows = _rows_of(decided[other][0], context)
        elif part and other in team.stepwise:
            rows = _rows_of(part["plan"], context)[1:]
        elif part:
            rows = rest_of(part, timestep, recorder)
        if other != name and rows:
            found[other] = [command.action for entry in rows for command in entry]
    return found


def _rows_of(number: int, context: Context) -> list[list[Command]]:
    """Return the schedule of the answer with this number; an empty one if it is not in memory."""
    plan = context.recorder.find_referred(number)
    return plan.schedule if isinstance(plan, PlanRecord) else []
