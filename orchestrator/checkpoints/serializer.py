"""The serializer of checkpoints: for plain data, and for two types that LangGraph adds.

A database of checkpoints is untrusted: a person who can write to it must not be able to choose the
code that runs. LangGraph's own serializer imports and calls any class that a checkpoint names,
unless an environment variable forbids this before LangGraph is imported. This serializer
constructs only plain data, `Send` and `Interrupt`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import ormsgpack
from langgraph.checkpoint.serde.jsonplus import (
    EXT_CONSTRUCTOR_KW_ARGS,
    EXT_CONSTRUCTOR_POS_ARGS,
    JsonPlusSerializer,
)
from langgraph.types import Interrupt, Send

from cookmas.files.errors import RESTORE, DamagedError

MOST_BYTES = 64 * 2**20
"""Greatest size of a decompressed value in bytes: a thousand times the need of a large episode."""

_SEND = (EXT_CONSTRUCTOR_POS_ARGS, "langgraph.types", "Send")
_INTERRUPT = (EXT_CONSTRUCTOR_KW_ARGS, "langgraph.types", "Interrupt")

_COMPRESSED = "+zlib"
_LEAST_COMPRESSED = 256


class ForgedCheckpointError(DamagedError):
    """A checkpoint holds data that CookMAS does not write; the whole checkpoint is rejected."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where}: a checkpoint holds data that CookMAS does not write, and is rejected; "
            f"{RESTORE}"
        )


class PlainSerializer(JsonPlusSerializer):
    """Serializer of plain data, `Send` and `Interrupt`, which compresses large values.

    `where` names the database in errors. Loading raises ForgedCheckpointError for any other type
    and for damaged data.
    """

    def __init__(self, where: str) -> None:
        super().__init__(__unpack_ext_hook__=_construct)
        self._where = where

    def with_msgpack_allowlist(
        self, extra_allowlist: Iterable[tuple[str, ...] | type]
    ) -> PlainSerializer:
        """Return this serializer unchanged; it never accepts further types."""
        return self

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the kind and the bytes of a value, compressed if it is large."""
        kind, data = super().dumps_typed(obj)
        if len(data) < _LEAST_COMPRESSED:
            return kind, data
        return f"{kind}{_COMPRESSED}", zlib.compress(data, 1)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value that a kind and bytes represent.

        Raise ForgedCheckpointError if CookMAS does not write such a value.
        """
        kind, packed = data
        plain = kind.removesuffix(_COMPRESSED)
        try:
            if plain not in ("null", "msgpack"):
                raise ValueError(kind)
            return super().loads_typed((plain, packed if plain == kind else _decompress(packed)))
        except Exception as error:
            raise ForgedCheckpointError(self._where) from error


def _decompress(packed: bytes) -> bytes:
    """Return the decompressed bytes. Raise ValueError if they are incomplete or too many."""
    decompressor = zlib.decompressobj()
    data = decompressor.decompress(packed, MOST_BYTES)
    if not decompressor.eof:
        raise ValueError("incomplete, or too large")
    return data


def _construct(code: int, data: bytes) -> Any:
    """Return the `Send` or `Interrupt` that a msgpack extension describes.

    Raise ValueError for any other type.
    """
    module, name, given, *_ = ormsgpack.unpackb(
        data, ext_hook=_construct, option=ormsgpack.OPT_NON_STR_KEYS
    )
    if (code, module, name) == _SEND:
        node, argument = given
        return Send(node, argument)
    if (code, module, name) == _INTERRUPT:
        return Interrupt(value=given["value"], id=given["id"])
    raise ValueError(f"{module}.{name}")
