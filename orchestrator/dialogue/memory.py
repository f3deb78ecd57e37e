"""The memory of an LLM planner in an episode: plain data that each observation carries.

The planner object itself stores nothing, so that a resumed episode continues as if it had never
stopped. An agent's memory has the queue too: a plan that the agent works off at its own moves. The
orchestrator calls the agent at each of them. As long as nothing is new, the agent hands out the
next action of the plan and does not ask the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any

from cookmas.orchestrator.dialogue.answers import (
    LONGEST_LESSON,
    LONGEST_SCHEDULE,
    PAD,
    SCRATCH_PAD,
    Pad,
    ScheduleAnswer,
    fit_pad,
)
from cookmas.orchestrator.dialogue.blocks import LESSONS, MEMORY, PROBLEMS, TOLD, block
from cookmas.orchestrator.dialogue.look_ahead import Violation
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.planner import Observation

QUEUE = "queue"
"""Key of the queue in the memory of an agent."""

LONGEST_REASONING = 2000
"""Greatest length of the stored reasoning for a decision, in characters."""

LONGEST_MEANT = 1500
"""Greatest length of the stored reasoning for the active schedule, in characters."""

MOST_NOTES = 4
"""Greatest number of earlier texts that are stored beside the reasoning for the active schedule."""

MOST_LESSONS = 16
"""Greatest number of lessons; the oldest is dropped first."""

Entries = tuple[Mapping[str, Any], ...]


def is_queued(observation: Observation[Any], prompting: Prompting) -> bool:
    """Return whether the actions of each worker in a schedule are a queue for the orchestrator.

    They are in a world whose actions last. A decision on one timestep is no queue, and an agent
    with a queue of its own hands its actions out one by one.
    """
    lasting = observation.world.lasting
    own = prompting.queue and observation.agent is not None
    return lasting and not prompting.per_step and not own


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanQueue:
    """A plan, and how much of it the agent had handed out after its last turn."""

    plan: Sequence[str] = ()
    at: int = -1
    """Index of the action that the agent handed out last; -1 if it has handed out none."""
    since: int = -1
    heard: int = 0
    """Number of messages of the timestep `since` that the agent knew at its last turn."""
    decided: int = -1
    """Timestep at which the model answered with this plan; -1 if the plan is not the model's."""

    @classmethod
    def of(cls, observation: Observation[Any]) -> PlanQueue:
        """Return the queue in the memory of an observation, or an empty one."""
        return cls(**observation.memory.get(QUEUE, {}))

    def count_begun(self, timestep: int) -> int:
        """Return how many actions of the plan were begun before a timestep."""
        return self.at + 1 if timestep > self.since else max(self.at, 0)

    def actions_left(self, timestep: int) -> list[str]:
        """Return the actions of the plan that were not begun before a timestep."""
        return list(self.plan[self.count_begun(timestep) :])

    def goes_on(self, observation: Observation[Any]) -> bool:
        """Return whether the agent can act without the model: an action is left and nothing is new.

        New are triggers, a FAIL of the agent, problems in its memory, and words of other agents
        that it did not know at its last turn.
        """
        return (
            bool(self.actions_left(observation.timestep))
            and not observation.triggers
            and observation.agent not in observation.fails
            and not observation.memory.get(PROBLEMS)
            and not self._unheard(observation)
        )

    def _unheard(self, observation: Observation[Any]) -> bool:
        said = [*observation.heard, *observation.talk]
        late = [each for each in said if each.timestep == self.since][self.heard :]
        new = [each for each in said if each.timestep > self.since]
        return any(each.agent != observation.agent for each in (*late, *new))

    def handing(self, observation: Observation[Any]) -> PlanQueue:
        """Return the queue after the agent has handed out the next action."""
        now = observation.timestep
        return replace(self, at=self.count_begun(now), since=now, heard=len(observation.talk))

    def data(self) -> Mapping[str, Any]:
        return {**asdict(self), "plan": list(self.plan)}


