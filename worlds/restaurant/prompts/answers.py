"""The form of a reading: what each order line wants, as a model and as a JSON schema."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from orchestrator.dialogue.answers import REASONING, TEXT, Form, object_schema
from orchestrator.models.message import Schema


class ReadAnswer(Form):
    """What each order line wants, in the notation of components."""

    core = "lines"

    lines: dict[str, list[str]]


@lru_cache(maxsize=64)
def read_schema(lines: tuple[str, ...], *, reasoning: bool) -> Schema:
    """The schema of a reading of these order lines."""
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
    """Return a reading of the form, for the prompt."""
    return {
        **({"reasoning": "..."} if reasoning else {}),
        "lines": {"o1.1": ["tomato > slice 1", "..."], "o1.2": ["..."]},
    }
