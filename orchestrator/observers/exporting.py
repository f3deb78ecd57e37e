"""The export of spans to a receiver of OpenTelemetry over HTTP: the extra `otel`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cookmas.files.errors import InputError
from cookmas.orchestrator.observing import Observer

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""The standard variables, one of which names a receiver if no option does."""

CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The standard variable by which spans get the texts of prompts, answers, look-ups and actions."""

_NO = ("", "false", "no_content")
_TRACES = "/v1/traces"


@asynccontextmanager
async def export_spans(url: str | None, run: str) -> AsyncIterator[tuple[Observer, ...]]:
    """Yield the observer that exports the spans of a run; none if nobody asks for it.

    `url` is the base address of the receiver, such as http://localhost:4318; None leaves it to the
    standard variables. `run` names the run. Finally send what is left. Raise InputError if the
    address is no HTTP address, or if OpenTelemetry is not installed.
    """
    if url is None and not any(os.environ.get(each) for each in ENDPOINTS):
        yield ()
        return
    if url is not None and not url.startswith(("http://", "https://")):
        raise InputError("--otel", f"expected an address such as http://localhost:4318, not {url}")
    provider, observer = await asyncio.to_thread(_open, url, run)
    try:
        yield (observer,)
    finally:
        await asyncio.to_thread(provider.shutdown)


def _open(url: str | None, run: str) -> tuple[TracerProvider, Observer]:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        from cookmas.orchestrator.observers.spans import Spans
    except ImportError:
        raise InputError(
            "--otel", "OpenTelemetry needs the extra 'otel': pip install 'cookmas[otel]'"
        ) from None
    named = "OTEL_SERVICE_NAME" in os.environ
    provider = TracerProvider(
        resource=Resource.create({} if named else {"service.name": "cookmas"}),
        shutdown_on_exit=False,
    )
    to = None if url is None else url.rstrip("/").removesuffix(_TRACES) + _TRACES
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=to)))
    content = os.environ.get(CONTENT, "").lower() not in _NO
    return provider, Spans(provider.get_tracer("cookmas"), run, content=content)
