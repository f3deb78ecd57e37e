"""Write the pages and the picture that are generated from the code.

    .venv/bin/python docs/generate.py

A function without arguments makes each page; the tests compare the pages with its result.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from cookmas.commands.cli import app
from cookmas.display.live.metrics import AWAY, METRICS, STATE
from cookmas.display.terminal import LONGEST_ERROR
from cookmas.status import STATES, Status
from docs.images.draw_rooms import rooms_picture
from docs.members import worlds_page
from docs.pages import as_page, as_table, in_cell
from episodes import trace
from episodes.conversation import Message, ToolCall, Usage
from episodes.world import Command, Tally
from kitchen.actions import LIBRARY
from kitchen.simulator import Reason
from orchestrator.bounds import LONGEST_WAIT, MOST_MONEY
from orchestrator.dialogue.templates import Templates
from orchestrator.runs.folder import RunFile
from orchestrator.runs.request import RunRequest
from sandbox.child import Limits
from scenarios.scenario import load_scenario
from worlds.restaurant.prompts.voice import VOICE

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
        "Every action a worker can be assigned. Each takes one timestep, and is either done or is "
        "a FAIL, which changes nothing. Planners and `cookmas show actions` have the same text; "
        "the [rules of the kitchen](../explanation/kitchen-rules.md) say it exactly.",
        "An action is its name with its arguments in brackets: `navigate(grill_1)`, "
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
        "A trace is a file of JSON lines in UTF-8: one record a line, distinguished by `kind`, in "
        f"order of time. This is version {trace.SCHEMA} of the format. The same "
        "scenario and the same planner answers give the same bytes; seconds and money are in "
        "`measurements.json` next to it. Fields without a value are omitted.",
        "`cookmas.read_trace(path)` reads one, `cookmas.replay(trace)` simulates it again "
        "([Python API](python-api.md)). The first record is the header, the last one `end`.",
        "From one timestep to the next: a `superstep` of the workers, one of the kitchen, "
        "the `step` that they made; then what opens the next timestep, its `event` and `trigger` "
        "records; and where there are triggers, a `superstep` of the planner, and the `lookup`, "
        "`model_call` and `plan` records that it makes. Where nothing is wanted and nothing is "
        "scheduled until an event that is known, the `step` records follow each other without "
        "supersteps.",
        "A trace with a `fork` record belongs to [a run that branched "
        "off](../how-to/resume-and-replay.md#time-travel): the lines before it are copied from "
        "another run.",
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
It is read up to its last whole line; `cookmas replay` compares the timesteps that it has, calls it
unfinished and exits with 1, and `cookmas eval` leaves it unscored. A trace is *damaged* if its
chain breaks or its records are in an impossible order: `replay` and `eval` name the line, use
nothing of the trace, and exit with 2. The chain detects accidents, not forgery: anyone can compute
a new chain.

`replay` compares the digest of the state and the FAILs of every timestep, and the workers and the
tally at the end with those in the trace. `judges` in the header is the version of the evaluators
when it was played; a verdict has the version that judged it, and `eval` reports a difference.

Format 3 differs from format 2 in `chain` and `judges` alone. The golden traces in `tests/traces`
were converted line by line (the header's `schema_version` set to 3, `judges` put behind `rules`,
each line closed by its `chain`), and fresh runs under the same rules wrote the very same bytes.
Traces of other formats are refused.

Their plans gained the field `search`, with `status`, `bound`, `configuration`, `effort` and the
other values that apply. Without it (and the `chain`) the records have the same bytes as before.

They were recorded again for version 2 of the
[rules](../explanation/kitchen-rules.md#versions), which changes the effect of some actions, and for
later versions of the evaluators; neither changed the workers' actions in them.
`replay` and `eval` reject traces under other rules, with one line.
""".strip()

_TERMINATION = """
`finished`: no goal and no event was left. `closed`: the same for an open episode that was closed.
`horizon`: the last timestep was over. `gave_up`: the planner declared that it has no schedule.
`no_progress`: many calls of the planner in a row led only to idling. `budget`: calls, tokens or
money were used up. `planner_failed`: the planner raised an error, returned no valid plan, used too
much time or memory, or its process ended; the episode has failed. `infrastructure_error`: an
external service did not answer; the episode is not scored.
"""

