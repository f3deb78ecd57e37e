"""Write the pages and the picture that are generated from the code.

    .venv/bin/python docs/generate.py

A function without arguments makes each page; the tests compare the pages with its result.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from cookmas.display.live.metrics import (
    AWAY,
    EPISODE,
    FAILS,
    HISTOGRAMS,
    JOB_AGE,
    JOB_SECONDS,
    JOB_TIMESTEPS,
    METRICS,
    STATE,
)
from cookmas.episodes import parts, trace
from cookmas.episodes.conversation import Message, ToolCall, Usage
from cookmas.episodes.world import Command, Tally
from cookmas.kitchen.actions import LIBRARY
from cookmas.kitchen.simulator import Reason
from cookmas.orchestrator.runs.folder import RunFile
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.sandbox.child import Limits
from cookmas.status import STATES, Status
from docs.command_line import cli_page
from docs.figures import figures_table
from docs.images.draw_rooms import rooms_picture
from docs.members import worlds_page
from docs.pages import as_page, as_table, field_docs

DOCS = Path(__file__).parent


def actions_page() -> str:
    """Return the page of the action library."""
    sections = [
        f"### {_call(spec.name, spec.argument)}\n\n"
        f"At {spec.where}. Needs {spec.needs}.\n\n{spec.effect}"
        for spec in LIBRARY.values()
    ]
    return as_page(
        "Actions",
        "All actions of a worker. Each takes one timestep. It is done, or it is a FAIL, which "
        "changes nothing. Planners and `cookmas show actions` have the same text. The [rules of "
        "the kitchen](../explanation/kitchen-rules.md) have the details.",
        "An action is written as its name with its arguments in brackets: `navigate(grill_1)`, "
        "`pick`, `pick(onion)`, `pick(slot 2)`, `pick(onion, slot 2)`, `chop`, `serve(o1.2)`. It "
        "has [one spelling](../explanation/kitchen-rules.md#actions-in-text), without other spaces "
        "and without empty brackets. A schedule has one for each worker and timestep; a worker "
        "that is left out waits.",
        *sections,
        "## Reasons of a FAIL",
        f"{', '.join(f'`{reason}`' for reason in Reason)}. Which check of which action gives which "
        "is in the [rules](../explanation/kitchen-rules.md#a-timestep).",
    )


def trace_page() -> str:
    """Return the page of the records of a trace, with their fields."""
    records: Sequence[type[BaseModel]] = get_args(trace.AnyRecord)
    return as_page(
        "Trace",
        "A trace is a file of JSON lines in UTF-8. Each line is a record with a `kind`, in the "
        f"order of the episode. This is version {trace.SCHEMA} of the format. The same scenario "
        "and the same planner answers give the same bytes; seconds and money are in "
        "`measurements.json` beside it. Fields without a value are left out.",
        "`cookmas.read_trace(path)` reads one, `cookmas.replay(trace)` simulates it again "
        "([Python API](python-api.md)). The first record is the header, the last one `end`.",
        "A timestep has a `superstep` of the workers, one of the world, and a `step`. Then the "
        "`event` and `trigger` records of the next timestep follow. After triggers there are a "
        "`superstep` of the planner and its `lookup`, `model_call` and `plan` records. While no "
        "order is open and nothing is scheduled, `step` records follow each other without "
        "supersteps, up to the next known event.",
        "A trace with a `fork` record belongs to [a run that branched "
        "off](../how-to/resume-and-replay.md#time-travel). The lines before that record are copied "
        "from the parent.",
        "## Whole, unfinished, damaged",
        _WHOLE,
        "## Records",
        "A field with the default `None` may also be null. Most records have a `timestep` "
        "(`int`), that at which it happened; tables have it where it means something else.",
        *(_record(record) for record in records),
        "## Parts of records",
        *(
            _model(part)
            for part in (parts.SearchRecord, parts.OutcomeRecord, Message, ToolCall, Usage)
        ),
        *map(_tuple, (Command, parts.Arrival, Tally)),
        "## Terms",
        f"`termination`: {_choices(trace.Termination)}. {inspect.cleandoc(_TERMINATION)}",
        f"`planner_class`: {_choices(trace.PlannerClass)}. {inspect.cleandoc(_PLANNER_CLASS)}",
        f"`purpose`: {_choices(parts.Purpose)}.",
        f"`status` of a search: {_choices(parts.SearchStatus)}. {inspect.cleandoc(_SEARCH_STATUS)}",
    )


_WHOLE = """
The last field of every line is `chain`: the first sixteen hexadecimal digits of a SHA-256. It
covers the `chain` of the line before (nothing, for the header) and the line without its own
`chain`. So the last line has a digest of the whole trace:

