"""The graph for LangGraph Studio; its only inputs name a scenario and a planner.

Each node makes its context again from these names, so that Studio can rewind and fork a thread. All
events come from the scenario, and the trace is not stored.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any, ClassVar

from pydantic import Field, ValidationError

from cookmas.episodes.scenario import DEFAULT_HORIZON, Scenario
from cookmas.episodes.trace import AnyRecord
from cookmas.episodes.world import digest
from cookmas.files.errors import CookMASError
from cookmas.files.reading import FileModel
from cookmas.files.wording import describe_error
from cookmas.loading import load_vetted, planner_of
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.graph.recorder import Recorder, Referred
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.runs.request import RunRequest


class _EveryName(dict[str, Any]):
    """The properties of a schema that admits other names, too.

    LangGraph's server drops in silence what is not in the schema of a context. With this schema a
    misspelt name reaches the context, which names it.
    """

    def __contains__(self, name: object) -> bool:
        return True


class StudioContext(FileModel):
    """The scenario and the planner of a thread, in the notation of the command line."""

    scenario: str = Field("level1/01", description="The scenario: its name or a file.")
    world: str = Field(
        "",
        description="The world: its name or `package.module:Domain`; empty: the scenario's name "
        "has it.",
    )
    planner: str = Field(
        "embedded",
        description="The planner: its name, a `package.module:Class` or a schedule file.",
    )

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            why = describe_error(error, type(self))
            raise ValueError(f"context, {why}") from None

    @classmethod
    def model_json_schema(cls, *given: Any, **named: Any) -> dict[str, Any]:
        """Return the JSON schema, from which LangGraph's server takes the names."""
        schema = super().model_json_schema(*given, **named)
        return {**schema, "properties": _EveryName(schema["properties"])}


class _Recorder(Recorder):
    """Recorder that stores planners' answers and memories by their content, for all threads of
    Studio.
    """

    _by_content: ClassVar[dict[int, Referred]] = {}

    def append(self, record: AnyRecord, measured: CallMeasurements | None = None) -> int:
        number = super().append(record, measured)
        if isinstance(record, Referred):
            number = int(digest(record.model_dump())[:12], 16)
            self._by_content[number] = record
        return number

    def find_referred(self, number: int) -> Referred | None:
        return self._by_content.get(number)


@lru_cache(maxsize=16)
def _load(what: StudioContext) -> tuple[Scenario, Planner | Team]:
    loaded = load_vetted(
        RunRequest(world=what.world or None, scenario=what.scenario, planner=what.planner)
    )
    return loaded.scenario, planner_of(loaded)


async def _make_context(what: StudioContext | None) -> Context:
    """Return the context of a node. Raises ValueError, whose message the server passes on."""
    try:
        scenario, planner = await asyncio.to_thread(_load, what or StudioContext())
    except CookMASError as error:
        raise ValueError(str(error)) from None
    return Context(
        world=scenario.world(),
        planner=planner,
        fetch=scenario.look_up,
        mailbox=MemoryMailbox(scenario.events()),
        recorder=_Recorder(),
        horizon=scenario.horizon or DEFAULT_HORIZON,
        episode=scenario.digest,
    )


graph = build_graph(context_schema=StudioContext, context_of=_make_context)
"""The graph that langgraph.json names."""
