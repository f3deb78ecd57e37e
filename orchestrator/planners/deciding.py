"""Deciding: the dialogue about one observation until an answer is taken.

A model answers, possibly after it has thought about its partners. Its answer is sent back while it
is unusable, while it would FAIL, and while a verifier refuses it, each a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cookmas.episodes.parts import Purpose
from cookmas.episodes.world import Commands
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.auxiliary import Auxiliary
from cookmas.orchestrator.dialogue.blocks import to_json
from cookmas.orchestrator.dialogue.calls import Calls
from cookmas.orchestrator.dialogue.choices import MARKED
from cookmas.orchestrator.dialogue.dialogue import Dialogue, DialogueSettings, Unanswered
from cookmas.orchestrator.dialogue.keeping import write_out
from cookmas.orchestrator.dialogue.layouts import RowsLayout
from cookmas.orchestrator.dialogue.look_ahead import Violation, try_out
from cookmas.orchestrator.dialogue.prompt import Prompt
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.queue import is_queued
from cookmas.orchestrator.planner import Entry, Observation, check_schedule
from cookmas.orchestrator.planners.foreseeing import foresee

EMPTY = (
    "The schedule is empty: write what is to be done, or keep what is under way with keep_until."
)
"""The message to a model whose answer has an empty schedule."""

UNDECIDED = "No action is chosen: name one."
"""The message to a model that has chosen no action."""


class Proposal(NamedTuple):
    """An answer and the complete schedule that it stands for."""

    answer: ScheduleAnswer
    """The answer."""
    schedule: Sequence[Mapping[str, str]]
    """The schedule from the present timestep on."""
    lesson: str
    """The model's last lesson, perhaps from a later answer."""
    refused: Sequence[Violation] = ()
    """The first violation of each answer that was sent back because it would FAIL."""


class ScheduleDraft:
    """The schedule of which the next answer in a dialogue may keep a part.

    At first it is the active schedule, afterwards that of the last readable answer. So a repair
    only has to write the changes. `meant` maps an action in an answer to the action that it means.
    `idle` is the idle action of the world.
    """

    def __init__(
        self,
        underway: Sequence[Commands],
        timestep: int,
        workers: Sequence[str],
        meant: Callable[[str], str],
        idle: str,
    ) -> None:
        self._timestep = timestep
        self._workers = workers
        self._meant = meant
        self._idle = idle
        self._kept: Sequence[Entry] = underway
        self.schedule: list[dict[str, str]] | None = None
        """The schedule of the last answer, from the present timestep on; None before any answer."""

    @property
    def end(self) -> int:
        """The timestep after the last one that an answer can keep."""
        return self._timestep + len(self._kept)

    def read(self, answer: ScheduleAnswer) -> tuple[list[dict[str, str]], list[str]]:
        """Return the schedule of an answer, and the problems of its rows."""
        entries, problems = write_out(answer, self._kept, self._timestep, self._idle)
        schedule = [{w: self._meant(a) for w, a in entry.items()} for entry in entries]
        return schedule, [*self._find_unknown(answer), *problems]

    def take(self, answer: ScheduleAnswer) -> list[str]:
        """Replace the schedule by that of an answer, and return the problems of the answer's rows.

        `schedule` has the actions even of unknown workers, but a later answer cannot keep those.
        """
        self.schedule, problems = self.read(answer)
        self._kept = [
            {worker: action for worker, action in entry.items() if worker in self._workers}
            for entry in self.schedule
        ]
        return problems

    def _find_unknown(self, answer: ScheduleAnswer) -> list[str]:
        """Return a problem for each unknown worker in `keep_until` and `shift`."""
        kept = answer.keep_until if isinstance(answer.keep_until, dict) else {}
        named = [("keep_until", worker) for worker in kept]
        named += [("shift", shift.worker) for shift in answer.shift]
        return [
            f"{field}: there is no worker {worker!r}, only {', '.join(self._workers)}."
            for field, worker in named
            if worker not in self._workers
        ]