```python
import hashlib
import re

import cookmas

before = ""
for line in cookmas.play("level1/03").trace.lines():
    body, chain = re.fullmatch(r'(.*),"chain":"([0-9a-f]{16})"}', line).groups()
    before = hashlib.sha256((before + body + "}").encode()).hexdigest()[:16]
    assert chain == before
```

A trace without `end` is *unfinished*: its run was killed, or is still played. It is read up to
its last whole line. `cookmas replay` compares its timesteps and exits with 1; `cookmas eval` leaves
it unscored. A trace with a broken chain or an impossible order of records is *damaged*: `replay`
and `eval` name the line, use nothing of the trace, and exit with 2. The chain protects against
accidents, not against forgery.

`replay` compares the state's digest and the FAILs of every timestep, and at the end the workers
and the tally. If `judges` in the header is not the version that judges, `eval` says so.

Traces of other formats, and those under other rules, are refused by `replay`, `eval` and `resume`
in one line. Format 4 differs from format 3 in the name of a node alone (`world` for `kitchen`),
format 3 from format 2 in `chain` and `judges`.
""".strip()

_TERMINATION = """
`finished`: no request and no event is left. `closed`: the same for an open episode that was
closed. `horizon`: the last timestep is over. `gave_up`: the planner gave up. `no_progress`: many
calls of the planner in a row led only to idling. `budget`: calls, tokens or money were used up.
`planner_failed`: the planner raised an error, returned something else than a plan, took too long
or too much memory, or ended; the episode has failed. `infrastructure_error`: an external service
did not answer; nothing is scored.
"""

_SEARCH_STATUS = """
`optimal`: the schedule serves everything, and ends at the lower bound.
`feasible`: it serves everything. `partial`: it serves some of it, or stops before a station is
needed that is out of service. `infeasible`: nothing can be done now, whatever the search.
`unknown`: the search found nothing within its effort; a longer one might.
"""

_PLANNER_CLASS = """
What helped the planner: a model alone; a model and checks in the simulator; a model that only
reads; no model at all; no model, but the truth; a model that is called at every timestep; a
schedule made beforehand; a person; planners of several classes, in a fork or a team; a planner that
failed before it could say. Results are never mixed across these.
"""


def run_page() -> str:
    """Return the page of the request of a run."""
    asked = dict(
        sorted(RunRequest.model_fields.items(), key=lambda each: not each[1].is_required())
    )
    resolved = [name for name in RunFile.model_fields if name not in asked and name != "format"]
    return as_page(
        "Run requests",
        "One frozen record, `RunRequest`, says what to run. The command line, `cookmas.play`, "
        "sweeps, Inspect and Studio each make one, and all other code uses it. In Python, "
        "`create(folder, request)` prepares a folder for it, and `aresume(folder)` plays it "
        "([an example](../how-to/open-a-kitchen.md#from-python)); all three are in `cookmas.api`.",
        as_table(("field", "default", "meaning"), map(_request_fields, asked, asked.values())),
        "The fields of `model` and `asking` are options of [`cookmas run`](cli.md#run). `run.json` "
        "in the [folder of a run](../how-to/resume-and-replay.md) is this record as JSON, with "
        "objects by name and these further fields:",
        as_table(
            ("field", "meaning"),
            [(f"`{name}`", RunFile.model_fields[name].description or "") for name in resolved],
        ),
    )


def _request_fields(name: str, field: FieldInfo) -> tuple[str, str, str]:
    default = field.default
    plain = default in ((), {}) or isinstance(default, Limits)
    shown = "" if field.is_required() or plain else f"`{default!r}`"
    return f"`{name}`", shown, field.description or ""


def status_page() -> str:
    """Return the page of the status, as JSON and as metrics."""
    fields = [
        (f"`{name}`", f"`{_type(field.annotation)}`", field.description or "")
        for name, field in Status.model_fields.items()
    ]
    metrics: list[tuple[str, str, str]] = []
    metrics += [(f"`{name}`", kind, f"`{field}`") for name, kind, field in METRICS]
    metrics += [(f"`{STATE}{{state}}`", "gauge", "`state`: 1 for the present one, 0 for others")]
    metrics += [(f"`{AWAY}{{worker}}`", "gauge", "`away`: 1 for each of them")]
    metrics += [
        (f"`{FAILS}{{worker,action}}`", "counter", "`fails_by_worker`"),
        (f"`{JOB_SECONDS}{{action}}`", "histogram", "`job_durations`"),
        *((f"`{name}`", "histogram", f"`{field}`") for name, field in HISTOGRAMS),
        (f"`{EPISODE}{{episode,world}}`", "gauge", "`episode`, `world_name`: always 1"),
    ]
    metrics += [
        (f"`{name}{{worker,action}}`", "gauge", f"`running`: the age in {unit}")
        for name, unit in ((JOB_AGE, "seconds"), (JOB_TIMESTEPS, "timesteps"))
    ]
    return as_page(
        "Status of an open episode",
        "`cookmas status --json` prints the status as one line of JSON, "
        "`cookmas.status.status_of(where)` returns it in Python; "
        "[how to watch over an episode](../how-to/operate-an-episode.md#watch-over-it). "
        "While no orchestrator plays the episode, the published fields keep their last values; "
        "state, heartbeat and backlog are always current. Ages come from the wall clocks of both "
        "machines, for display only.",
        "## Fields",
        as_table(("field", "type", "meaning"), fields),
        "## States",
        as_table(("state", "meaning"), [(f"`{name}`", about) for name, about in STATES.items()]),
        "For an episode that is named by its address in Redis, a paused orchestrator is `down` "
        "too: without a lock it cannot be told from a killed one.",
        "## Over HTTP",
        "[`cookmas live`](cli.md#live) answers at `/health` and `/metrics` too. "
        "`/health` is `alive`, `state` and `heartbeat_seconds` as JSON: with 200 if the episode is "
        "alive, else with 503; it needs no token. `/metrics` is the text format of Prometheus, and "
        "needs the token if the page does: `Authorization: Bearer TOKEN`. The status is read at "
        "most once a second, however many clients ask.",
        "## Metrics",
        "The help text of a metric is the meaning of its field. A field that is null has no "
        "sample.",
        as_table(("metric", "type", "field"), metrics),
    )


def _record(record: type[BaseModel]) -> str:
    kind = record.model_fields["kind"].default
    return _model(record, f"### {kind}")


def _model(model: type[BaseModel], heading: str | None = None) -> str:
    about = inspect.cleandoc(model.__doc__ or "").removeprefix("The record of ")
    about = f"{about[:1].upper()}{about[1:]}"
    meanings = field_docs(model)
    rows = [
        (f"`{name}`", _field_type(field), _field_default(field), meanings[name])
        for name, field in model.model_fields.items()
        if name != "kind" and not (name == "timestep" and meanings[name] == HAPPENED)
    ]
    table = as_table(("field", "type", "default", "meaning"), rows)
    return "\n\n".join([heading or f"### {model.__name__}", about, table])


def _tuple(part: type[tuple[Any, ...]]) -> str:
    """Return the section of a part that is written as a list."""
    meanings = field_docs(part)
    rows = [
        (f"`{name}`", f"`{_type(kind)}`", meanings[name])
        for name, kind in get_type_hints(part).items()
    ]
    about = f"{inspect.cleandoc(part.__doc__ or '')} A list, in this order:"
    return "\n\n".join(
        [f"### {part.__name__}", about, as_table(("place", "type", "meaning"), rows)]
    )


HAPPENED = "Timestep at which it happened."
"""The meaning of the timestep of most records, which the page of the trace tells once."""


def _field_type(field: FieldInfo) -> str:
    """Return the type of a field; that it can be null is told by its default."""
    told = _type(field.annotation)
    return f"`{told.removesuffix(' or null') if field.default is None else told}`"


def _field_default(field: Any) -> str:
    if field.default_factory is not None:
        return "empty"
    if field.default is PydanticUndefined:
        return ""
    return "empty" if field.default == () else f"`{field.default}`"


def _type(annotation: Any) -> str:
    for name in ("PlannerClass", "Termination", "Purpose", "OutcomeRecord"):
        if annotation == getattr(trace, name):
            return {"PlannerClass": "planner_class"}.get(name, name.lower())
    text = inspect.formatannotation(annotation).replace(" | None", " or null")
    text = re.sub(r"^Optional\[Annotated\[(\w+), .*\]\]$", r"\1 or null", text)
    text = re.sub(r"^Optional\[(Literal\[.*\])\]$", r"\1 or null", text)
    text = re.sub(r"\b(?:cookmas\.episodes\.\w+|typing|builtins)\.", "", text)
    if text.startswith("Literal["):
        null = text.removesuffix(" or null") != text
        text = " or ".join(re.findall(r"'([^']+)'", text) + ["null"] * null)
    return text


def _choices(literal: Any) -> str:
    return ", ".join(f"`{choice}`" for choice in get_args(literal))


def _call(name: str, argument: str | None) -> str:
    return f"{name}({argument})" if argument else name


PAGES: Mapping[str, Callable[[], str]] = {
    "images/rooms.svg": rooms_picture,
    "reference/actions.md": actions_page,
    "reference/cli.md": cli_page,
    "reference/figures.csv": figures_table,
    "reference/run.md": run_page,
    "reference/status.md": status_page,
    "reference/trace.md": trace_page,
    "reference/worlds.md": worlds_page,
}


if __name__ == "__main__":
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
