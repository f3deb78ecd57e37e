"""What has changed from one state to the next, both as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Change = list[Any]
"""`[path, value]`: at this path is now this value; `[path]`: nothing is there any more. A path is
the keys from the outside in; only mappings are looked into, a list is replaced whole."""


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return the changes from `before` to `after`, in a fixed order."""
    return list(_changes(before, after, []))


def _changes(
    before: Mapping[str, Any], after: Mapping[str, Any], path: list[str]
) -> Iterator[Change]:
    for key in before:
        if key not in after:
            yield [[*path, key]]
    for key, value in after.items():
        if key not in before:
            yield [[*path, key], value]
        elif (old := before[key]) is not value and old != value:
            if isinstance(old, Mapping) and isinstance(value, Mapping):
                yield from _changes(old, value, [*path, key])
            else:
                yield [[*path, key], value]
