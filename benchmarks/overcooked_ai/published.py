"""The points that the papers of LLM-Co and CAC print for Overcooked-AI, unchanged."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from cookmas.files.yaml_text import load_shipped_yaml

LAYOUTS = (
    "cramped_room",
    "asymmetric_advantages",
    "coordination_ring",
    "forced_coordination",
    "counter_circuit_o_1order",
)
"""The five layouts, in the order of the papers."""

GATED = ("soup_passing_door", "no_counter_door")
"""The layouts with gates: Locked, and Gated Delivery."""

Points = Annotated[float, Field(ge=0)]
ByLayout = Annotated[list[Points], Field(min_length=len(LAYOUTS), max_length=len(LAYOUTS))]


class _PublishedRow(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    source: str
    """The tables that print the numbers."""


class PublishedSelfPlay(_PublishedRow):
    """The points of two agents of one kind on the five layouts."""

    points: ByLayout
    deviation: ByLayout


class PublishedProxy(_PublishedRow):
    """The points of an agent with a behaviour clone of people, from both seats."""

    first: ByLayout
    second: ByLayout


class PublishedGates(_PublishedRow):
    """The points of two agents of one kind on the two layouts with gates."""

    points: Annotated[list[Points], Field(min_length=len(GATED), max_length=len(GATED))]


class PublishedPoints(BaseModel):
    """All numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    self_play: list[PublishedSelfPlay]
    proxy: list[PublishedProxy]
    gates: list[PublishedGates]


@cache
def load_points() -> PublishedPoints:
    """Return all published numbers."""
    return PublishedPoints.model_validate(
        load_shipped_yaml(Path(__file__).with_name("published.yaml"))
    )
