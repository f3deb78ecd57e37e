"""A conversation with a model about one observation, with a record of each call.

The main question is for a decision. Around it, as in CAC, the model may be asked before what its
partners mean, and after whether the decision is okay. The model answers a question, possibly after
it has looked texts up. Its answer is sent back while it is unusable, while it would FAIL, and while
a verifier refuses it, each a bounded number of times. A repair is a new answer that the model gives
because its last one was sent back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast

from cookmas.episodes.conversation import Message, ToolCall
from cookmas.episodes.parts import Purpose
from cookmas.episodes.trace import ModelCall, Termination
from cookmas.files import lines
from cookmas.files.errors import EndpointAwayError, InfrastructureError, LimitReachedError
from cookmas.orchestrator.dialogue.answers import Form, ScheduleAnswer, write_out
from cookmas.orchestrator.dialogue.blocks import CALL, INFER, VERIFY, block, call_again, to_json
from cookmas.orchestrator.dialogue.choices import MARKED
from cookmas.orchestrator.dialogue.layouts import (
    LONGEST_INFERENCE,
    OKAY,
    InferenceAnswer,
    InferenceLayout,
    Layout,
    RowsLayout,
    VerificationAnswer,
    VerificationLayout,
)
from cookmas.orchestrator.dialogue.look_ahead import Violation, foresee, try_out
from cookmas.orchestrator.dialogue.memory import is_queued
from cookmas.orchestrator.dialogue.prompt import Prompt, first_messages
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.reading import (
    Unusable,
    UsableAnswer,
    read_reply,
    without_thoughts,
)
from cookmas.orchestrator.dialogue.voice import LOOK_UP, SHARED_PROMPTS, LookUp, Templates
from cookmas.orchestrator.library import Fetch
from cookmas.orchestrator.models.cassette import record_answer
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    Model,
    ModelAnswer,
    Request,
)
from cookmas.orchestrator.options import Sampling
from cookmas.orchestrator.planner import Entry, Observation, PlanningStoppedError, check_schedule

F = TypeVar("F", bound=Form)

EMPTY = (
    "The schedule is empty: write what is to be done, or keep what is under way with keep_until."
)

UNDECIDED = "No action is chosen: name one."

PROPOSED = "PROPOSED"
"""Name of the block with the decision that is to be verified."""

AUXILIARY: Collection[Purpose] = (INFER, VERIFY)
"""Purposes that a repair keeps. A repair of any other call has the purpose `repair`."""

ROUNDS = 8
"""Greatest number of rounds in which a model may look up texts before it must answer."""

AT_ONCE = 20
"""Greatest number of look-ups that are answered in one round."""

MOST_VIOLATIONS = 40
"""Greatest number of violations in a message; later violations often follow from the first."""

MOST_PROBLEMS = 12
"""Greatest number of problems with an answer that a message lists."""

LONGEST_PROBLEM = 1000
"""Greatest length of a problem in characters: a list of all forms of actions fits into it.

Of a longer problem the middle is left out.
"""

LONGEST_REFUSAL = 1500
"""Greatest length of a verifier's reason in a message, in characters."""

LONGEST_QUOTE = 8000
"""Greatest length, in characters, to which a repair message quotes an unusable answer."""

CALL_IN_TEXT = (
    "Your tool call stands in the text, where it is not carried out. Call the tool by the tool "
    "calls of this interface, or answer without it."
)
"""The problem with an answer that has a tool call in a form that is not known."""


@dataclass(kw_only=True)
class ModelQuestion(Generic[F]):
    """A question to a model, and all that has been said about it."""

    layout: Layout[F]
    messages: list[Message]
    call: Mapping[str, Any]
    """The data of the CALL block, which every repair message repeats."""
    repairs: int = 0
    lenient: set[str] = field(default_factory=set)
    """The kinds of leniency with which the last answer was read."""

    def check(self, answer: F) -> Sequence[str]:
        """Take an answer, and return why it cannot be used."""
        return ()

    def check_part(self, part: F) -> Sequence[str]:
        """Return the problems of the readable part of an answer, which is not taken."""
        return ()

    def ask_again(self, templates: Templates) -> str:
        """Return the sentence of a repair message that says how much the model has to write."""
        return templates.fill("repair_whole")


