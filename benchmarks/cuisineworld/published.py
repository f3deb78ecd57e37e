"""The counts of the models as the MindAgent paper prints them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from cookmas.files.yaml_text import load_shipped_yaml
from cookmas.worlds.cuisineworld.rules.kitchen import MOST_AGENTS, TAUS


class PublishedCount(BaseModel):
    """A row of a table in the paper: one model on one level.

    The row has the counts for each order interval, such as `6/24` (completed / closed orders), and
    the collaboration score (`cos`) as printed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    table: int
    model: str
    level: str
    agents: int = Field(ge=1, le=MOST_AGENTS)
    counts: list[str] = Field(min_length=len(TAUS), max_length=len(TAUS))
    cos: float

    @property
    def reckoned(self) -> float | None:
        """The collaboration score from the counts; None if a count has no denominator."""
        rates = []
        for count in self.counts:
            completed, _, closed = count.partition("/")
            if not closed:
                return None
            rates.append(int(completed) / int(closed))
        return sum(rates) / len(rates)


@cache
def load_published() -> tuple[PublishedCount, ...]:
    """Return all rows of the paper's tables."""
    data = load_shipped_yaml(Path(__file__).with_suffix(".yaml"))
    return tuple(PublishedCount.model_validate(row) for row in data["rows"])
