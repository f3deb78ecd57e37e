"""Spans of work that lasts: from its begin to its end, with what became of it."""

from __future__ import annotations

from itertools import count
from typing import Any

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from cookmas.episodes.trace import EventRecord, PlanRecord, StepRecord, Superstep, Trace
from cookmas.orchestrator.observers.spans import Spans
from cookmas.workers.protocol import Report
from tests.workers.incubator import Answering, Written, play
from tests.workers.test_heard import play_jam


def spans_of(trace: Trace, *, end: bool = True, name: str = "execute_tool") -> list[Any]:
    """Return spans by the begin of their name; the records came one nanosecond after another."""
    exporter, ticks = InMemorySpanExporter(), count()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    observer = Spans(provider.get_tracer("test"), "run", content=True, clock=lambda: next(ticks))
    observer.begin(trace.header, "wait")
    for record in trace.records[1:]:
        observer.note(record, None)
    if end:
        observer.end()
    return [each for each in exporter.get_finished_spans() if each.name.startswith(name)]


async def test_a_span_lasts_as_long_as_the_work_and_says_how_it_ended() -> None:
    trace, _ = await play_jam()
    spans = spans_of(trace)
    work = [each for each in spans if each.name == "execute_tool incubate"]
    assert [each.attributes["cookmas.report"] for each in work] == ["failed", "cancelled"]
    assert [each.status.is_ok for each in work] == [False, True]
    assert "jam in the rollers" in work[0].status.description
    ends = [n for n, r in enumerate(trace.records) if isinstance(r, EventRecord) and n > 1]
    assert [each.end_time for each in work] == [n for n in ends if "worker" in _event(trace, n)]
    (stir, jam) = [each for each in spans if each.name == "execute_tool stir"]
    assert (stir.status.is_ok, jam.status.is_ok) == (True, False)


async def test_a_call_of_the_planner_begins_with_its_superstep() -> None:
    trace, _ = await play_jam()
    asked = [
        number
        for number, record in enumerate(trace.records)
        if isinstance(record, Superstep) and record.nodes == ["planner"]
    ]
    answered = [n for n, record in enumerate(trace.records) if isinstance(record, PlanRecord)]
    plans = spans_of(trace, name="invoke_agent planner")
    assert [each.start_time for each in plans] == [number - 1 for number in asked]
    assert [each.end_time for each in plans] == answered


def _event(trace: Trace, number: int) -> Any:
    record = trace.records[number]
    assert isinstance(record, EventRecord)
    return record.event


async def test_an_asynchronous_worker_has_one_span_for_its_work() -> None:
    answers = (Report.running(), Report.running(), Report.done(result=1))
    device = Answering(*answers, asynchronous=True)
    trace = await play(
        Written({"left": "stir"}, *[{"right": "stir"}] * 5), workers={"left": device}, horizon=5
    )
    steps = [n for n, each in enumerate(trace.records) if isinstance(each, StepRecord)]
    own = [each for each in spans_of(trace) if each.attributes["gen_ai.agent.name"] == "left"]
    assert [each.attributes["cookmas.report"] for each in own] == ["done"]
    assert own[0].end_time == steps[2]


async def test_work_that_still_lasts_has_its_span_when_the_process_ends() -> None:
    trace = await play(Written({"left": "incubate"}, {}), horizon=2)
    (span,) = spans_of(trace)
    assert span.attributes["cookmas.report"] == "running"
    assert not spans_of(trace, end=False)
