"""The team: every worker is an agent that plans for itself, from what it may know, and may talk.

    kitchen -> agent -> agent -> ... -> worker x n -> kitchen

Agents take turns in the order of the workers. In a turn an agent says something to the others,
decides on its own actions from now on, or both; who has decided is asked again only if something
has been said since. Each turn is a node of its own, so that a dialogue that is killed goes on where
it was. The workers then do what was decided until the first agent has nothing left to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.errors import InfrastructureError
from episodes.trace import MessageRecord, PlanRecord
from episodes.world import Command
from orchestrator.arrangement import Arrangement
from orchestrator.member import Team, Turn
from orchestrator.observing import observe
from orchestrator.planner import PlanningStoppedError, Said
from orchestrator.recording import called, stopped, superstep
from orchestrator.state import Context, State

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
    memories = dict(state.get("memory", {}))
    observation = await observe(
        state, context, memory=memories.get(name, {}), known=True, agent=name, talk=talk.said
    )
    try:
        turn = await team.members[name].turn(observation)
    except InfrastructureError as error:
        return stopped(state, context, "infrastructure_error", str(error))
    except PlanningStoppedError as why:
        called(context, why.calls, why.measured)
        return stopped(state, context, why.termination, str(why))
    called(context, turn.calls, turn.measured)
    if turn.memory is not None:
        memories[name] = dict(turn.memory)
    _record(turn, name, talk.timestep, context)
    talk = talk.after(name, turn, context)
    over = talk.turns >= team.most_turns or talk.next(list(team.members)) is None
    return State(
        talk={} if over else talk.data(),
        queue=talk.schedule(context) if over else [],
        triggers=[] if over else state["triggers"],
        records=context.recorder.count,
        stalled=state["stalled"] + over,
        memory=memories,
    )


TEAM = Arrangement(AGENT, agent, repeats=True)


def _record(turn: Turn, name: str, timestep: int, context: Context) -> None:
    if turn.say:
        said = MessageRecord(timestep=timestep, agent=name, text=turn.say[:LONGEST_MESSAGE])
        context.recorder.append(said)
    if turn.actions is not None:
        context.recorder.append(
            PlanRecord(
                timestep=timestep,
                agent=name,
                reasoning=turn.reasoning,
                schedule=[[Command(name, action)] for action in turn.actions],
                refused=_refused(name, turn.actions, context),
            )
        )


def _refused(name: str, actions: Sequence[str], context: Context) -> str | None:
    problems = (context.world.refusal([Command(name, action)]) for action in actions)
    return next(filter(None, problems), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Talk:
    """The dialogue at one timestep: what was said, and by whom after how many messages.

    `heard` is how many messages there were when an agent decided on its `decided` actions.
    """

    timestep: int
    turns: int
    said: tuple[Said, ...]
    decided: Mapping[str, Sequence[str]]
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
            "decided": {name: list(actions) for name, actions in self.decided.items()},
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

    def after(self, name: str, turn: Turn, context: Context) -> _Talk:
        """With one more turn; actions that cannot be read are as good as none."""
        said = self.said
        if turn.say:
            said = (*said, Said(name, turn.say[:LONGEST_MESSAGE]))
        decided = turn.actions is not None and not _refused(name, turn.actions, context)
        return _Talk(
            timestep=self.timestep,
            turns=self.turns + 1,
            said=said,
            decided={**self.decided, name: list(turn.actions or ())} if decided else self.decided,
            heard={**self.heard, name: len(said)} if decided else self.heard,
        )

    def schedule(self, context: Context) -> list[list[list[str]]]:
        """What was decided, up to where the first agent has nothing left to do."""
        length = min((len(actions) for actions in self.decided.values() if actions), default=0)
        left = context.horizon - self.timestep
        return [
            [
                [name, self.decided[name][step]]
                for name in context.world.workers
                if self.decided.get(name)
            ]
            for step in range(min(length, left))
        ]
