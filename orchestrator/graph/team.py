"""The team: every worker is an agent that plans for itself from what it may know, and may talk.

    world -> agent -> agent -> ... -> worker x n -> world

The agents that a trigger concerns take turns, in the order of the workers, if they may move. In a
turn an agent sends a message, decides on its own actions from now on, or both. An agent that has
decided, or continues its earlier decision, gets another turn only after a new message. Where a
world has listeners, they hear messages and answer although it is not their move. Each turn is a
superstep of its own, so that a killed dialogue continues with the next turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cookmas.episodes.base import complete, limit_talk, movers
from cookmas.episodes.trace import MessageRecord, PlanRecord
from cookmas.episodes.world import Command
from cookmas.orchestrator.graph.context import Context, record_superstep
from cookmas.orchestrator.graph.observation import observe
from cookmas.orchestrator.graph.plans import (
    UNANSWERED,
    activate,
    end_unanswered,
    interpretation,
    record_calls,
    remember,
)
from cookmas.orchestrator.graph.state import ActiveSchedules, State
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import TeamMessage
from cookmas.orchestrator.planners.asked import ask_member

AGENT = "agent"

LONGEST_MESSAGE = 2000
"""Maximum length of a message, in characters; the rest is cut off."""

MOST_HEARD = 16
"""Maximum number of messages of earlier timesteps that an observation has."""


async def agent(state: State, context: Context) -> State:
    """Give one agent one turn; after the last turn activate the schedules."""
    team = context.planner
    assert isinstance(team, Team)
    talk = _talk(state, team, context)
    name = talk.next()
    assert name is not None
    member = team.members[name]
    record_superstep(context, state["timestep"], [AGENT])
    observation = await observe(
        state,
        context,
        known=not getattr(member, "looks_up", False),
        agent=name,
        talk=talk.said,
        rounds=talk.rounds,
        decided=talk.disclose(name, team, state["schedule"], context),
    )
    try:
        turn = await ask_member(member, observation)
    except UNANSWERED as error:
        return await end_unanswered(state, context, error, name)
    turn = replace(turn, say=turn.say[:LONGEST_MESSAGE] if talk.rounds else "")
    record_calls(context, turn.calls, turn.measured, name)
    memory = remember(state, context, turn.memory, name)
    talk = talk.add(name, turn, *_record(turn, name, state["timestep"], context))
    if talk.next() is not None:
        return State(talk=talk.data(), records=context.recorder.count, memory=memory)
    return State(
        talk={},
        said=[*state.get("said", ()), *talk.messages][-MOST_HEARD:],
        schedule=_schedule(talk, state, context),
        triggers=[],
        asked=[],
        untold={n: told for n, told in state["untold"].items() if n not in state["asked"]},
        records=context.recorder.count,
        stalled=state["stalled"] + bool(state["triggers"]),
        memory=memory,
    )


def _schedule(talk: _Talk, state: State, context: Context) -> ActiveSchedules:
    """Return the active schedules after the dialogue, in the order of the workers."""
    found = activate(state["schedule"], talk.decided, state["timestep"], context.horizon)
    return {name: found[name] for name in context.world.workers if name in found}


def _record(
    turn: Turn, name: str, timestep: int, context: Context
) -> tuple[int | None, int | None]:
    """Record a turn; return the record numbers of its message and of its actions.

    A number is None if the turn has no message, or if it has no actions or they are refused.
    """
    message = number = None
    if turn.say:
        said = MessageRecord(timestep=timestep, agent=name, text=turn.say)
        message = context.recorder.append(said)
    if turn.actions is not None:
        refused = _refuse_actions(name, turn.actions, context)
        plan = PlanRecord(
            timestep=timestep,
            agent=name,
            reasoning=turn.reasoning,
            schedule=[[Command(name, action)] for action in turn.actions],
            **interpretation(turn),
            refused=refused,
        )
        number = context.recorder.append(plan)
        number = None if refused else number
    return message, number


def _refuse_actions(name: str, actions: Sequence[str], context: Context) -> str | None:
    problems = (context.world.refusal([Command(name, action)]) for action in actions)
    return next(filter(None, problems), None)


def _talk(state: State, team: Team, context: Context) -> _Talk:
    """Return the dialogue at this timestep so far."""
    world, data = context.world, state.get("talk", {})
    now = context.load(state)
    moving = movers(world, now)
    present = {*moving, *complete(world).listeners(now)}
    circle = [name for name in world.workers if name in team.members and name in present]
    timestep = state["timestep"]
    return _Talk(
        timestep=timestep,
        rounds=limit_talk(world, team.rounds),
        circle=circle,
        moving=moving,
        asked=state["asked"],
        at_work=[n for n, part in state["schedule"].items() if part["end"] > timestep],
        turns=data.get("turns", {}),
        last=data.get("last"),
        said=tuple(TeamMessage(*each) for each in data.get("said", ())),
        messages=data.get("messages", ()),
        decided=data.get("decided", {}),
        heard=data.get("heard", {}),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Talk:
    """The dialogue of a team at one timestep.

    `rounds` is the number of turns that each agent may take; with 0 an agent takes one turn and
    sends no messages. `moving` are the workers that may move, `circle` the agents that may move
    or listen, `asked` the agents that are called at this timestep, `at_work` those whose earlier
    schedules continue. `turns` has the number of turns of each agent, `last` is the agent that had
    the last turn. `said` are the messages, `messages` their record
    numbers. `decided` has for each agent the record number and the length of its answer. `heard`
    has for each agent the number of messages at its last turn.
    """

    timestep: int
    rounds: int
    circle: Sequence[str]
    moving: Sequence[str]
    asked: Sequence[str]
    at_work: Sequence[str]
    turns: Mapping[str, int]
    last: str | None
    said: tuple[TeamMessage, ...]
    messages: Sequence[int]
    decided: Mapping[str, Sequence[int]]
    heard: Mapping[str, int]

    def data(self) -> dict[str, Any]:
        return {
            "turns": dict(self.turns),
            "last": self.last,
            "said": [list(each) for each in self.said],
            "messages": list(self.messages),
            "decided": {name: list(answer) for name, answer in self.decided.items()},
            "heard": dict(self.heard),
        }

    def next(self) -> str | None:
        """Return the agent whose turn it is, in the order of the circle.

        Return None if no agent needs a turn. An agent needs a turn if it has to decide or has not
        got all messages.
        """
        names = list(self.circle)
        begin = names.index(self.last) + 1 if self.last in names else 0
        circle = (*names[begin:], *names[:begin])
        return next(filter(self._has_turn, circle), None)

    def _has_turn(self, name: str) -> bool:
        taken = self.turns.get(name, 0)
        if taken >= max(self.rounds, 1):
            return False
        if len(self.said) > self.heard.get(name, 0):
            return True
        if taken == 0:
            return name in self.asked
        return name in self.moving and name not in self.decided and name not in self.at_work

    def disclose(
        self, name: str, team: Team, schedules: ActiveSchedules, context: Context
    ) -> dict[str, list[str]]:
        """Return the actions that agents other than `name` have decided on, by agent.

        The result is empty if the world does not disclose them.
        """
        if not complete(context.world).discloses_decisions:
            return {}
        places = {
            other: (part["plan"], 1 if other in team.stepwise else self.timestep - part["begin"])
            for other, part in schedules.items()
        } | {other: (answer[0], 0) for other, answer in self.decided.items()}
        found: dict[str, list[str]] = {}
        for other in context.world.workers:
            number, begun = places.get(other, (None, 0))
            plan = None if number is None else context.recorder.find_referred(number)
            if other != name and isinstance(plan, PlanRecord) and plan.schedule[begun:]:
                found[other] = [
                    command.action for entry in plan.schedule[begun:] for command in entry
                ]
        return found

    def add(self, name: str, turn: Turn, message: int | None, number: int | None) -> _Talk:
        """Return the dialogue after one more turn.

        `message` is the record number of the message, `number` that of the actions.
        """
        said, messages, decided = self.said, [*self.messages], dict(self.decided)
        if message is not None:
            said = (*said, TeamMessage(name, turn.say, self.timestep))
            messages.append(message)
        if number is not None:
            decided[name] = [number, len(turn.actions or ())]
        return replace(
            self,
            turns={**self.turns, name: self.turns.get(name, 0) + 1},
            last=name,
            said=said,
            messages=messages,
            decided=decided,
            heard={**self.heard, name: len(said)},
        )
