"""The numbers that the papers of Collab-Overcooked print for models and people, unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from cookmas.files.yaml_text import load_shipped_yaml

LEVELS = 6
"""Number of levels."""

PerCent = Annotated[float, Field(ge=0, le=100)]
ByLevel = Annotated[list[PerCent], Field(min_length=LEVELS, max_length=LEVELS)]


class PublishedResult(BaseModel):
    """The numbers of one model, or of people with a time limit, in per cent by level."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    kind: Literal["closed", "open", "people"]
    source: str
    """The table that prints the numbers."""
    sr: ByLevel
    """Success rate."""
    pc: ByLevel
    """Progress completeness."""
    ic: ByLevel | None = None
    """Initiating capability; None if no table has it."""
    rc: ByLevel | None = None
    """Responding capability; None if no table has it."""
    differs: list[tuple[Literal["SR", "PC"], int, PerCent]] = Field(default_factory=list)
    """The values that differ in the earlier paper, by measure and level."""


@cache
def load_published() -> Sequence[PublishedResult]:
    """Return all rows: the models, then the people."""
    data = load_shipped_yaml(Path(__file__).with_suffix(".yaml"))
    return tuple(
        PublishedResult.model_validate(row) for part in ("models", "people") for row in data[part]
    )
