"""The graph for LangGraph Studio; its only inputs name a scenario and a planner.

Each node makes its context again from these names, so that Studio can rewind and fork a thread. All
events come from the scenario, and the trace is not stored.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from cookmas.episodes.scenario import DEFAULT_HORIZON, Scenario
from cookmas.episodes.trace import AnyRecord
from cookmas.episodes.world import digest
from cookmas.files.errors import CookMASError, InputError
from cookmas.loading import load_vetted, planner_of
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.graph.recorder import Recorder, Referred
from cookmas.orchestrator.library import Library
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.workers.protocol import ScriptedWorker


@dataclass(frozen=True)
class StudioContext:
    """The scenario and the planner of a thread, in the notation of the command line."""

    scenario: str = "level1/01"
    """The scenario: its name or a file."""
    world: str = ""
    """The world: its name or `package.module:Domain`; empty: the scenario's name has it."""
    planner: str = "embedded"
    """The planner: its name, a `package.module:Class` or a schedule file."""


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
    for name, value in vars(what).items():
        if not isinstance(value, str):
            raise InputError(f"context, {name}", f"expected text, not {value!r:.60}")
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
    world = scenario.world()
    return Context(
        world=world,
        planner=planner,
        workers={name: ScriptedWorker() for name in world.workers},
        library=Library(scenario.look_up),
        mailbox=MemoryMailbox(scenario.events()),
        recorder=_Recorder(),
        horizon=scenario.horizon or DEFAULT_HORIZON,
    )


graph = build_graph(context_schema=StudioContext, context_of=_make_context)
"""The graph that langgraph.json names."""
