"""Previews of the calls of a model before anybody pays for them: the first request, the number.

No endpoint is called. For the number of calls the scripted model plays the episode with the same
planner and options. It makes no mistakes, but in some worlds it decides on one action at a time, so
a model that plans further needs fewer calls. A planner that is asked at every timestep is played
for a while, and the rest is estimated.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from cookmas.episodes.trace import ModelCall, PlanRecord, StepRecord, Trace
from cookmas.files.errors import CookMASError, InfrastructureError, InputError
from cookmas.loading import NO_SETTINGS, load_planner, load_scenario
from cookmas.orchestrator.dialogue.blocks import to_json
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.budget import Budget, limit
from cookmas.orchestrator.models.message import Answered, Request, Wrapped, estimate_tokens
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.naming import is_lineup, planners_in
from cookmas.orchestrator.planners.seats import refuse_central
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec
from cookmas.world_names import WORLDS, domain_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSize:
    """The estimated tokens of a call."""

    parts: Mapping[str, int]
    """Tokens of the request: of each role of its messages, and of its schema and its tools."""
    answer: int | None
    """Maximum tokens of the answer; None if the request limits nothing."""

    @classmethod
    def of(cls, request: Request) -> CallSize:
        """Return the size of a call with this request."""
        parts = Counter[str]()
        for message in request.messages:
            parts[message.role] += estimate_tokens(message.content)
        parts.update({name: estimate_tokens(text) for name, text in attachments(request).items()})
        return cls(parts=parts, answer=request.max_tokens)

    @property
    def prompt(self) -> int:
        """Tokens of the request."""
        return sum(self.parts.values())

    @property
    def needed(self) -> int:
        """Tokens for which the context and the limits of an endpoint must have room."""
        return self.prompt + (self.answer or 0)

    def __str__(self) -> str:
        """Return what a call needs, in words."""
        if self.answer is None:
            return f"a call needs {self.prompt} and its answer, which --max-tokens limits"
        return f"with {self.answer} for the answer, a call needs {self.needed}"


def attachments(request: Request) -> dict[str, str]:
    """Return the texts that are sent beside the messages: of the schema and of the tools."""
    schema = to_json(request.schema.schema) if request.schema else ""
    tools = "\n".join(to_json(asdict(tool)) for tool in request.tools)
    return {name: text for name, text in (("schema", schema), ("tools", tools)) if text}


class UncalledError(InputError):
    """An episode calls no model, such as an open one that begins without anything to do."""


def first_requests(
    scenario: str,
    planner: str = "llm",
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> dict[str | None, Request]:
    """Return the first request of an episode, or of each seat of a line-up that calls a model.

    The keys are the seats; without a line-up the only key is None. Raises UncalledError if no
    model is called.
    """
    return dict(_play_to_requests(scenario, planner, asking, world, settings))


def first_request(
    scenario: str,
    planner: str = "llm",
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> Request:
    """Return the very first request of an episode. Raises InputError if no model is called."""
    return next(_play_to_requests(scenario, planner, asking, world, settings))[1]


def _play_to_requests(
    scenario: str,
    planner: str,
    asking: AskingOptions | None,
    world: str | None,
    settings: Mapping[str, Any],
) -> Iterator[tuple[str | None, Request]]:
    """Yield the seats of `first_requests` with their requests; each seat has a play of its own."""
    loaded = load_scenario(scenario, world, settings)
    played = loaded.world()

    def make_request(seat: str | None = None) -> Request | None:
        heard: list[Request] = []

        async def listen(request: Request) -> Answered:
            heard.append(request)
            raise InfrastructureError("nobody answers")

        listener = Wrapped("nobody", listen)
        asked = load_planner(planner, loaded, None, asking, world, make_model=lambda *_: listener)
        refuse_central(asked, played, planner)
        if seat is not None:
            assert isinstance(asked, Team)
            members = {seat: asked.members[seat]}
            asked = Team(
                name=seat,
                planner_class=asked.planner_class,
                members=members,
                rounds=asked.rounds,
                seats=asked.seats,
            )
        asyncio.run(episode_of(loaded, asked).run())
        return next(iter(heard), None)

    called = False
    for seat in played.workers if is_lineup(planner) else (None,):
        if request := make_request(seat):
            called = True
            yield seat, request
    if not called:
        raise UncalledError(f"planner {planner!r}", "calls no model")


PLAYED_CALLS = 1000
"""Greatest number of calls that are played."""

CALLS_PER_STEP = 8
"""The same for one planner that is asked at every timestep, whose other calls are estimated."""


class ExpectedCalls(NamedTuple):
    """The model calls of an episode that the scripted model has played."""

    calls: int
    decisions: int
    """Number of decisions, each of which takes one call or more."""
    actions: int
    """Number of actions in all decisions, each counted once for each worker."""
    prompt: int
    """Tokens of all prompts."""
    completion: int
    """Tokens of all answers."""
    purposes: Mapping[str, int]

    cut: bool = False
    """True if the play was cut off, so that an episode takes more."""

    @classmethod
    def of(cls, trace: Trace, seat: str | None) -> ExpectedCalls:
        """Return what one seat, or with None the whole episode, has taken."""
        calls = [each for each in trace.of(ModelCall) if seat in (None, each.agent)]
        answered = {(call.timestep, call.agent) for call in calls}
        plans = [plan for plan in trace.of(PlanRecord) if (plan.timestep, plan.agent) in answered]
        return cls(
            calls=len(calls),
            decisions=sum(call.number == 1 for call in calls),
            actions=sum(len(entry) for plan in plans for entry in plan.schedule),
            prompt=sum(call.usage.prompt for call in calls),
            completion=sum(call.usage.completion for call in calls),
            purposes=Counter(call.purpose for call in calls),
            cut=_is_cut(trace),
        )

    def scale(self, factor: float) -> ExpectedCalls:
        """Return the numbers of a play that lasts `factor` times as long."""
        if factor == 1:
            return self
        return ExpectedCalls(
            calls=round(self.calls * factor),
            decisions=round(self.decisions * factor),
            actions=round(self.actions * factor),
            prompt=round(self.prompt * factor),
            completion=round(self.completion * factor),
            purposes={kind: round(number * factor) for kind, number in self.purposes.items()},
        )

    def __str__(self) -> str:
        """Return the numbers in one sentence."""
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(self.purposes.items()))
        length = self.actions / max(self.decisions, 1)
        about = "more than" if self.cut else "about"
        return (
            f"an episode: {about} {self.calls} calls ({kinds}), {self.prompt} tokens in and "
            f"{self.completion} out, as the scripted model plays it, in {self.decisions} decisions "
            f"on {length:.1f} actions each"
        )


def expect_calls(
    seats: Iterable[str | None],
    scenario: str,
    planner: str = "llm",
    asking: AskingOptions | None = None,
    world: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> dict[str | None, ExpectedCalls]:
    """Return what an episode is expected to take, for each of the `seats`.

    The seat None stands for all workers together.
    """
    from cookmas.modelserver.answers import ScriptedModel
    from cookmas.modelserver.faults import Faults

    loaded = load_scenario(scenario, world, settings)
    outside = {} if world is None or world in WORLDS else {domain_of(world).name: world}

    def load(name: str, ways: AskingOptions | None, most: int) -> Planner | Team:
        scripted = ScriptedModel({**WORLDS, **outside}, Faults())
        model = limit(scripted, Budget(calls=most))
        return load_planner(name, loaded, None, ways, world, make_model=lambda *_: model)

    def play(name: str, with_options: AskingOptions | None, most: int) -> Trace:
        asked = load(name, with_options, most)
        return asyncio.run(episode_of(loaded, asked).run())

    asked = load(planner, asking, PLAYED_CALLS)
    per_step = isinstance(asked, SchedulingPlanner) and asked.prompting.per_step
    trace = play(planner, asking, CALLS_PER_STEP if per_step else PLAYED_CALLS)
    more = 1.0
    if per_step and _is_cut(trace):
        more = _length(play("llm", None, PLAYED_CALLS)) / max(_length(trace), 1)
    return {seat: ExpectedCalls.of(trace, seat).scale(max(more, 1.0)) for seat in seats}


def _is_cut(trace: Trace) -> bool:
    return trace.end is None or trace.end.termination == "budget"


def _length(trace: Trace) -> int:
    return sum(1 for _ in trace.of(StepRecord))


class SizedCall(NamedTuple):
    """The first call of an episode."""

    spec: EpisodeSpec
    size: CallSize
    """Its estimated tokens."""

    def __str__(self) -> str:
        """Return what the endpoint must have room for, in one line."""
        first = f"the largest first call ({self.spec.case}, {self.spec.arm})"
        room = "the endpoint's context and its limit for each minute must not be smaller"
        return f"{first} has a prompt of about {self.size.prompt} tokens; {self.size}; {room}"


def largest_call(specs: Iterable[EpisodeSpec]) -> SizedCall | None:
    """Return the first call that needs the most tokens; None if no endpoint is asked.

    Planners that a user wrote are passed over, since only their own process may load them. So are
    the later calls of an episode, which may need more.
    """
    sized = (SizedCall(spec, size) for spec in specs if spec.repeat == 1 for size in _sizes(spec))
    return max(sized, key=lambda call: call.size.needed, default=None)


def _sizes(spec: EpisodeSpec) -> Iterator[CallSize]:
    asks = any(part.model and not part.model.replay for part in spec.asking_parts)
    if not asks or any(":" in planner for planner in planners_in(spec.planner)):
        return
    from cookmas.studies.bench.models import request_of

    asking = request_of(EpisodeJob(spec=spec)).asking
    try:
        requests = first_requests(spec.scenario, spec.planner, asking, spec.world, spec.settings)
    except CookMASError:
        return
    yield from map(CallSize.of, requests.values())