class Deciding:
    """The dialogue for which there is a `prompt`."""

    def __init__(self, prompt: Prompt, calls: Calls, settings: DialogueSettings) -> None:
        self._prompt = prompt
        self._calls = calls
        self._settings = settings
        self._observation = observation = prompt.observation
        self._prompting = prompt.prompting
        self._layout = prompt.layout
        self._offer = prompt.offer
        self._draft = ScheduleDraft(
            observation.underway if self._layout.keeps else (),
            observation.timestep,
            observation.planned,
            self._read_action,
            observation.world.idle,
        )
        self._auxiliary = Auxiliary(prompt, calls, settings)

    def _read_action(self, text: str) -> str:
        """Return the action that a text in an answer means."""
        action = self._offer.read_asked(text) if self._offer else text
        if action is None and self._offer and not self._settings.strict:
            action = self._offer.read_marked(text)
            self._calls.mark_lenient([MARKED] if action is not None else [])
        return self._prompt.voice.normalise_action(text.strip() if action is None else action)

    async def decide(self, purpose: Purpose, repairs: int) -> Proposal:
        """Ask the model, and return the answer that is taken.

        `purpose` says in the record what the first call is for. `repairs` is the greatest number of
        repairs of answers that would FAIL. Raise Unanswered if there is no usable answer.
        """
        partners = await self._auxiliary.infer() if self._prompting.theory_of_mind else {}
        kept = replace(self._prompt.kept, partners=partners)
        dialogue = self._open(replace(self._prompt, kept=kept))
        answer = await self._ask(dialogue, purpose)
        return await self._verify(dialogue, await self._repair(dialogue, answer, repairs))

    def _open(self, prompt: Prompt) -> Dialogue:
        fill = prompt.templates.fill

        def describe_again() -> str:
            if not self._layout.keeps or not self._draft.schedule:
                return fill("repair_whole")
            assert isinstance(self._layout, RowsLayout)
            return fill("repair_patch", {"end": to_json(self._layout.keep(self._draft.end))})

        messages, schema, call = prompt.messages(), self._layout.schema, prompt.call()
        return Dialogue(self._calls, self._settings, messages, schema, call, describe_again)

    async def _ask(self, dialogue: Dialogue, purpose: Purpose) -> Proposal:
        form = self._layout.form
        answer = await dialogue.ask(purpose, form, self._find_problems, self._find_problems_of_part)
        return Proposal(answer, self._draft.schedule or [], answer.lesson)

    def _find_problems(self, answer: ScheduleAnswer) -> Sequence[str]:
        """Take an answer into the draft, and return why it cannot be used."""
        observation, prompting, draft = self._observation, self._prompting, self._draft
        now, agent = observation.timestep, observation.agent
        problems = draft.take(answer)
        if prompting.per_step:
            draft.schedule = (draft.schedule or [])[:1]
            first = next((row.t for row in answer.rows), None)
            problems += [f"t {first}: it is timestep {now}."] if (first or 0) > now else []
        schedule = draft.schedule or []
        if not schedule:
            rests = observation.awaits or observation.rounds or (prompting.queue and agent)
            missing = UNDECIDED if self._layout.chooses else EMPTY
            return problems if rests else [*problems, missing]
        others = {name for entry in schedule for name in entry} - {agent}
        if agent is not None and others:
            problems.append(f"You plan for {agent} alone, not for {', '.join(sorted(others))}.")
        unreadable = self._find_unreadable(schedule)
        problems += unreadable or self._find_unlisted(schedule[0])
        return [*problems, *self._find_unknown_names(schedule)] if problems else []

    def _find_problems_of_part(self, part: ScheduleAnswer) -> Sequence[str]:
        """Return the problems of the readable part of an answer, which is not taken."""
        schedule, problems = self._draft.read(part)
        further = [*self._find_unreadable(schedule), *self._find_unknown_names(schedule)]
        return [*problems, *further]

    def _find_unreadable(self, schedule: Sequence[Mapping[str, str]]) -> list[str]:
        observation = self._observation
        return check_schedule(schedule, observation.world, observation.timestep)[1]

    def _find_unknown_names(self, schedule: Sequence[Mapping[str, str]]) -> list[str]:
        """Return a problem for each action that names something that there is not.

        Alone it makes no answer unusable: such an action FAILs.
        """
        world, voice = self._observation.world, self._prompt.voice
        actions = [
            (now, worker, action)
            for now, entry in enumerate(schedule, start=self._observation.timestep)
            for worker, action in entry.items()
        ]
        found = ((now, who, voice.find_unknown(world, action)) for now, who, action in actions)
        return [f"Timestep {now}, {who}: {problem}" for now, who, problem in found if problem]

    def _find_unlisted(self, chosen: Mapping[str, str]) -> Sequence[str]:
        """Return the problems of actions that are not offered.

        A central planner may choose an action that only becomes possible by what another worker
        does at the same timestep, which the options do not consider.
        """
        problems = self._offer.find_unlisted(chosen) if self._offer else {}
        if problems and self._observation.agent is None:
            failing = {each.worker for each in try_out(self._observation, [chosen])}
            problems = {worker: why for worker, why in problems.items() if worker in failing}
        return list(problems.values())

    async def _repair(self, dialogue: Dialogue, first: Proposal, most: int) -> Proposal:
        """Let the model repair an answer, and return the one whose first FAIL is latest.

        An answer without a FAIL is returned at once. There are at most `most` repairs.
        """
        refused: list[Violation] = []
        tried = best = first
        reach, lesson = -1, first.lesson
        for repair in range(most + 1):
            violations = self._find_violations(tried.schedule)
            if not violations:
                best = tried
                break
            if violations[0].timestep > reach:
                best, reach = tried, violations[0].timestep
            if repair == most:
                break
            refused += violations[:1]
            dialogue.say_violations(violations)
            try:
                tried = await self._ask(dialogue, "repair")
            except Unanswered:
                break
            lesson = tried.lesson or lesson
        return best._replace(lesson=lesson, refused=[*first.refused, *refused])

    def _find_violations(self, schedule: Sequence[Mapping[str, str]]) -> Sequence[Violation]:
        """Return the actions that would FAIL after the answer has taken effect.

        If thinking takes time, the active schedule goes on before, and what the answer says of that
        is dropped.
        """
        observation, prompting = self._observation, self._prompting
        ahead = foresee(observation, self._calls.made)
        dropped = 0 if is_queued(observation, prompting) else len(ahead.meanwhile)
        return find_refused(ahead.observation, prompting, schedule[dropped:])

    async def _verify(self, dialogue: Dialogue, best: Proposal) -> Proposal:
        """Have an answer verified, and return the one that is taken.

        An answer that is refused is asked again, at most `verify` times; then the last one is
        taken. An answer without an action needs no verification.
        """
        for _ in range(self._prompting.verify):
            why = await self._auxiliary.verify(best.schedule) if any(best.schedule) else None
            if why is None:
                break
            dialogue.say_refusal(best.schedule, why)
            try:
                again = await self._ask(dialogue, "repair")
            except Unanswered:
                break
            again = again._replace(lesson=again.lesson or best.lesson, refused=best.refused)
            best = await self._repair(dialogue, again, self._prompting.look_ahead)
        return best


def find_refused(
    observation: Observation[Any], prompting: Prompting, schedule: Sequence[Mapping[str, str]]
) -> Sequence[Violation]:
    """Return the actions of a schedule that would FAIL; none if `look_ahead` is 0.

    For an agent with a queue only the first action is tried, because later actions may depend on
    what others do meanwhile.
    """
    if not prompting.look_ahead:
        return []
    first = prompting.queue and observation.agent is not None
    queued = is_queued(observation, prompting)
    return try_out(observation, schedule[:1] if first else schedule, queued=queued)
