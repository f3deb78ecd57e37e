"""The form of a model's reading, as a class and as a JSON schema."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from cookmas.orchestrator.dialogue.answers import Form
from cookmas.orchestrator.dialogue.layouts import REASONING, TEXT, object_schema
from cookmas.orchestrator.models.message import Schema


class ReadAnswer(Form):
    """A model's reading: the components of each order line, such as `rhubarb > slice 1`."""

    core = "lines"

    lines: dict[str, list[str]]


@lru_cache(maxsize=64)
def read_schema(lines: tuple[str, ...], *, reasoning: bool) -> Schema:
    """Return the JSON schema of a reading of these order lines.

    If `reasoning`, the schema has a field for the model's reasoning.
    """
    components = {"type": "array", "items": TEXT}
    return Schema(
        name="reading",
        schema=object_schema(
            {
                **(REASONING if reasoning else {}),
                "lines": object_schema(dict.fromkeys(lines, components)),
            }
        ),
    )


def example_read(*, reasoning: bool) -> dict[str, Any]:
    """Return an example of a reading for the prompt; if `reasoning`, with a model's reasoning."""
    return {
        **({"reasoning": "..."} if reasoning else {}),
        "lines": {"o1.1": ["rhubarb > slice 1", "..."], "o1.2": ["..."]},
    }