class DecisionQuestion(ModelQuestion[ScheduleAnswer]):
    """The question for a decision, with the schedule of which the next answer may keep a part.

    At first that is the active schedule, afterwards that of the last readable answer. So a repair
    only has to write the changes. `partners` is the agent's inference about its partners.
    """

    def __init__(self, prompt: Prompt, partners: Mapping[str, str]) -> None:
        messages = prompt.messages(partners)
        super().__init__(layout=prompt.layout, messages=messages, call=prompt.call())
        self.prompt = prompt
        self.observation: Observation[Any] = prompt.observation
        self.schedule: list[dict[str, str]] = []
        """The last answer's schedule, even of unknown workers, which no later one can keep."""
        self._kept: Sequence[Entry] = self.observation.underway if prompt.layout.keeps else ()

    def ask_again(self, templates: Templates) -> str:
        layout = self.prompt.layout
        if not layout.keeps or not self.schedule:
            return super().ask_again(templates)
        assert isinstance(layout, RowsLayout)
        end = layout.keep(self.observation.timestep + len(self._kept))
        return templates.fill("repair_patch", {"end": to_json(end)})

    def check(self, answer: ScheduleAnswer) -> Sequence[str]:
        observation, prompting = self.observation, self.prompt.prompting
        now, agent = observation.timestep, observation.agent
        schedule, problems = self._read(answer)
        self._kept = [
            {worker: action for worker, action in entry.items() if worker in observation.planned}
            for entry in schedule
        ]
        if prompting.per_step:
            schedule = schedule[:1]
            first = next((row.t for row in answer.rows), None)
            problems += [f"t {first}: it is timestep {now}."] if (first or 0) > now else []
        self.schedule = schedule
        if not schedule:
            rests = observation.awaits or observation.rounds or (prompting.queue and agent)
            missing = UNDECIDED if self.prompt.layout.chooses else EMPTY
            return problems if rests else [*problems, missing]
        others = {name for entry in schedule for name in entry} - {agent}
        if agent is not None and others:
            problems.append(f"You plan for {agent} alone, not for {', '.join(sorted(others))}.")
        problems += self._find_unreadable(schedule) or self._find_unlisted(schedule[0])
        return [*problems, *self._find_unknown_names(schedule)] if problems else []

    def check_part(self, part: ScheduleAnswer) -> Sequence[str]:
        schedule, problems = self._read(part)
        further = [*self._find_unreadable(schedule), *self._find_unknown_names(schedule)]
        return [*problems, *further]

    def _read(self, answer: ScheduleAnswer) -> tuple[list[dict[str, str]], list[str]]:
        observation = self.observation
        now, idle = observation.timestep, observation.world.idle
        entries, problems = write_out(answer, self._kept, now, idle)
        schedule = [{w: self._read_action(a) for w, a in entry.items()} for entry in entries]
        return schedule, [*self._find_unknown_workers(answer), *problems]

    def _read_action(self, text: str) -> str:
        offer, strict = self.prompt.offer, self.prompt.prompting.answers == "strict"
        action = offer.read_asked(text) if offer else text
        if action is None and offer and not strict:
            action = offer.read_marked(text)
            self.lenient |= {MARKED} if action is not None else set()
        return self.prompt.voice.normalise_action(text.strip() if action is None else action)

    def _find_unknown_workers(self, answer: ScheduleAnswer) -> list[str]:
        kept = answer.keep_until if isinstance(answer.keep_until, dict) else {}
        workers = self.observation.planned
        named = [("keep_until", worker) for worker in kept]
        named += [("shift", shift.worker) for shift in answer.shift]
        return [
            f"{field}: there is no worker {worker!r}, only {', '.join(workers)}."
            for field, worker in named
            if worker not in workers
        ]

    def _find_unreadable(self, schedule: Sequence[Entry]) -> list[str]:
        return check_schedule(schedule, self.observation.world, self.observation.timestep)[1]

    def _find_unknown_names(self, schedule: Sequence[Mapping[str, str]]) -> list[str]:
        """Return a problem for each action that names something that there is not.

        Alone it makes no answer unusable: such an action FAILs.
        """
        world, voice = self.observation.world, self.prompt.voice
        actions = [
            (now, worker, action)
            for now, entry in enumerate(schedule, start=self.observation.timestep)
            for worker, action in entry.items()
        ]
        found = ((now, who, voice.find_unknown(world, action)) for now, who, action in actions)
        return [f"Timestep {now}, {who}: {problem}" for now, who, problem in found if problem]

    def _find_unlisted(self, chosen: Mapping[str, str]) -> Sequence[str]:
        """Return the problems of actions that are not offered.

        A central planner may choose an action that only becomes possible by what another worker
        does at the same timestep, which the options do not consider.
        """
        offer = self.prompt.offer
        problems = offer.find_unlisted(chosen) if offer else {}
        if problems and self.observation.agent is None:
            failing = {each.worker for each in try_out(self.observation, [chosen])}
            problems = {worker: why for worker, why in problems.items() if worker in failing}
        return list(problems.values())


