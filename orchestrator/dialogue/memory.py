"""The memory of an LLM planner in an episode: plain data that each observation carries.

The planner object itself stores nothing, so that a resumed episode continues as if it had never
stopped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from cookmas.orchestrator.dialogue.answers import LONGEST_LESSON, LONGEST_SCHEDULE
from cookmas.orchestrator.dialogue.blocks import TOLD
from cookmas.orchestrator.dialogue.look_ahead import Violation
from cookmas.orchestrator.dialogue.prompt_memory import PromptMemory
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.queue import PlanQueue, is_queued
from cookmas.orchestrator.dialogue.scratch_pad import PAD, Pad
from cookmas.orchestrator.planner import Observation

LONGEST_REASONING = 2000
"""Greatest length of the stored reasoning for a decision, in characters."""

LONGEST_MEANT = 1500
"""Greatest length of the stored reasoning for the active schedule, in characters."""

MOST_NOTES = 4
"""Greatest number of earlier texts that are stored beside the reasoning for the active schedule."""

MOST_LESSONS = 16
"""Greatest number of lessons; the oldest is dropped first."""

Entries = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The memory of an LLM planner: its last decisions, their results, and its lessons."""

    ways: Prompting
    """The prompting options."""
    decisions: Entries = ()
    """The decisions, oldest first."""
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

    @classmethod
    def of(cls, observation: Observation[Any], ways: Prompting) -> Memory:
        """Return the memory in an observation, completed by the result of the last decision."""
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
            ways=ways,
            decisions=decisions,
            lessons=tuple(stored.get("lessons", ())),
            meant=stored.get("meant", ""),
            notes=tuple(stored.get("notes", ())),
            pad=stored.get(PAD, {}),
            told=stored.get(TOLD, {}),
        )
        return memory._with_lessons(
            {"timestep": observation.timestep - 1, "worker": w, "action": a, "why": outcome.why}
            for w, (a, outcome) in observation.fails.items()
            if ways.feedback
        )

    @property
    def kept(self) -> PromptMemory:
        """The part of the memory that goes into the prompt."""
        full = self.ways.memory_of == "decisions"
        shown = [each for each in self.decisions if full or any(each["actions"])]
        return PromptMemory(
            decisions=shown,
            lessons=self.lessons,
            meant=self.meant,
            notes=self.notes,
            pad=self.pad,
            told=self.told,
        )

    def update(
        self,
        observation: Observation[Any],
        schedule: Sequence[Mapping[str, str]],
        refused: Sequence[Violation],
        outline: Mapping[str, Any],
        reasoning: str,
        thoughts: str,
        lesson: str,
        *,
        keeps: bool = False,
        pad: Pad = MappingProxyType({}),
        told: Mapping[str, Any] = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Return the memory after a decision, as plain data without empty entries.

        `schedule` is the decision; if it is empty, the earlier decisions stay, and the reasoning is
        kept as the last one. `refused` are the
        violations that were sent back to the model. `outline` is the summary of the state.
        `reasoning` came before the schedule; `thoughts` is this reasoning with the thoughts between
        the rows. `lesson` is the model's own. `keeps` is True if a part of the active schedule
        stays; then the notes that were written for it stay too. `pad` is the new scratch pad; an
        empty one leaves the last one. `told` is the state, if the next prompt tells what has
        changed since.
        """
        now = observation.timestep
        taught = replace(self, pad=pad or self.pad)._with_lessons(
            {"timestep": v.timestep, "worker": v.worker, "action": v.action, "why": v.why}
            for v in refused
        )
        if lesson:
            taught = taught._with_lessons([{"timestep": now, "lesson": lesson[:LONGEST_LESSON]}])
        if not schedule:
            if self.ways.per_step or not thoughts:
                return taught._data(self.decisions, self.meant, self.notes)
            return taught._data(self.decisions, thoughts[:LONGEST_MEANT], self._note_again(now))
        taught = replace(taught, told=told)
        decision = {
            "timestep": now,
            **self._circumstances(outline, reasoning),
            "actions": [dict(entry) for entry in schedule],
        }
        decisions = (*self.decisions, decision)[-self.ways.memory :] if self.ways.memory else ()
        if self.ways.per_step:
            return taught._data(decisions, "")
        notes = self._note_again(now) if keeps else ()
        return taught._data(decisions, thoughts[:LONGEST_MEANT], notes)

    def _note_again(self, now: int) -> Entries:
        """Return the notes with the reasoning for the schedule that was active until now."""
        known = [note for note in self.notes if note["said"] != self.meant]
        last = [{"until": now, "said": self.meant}] if self.meant else []
        return tuple([*known, *last][-MOST_NOTES:])

    def _circumstances(self, outline: Mapping[str, Any], reasoning: str) -> dict[str, Any]:
        """Return what is remembered of a decision besides its actions."""
        if self.ways.memory_of == "actions":
            return {}
        thought = {"reasoning": reasoning[:LONGEST_REASONING]} if reasoning else {}
        return {"state": dict(outline), **thought}

    def _data(self, decisions: Entries, meant: str, notes: Entries = ()) -> dict[str, Any]:
        parts = {"decisions": decisions, "lessons": self.lessons, "notes": notes}
        return {
            **{name: list(map(dict, entries)) for name, entries in parts.items() if entries},
            **({"meant": meant} if meant else {}),
            **({PAD: dict(self.pad)} if self.pad else {}),
            **({TOLD: dict(self.told)} if self.told else {}),
        }

    def _with_lessons(self, lessons: Iterable[Mapping[str, Any]]) -> Memory:
        """Return the memory with further lessons; equal lessons are stored once."""
        if not self.ways.lessons:
            return self
        known = {_gist(lesson): lesson for lesson in self.lessons}
        for lesson in lessons:
            known.pop(_gist(lesson), None)
            known[_gist(lesson)] = lesson
        return replace(self, lessons=tuple(known.values())[-MOST_LESSONS:])


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