def new_queue(observation: Observation[Any], plan: Sequence[str], *, answered: bool) -> PlanQueue:
    """Return the queue of a new plan, whose first action is handed out if it is the agent's move.

    `answered` says whether the plan is an answer of the model.
    """
    now = observation.timestep
    return PlanQueue(
        plan=plan,
        at=0 if plan and observation.agent in observation.movers else -1,
        since=now,
        heard=len(observation.talk),
        decided=now if answered else -1,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The memory of an LLM planner: its last decisions, their results, and its lessons."""

    decisions: Entries = ()
    lessons: Entries = ()
    """The lessons, oldest first: actions that FAILed or would FAIL, and the model's own lessons."""
    meant: str = ""
    """The last reasoning, which was for the active schedule if there is one."""
    notes: Entries = ()
    """The earlier reasoning, oldest first, since the last schedule of which nothing was kept."""
    pad: Pad = field(default_factory=dict)
    """The scratch pad as the model wrote it last."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """The state at the last decision, if prompts tell what has changed since."""
    left: Sequence[str] = ()

    @classmethod
    def of(cls, observation: Observation[Any], ways: Prompting, left: Sequence[str] = ()) -> Memory:
        """Return the memory in an observation, completed by the result of the last decision.

        `ways` are the prompting options. `left` is the rest of the agent's queue.
        """
        stored = observation.memory
        decisions = tuple(stored.get("decisions", ()))
        if decisions:
            last = dict(decisions[-1])
            last["actions"] = _select_carried(observation, ways, last)
            if ways.feedback and ways.memory_of == "actions":
                last["actions"] = _drop_failed(observation, ways, last["actions"])
            elif ways.feedback and observation.fails:
                last["failed"] = {
                    worker: {"action": action, "why": outcome.why}
                    for worker, (action, outcome) in observation.fails.items()
                }
            decisions = (*decisions[:-1], last)
        memory = cls(
            decisions=decisions,
            lessons=tuple(stored.get("lessons", ())),
            meant=stored.get("meant", ""),
            notes=tuple(stored.get("notes", ())),
            pad=stored.get(PAD, {}),
            told=stored.get(TOLD, {}),
            left=left,
        )
        if not (ways.lessons and ways.feedback):
            return memory
        return memory._with_lessons(
            {"timestep": observation.timestep - 1, "worker": w, "action": a, "why": outcome.why}
            for w, (a, outcome) in observation.fails.items()
        )

    def blocks(self, ways: Prompting) -> Iterator[str]:
        """Yield the blocks of the last decisions, of the lessons and of the scratch pad.

        Of decisions that are told by their actions alone, those without any are left out.
        """
        full = ways.memory_of == "decisions"
        if shown := [each for each in self.decisions if full or any(each["actions"])]:
            yield block(MEMORY, shown)
        if self.lessons:
            yield block(LESSONS, list(self.lessons))
        if self.pad:
            yield block(SCRATCH_PAD, dict(self.pad))

    def update(
        self,
        observation: Observation[Any],
        ways: Prompting,
        answer: ScheduleAnswer,
        schedule: Sequence[Mapping[str, str]],
        *,
        refused: Sequence[Violation] = (),
        outline: Mapping[str, Any] = MappingProxyType({}),
        lesson: str = "",
        form: Pad = MappingProxyType({}),
        told: Mapping[str, Any] = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Return the memory after an answer, as plain data without empty entries.

        `schedule` is the decision; if it is empty, the earlier decisions stay, and the reasoning is
        kept as the last one. If a part of the active schedule stays, so do the notes that were
        written for it. `refused` are the violations that were sent back to the model. `outline` is
        the summary of the state. `lesson` is the model's own. `form` is that of the scratch pad; an
        empty pad leaves the last one. `told` is the state, if the next prompt tells what has
        changed since.
        """
        now, thoughts = observation.timestep, answer.thoughts()
        taught = replace(self, pad=fit_pad(answer.scratch_pad, form) or self.pad)
        if ways.lessons:
            own = [{"timestep": now, "lesson": lesson[:LONGEST_LESSON]}] if lesson else []
            warned = [
                {"timestep": v.timestep, "worker": v.worker, "action": v.action, "why": v.why}
                for v in refused
            ]
            taught = taught._with_lessons([*warned, *own])
        if not schedule:
            if ways.per_step or not thoughts:
                return taught._data()
            return replace(
                taught, meant=thoughts[:LONGEST_MEANT], notes=self._note_again(now)
            )._data()
        decision = {
            "timestep": now,
            **_circumstances(ways, outline, answer.reasoning),
            "actions": [dict(entry) for entry in schedule],
        }
        stays = answer.keeps_after(now, observation.planned) and observation.underway
        return replace(
            taught,
            decisions=(*self.decisions, decision)[-ways.memory :] if ways.memory else (),
            meant="" if ways.per_step else thoughts[:LONGEST_MEANT],
            notes=self._note_again(now) if stays and not ways.per_step else (),
            told=told,
        )._data()

    def _note_again(self, now: int) -> Entries:
        known = [note for note in self.notes if note["said"] != self.meant]
        last = [{"until": now, "said": self.meant}] if self.meant else []
        return tuple([*known, *last][-MOST_NOTES:])

    def _data(self) -> dict[str, Any]:
        parts = {"decisions": self.decisions, "lessons": self.lessons, "notes": self.notes}
        return {
            **{name: list(map(dict, entries)) for name, entries in parts.items() if entries},
            **({"meant": self.meant} if self.meant else {}),
            **({PAD: dict(self.pad)} if self.pad else {}),
            **({TOLD: dict(self.told)} if self.told else {}),
        }

    def _with_lessons(self, lessons: Iterable[Mapping[str, Any]]) -> Memory:
        """Return the memory with further lessons; equal lessons are stored once."""
        known = {_gist(lesson): lesson for lesson in self.lessons}
        for lesson in lessons:
            known.pop(_gist(lesson), None)
            known[_gist(lesson)] = lesson
        return replace(self, lessons=tuple(known.values())[-MOST_LESSONS:])


NOTHING_KEPT = Memory()
"""The memory of a planner that has decided nothing yet."""


def _circumstances(ways: Prompting, outline: Mapping[str, Any], reasoning: str) -> dict[str, Any]:
    if ways.memory_of == "actions":
        return {}
    thought = {"reasoning": reasoning[:LONGEST_REASONING]} if reasoning else {}
    return {"state": dict(outline), **thought}


def _select_carried(
    observation: Observation[Any], ways: Prompting, decision: Mapping[str, Any]
) -> list[dict[str, str]]:
    """Return the actions of the last decision that were carried out or begun."""
    actions: list[dict[str, str]] = decision["actions"]
    if not is_queued(observation, ways):
        return actions[: _count_carried(observation, ways, decision["timestep"])]
    left = Counter(command.worker for entry in observation.underway for command in entry)
    carried: list[dict[str, str]] = []
    for entry in reversed(actions):
        carried.append({worker: act for worker, act in entry.items() if left[worker] < 1})
        left.subtract(entry.keys())
    carried.reverse()
    return carried


def _count_carried(observation: Observation[Any], ways: Prompting, decided: int) -> int:
    """Return how many actions of the decision at timestep `decided` were carried out or begun.

    If the queue of an agent has another plan by now, return a number that stands for all actions.
    """
    now = observation.timestep
    queue = PlanQueue.of(observation) if ways.queue and observation.agent else None
    if queue is None:
        return now - decided
    return queue.count_begun(now) if queue.decided == decided else LONGEST_SCHEDULE


def _drop_failed(
    observation: Observation[Any], ways: Prompting, actions: Sequence[Mapping[str, str]]
) -> list[Mapping[str, str]]:
    """Return the actions without those of the last timestep that FAILed.

    They are in the last entry, or in a queue the last of their workers.
    """
    kept: list[Mapping[str, str]] = list(actions)
    queued = is_queued(observation, ways)
    for worker in observation.fails:
        places = [at for at, entry in enumerate(kept) if worker in entry]
        if places and (queued or places[-1] == len(kept) - 1):
            entry = kept[places[-1]]
            kept[places[-1]] = {name: act for name, act in entry.items() if name != worker}
    return kept


def _gist(lesson: Mapping[str, Any]) -> tuple[Any, ...]:
    return lesson.get("lesson"), lesson.get("action"), lesson.get("why")