class Proposal(NamedTuple):
    """An answer and the complete schedule that it stands for."""

    answer: ScheduleAnswer
    schedule: Sequence[Mapping[str, str]]
    lesson: str
    """The model's last lesson, perhaps from a later answer."""
    refused: Sequence[Violation] = ()
    """The first violation of each answer that was sent back because it would FAIL."""


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


def question_about_partners(prompt: Prompt) -> ModelQuestion[InferenceAnswer] | None:
    """Return the question what the last actions of the agent's partners mean.

    Return None if the agent has no partners, or if nobody has acted yet.
    """
    observation = prompt.observation
    if observation.agent is None or len(observation.world.workers) < 2 or not observation.timestep:
        return None
    return _question_around(prompt, INFER, InferenceLayout())


def question_about_decision(
    prompt: Prompt, proposed: Sequence[Mapping[str, str]]
) -> ModelQuestion[VerificationAnswer]:
    """Return the question whether a decision is okay.

    `proposed` has the actions by worker for each timestep from the present one on.
    """
    return _question_around(prompt, VERIFY, VerificationLayout(), proposed)


def _question_around(
    prompt: Prompt,
    task: Literal["infer", "verify"],
    layout: Layout[F],
    proposed: Sequence[Mapping[str, str]] | None = None,
) -> ModelQuestion[F]:
    templates, observation = prompt.templates, prompt.observation
    prompt = replace(
        prompt,
        prompting=replace(prompt.prompting, theory_of_mind=False),
        legal=prompt.legal if proposed is not None and prompt.layout.chooses else None,
    )
    call = prompt.call(task)
    shown = [block(CALL, call)]
    if proposed is None:
        slots = prompt.common_slots()
    else:
        slots = prompt.common_slots("given_proposed")
        whose = templates.variant("verify_whose", observation.agent)
        slots["whose"] = templates.fill(whose, slots)
        shown.insert(0, block(PROPOSED, [dict(entry) for entry in proposed]))
    slots = {"rules": "", "library": "", **slots, "example": layout.example()}
    system = templates.fill(f"{task}_system", slots)
    asked = templates.fill(f"task_{task}", {"timestep": str(observation.timestep)})
    messages = first_messages(templates, system, [*prompt.blocks(), *shown], asked)
    return ModelQuestion(layout=layout, messages=messages, call=call)


