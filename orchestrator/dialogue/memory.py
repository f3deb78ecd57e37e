"""What an LLM planner keeps of an episode, as plain data that goes through the observation.

The planner itself keeps nothing, so that a resumed episode goes on as if it had not been killed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from orchestrator.dialogue.answers import LONGEST_LESSON
from orchestrator.dialogue.look_ahead import Violation
from orchestrator.dialogue.prompting import Prompting
from orchestrator.dialogue.render import Kept
from orchestrator.planner import Observation

LONGEST_REASONING = 2000
"""Characters of the reasoning for a decision that are kept."""

LONGEST_MEANT = 1500
"""Characters of the reasoning for the schedule under way that are kept."""

MOST_LESSONS = 16
"""So many lessons are kept; the oldest goes first."""

Entries = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The last decisions with their states and what came of them, and the lessons, oldest first.

    `meant` is the reasoning for the schedule under way.
    """

    ways: Prompting
    decisions: Entries = ()
    lessons: Entries = ()
    meant: str = ""

    @classmethod
    def of(cls, observation: Observation[Any], ways: Prompting) -> Memory:
        """The memory when observed: the last decision has had its effect."""
        kept = observation.memory
        decisions = tuple(kept.get("decisions", ()))
        if decisions:
            last = dict(decisions[-1])
            last["actions"] = last["actions"][: observation.timestep - last["timestep"]]
            if ways.feedback and observation.fails:
                last["failed"] = {
                    worker: {"action": action, "why": outcome.why}
                    for worker, (action, outcome) in observation.fails.items()
                }
            decisions = (*decisions[:-1], last)
        memory = cls(
            ways=ways,
            decisions=decisions,
            lessons=tuple(kept.get("lessons", ())),
            meant=kept.get("meant", ""),
        )
        return memory._taught(
            {"timestep": observation.timestep - 1, "worker": w, "action": a, "why": outcome.why}
            for w, (a, outcome) in observation.fails.items()
            if ways.feedback
        )

    @property
    def kept(self) -> Kept:
        """What of it goes into the prompt."""
        return Kept(decisions=self.decisions, lessons=self.lessons, meant=self.meant)

    def after(
        self,
        observation: Observation[Any],
        schedule: Sequence[Mapping[str, str]],
        refused: Sequence[Violation],
        outline: Mapping[str, Any],
        reasoning: str,
        thoughts: str,
        lesson: str,
    ) -> dict[str, Any]:
        """Return what is to be kept once this schedule has been decided on: plain data, if any.

        `outline` is that of the state; `thoughts` is all that was thought for the schedule. Where
        nothing has been decided, what was decided before is kept.
        """
        now = observation.timestep
        taught = self._taught(
            {"timestep": v.timestep, "worker": v.worker, "action": v.action, "why": v.why}
            for v in refused
        )
        if lesson:
            taught = taught._taught([{"timestep": now, "lesson": lesson[:LONGEST_LESSON]}])
        if not schedule:
            return taught._data(self.decisions, self.meant)
        decision = {
            "timestep": now,
            "state": dict(outline),
            **({"reasoning": reasoning[:LONGEST_REASONING]} if reasoning else {}),
            "actions": [dict(entry) for entry in schedule],
        }
        decisions = (*self.decisions, decision)[-self.ways.memory :] if self.ways.memory else ()
        return taught._data(decisions, "" if self.ways.per_step else thoughts[:LONGEST_MEANT])

    def _data(self, decisions: Entries, meant: str) -> dict[str, Any]:
        kept = {"decisions": decisions, "lessons": self.lessons}
        return {
            **{name: list(map(dict, entries)) for name, entries in kept.items() if entries},
            **({"meant": meant} if meant else {}),
        }

    def _taught(self, lessons: Iterable[Mapping[str, Any]]) -> Memory:
        """With these lessons too, each kept once."""
        if not self.ways.lessons:
            return self
        known = {_gist(lesson): lesson for lesson in self.lessons}
        for lesson in lessons:
            known.pop(_gist(lesson), None)
            known[_gist(lesson)] = lesson
        return replace(self, lessons=tuple(known.values())[-MOST_LESSONS:])


def _gist(lesson: Mapping[str, Any]) -> tuple[Any, ...]:
    return lesson.get("lesson"), lesson.get("action"), lesson.get("why")
