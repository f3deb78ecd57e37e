"""Half characters: lone surrogates, which JSON can hold and no file or connection can."""

from __future__ import annotations

import json
from typing import Any


def halved(data: Any) -> bool:
    """Whether half a character stands anywhere in plain data."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def whole(data: Any) -> Any:
    """The same plain data, with a question mark for each half character."""
    if not halved(data):
        return data
    return json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