class Unanswered(Exception):  # noqa: N818
    """The model gave no usable answer.

    The message is the reason; `problems` are those of the last answer. `lasting` is True if another
    attempt cannot help, because the prompt is too long for the model.
    """

    def __init__(self, why: str, problems: Sequence[str] = (), *, lasting: bool = False) -> None:
        super().__init__(why)
        self.problems = tuple(problems)
        self.lasting = lasting


@dataclass
class Conversation:
    """All calls of a planner's model about one observation.

    A planner makes its calls through this object, and then copies them to the Plan:

        conversation = Conversation(model, observation.timestep)
        answer = await conversation.call(request, "plan")
        return Plan(schedule=..., calls=conversation.made, measured=conversation.measured)
    """

    model: Model
    timestep: int
    """The timestep of the observation."""
    prompting: Prompting = field(default_factory=Prompting)
    """The prompting options: how often an answer is sent back, and how strictly it is read."""
    templates: Templates = field(default_factory=partial(Templates, SHARED_PROMPTS))
    sampling: Sampling = field(default_factory=Sampling)
    look_up: LookUp = LOOK_UP
    """The tool with which the model looks up texts."""
    fetch: Fetch | None = None
    """A function that gets a text; without it the model has no tool."""
    made: list[ModelCall] = field(default_factory=list, init=False)
    """The calls that the model answered, in order."""
    measured: list[CallMeasurements] = field(default_factory=list, init=False)

    async def call(self, request: Request, purpose: Purpose) -> ModelAnswer:
        """Return the model's answer and record the call, with its `purpose`.

        Raise PlanningStoppedError if the budget is used up or the endpoint fails; the error carries
        the earlier calls.
        """
        try:
            answer, measured = await self.model.answer(request)
        except InfrastructureError as error:
            limit = isinstance(error, LimitReachedError)
            how: Termination = "budget" if limit else "infrastructure_error"
            away = isinstance(error, EndpointAwayError)
            raise PlanningStoppedError(
                str(error), how, self.made, self.measured, away=away
            ) from error
        call = ModelCall(
            **dict(record_answer(request, answer, self.model.name)),
            timestep=self.timestep,
            number=len(self.made) + 1,
            purpose=purpose,
        )
        self.made.append(call)
        self.measured.append(measured)
        return answer

    async def ask(self, question: ModelQuestion[F], purpose: Purpose) -> F:
        """Return the first answer to a question that can be used.

        `purpose` says in the record what the first call is for. An unusable answer is sent back
        with its problems, at most `retries` times; these calls are recorded as repairs, except of a
        question that only helps to decide (`AUXILIARY`). Raise Unanswered if no answer is usable,
        or PlanningStoppedError if the endpoint or the budget ends the conversation.
        """
        problem = Unusable(fault="unreadable", problems=())
        for _ in range(self.prompting.retries + 1):
            answer = await self._await_answer(question, purpose)
            read = self._read(question, answer)
            if isinstance(read, UsableAnswer):
                question.messages.append(_as_message(answer))
                return read.value
            problem = replace(read, problems=shorten(read.problems))
            self.made[-1] = self.made[-1].model_copy(update={"unusable": problem.fault})
            if problem.fault == "too_long":
                break
            question.messages.append(_as_message(answer, most=LONGEST_QUOTE))
            self._ask_again(question, "repair_answer", problems=list(problem.problems))
            purpose = purpose if purpose in AUXILIARY else "repair"
        why = f"no usable answer ({problem.fault}): {problem.why}"
        if problem.fault == "truncated":
            thought = "" if answer.text else ", after thoughts alone"
            why += f" The limit of tokens cut it off{thought}: --max-tokens sets it."
        raise Unanswered(why, problem.problems, lasting=problem.fault == "too_long")

    def _read(self, question: ModelQuestion[F], answer: ModelAnswer) -> UsableAnswer[F] | Unusable:
        strict = self.prompting.answers == "strict"
        read = read_reply(answer, question.layout, strict=strict)
        question.lenient = set()
        if isinstance(read, UsableAnswer):
            question.lenient |= {*read.lenient}
            if problems := question.check(read.value):
                read = Unusable(fault="outside_schema", problems=tuple(problems))
        elif read.part is not None:
            further = question.check_part(cast("F", read.part))
            read = replace(read, problems=tuple(dict.fromkeys((*read.problems, *further))))
        if question.lenient:
            kinds = tuple(sorted({*self.made[-1].lenient, *question.lenient}))
            self.made[-1] = self.made[-1].model_copy(update={"lenient": kinds})
        if isinstance(read, Unusable) and self.fetch and self.look_up.stands_in(answer.text):
            return Unusable(fault="unreadable", problems=(CALL_IN_TEXT,))
        return read

    async def _await_answer(self, question: ModelQuestion[F], purpose: Purpose) -> ModelAnswer:
        """Answer the model's look-ups, and return its first answer without look-ups."""
        for _ in range(ROUNDS):
            answer = await self.call(self._request(question), purpose)
            if self.fetch is None or not answer.tool_calls:
                return answer
            wishes = answer.tool_calls[:AT_ONCE]
            question.messages.append(_as_message(answer, wishes))
            for wish in wishes:
                found = await self.look_up.answer(wish, self.fetch)
                message = Message(role="tool", content=to_json(found), tool_call_id=wish.id)
                question.messages.append(message)
            purpose = "lookup"
        why = f"the model looked things up {ROUNDS} times in a row without an answer"
        raise Unanswered(why, (f"{why[0].upper()}{why[1:]}.",))

    def _request(self, question: ModelQuestion[F]) -> Request:
        return Request(
            messages=tuple(question.messages),
            schema=question.layout.schema,
            tools=(self.look_up.spec(),) if self.fetch else (),
            temperature=self.sampling.temperature,
            max_tokens=self.sampling.max_tokens,
            seed=self.sampling.model_seed,
        )

    def _ask_again(self, question: ModelQuestion[F], name: str, **wrong: Any) -> None:
        question.repairs += 1
        slots = {
            "again": question.ask_again(self.templates),
            "blocks": call_again(question.call, question.repairs, **wrong),
        }
        content = self.templates.fill(name, slots)
        question.messages.append(Message(role="user", content=content))

    def say_violations(self, question: ModelQuestion[F], violations: Sequence[Violation]) -> None:
        """Tell the model which actions of its schedule would FAIL."""
        shown = [violation._asdict() for violation in violations[:MOST_VIOLATIONS]]
        self._ask_again(question, "repair_violations", violations=shown)

    def say_refusal(
        self, question: ModelQuestion[F], schedule: Sequence[Mapping[str, str]], why: str
    ) -> None:
        """Tell the model that a verifier has refused its decision, and why."""
        refused = {"actions": list(map(dict, schedule)), "why": why[:LONGEST_REFUSAL]}
        self._ask_again(question, "repair_refused", refused=refused)

    async def decide(self, prompt: Prompt, purpose: Purpose, repairs: int) -> Proposal:
        """Ask the model for a decision, and return the answer that is taken.

        `purpose` says in the record what the first call is for. `repairs` is the greatest number of
        repairs of answers that would FAIL. An answer that a verifier refuses is asked again, at
        most `verify` times; then the last one is taken. An answer without an action needs no
        verification. Raise Unanswered if there is no usable answer.
        """
        prompting = prompt.prompting
        partners = await self.infer(prompt) if prompting.theory_of_mind else {}
        decision = DecisionQuestion(prompt, partners)
        first = await self._propose(decision, purpose)
        best = await self._repair(decision, first, repairs)
        for _ in range(prompting.verify):
            why = await self.verify(prompt, best.schedule) if any(best.schedule) else None
            if why is None:
                break
            self.say_refusal(decision, best.schedule, why)
            try:
                again = await self._propose(decision, "repair")
            except Unanswered:
                break
            again = again._replace(lesson=again.lesson or best.lesson, refused=best.refused)
            best = await self._repair(decision, again, prompting.look_ahead)
        return best

    async def infer(self, prompt: Prompt) -> Mapping[str, str]:
        """Return what the agent thinks about its partners: an explanation and their needs.

        The result is empty if there is nothing to ask, or no usable answer.
        """
        question = question_about_partners(prompt)
        answer = question and await self._ask_for_help(question, INFER)
        if not answer:
            return {}
        found = {"explanation": answer.explanation, "needs": answer.needs}
        return {name: said[:LONGEST_INFERENCE] for name, said in found.items() if said}

    async def verify(self, prompt: Prompt, proposed: Sequence[Mapping[str, str]]) -> str | None:
        """Return why a decision is not okay; None if it is, or if there is no usable answer.

        `proposed` has the actions by worker for each timestep from the present one on.
        """
        answer = await self._ask_for_help(question_about_decision(prompt, proposed), VERIFY)
        if answer is None or answer.verification == OKAY:
            return None
        return answer.reasoning or "No reason was given."

    async def _ask_for_help(self, question: ModelQuestion[F], purpose: Purpose) -> F | None:
        try:
            return await self.ask(question, purpose)
        except Unanswered:
            return None

    async def _propose(self, decision: DecisionQuestion, purpose: Purpose) -> Proposal:
        answer = await self.ask(decision, purpose)
        return Proposal(answer, decision.schedule, answer.lesson)

    async def _repair(self, decision: DecisionQuestion, first: Proposal, most: int) -> Proposal:
        """Let the model repair an answer, and return the one whose first FAIL is latest.

        An answer without a FAIL is returned at once. There are at most `most` repairs.
        """
        refused: list[Violation] = []
        tried = best = first
        reach, lesson = -1, first.lesson
        for repair in range(most + 1):
            violations = self._find_violations(decision.prompt, tried.schedule)
            if not violations:
                best = tried
                break
            if violations[0].timestep > reach:
                best, reach = tried, violations[0].timestep
            if repair == most:
                break
            refused += violations[:1]
            self.say_violations(decision, violations)
            try:
                tried = await self._propose(decision, "repair")
            except Unanswered:
                break
            lesson = tried.lesson or lesson
        return best._replace(lesson=lesson, refused=[*first.refused, *refused])

    def _find_violations(
        self, prompt: Prompt, schedule: Sequence[Mapping[str, str]]
    ) -> Sequence[Violation]:
        """Return the actions that would FAIL after the answer has taken effect.

        If thinking takes time, the active schedule goes on before, and what the answer says of that
        is dropped.
        """
        ahead = foresee(prompt.observation, self.made)
        queued = is_queued(prompt.observation, prompt.prompting)
        dropped = 0 if queued else len(ahead.meanwhile)
        return find_refused(ahead.observation, prompt.prompting, schedule[dropped:])


def shorten(problems: Sequence[str]) -> tuple[str, ...]:
    """Return the problems of an answer for a message, limited in number and length."""
    shown = [lines.shorten(problem, LONGEST_PROBLEM) for problem in problems]
    more = len(shown) - MOST_PROBLEMS
    return (*shown[:MOST_PROBLEMS], *((f"There are {more} more problems.",) if more > 0 else ()))


def _as_message(
    answer: ModelAnswer, wishes: Sequence[ToolCall] = (), most: int | None = None
) -> Message:
    """Return an answer as a message of the conversation, with what the endpoint may want back.

    Thoughts in its text are left out, and so is what follows `most` characters.
    """
    text = without_thoughts(answer.refusal or answer.text)[:most]
    return Message(
        role="assistant",
        content=text if text or wishes else "(no answer)",
        tool_calls=tuple(wishes),
        extra=answer.extra,
    )
