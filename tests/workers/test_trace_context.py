"""Workers are told the span of their action, so that they can put spans of their own below it."""

from __future__ import annotations

from typing import Any

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from cookmas.episodes.level import Level
from cookmas.episodes.parts import OutcomeRecord
from cookmas.episodes.trace import EventRecord, StepRecord
from cookmas.episodes.world import Command
from cookmas.orchestrator.observers.spans import Spans
from cookmas.workers.http_worker import HttpWorker
from cookmas.workers.protocol import TRACEPARENT, Assigned, Report
from tests.workers.device import Device
from tests.workers.elsewhere import Remote, Where, working
from tests.workers.incubator import Incubator, Written, header_of, play


def tracing() -> tuple[Spans, InMemorySpanExporter, TracerProvider]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return Spans(provider.get_tracer("test"), "run"), exporter, provider


def named(span: ReadableSpan) -> str:
    """Return a span as W3C Trace Context writes it."""
    there = span.get_span_context()
    assert there
    return f"00-{there.trace_id:032x}-{there.span_id:016x}-{there.trace_flags:02x}"


class Instrumented:
    """A worker that makes a span for each call, below the one that it was told."""

    def __init__(self, provider: TracerProvider, *answers: Report) -> None:
        self.tracer = provider.get_tracer("robot")
        self.answers = [*answers]
        self.told: list[tuple[str, str]] = []

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        self.told.append((str(assignment), assignment.traceparent))
        above = TraceContextTextMapPropagator().extract({TRACEPARENT: assignment.traceparent})
        with self.tracer.start_as_current_span("motor", above):
            return self.answers.pop(0) if self.answers else Report.done()


async def test_a_span_of_a_worker_hangs_below_its_action() -> None:
    spans, exporter, provider = tracing()
    robot = Instrumented(provider, Report.done(), *[Report.running()] * 2)
    rows = [{"left": "stir"}, {"left": "incubate"}, {}, {}, {}]
    await play(Written(*rows), workers={"left": robot}, observers=(spans,))
    assert [action for action, _ in robot.told] == ["stir", *["incubate"] * 3]
    done = exporter.get_finished_spans()
    actions = {each.name: each for each in done if each.name.startswith("execute_tool")}
    stir, incubate = (actions[f"execute_tool {verb}"] for verb in ("stir", "incubate"))
    assert [span for _, span in robot.told] == [named(stir), *[named(incubate)] * 3]
    motors = [each.parent for each in done if each.name == "motor"]
    above = [stir.context, *[incubate.context] * 3]
    assert [each and each.span_id for each in motors] == [each and each.span_id for each in above]


async def test_idling_is_told_the_span_of_its_worker() -> None:
    spans, exporter, provider = tracing()
    robot = Instrumented(provider)
    await play(Written({}, {}), workers={"left": robot}, observers=(spans,), horizon=2)
    (worker,) = [each for each in exporter.get_finished_spans() if each.name.endswith("left")]
    assert robot.told == [("wait", named(worker))] * 2


async def test_a_device_behind_http_gets_the_span_in_the_header_alone(device: Device) -> None:
    spans, exporter, _ = tracing()
    device.answer = (200, {"status": "done"})
    rows = [{"left": "stir"}, {"left": "stir"}]
    workers = {"left": HttpWorker(device.url)}
    await play(Written(*rows), workers=workers, observers=(spans,), horizon=2)
    stirs = [each for each in exporter.get_finished_spans() if each.name == "execute_tool stir"]
    assert device.spans == [named(each) for each in stirs]
    assert len(stirs) == 2
    assert all(TRACEPARENT not in asked for asked in device.asked)


async def test_nothing_is_told_without_spans(device: Device) -> None:
    await play(Written({"left": "stir"}), workers={"left": HttpWorker(device.url)}, horizon=1)
    assert device.spans == [None]
    assert TRACEPARENT not in Assigned("stir").data()


async def test_a_worker_elsewhere_is_told_the_span(where: Where, remote: Remote) -> None:
    robot = Instrumented(TracerProvider())
    async with working(where, robot):
        worker = remote(60)
        for since, span in enumerate((f"00-{1:032x}-{2:016x}-01", "")):
            assigned = Assigned("stir", "worker_2", since, traceparent=span)
            await worker.act(since, "worker_2", assigned)
    assert robot.told == [("stir", f"00-{1:032x}-{2:016x}-01"), ("stir", "")]


def step(timestep: int, **more: Any) -> StepRecord:
    return StepRecord(timestep=timestep, digest="", **{"commands": [], "fails": {}, **more})


def test_after_a_restart_the_work_that_lasts_has_one_span_to_its_end() -> None:
    spans, exporter, _ = tracing()
    spans.begin(header_of(Incubator(Level()), Written(), 9), "wait")
    told = {spans.span_of("left", "incubate", 4, 2)}
    for timestep in (4, 5):
        spans.note(step(timestep, commands=[Command("left", "wait")]), None)
        told.add(spans.span_of("left", "incubate", timestep + 1, 2))
    event = {"kind": "report", "worker": "left", "action": "incubate", "since": 2, "status": "done"}
    spans.note(EventRecord(timestep=6, event=event, injected=True), None)
    (work,) = exporter.get_finished_spans()
    assert told == {named(work)}
    assert work.attributes
    assert work.attributes["cookmas.report"] == "done"


def test_the_span_of_a_worker_that_is_away_or_does_another_action_ends_with_the_timestep() -> None:
    spans, exporter, _ = tracing()
    spans.begin(header_of(Incubator(Level()), Written(), 9), "wait")
    told = [spans.span_of(worker, "stir", 0, 0) for worker in ("left", "right")]
    fail = OutcomeRecord(fail="no_action", why="right cannot be reached.")
    spans.note(step(0, commands=[Command("left", "pour")], fails={"right": fail}), None)
    pour, stir = exporter.get_finished_spans()
    assert [named(pour), named(stir)] == told
    assert [pour.name, stir.name] == ["execute_tool pour", "execute_tool stir"]
    assert [pour.status.is_ok, stir.status.is_ok] == [True, False]
