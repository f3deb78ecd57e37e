"""Plain data, packed as JSON, and as it will be stored.

Whatever comes from others (reports, messages, texts) ends in a trace, which pydantic writes, and in
checkpoints, which ormsgpack packs. Each of them can express less than JSON. So `pack_to_store` lets
both of them pack the data at the door, where the sender can still be told.
"""

from __future__ import annotations

import json
from functools import reduce
from typing import Any, Literal

import ormsgpack
from pydantic_core import PydanticSerializationError, to_json

ROOM = 200
"""Number of levels that a trace and checkpoints may put around the data; they can write 255."""

_TOO_DEEP = "should not be nested so deeply"

_WORDS = {
    "Integer exceeds 64-bit range": "should have integers of at most 64 bits",
    "Recursion limit reached": _TOO_DEEP,
}
"""The problem with the data, by the error of ormsgpack."""


def pack(data: Any, errors: Literal["strict", "replace"] = "strict") -> bytes:
    """Return plain data as JSON. Raise ValueError if JSON cannot express the data.

    `errors` says whether lone surrogates are an error or become question marks.
    """
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode(errors=errors)
    except UnicodeEncodeError:
        raise ValueError("should have no lone surrogates") from None
    except TypeError:
        raise ValueError("should be plain data") from None
    except ValueError:
        raise ValueError("should have finite numbers and no circles") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def pack_to_store(data: Any, errors: Literal["strict", "replace"] = "strict") -> bytes:
    """Return plain data as JSON, as `pack` does.

    Raise ValueError also if a trace or a checkpoint cannot hold the data.
    """
    packed = pack(data, errors)
    placed = reduce(lambda inner, _: [inner], range(ROOM), json.loads(packed))
    try:
        ormsgpack.packb(placed)
        to_json(placed)
    except ormsgpack.MsgpackEncodeError as error:
        raise ValueError(_WORDS.get(str(error), str(error))) from None
    except PydanticSerializationError:
        raise ValueError(_TOO_DEEP) from None
    return packed
