"""The status of an open episode for monitoring: `/health`, and `/metrics` for Prometheus."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Literal, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cookmas.files.errors import CookMASError
from cookmas.orchestrator.observers.figures import BOUNDS
from cookmas.status import STATES, Histogram, Status, status_of

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


FRESH = 1.0
"""Seconds for which a status is reused, whatever the number of requests."""


class Metric(NamedTuple):
    """A metric that shows a field of the status. The field's description is its help text."""

    name: str
    kind: Literal["gauge", "counter"]
    field: str
    """Name of the field of `Status`."""


METRICS = (
    Metric("cookmas_up", "gauge", "alive"),
    Metric("cookmas_heartbeat_age_seconds", "gauge", "heartbeat_seconds"),
    Metric("cookmas_timestep", "gauge", "timestep"),
    Metric("cookmas_goals_reached_total", "counter", "reached"),
    Metric("cookmas_goals_missed_total", "counter", "lost"),
    Metric("cookmas_goals_open", "gauge", "open"),
    Metric("cookmas_plans_total", "counter", "plans"),
    Metric("cookmas_plans_refused_total", "counter", "refused"),
    Metric("cookmas_fails_total", "counter", "fails"),
    Metric("cookmas_model_calls_total", "counter", "calls"),
    Metric("cookmas_model_repairs_total", "counter", "repairs"),
    Metric("cookmas_model_tokens_in_total", "counter", "tokens_in"),
    Metric("cookmas_model_tokens_out_total", "counter", "tokens_out"),
    Metric("cookmas_model_money_total", "counter", "money"),
    Metric("cookmas_messages_taken_total", "counter", "taken"),
    Metric("cookmas_messages_waiting", "gauge", "waiting"),
    Metric("cookmas_oldest_message_age_seconds", "gauge", "oldest_seconds"),
    Metric("cookmas_messages_quarantined", "gauge", "quarantined"),
    Metric("cookmas_late_seconds_total", "counter", "late_seconds"),
    Metric("cookmas_planner_call_seconds", "gauge", "call_seconds"),
)

STATE = "cookmas_state"
AWAY = "cookmas_worker_out_of_reach"
FAILS = "cookmas_worker_fails_total"
JOB_SECONDS = "cookmas_job_seconds"
HISTOGRAMS = (
    ("cookmas_plan_seconds", "plan_durations"),
    ("cookmas_message_wait_seconds", "message_waits"),
)
EPISODE = "cookmas_episode_info"
JOB_AGE = "cookmas_job_age_seconds"
JOB_TIMESTEPS = "cookmas_job_age_timesteps"

Samples = Iterable[tuple[Mapping[str, str], float]]
"""The values of a metric, each with its labels."""


def metrics_text(status: Status) -> str:
    """Return the metrics of a status. A metric has no sample if its field is None."""
    return "".join(_lines(status))


def _lines(status: Status) -> Iterator[str]:
    for name, kind, field in METRICS:
        value = getattr(status, field)
        yield from _metric(name, kind, _help(field), [] if value is None else [({}, value)])
    states = [({"state": state}, state == status.state) for state in STATES]
    yield from _metric(STATE, "gauge", _help("state"), states)
    away = [({"worker": worker}, 1) for worker in sorted(status.away)]
    yield from _metric(AWAY, "gauge", _help("away"), away)
    fails = [
        ({"worker": worker, "action": action}, count)
        for worker, counts in sorted(status.fails_by_worker.items())
        for action, count in sorted(counts.items())
    ]
    yield from _metric(FAILS, "counter", _help("fails_by_worker"), fails)
    lasted = [({"action": n}, each) for n, each in sorted(status.job_durations.items())]
    yield from _histogram(JOB_SECONDS, _help("job_durations"), lasted)
    for name, field in HISTOGRAMS:
        yield from _histogram(name, _help(field), [({}, getattr(status, field))])
    named = {"episode": status.episode or "", "world": status.world_name or ""}
    yield from _metric(EPISODE, "gauge", _help("episode"), [(named, 1)] if status.episode else [])
    jobs = [({"worker": n, "action": job.action}, job) for n, job in sorted(status.running.items())]
    for name, field in ((JOB_AGE, "seconds"), (JOB_TIMESTEPS, "timesteps")):
        ages = [(labels, getattr(job, field)) for labels, job in jobs]
        yield from _metric(name, "gauge", _help("running"), ages)


def _help(field: str) -> str:
    return Status.model_fields[field].description or ""


def _histogram(
    name: str, about: str, found: Iterable[tuple[Mapping[str, str], Histogram]]
) -> Iterator[str]:
    """Yield the lines of a histogram: how many durations are at most each bound, and their sum."""
    yield f"# HELP {name} {_escape(about)}\n"
    yield f"# TYPE {name} histogram\n"
    for labels, each in found:
        bounds = [*(f"{bound:g}" for bound in BOUNDS), "+Inf"]
        totals = [*accumulate(each.counts)] or [0] * len(bounds)
        for bound, total in zip(bounds, totals, strict=True):
            yield _sample(f"{name}_bucket", {**labels, "le": bound}, total)
        yield _sample(f"{name}_sum", labels, each.seconds)
        yield _sample(f"{name}_count", labels, totals[-1])


def _metric(name: str, kind: str, about: str, samples: Samples) -> Iterator[str]:
    yield f"# HELP {name} {_escape(about)}\n"
    yield f"# TYPE {name} {kind}\n"
    for labels, value in samples:
        yield _sample(name, labels, value)


def _sample(name: str, labels: Mapping[str, str], value: float) -> str:
    pairs = ",".join(f'{key}="{_quote(text)}"' for key, text in labels.items())
    return f"{name}{{{pairs}}} {float(value)!r}\n" if pairs else f"{name} {float(value)!r}\n"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quote(text: str) -> str:
    return _escape(text).replace('"', '\\"')


class Health:
    """Reports the status of the episode in the folder of a run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reading = asyncio.Lock()
        self._read: Status | CookMASError | None = None
        self._until = 0.0

    def routes(self) -> list[BaseRoute]:
        """Return the routes `/health` and `/metrics`."""
        return [Route("/health", self._health), Route("/metrics", self._metrics)]

    async def _health(self, request: Request) -> Response:
        """Answer with the state and the age of the last heartbeat: 200 if alive, otherwise 503."""
        status = await self._status()
        if isinstance(status, CookMASError):
            return JSONResponse({"alive": False, "state": "unknown"}, 503)
        beat = status.model_dump(include={"alive", "state", "heartbeat_seconds"})
        return JSONResponse(beat, 200 if status.alive else 503)

    async def _metrics(self, request: Request) -> Response:
        """Answer in the text format of Prometheus, with 503 if the status cannot be read."""
        status = await self._status()
        if isinstance(status, CookMASError):
            return PlainTextResponse(f"{status}\n", 503)
        return Response(metrics_text(status), media_type=CONTENT_TYPE)

    async def _status(self) -> Status | CookMASError:
        async with self._reading:
            loop = asyncio.get_running_loop()
            if self._read is None or loop.time() >= self._until:
                try:
                    self._read = await status_of(self._folder)
                except CookMASError as error:
                    self._read = error
                self._until = loop.time() + FRESH
            return self._read
