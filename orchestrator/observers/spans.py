"""OpenTelemetry spans of an episode, by the conventions for generative AI.

    invoke_workflow WORLD            the episode, or one part of an open one
        invoke_agent planner         one answer of the planner, or of an agent
            execute_tool look_up     one text that it looked up
            chat MODEL               one call of a model
        invoke_agent WORKER          a worker, as long as the episode
            execute_tool ACTION      one action

Times of spans are wall time. Simulated time is in the attributes TIMESTEP and TIMESTEPS. The
records of model calls come when the answer is complete, so their spans have measured durations but
lie one after another before it. A worker's action lasts from the call of its worker, or the record
before it if it has none, to its own, and one that lasts longer than its timestep to the record of
its end, with the result of it.

`opentelemetry-util-genai` is not used: its invocations begin when they are told of, and cannot be
given an earlier beginning.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence

from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as names
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.trace import (
    Link,
    Span,
    SpanKind,
    Status,
    StatusCode,
    Tracer,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from cookmas.episodes.parts import OutcomeRecord
from cookmas.episodes.reports import failure_in, is_report
from cookmas.episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    Header,
    Lookup,
    ModelCall,
    PartRecord,
    PlanRecord,
    StepRecord,
    Superstep,
    TriggerRecord,
)
from cookmas.orchestrator.graph.state import AGENT, PLANNER
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.observers.figures import verb_of
from cookmas.workers.protocol import TRACEPARENT

TIMESTEP = "cookmas.timestep"
"""The attribute with the timestep of a span, which is simulated time."""

TIMESTEPS = "cookmas.timesteps"
"""The attribute with the number of timesteps: those played, or those of a plan."""

REPORT = "cookmas.report"
"""The attribute with how an action ended: done, failed or cancelled; running if it still runs."""

_SECOND = 10**9

Attributes = Mapping[str, str | int | float | Sequence[str]]


class Spans:
    """The observer that makes spans.

    `conversation` names the run, so that the spans of a resumed run can be found together. The
    spans have texts of models, look-ups and actions only with `content`. `clock` gives the wall
    time in nanoseconds.
    """

    def __init__(
        self,
        tracer: Tracer,
        conversation: str,
        *,
        content: bool = False,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._tracer = tracer
        self._conversation = conversation
        self._content = content
        self._clock = clock
        self._last = self._began = 0
        self._whole: Span | None = None
        self._workers: dict[str, Span] = {}
        self._called: dict[str, Span] = {}
        """The spans of the actions of this timestep that workers have been called with."""
        self._jobs: dict[str, Span] = {}
        """The spans of the actions that outlast their timestep."""
        self._plan: Span | None = None
        self._calls: list[tuple[ModelCall, CallMeasurements | None]] = []
        self._triggers: list[str] = []

    def begin(self, header: Header, idle: str) -> None:
        self._header, self._idle = header, idle
        self._last = self._began = self._clock()
        self._open_whole(None)

    def note(self, record: AnyRecord, measured: CallMeasurements | None) -> None:
        now = self._clock()
        match record:
            case TriggerRecord():
                self._triggers.append(record.trigger)
            case Superstep() if record.nodes in ([PLANNER], [AGENT]):
                if not self._plan:  # Else the planner still thinks about an earlier call.
                    self._begin_plan(record.timestep, self._last)
            case Superstep():
                self._began = self._last
            case Lookup():
                self._look_up(record, now)
            case ModelCall():
                self._calls.append((record, measured))
            case PlanRecord():
                self._end_plan(record, now)
            case StepRecord():
                self._act(record, now)
            case EventRecord() if is_report(record.event):
                self._take_end(record, now)
            case PartRecord():
                self._close(record.timestep, now)
                self._open_whole(self._whole)
            case End():
                self._end_unanswered(record, now)
                self._close(record.timestep, now, record)
                self._whole = None
        self._last = now

    def end(self) -> None:
        """End all spans that are open; of work that still lasts too."""
        for span in (*self._jobs.values(), *self._called.values()):
            span.end(self._clock())
        self._jobs.clear()
        self._called.clear()
        if self._whole:
            self._close(None, self._clock())
            self._whole = None

    def _open_whole(self, before: Span | None) -> None:
        self._whole = self._tracer.start_span(
            f"invoke_workflow {self._header.world}",
            start_time=self._last,
            links=[Link(before.get_span_context())] if before else None,
            attributes={
                names.GEN_AI_OPERATION_NAME: "invoke_workflow",
                names.GEN_AI_WORKFLOW_NAME: self._header.world,
                names.GEN_AI_CONVERSATION_ID: self._conversation,
                "cookmas.scenario": self._header.scenario_name,
                "cookmas.planner": self._header.planner,
            },
        )

    def _close(self, timestep: int | None, now: int, end: End | None = None) -> None:
        assert self._whole
        if self._plan:
            self._plan.end(now)
            self._plan = None
        for worker in self._workers.values():
            worker.end(now)
        self._workers.clear()
        if timestep is not None:
            self._whole.set_attribute(TIMESTEPS, timestep)
        if end:
            self._whole.set_attribute("cookmas.termination", end.termination)
        self._whole.end(now)

    def _child(
        self,
        name: str,
        above: Span | None,
        attributes: Attributes,
        began: int,
        *,
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> Span:
        assert above
        within = set_span_in_context(above)
        span = self._tracer.start_span(name, within, kind, attributes, start_time=began)
        span.set_attribute(names.GEN_AI_CONVERSATION_ID, self._conversation)
        return span

    def _begin_plan(self, timestep: int, began: int) -> Span:
        self._plan = self._child(
            "invoke_agent planner",
            self._whole,
            {
                names.GEN_AI_OPERATION_NAME: "invoke_agent",
                names.GEN_AI_AGENT_NAME: "planner",
                TIMESTEP: timestep,
                "cookmas.triggers": self._triggers,
            },
            began,
        )
        self._triggers = []
        return self._plan

    def _look_up(self, record: Lookup, now: int) -> None:
        attributes: dict[str, str | int] = {
            names.GEN_AI_OPERATION_NAME: "execute_tool",
            names.GEN_AI_TOOL_NAME: "look_up",
            TIMESTEP: record.timestep,
        }
        if self._content:
            attributes[names.GEN_AI_TOOL_CALL_ARGUMENTS] = json.dumps({"key": record.key})
            attributes[names.GEN_AI_TOOL_CALL_RESULT] = record.text
        above = self._plan or self._begin_plan(record.timestep, self._last)
        self._child("execute_tool look_up", above, attributes, self._last).end(now)

    def _end_plan(self, record: PlanRecord, now: int) -> None:
        plan = self._plan or self._begin_plan(record.timestep, self._last)
        self._chat(plan, now)
        if record.agent:
            plan.update_name(f"invoke_agent {record.agent}")
            plan.set_attribute(names.GEN_AI_AGENT_NAME, record.agent)
        plan.set_attribute(TIMESTEPS, len(record.schedule))
        if self._content:
            plan.set_attribute(names.GEN_AI_OUTPUT_MESSAGES, _say("assistant", record.reasoning))
        if record.refused or record.gave_up:
            _mark(plan, "refused" if record.refused else "gave_up")
        plan.end(now)
        self._plan = None

    def _end_unanswered(self, record: End, now: int) -> None:
        if self._plan:
            self._chat(self._plan, now)
            _mark(self._plan, record.termination)

    def _chat(self, plan: Span, now: int) -> None:
        """Make the spans of the model calls for an answer, the last of which ends now."""
        ends = now
        for call, measured in reversed(self._calls):
            usage = call.usage
            attributes: dict[str, str | int | float | Sequence[str]] = {
                names.GEN_AI_OPERATION_NAME: "chat",
                names.GEN_AI_PROVIDER_NAME: "openai",
                names.GEN_AI_REQUEST_MODEL: call.model,
                names.GEN_AI_RESPONSE_MODEL: call.answerer,
                names.GEN_AI_RESPONSE_FINISH_REASONS: [call.finish_reason],
                names.GEN_AI_USAGE_INPUT_TOKENS: usage.prompt,
                names.GEN_AI_USAGE_OUTPUT_TOKENS: usage.completion,
                names.GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS: usage.cached,
                TIMESTEP: call.timestep,
                "cookmas.purpose": call.purpose,
            }
            if measured and measured.cost is not None:
                attributes["cookmas.cost"] = measured.cost
            if self._content:
                asked = [_message(each.role, each.content) for each in call.messages]
                attributes[names.GEN_AI_INPUT_MESSAGES] = json.dumps(asked)
                attributes[names.GEN_AI_OUTPUT_MESSAGES] = _say("assistant", call.text)
            began = ends - round((measured.seconds if measured else 0) * _SECOND)
            kind = SpanKind.CLIENT
            span = self._child(f"chat {call.model}", plan, attributes, began, kind=kind)
            if call.unusable:
                _mark(span, call.unusable)
            span.end(ends)
            ends = began
        self._calls = []

    def span_of(self, worker: str, action: str, timestep: int, since: int) -> str:
        """Begin the span of an action that a worker is called with; that of idling is its worker's.

        An action that was assigned at an earlier timestep outlasts it, also after a restart.
        """
        spans = self._jobs if since < timestep else self._called
        if worker in self._jobs:
            span = self._jobs[worker]
        elif action == self._idle:
            span = self._worker(worker, timestep)
        elif worker in spans:
            span = spans[worker]
        else:
            span = spans[worker] = self._begin_action(worker, since, self._clock())
            self._name_action(span, action)
        carrier: dict[str, str] = {}
        TraceContextTextMapPropagator().inject(carrier, set_span_in_context(span))
        return carrier.get(TRACEPARENT, "")

    def _begin_action(self, worker: str, timestep: int, began: int) -> Span:
        attributes: dict[str, str | int] = {
            names.GEN_AI_OPERATION_NAME: "execute_tool",
            names.GEN_AI_AGENT_NAME: worker,
            TIMESTEP: timestep,
        }
        return self._child("execute_tool", self._worker(worker, timestep), attributes, began)

    def _name_action(self, span: Span, action: str) -> None:
        """Name a span by its action; a worker may do another one than it was assigned."""
        verb = verb_of(action)
        span.update_name(f"execute_tool {verb}")
        span.set_attribute(names.GEN_AI_TOOL_NAME, verb)
        if self._content:
            span.set_attribute(names.GEN_AI_TOOL_CALL_ARGUMENTS, json.dumps({"action": action}))

    def _act(self, record: StepRecord, now: int) -> None:
        """Make the spans of a timestep's actions; that of one which lasts is left open."""
        actions, reports = dict(record.commands), record.reports or {}
        for worker in dict.fromkeys((*actions, *reports)):
            report, fail = reports.get(worker), record.fails.get(worker)
            action = (report and report.action) or actions.get(worker, "")
            lasts = report is not None and report.status == "running" and not fail
            if worker in self._jobs and (report or action == self._idle):
                if not lasts and report:
                    self._end_job(worker, report.status, fail, now)
                continue
            if action == self._idle and not fail and not lasts:
                continue
            span = self._called.pop(worker, None)
            if span is None:
                span = self._begin_action(worker, record.timestep, self._began)
            self._name_action(span, action)
            if report:
                span.set_attribute(REPORT, report.status)
            if fail:
                _mark(span, fail.fail, fail.why if self._content else None)
            if lasts:
                self._jobs[worker] = span
            else:
                span.end(now)
        for worker, span in self._called.items():
            self._finish(span, record.fails.get(worker), now)
        self._called.clear()

    def _take_end(self, record: EventRecord, now: int) -> None:
        """End the span of a long action, of whose end an event tells."""
        event, failed = record.event, failure_in(record.event)
        outcome = failed and OutcomeRecord(fail=str(failed[2].fail), why=failed[2].why)
        status = "cancelled" if "cancelled" in event else str(event["status"])
        self._end_job(str(event["worker"]), status, outcome, now)

    def _end_job(self, worker: str, status: str, fail: OutcomeRecord | None, now: int) -> None:
        if span := self._jobs.pop(worker, None):
            span.set_attribute(REPORT, status)
            self._finish(span, fail, now)

    def _finish(self, span: Span, fail: OutcomeRecord | None, now: int) -> None:
        if fail:
            _mark(span, fail.fail, fail.why if self._content else None)
        span.end(now)

    def _worker(self, name: str, timestep: int) -> Span:
        if name not in self._workers:
            attributes: Attributes = {
                names.GEN_AI_OPERATION_NAME: "invoke_agent",
                names.GEN_AI_AGENT_NAME: name,
                TIMESTEP: timestep,
            }
            span = self._child(f"invoke_agent {name}", self._whole, attributes, self._began)
            self._workers[name] = span
        return self._workers[name]


def _mark(span: Span, kind: str, why: str | None = None) -> None:
    span.set_attribute(ERROR_TYPE, kind)
    span.set_status(Status(StatusCode.ERROR, why))


def _say(role: str, text: str) -> str:
    return json.dumps([_message(role, text)])


def _message(role: str, text: str) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}
