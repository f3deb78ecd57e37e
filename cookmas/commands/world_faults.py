"""The check of a world: it tests the rules in random episodes, and reads planners' first prompts.

It takes an example of each message, and looks for empty parts and unfilled slots in the prompts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from cookmas.files.errors import CookMASError
from cookmas.loading import load_scenario
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.planners.naming import voice_of
from cookmas.sandbox.importing import import_named
from cookmas.studies.previewing import UncalledError, first_request
from cookmas.world_names import domain_of
from cookmas.worlds.base.checking import WorldFault, faults_of, message_faults, remarks_of
from cookmas.worlds.base.domain import Domain

SCENARIOS = 5
"""Maximum number of scenarios that are played."""

EPISODES = 3
"""Number of random episodes of each scenario."""

_EMPTY = re.compile(r"^#+ ([^\n]+)\n+(?=#|\Z)", re.MULTILINE)
"""Matches a heading with no text below it."""

_SLOT = re.compile(r"\{\{.*?\}\}")


def find_world_faults(spec: str) -> list[str]:
    """Return the faults of a world, one sentence for each kind of fault.

    Raises CookMASError if the world cannot be loaded.
    """
    faults: dict[str, WorldFault] = {}
    for fault in _find_faults(spec, domain_of(spec)):
        faults.setdefault(fault.what, fault)
    return list(map(str, faults.values()))


def remarks_on(spec: str) -> list[str]:
    """Return what is no fault of a sound world, but may surprise its author, in one line each."""
    domain = domain_of(spec)
    names = list(domain.names())[:SCENARIOS]
    remarks = (remarks_of(load_scenario(name, spec), range(EPISODES)) for name in names)
    return [*dict.fromkeys(chain.from_iterable(remarks))]


def _find_faults(spec: str, domain: Domain) -> Iterator[WorldFault]:
    names = list(domain.names())[:SCENARIOS]
    if not names:
        yield WorldFault("there are no scenarios to play", domain.name)
        return
    for name in names:
        scenario = load_scenario(name, spec)
        yield from faults_of(domain, scenario, range(EPISODES))
        yield from message_faults(domain, scenario)
    for planner in domain.planners:
        yield from _check_planner(spec, domain, names[0], planner)


def _name_planner(planner: str, made: Any, spec: str, scenario: str) -> str:
    """Return the planner's name, or a line-up with this planner in each seat.

    `made` is the planner's class, or the function that makes the planner. A line-up is needed if
    the world has no central planner, and the planner is not a team.
    """
    world = load_scenario(scenario, spec).world()
    team = isinstance(made, type) and issubclass(made, Team)
    if team or world.central:
        return planner
    return ",".join(f"{worker}={planner}" for worker in world.workers)


def _check_planner(spec: str, domain: Domain, scenario: str, planner: str) -> Iterator[WorldFault]:
    try:
        where = f"planner {planner!r}"
        made = import_named(domain.planners[planner], where)
        if voice_of(made, domain.voice_spec, where) is None:
            return
        request = first_request(scenario, _name_planner(planner, made, spec, scenario), None, spec)
    except UncalledError:
        return
    except CookMASError as error:
        yield WorldFault(f"the planner {planner} cannot be called", str(error))
        return
    for message in request.messages:
        yield from (
            WorldFault("a part of the prompt is empty", f"{planner}, {heading}")
            for heading in _EMPTY.findall(message.content)
        )
        yield from (
            WorldFault("a slot of the prompt is not filled in", f"{planner}, {slot}")
            for slot in _SLOT.findall(message.content)
        )