_SEARCH_STATUS = """
`optimal`: the schedule serves everything that was asked for, and ends at the lower bound.
`feasible`: it serves everything. `partial`: it serves some of it, or stops before a station is
needed that is out of service. `infeasible`: nothing can be done now, whatever the search.
`unknown`: the search found nothing within its effort; a longer one might.
"""

_PLANNER_CLASS = """
The means of the planner, in this order: a model alone; a model and checks in the simulator; a model
that only reads; no model; no model, but the truth; a model called at every timestep; a prepared
schedule; a person; planners of several classes, one after the other in a fork; a planner that
failed before it named its class. Results are never mixed across these classes.
"""


def cli_page() -> str:
    """Return the page of the commands with their arguments and options."""
    group: Any = typer.main.get_command(app)
    return as_page(
        "Command line",
        "After `make run` the command is `.venv/bin/cookmas`. `cookmas COMMAND --help` prints the "
        "same text as this page.",
        "## Exit codes",
        as_table(("code", "meaning"), EXIT_CODES.items()),
        f"An error is one line on stderr of at most {LONGEST_ERROR} characters; a longer error "
        "loses its middle. With `--json`, stdout has nothing but JSON. A character that the "
        "terminal's encoding lacks is printed as an escape such as `\\u5bff`. Files are always in "
        "UTF-8.",
        f"Seconds are at most {LONGEST_WAIT:,.0f}, money is at most {MOST_MONEY:,.0f}.",
        "## Commands",
        *(_command(name, command) for name, command in _commands(group)),
    )


def run_page() -> str:
    """Return the page about the request of a run."""
    asked = RunRequest.model_fields
    resolved = [name for name in RunFile.model_fields if name not in asked and name != "format"]
    return as_page(
        "What is to be run",
        "One frozen record says it: `RunRequest`. The command line, `cookmas.play`, sweeps, "
        "Inspect and Studio make one, and all that plays takes it from there. In Python, "
        "`create(folder, request)` prepares a folder for it, and `aresume(folder)` plays it "
        "([an example](../how-to/open-a-kitchen.md#from-python)); all three are in `cookmas.api`.",
        as_table(("field", "default", "meaning"), map(_requested, asked, asked.values())),
        "`run.json` in the [folder of a run](../how-to/resume-and-replay.md) is this record as "
        "JSON, everything by its name, with what was resolved of it:",
        as_table(
            ("field", "meaning"),
            [(f"`{name}`", RunFile.model_fields[name].description or "") for name in resolved],
        ),
    )


def _requested(name: str, field: FieldInfo) -> tuple[str, str, str]:
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
    metrics = [(f"`{name}`", kind, f"`{field}`") for name, kind, field in METRICS]
    metrics += [(f"`{STATE}{{state}}`", "gauge", "`state`: 1 for the present one, 0 for others")]
    metrics += [(f"`{AWAY}{{worker}}`", "gauge", "`away`: 1 for each of them")]
    return as_page(
        "Status of an open kitchen",
        "`cookmas status --json` prints the status as one line of JSON, "
        "`cookmas.status.status_of(where)` returns it in Python; "
        "[how to watch over a kitchen](../how-to/operate-a-kitchen.md#watch-over-it). "
        "While no orchestrator plays the kitchen, the published fields keep their last values; "
        "state, heartbeat and backlog are always current. Ages come from the wall clocks of this "
        "machine and of the orchestrator's machine. They are for display only: no decision depends "
        "on them.",
        "## Fields",
        as_table(("field", "type", "meaning"), fields),
        "## States",
        as_table(("state", "meaning"), [(f"`{name}`", about) for name, about in STATES.items()]),
        "For a kitchen that is named by its address in Redis, a paused orchestrator is `down` too: "
        "without a lock it cannot be told from a killed one.",
        "## Over HTTP",
        "[`cookmas live`](cli.md#live) answers at `/health` and `/metrics` too. "
        "`/health` is `alive`, `state` and `heartbeat_seconds` as JSON: with 200 if the kitchen is "
        "alive, else with 503; it needs no token. `/metrics` is the text format of Prometheus, and "
        "needs the token if the page does: `Authorization: Bearer TOKEN`. The status is read at "
        "most once a second, however many clients ask.",
        "## Metrics",
        "The help text of a metric is the meaning of its field. A field that is null has no "
        "sample.",
        as_table(("metric", "type", "field"), metrics),
    )


