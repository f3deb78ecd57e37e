"""The status of an open episode in the text format of Prometheus, version 0.0.4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from cookmas.status import STATES, Status

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metric(NamedTuple):
    """A metric: a field of the status, whose description is the help text."""

    name: str
    """Name of the metric."""
    kind: Literal["gauge", "counter"]
    """Its type in Prometheus."""
    field: str
    """The field of the status."""


METRICS = (
    Metric("cookmas_up", "gauge", "alive"),
    Metric("cookmas_heartbeat_age_seconds", "gauge", "heartbeat_seconds"),
    Metric("cookmas_timestep", "gauge", "timestep"),
    Metric("cookmas_goals_reached_total", "counter", "reached"),
    Metric("cookmas_messages_taken_total", "counter", "taken"),
    Metric("cookmas_messages_waiting", "gauge", "waiting"),
    Metric("cookmas_oldest_message_age_seconds", "gauge", "oldest_seconds"),
    Metric("cookmas_messages_quarantined", "gauge", "quarantined"),
    Metric("cookmas_late_seconds_total", "counter", "late_seconds"),
    Metric("cookmas_planner_call_seconds", "gauge", "call_seconds"),
)

STATE = "cookmas_state"
AWAY = "cookmas_worker_out_of_reach"

Samples = Iterable[tuple[Mapping[str, str], float]]
"""Values by their labels."""


def metrics_text(status: Status) -> str:
    """Return the metrics of a status; one without a value has no sample."""
    return "".join(_lines(status))


def _lines(status: Status) -> Iterator[str]:
    for name, kind, field in METRICS:
        value = getattr(status, field)
        yield from _metric(name, kind, _help(field), [] if value is None else [({}, value)])
    states = [({"state": state}, state == status.state) for state in STATES]
    yield from _metric(STATE, "gauge", _help("state"), states)
    away = [({"worker": worker}, 1) for worker in sorted(status.away)]
    yield from _metric(AWAY, "gauge", _help("away"), away)


def _help(field: str) -> str:
    return Status.model_fields[field].description or ""


def _metric(name: str, kind: str, about: str, samples: Samples) -> Iterator[str]:
    yield f"# HELP {name} {_escape(about)}\n"
    yield f"# TYPE {name} {kind}\n"
    for labels, value in samples:
        pairs = ",".join(f'{key}="{_quote(text)}"' for key, text in labels.items())
        yield f"{name}{{{pairs}}} {float(value)!r}\n" if pairs else f"{name} {float(value)!r}\n"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quote(text: str) -> str:
    return _escape(text).replace('"', '\\"')
