"""Write the pages of the reference that are made from the code.

    .venv/bin/python docs/generate.py

A page is made by a function without arguments; the tests compare the pages with what it returns.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from cookmas.display.live.metrics import AWAY, METRICS, STATE
from cookmas.status import STATES, Status
from docs.command_line import cli_page
from docs.members import worlds_page
from docs.pages import as_page, as_table
from episodes import trace
from episodes.conversation import Message, ToolCall, Usage
from episodes.world import Command, Tally
from kitchen.actions import LIBRARY
from kitchen.simulator import Reason
from orchestrator.dialogue.templates import Templates
from scenarios.scenario import load_scenario
from worlds.restaurant.prompts.voice import VOICE

DOCS = Path(__file__).parent


def actions_page() -> str:
    """The action library."""
    sections = [
        f"### {_call(spec.name, spec.argument)}\n\n"
        f"At {spec.where}. Needs {spec.needs}.\n\n{spec.effect}"
        for spec in LIBRARY.values()
    ]
    return as_page(
        "Actions",
        "Every action a worker can be assigned. Each takes one timestep, and is either done or is "
        "a FAIL, which changes nothing. Planners and `cookmas show actions` have the same text; "
        "the [rules of the kitchen](../explanation/kitchen-rules.md) say it exactly.",
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
    """The records of a trace, with their fields."""
    records: Sequence[type[BaseModel]] = get_args(trace.AnyRecord)
    return as_page(
        "Trace",
        "A trace is a file of JSON lines in UTF-8: one record a line, told apart by `kind`, in the "
        f"order in which things happened. This is version {trace.SCHEMA} of the format. The same "
        "scenario and the same planner answers give the same bytes; seconds and money are in "
        "`measurements.json` beside it. Fields without a value are left out.",
        "`cookmas.read_trace(path)` reads one, `cookmas.replay(trace)` simulates it again "
        "([Python API](python-api.md)). The first record is the header, the last one `end`.",
        "From one timestep to the next: a `superstep` of the workers, one of the kitchen, "
        "the `step` that they made; then what opens the next timestep, its `event` and `trigger` "
        "records; and where there are triggers, a `superstep` of the planner, and the `lookup`, "
        "`model_call` and `plan` records that it makes. Where nothing is wanted and nothing is "
        "scheduled until an event that is known, the `step` records follow each other without "
        "supersteps.",
        "A trace with a `fork` record is that of [a run that branched "
        "off](../how-to/resume-and-replay.md#time-travel): the lines before it are another run's, "
        "as they are.",
        "## Whole, unfinished, damaged",
        _WHOLE,
        "## Records",
        *(_record(record) for record in records),
        "## Parts of records",
        *(
            _model(part)
            for part in (trace.SearchRecord, trace.OutcomeRecord, Message, ToolCall, Usage)
        ),
        *map(_tuple, (Command, trace.Arrival, Tally)),
        "## Terms",
        f"`termination`: {_choices(trace.Termination)}. {inspect.cleandoc(_TERMINATION)}",
        f"`planner_class`: {_choices(trace.PlannerClass)}. {inspect.cleandoc(_PLANNER_CLASS)}",
        f"`purpose`: {_choices(trace.Purpose)}.",
        f"`status` of a search: {_choices(trace.SearchStatus)}. {inspect.cleandoc(_SEARCH_STATUS)}",
    )


_WHOLE = """
Every line has one more field, the last: `chain`, the first sixteen hexadecimal digits of the
SHA-256 of the `chain` of the line before (nothing, for the header) and of the line as it is
without its own. So a whole trace is closed by a digest of everything in it:

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

A trace that does not end in `end` is *unfinished*: its run was killed, or is still being played.
It is read up to its last whole line; `cookmas replay` compares the timesteps that are there, calls
it unfinished and exits with 1, and `cookmas eval` leaves it unscored. One in which the chain
breaks, or whose records cannot follow each other so, is *damaged*: `replay` and `eval` name the
line, use nothing of it, and exit with 2. A chain is made against accidents; who means to deceive
can make it anew.

`replay` compares the digest of the state and the FAILs of every timestep, and the workers and the
tally at the end with those in the trace. `judges` in the header is the version of the evaluators
when it was played; a verdict has that of those who judged, and `eval` says where they differ.

Format 3 differs from format 2 in `chain` and `judges` alone. The golden traces in `tests/traces`
were converted line by line (the header's `schema_version` set to 3, `judges` put behind `rules`,
each line closed by its `chain`), and fresh runs under the same rules wrote the very same bytes.
Traces of other formats are refused.

They gained the field `search` of the plan, with `status`, `bound`, `configuration`, `effort` and
the rest where they apply; without it (and the `chain`) the records are the same bytes as before.

