"""The team: every worker is an agent that plans for itself, from what it may know, and may talk.

    kitchen -> agent -> agent -> ... -> worker x n -> kitchen

Agents take turns in the order of the workers. In a turn an agent says something to the others,
decides on its own actions from now on, or both; who has decided is asked again only if something
has been said since. Each turn is a node of its own, so that a dialogue that is killed goes on where
it was. The workers then do what was decided until the first agent has nothing left to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from episodes.trace import MessageRecord, PlanRecord
from episodes.world import Command
from orchestrator.graph.arrangement import Arrangement
from orchestrator.graph.observing import observe
from orchestrator.graph.recording import UNANSWERED, called, superstep, unanswered
from orchestrator.graph.remembering import remember
from orchestrator.graph.standing import standing
from orchestrator.graph.state import Context, Standing, State
from orchestrator.member import Team, Turn
from orchestrator.planner import Said
from orchestrator.planners.asked import turned

AGENT = "agent"

LONGEST_MESSAGE = 2000
"""Characters of a message that the others are told."""


async def agent(state: State, context: Context) -> State:
    """One turn of one agent; after the last one the schedule stands."""
    team = context.planner
    assert isinstance(team, Team)
    talk = _Talk.of(state.get("talk", {}), state["timestep"])
    name = talk.next(list(team.members))
    assert name is not None
    superstep(context, talk.timestep, [AGENT])
    member = team.members[name]
    known = not getattr(member, "looks_up", False)
    rounds = team.rounds
    observation = await observe(
        state, context, known=known, agent=name, talk=talk.said, rounds=rounds
    )
    try:
        turn = await turned(member, observation)
    except UNANSWERED as error:
        return await unanswered(state, context, error, name)
    turn = turn if rounds else replace(turn, say="")
    called(context, turn.calls, turn.measured, name)
    memory = remember(state, context, turn.memory, name)
    decided = _record(turn, name, talk.timestep, context)
    talk = talk.after(name, turn, decided)
    over = talk.turns >= team.most_turns or talk.next(list(team.members)) is None
    return State(
        talk={} if over else talk.data(),
        schedule=talk.schedule(context) if over else state["schedule"],
        triggers=[] if over else state["triggers"],
        records=context.recorder.count,
        stalled=state["stalled"] + over,
        memory=memory,
    )


TEAM = Arrangement(AGENT, agent, repeats=True)


def _record(turn: Turn, name: str, timestep: int, context: Context) -> int | None:
    """Write the turn down; the number of its actions' record, if they are any good."""
    if turn.say:
        said = MessageRecord(timestep=timestep, agent=name, text=turn.say[:LONGEST_MESSAGE])
        context.recorder.append(said)
    if turn.actions is None:
        return None
    refused = _refused(name, turn.actions, context)
    number = context.recorder.append(
        PlanRecord(
            timestep=timestep,
            agent=name,
            reasoning=turn.reasoning,
            schedule=[[Command(name, action)] for action in turn.actions],
            refused=refused,
        )
    )
    return None if refused else number


def _refused(name: str, actions: Sequence[str], context: Context) -> str | None:
    problems = (context.world.refusal([Command(name, action)]) for action in actions)
    return next(filter(None, problems), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Talk:
    """The dialogue at one timestep: what was said, and by whom after how many messages.

    `decided` is the number of an agent's answer in the trace and how many actions are in it,
    `heard` how many messages there were when it gave it.
    """

    timestep: int
    turns: int
    said: tuple[Said, ...]
    decided: Mapping[str, Sequence[int]]
    heard: Mapping[str, int]

    @classmethod
    def of(cls, data: Mapping[str, Any], timestep: int) -> _Talk:
        said = tuple(Said(*each) for each in data.get("said", ()))
        return cls(
            timestep=timestep,
            turns=data.get("turns", 0),
            said=said,
            decided=data.get("decided", {}),
            heard=data.get("heard", {}),
        )

    def data(self) -> dict[str, Any]:
        return {
            "turns": self.turns,
            "said": [list(each) for each in self.said],
            "decided": {name: list(answer) for name, answer in self.decided.items()},
            "heard": dict(self.heard),
        }

    def next(self, names: Sequence[str]) -> str | None:
        """Whose turn it is: the next in the circle who has not decided on all that was said."""
        for step in range(len(names)):
            name = names[(self.turns + step) % len(names)]
            others = sum(each.agent != name for each in self.said[self.heard.get(name, 0) :])
            if name not in self.decided or others:
                return name
        return None

    def after(self, name: str, turn: Turn, number: int | None) -> _Talk:
        """With one more turn, whose actions are record `number`; None: none that can be read."""
        said = self.said
        if turn.say:
            said = (*said, Said(name, turn.say[:LONGEST_MESSAGE]))
        decided = dict(self.decided)
        if number is not None:
            decided[name] = [number, len(turn.actions or ())]
        return _Talk(
            timestep=self.timestep,
            turns=self.turns + 1,
            said=said,
            decided=decided,
            heard=self.heard if number is None else {**self.heard, name: len(said)},
        )

    def schedule(self, context: Context) -> Standing:
        """What was decided, up to where the first agent has nothing left to do."""
        answers = (self.decided[name] for name in context.world.workers if name in self.decided)
        return standing(
            {answer[0]: answer[1] for answer in answers}, self.timestep, context.horizon
        )
