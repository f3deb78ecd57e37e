"""Lone surrogates: half characters, which JSON can hold and no file or connection can."""

from __future__ import annotations

import json
from typing import Any


def has_lone_surrogate(data: Any) -> bool:
    """Return whether plain data has a lone surrogate anywhere."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def without_lone_surrogates(data: Any) -> Any:
    """Return the same plain data with a question mark for each lone surrogate."""
    if not has_lone_surrogate(data):
        return data
    return json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
