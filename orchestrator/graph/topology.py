"""The topologies: the two ways in which planning is organised in an episode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cookmas.orchestrator.graph.central import planner
from cookmas.orchestrator.graph.context import Node
from cookmas.orchestrator.graph.state import AGENT, PLANNER
from cookmas.orchestrator.graph.team import agent


class Topology(NamedTuple):
    """A way to organise planning: the node that asks the planner or team."""

    name: str
    """Name of the node."""
    decide: Node
    """The node's function."""
    repeats: bool = False
    """True if the node runs in superstep after superstep until no agent is to be called."""


CENTRAL = Topology(PLANNER, planner)

TOPOLOGIES: Mapping[str, Topology] = {
    "central": CENTRAL,
    "team": Topology(AGENT, agent, repeats=True),
}


def topology_of(planner: object) -> Topology:
    """Return the topology that the attribute `topology` of a planner names; the default is
    `central`.
    """
    return TOPOLOGIES[getattr(planner, "topology", "central")]