def _commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all commands with their names, such as `recipes push`."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "commands"):
            yield from _commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


EXIT_CODES: Mapping[str, str] = {
    "0": "success: every episode succeeded, every timestep was equal, every file is valid. If an "
    "episode has no truth and cannot be judged: it was finished",
    "1": "an episode failed or is unscored, or its planner failed; a trace diverged or is "
    "unfinished; two runs differ; a check found a fault; user-supplied code failed",
    "2": "wrong usage or bad input; a file or standard output cannot be written; an external "
    "service does not answer; there is no open kitchen",
    "3": "`status`: no orchestrator plays the kitchen before its end, or its orchestrator gives no "
    "heartbeat. With 0 the kitchen is alive or over",
    "129": "the terminal was lost (SIGHUP); a line names the command that continues",
    "130": "interrupted (SIGINT); a line names the command that continues",
    "141": "the reader of standard output is gone (SIGPIPE)",
    "143": "terminated (SIGTERM); a line names the command that continues",
}


def _command(name: str, command: Any) -> str:
    usage = " ".join(["cookmas", name, *_pieces(command)])
    rows = []
    for parameter in command.params:
        if parameter.name == "help":
            continue
        flags = [*parameter.opts, *parameter.secondary_opts]
        names = ", ".join(f"`{flag}`" for flag in flags)
        if parameter.param_type_name == "argument":
            names = f"`{_metavar(parameter)}`"
        rows.append((names, _default(parameter.default), in_cell(parameter.help or "")))
    table = as_table(("argument or option", "default", "meaning"), rows)
    help_text = inspect.cleandoc(command.help or "")
    return "\n\n".join([f"### {name}", f"    {usage}", help_text, *([table] if rows else [])])


def _pieces(command: Any) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    for argument in arguments:
        piece = _metavar(argument) + ("..." if argument.nargs == -1 else "")
        yield piece if argument.required else f"[{piece}]"
    if len(command.params) > len(arguments):
        yield "[OPTIONS]"


def _metavar(parameter: Any) -> str:
    return str(parameter.name).upper()


def _default(value: Any) -> str:
    if value is None or value is False or value == () or "UNSET" in repr(value).upper():
        return ""
    return f"`{value}`"


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
    text = re.sub(r"\b(?:episodes\.\w+|typing|builtins)\.", "", text)
    if text.startswith("Literal["):
        text = " or ".join(re.findall(r"'([^']+)'", text))
    return text


def _choices(literal: Any) -> str:
    return ", ".join(f"`{choice}`" for choice in get_args(literal))


def _call(name: str, argument: str | None) -> str:
    return f"{name}({argument})" if argument else name


TOLD = re.compile(r"(<!-- told: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def kitchen_rules_page() -> str:
    """Return the page of the rules, with the present texts that models are told."""
    written = (DOCS / "explanation" / "kitchen-rules.md").read_text(encoding="utf-8")
    templates = Templates(VOICE.prompts)
    told = VOICE.house(load_scenario("level1/01").world(), templates)
    return TOLD.sub(lambda m: f"{m[1]}\n{told[m[2]]}\n\n{m[3]}", written)


PAGES: Mapping[str, Callable[[], str]] = {
    "explanation/kitchen-rules.md": kitchen_rules_page,
    "images/rooms.svg": rooms_picture,
    "reference/actions.md": actions_page,
    "reference/cli.md": cli_page,
    "reference/run.md": run_page,
    "reference/status.md": status_page,
    "reference/trace.md": trace_page,
    "reference/worlds.md": worlds_page,
}


if __name__ == "__main__":
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), encoding="utf-8")
