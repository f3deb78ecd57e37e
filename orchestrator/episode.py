"""Episodes of scenarios: a scenario of any world, a planner, and the header of the trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from episodes.failure import naming
from episodes.scenario import DEFAULT_HORIZON, Scenario
from episodes.trace import Header, PlannerClass, SeatRecord
from episodes.world import World
from mailboxes.desk import Desk
from mailboxes.protocol import Mailbox
from orchestrator.graph.context import MAX_STALLED
from orchestrator.library import Fetch
from orchestrator.member import Team
from orchestrator.pace import AS_FAST_AS_POSSIBLE, Pace
from orchestrator.planner import Planner
from orchestrator.planners.seats import refuse_central
from orchestrator.runner import Episode
from workers.person import Person
from workers.protocol import Worker


def episode_of(
    scenario: Scenario,
    planner: Planner | Team,
    *,
    horizon: int | None = None,
    judges: str | None = None,
    fetch: Fetch | None = None,
    workers: Mapping[str, Worker | Person] | None = None,
    people: Sequence[str] = (),
    path: Path | None = None,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    mailbox: Mailbox | None = None,
    desk: Desk | None = None,
    pace: Pace = AS_FAST_AS_POSSIBLE,
    max_stalled: int = MAX_STALLED,
    in_graph: bool = False,
) -> Episode:
    """An episode of a scenario, as `Episode` takes it.

    `horizon` is used where the scenario has none of its own; `judges` is the version of those who
    will judge it; `fetch` takes the place of the texts that the scenario comes with. With a `desk`
    the episode is open and has no horizon. `people` are the workers whom people play; where they
    are not among the `workers` the schedule is followed. `max_stalled` is how many calls of the
    planner in a row may pass without progress. What needs no graph is played by a plain loop,
    unless it is to be `in_graph`. Raises InputError if the planner cannot plan in this world.
    """
    world = scenario.world()
    refuse_central(planner, world)
    last = None if desk else scenario.horizon or horizon or DEFAULT_HORIZON
    by: PlannerClass = "human" if people else planner.planner_class
    return Episode(
        world=world,
        header=header_of(
            scenario, world, planner.name, by, last, judges, people, getattr(planner, "seats", None)
        ),
        events=scenario.events(),
        planner=planner,
        fetch=fetch or scenario.look_up,
        workers=workers,
        path=path,
        checkpointer=checkpointer,
        mailbox=mailbox,
        last=scenario.horizon - 1 if scenario.horizon and not desk else None,
        desk=desk,
        pace=pace,
        max_stalled=max_stalled,
        in_graph=in_graph,
    )


def header_of(
    scenario: Scenario,
    world: World[Any],
    planner: str,
    planner_class: PlannerClass,
    horizon: int | None,
    judges: str | None = None,
    people: Sequence[str] = (),
    seats: Mapping[str, SeatRecord] | None = None,
) -> Header:
    """The first line of a trace: what is played in a world, by whom, for how many timesteps.

    `people` are the workers whom people play; `seats` say who plans for each, in a team.
    """
    with naming(world):
        setup = world.setup()
    return Header(
        world=world.name,
        rules=world.rules,
        judges=judges,
        workers=list(world.workers),
        seed=scenario.seed,
        horizon=horizon,
        planner=planner,
        planner_class=planner_class,
        people=list(people) or None,
        seats=dict(seats) if seats else None,
        scenario_name=scenario.name,
        scenario_digest=scenario.digest,
        scenario=scenario.data(),
        setup=setup,
    )
