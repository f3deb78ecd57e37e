"""Keywords of JSON schemas, as far as an endpoint may refuse them.

A keyword stands in a schema. The names of an object's fields and the values of a constant are not
keywords, even if they are written like one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cookmas.orchestrator.models.providers import KEYWORDS

SCHEMAS_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
"""Keywords whose value maps names to schemas."""

DATA = ("const", "enum", "default", "examples", "required")
"""Keywords whose value is data, not schemas."""


def keywords_in(schema: Any) -> Iterator[str]:
    """Yield the keywords of `KEYWORDS` that a schema and the schemas in it have."""
    return (name for name in KEYWORDS if omit_keywords(schema, (name,)) != schema)


def omit_keywords(schema: Any, keywords: Collection[str]) -> Any:
    """Return a schema without these keywords, also in the schemas in it."""
    if isinstance(schema, list):
        return [omit_keywords(part, keywords) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {name: part for name, part in schema.items() if name not in keywords}
    for name, part in kept.items():
        if name in SCHEMAS_BY_NAME and isinstance(part, Mapping):
            kept[name] = {field: omit_keywords(inner, keywords) for field, inner in part.items()}
        elif name not in DATA:
            kept[name] = omit_keywords(part, keywords)
    return kept