They were made anew for version 2 of the
[rules](../explanation/kitchen-rules.md#versions), which changes what some actions do, and for later
versions of the judges; what the workers do in them did not change by either.
Traces under other rules are refused by `replay` and `eval`, in one line.
""".strip()

_TERMINATION = """
`finished`: nothing was left to be done and no event was to come. `closed`: the same of an open
episode that somebody has closed. `horizon`: the last timestep
was over. `gave_up`: the planner said that there will be no schedule. `no_progress`: many calls of
the planner in a row led to nothing but idling. `budget`: calls, tokens or money were used up.
`planner_failed`: it raised an error, answered with something that is no plan, took too long or too
much memory, or ended; the episode has failed. `infrastructure_error`: something outside CookMAS
did not answer; nothing is scored.
"""

_SEARCH_STATUS = """
`optimal`: the schedule serves everything that was asked for, and ends at the lower bound.
`feasible`: it serves everything. `partial`: it serves some of it, or stops before a station is
needed that is out of service. `infeasible`: nothing can be done now, whatever the search.
`unknown`: the search found nothing within its effort; a longer one might.
"""

_PLANNER_CLASS = """
What helped the planner: a model alone; a model and checks in the simulator; a model that only
reads; no model at all; no model, and the truth of what is asked for; a model called at every
timestep; a schedule made beforehand; a person; planners of several classes, one after the other in
a fork; a planner that failed before it could say. Results are never mixed across these.
"""


def status_page() -> str:
    """Return the page of the status, as JSON and as metrics."""
    fields = [
        (f"`{name}`", f"`{_type(field.annotation)}`", field.description or "")
        for name, field in Status.model_fields.items()
    ]
    metrics = [(f"`{name}`", kind, f"`{field}`") for name, kind, field in METRICS]
    metrics += [(f"`{STATE}{{state}}`", "gauge", "`state`: 1 for the present one, 0 for others")]
    metrics += [(f"`{AWAY}{{worker}}`", "gauge", "`away`: 1 for each of them")]
    return as_page(
        "Status of an open kitchen",
        "`cookmas status --json` prints the status as one line of JSON, "
        "`cookmas.status.status_of(where)` returns it in Python; "
        "[how to watch over a kitchen](../how-to/operate-a-kitchen.md#watch-over-it). "
        "What the orchestrator publishes stays as it was while nobody plays the kitchen; state, "
        "heartbeat and backlog are of the present moment. Ages go by wall clocks, of this machine "
        "and of the orchestrator's, and are there to be shown; nothing is decided by them.",
        "## Fields",
        as_table(("field", "type", "meaning"), fields),
        "## States",
        as_table(("state", "meaning"), [(f"`{name}`", about) for name, about in STATES.items()]),
        "Of a kitchen that is asked for by its address in Redis, an orchestrator that stands still "
        "is `down` too: there is no lock that tells it from one that was killed.",
        "## Over HTTP",
        "[`cookmas live`](cli.md#live) answers at `/health` and `/metrics` too. "
        "`/health` is `alive`, `state` and `heartbeat_seconds` as JSON: with 200 if the kitchen is "
        "alive, else with 503; it needs no token. `/metrics` is the text format of Prometheus, and "
        "needs the token where the page does: `Authorization: Bearer TOKEN`. However many ask, "
        "the status is read once a second.",
        "## Metrics",
        "The help text of a metric is the meaning of its field. A field that is null has no "
        "sample.",
        as_table(("metric", "type", "field"), metrics),
    )


def _record(record: type[BaseModel]) -> str:
    kind = record.model_fields["kind"].default
    return _model(record, f"### {kind}")


def _model(model: type[BaseModel], heading: str | None = None) -> str:
    about = inspect.cleandoc(model.__doc__ or "")
    meanings = field_docs(model)
    rows = [
        (f"`{name}`", f"`{_type(field.annotation)}`", _field_default(field), meanings[name])
        for name, field in model.model_fields.items()
        if name != "kind"
    ]
    table = as_table(("field", "type", "if not given", "meaning"), rows)
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


def field_docs(owner: type) -> dict[str, str]:
    """Return the docstring under each field of a class and of its bases, on one line."""
    found: dict[str, str] = {}
    for each in reversed(owner.__mro__[:-1]):
        if each.__module__.split(".")[0] not in ("pydantic", "builtins", "typing"):
            body = ast.parse(inspect.getsource(each)).body[0]
            assert isinstance(body, ast.ClassDef)
            for field, text in pairwise(body.body):
                match field, text:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(about))),
                    ):
                        found[name] = " ".join(about.split())
    return found


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
    text = re.sub(r"\b(?:episodes\.\w+|typing|builtins)\.", "", text)
    if text.startswith("Literal["):
        null = text.removesuffix(" or null") != text
        text = " or ".join(re.findall(r"'([^']+)'", text) + ["null"] * null)
    return text


def _choices(literal: Any) -> str:
    return ", ".join(f"`{choice}`" for choice in get_args(literal))


def _call(name: str, argument: str | None) -> str:
    return f"{name}({argument})" if argument else name


TOLD = re.compile(r"(<!-- told: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def kitchen_rules_page() -> str:
    """The rules as they are written, with what models are told put in anew."""
    written = (DOCS / "explanation" / "kitchen-rules.md").read_text(encoding="utf-8")
    templates = Templates(VOICE.prompts)
    told = VOICE.house(load_scenario("level1/01").world(), templates)
    return TOLD.sub(lambda m: f"{m[1]}\n{told[m[2]]}\n\n{m[3]}", written)


PAGES: Mapping[str, Callable[[], str]] = {
    "explanation/kitchen-rules.md": kitchen_rules_page,
    "reference/actions.md": actions_page,
    "reference/cli.md": cli_page,
    "reference/status.md": status_page,
    "reference/trace.md": trace_page,
    "reference/worlds.md": worlds_page,
}


if __name__ == "__main__":
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
