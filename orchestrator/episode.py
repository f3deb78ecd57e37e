"""Construction of an episode, and of the header of its trace, from a scenario and a planner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.episodes.base import World, check_base
from cookmas.episodes.failure import boundary
from cookmas.episodes.scenario import DEFAULT_HORIZON, Scenario
from cookmas.episodes.trace import Header, PlannerClass, SeatRecord
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.parts import (
    NOT_KEPT,
    NOTHING_OUTSIDE,
    EpisodeContent,
    Outside,
    Participants,
    Storage,
)
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.seats import refuse_central
from cookmas.orchestrator.runner import Episode


def episode_of(
    scenario: Scenario,
    planner: Planner | Team | Participants,
    *,
    horizon: int | None = None,
    judges: str | None = None,
    storage: Storage = NOT_KEPT,
    outside: Outside = NOTHING_OUTSIDE,
    in_graph: bool = False,
) -> Episode:
    """Return an episode of a scenario.

    Its participants are `planner` and scripted workers, unless `planner` itself is `Participants`.
    `horizon` applies if the scenario has none; an open episode has no horizon. `judges` is the
    version of the evaluators. `storage` and `outside` are as in `Episode`. A plain loop plays the
    episode if it needs no graph, unless `in_graph` is True. Raise InputError if the planner cannot
    plan in this world, or if the world does not inherit from `World`.
    """
    world = scenario.world()
    check_base(type(world), World, f"scenario {scenario.name!r}")
    cast = planner if isinstance(planner, Participants) else Participants(planner=planner)
    refuse_central(cast.planner, world)
    is_open = outside.desk is not None
    content = EpisodeContent(
        world=world,
        header=header_of(
            scenario,
            world,
            cast.planner.name,
            "human" if cast.people else cast.planner.planner_class,
            None if is_open else scenario.horizon or horizon or DEFAULT_HORIZON,
            judges,
            cast.people,
            getattr(cast.planner, "seats", None),
        ),
        events=scenario.events(),
        fetch=scenario.look_up,
        last=scenario.horizon - 1 if scenario.horizon and not is_open else None,
    )
    return Episode(content, cast, storage, outside, in_graph=in_graph)


def header_of(
    scenario: Scenario,
    world: World,
    planner: str,
    planner_class: PlannerClass,
    horizon: int | None,
    judges: str | None = None,
    people: Sequence[str] = (),
    seats: Mapping[str, SeatRecord] | None = None,
) -> Header:
    """Return the header, which is the first record of a trace.

    `planner` is the planner's name. `judges` is the version of the evaluators. `people` are the
    workers whom people play; `seats` name the planner of each worker of a team.
    """
    with boundary(world=world):
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
