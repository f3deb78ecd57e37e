"""Whatever bytes stand in a mailbox, a trace or a checkpoint, only errors for users come out."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from cookmas.episodes.trace_file import parse_trace, read_trace
from cookmas.files.errors import InputError, TraceError
from cookmas.mailboxes.protocol import read_stored
from cookmas.mailboxes.redis.records import StreamEntry, read_entry
from cookmas.orchestrator.checkpoints.serializer import ForgedCheckpointError, PlainSerializer
from tests.fuzzing.damage import SECONDS, attempt
from tests.live.test_forged import payloads
from tests.rechained import rechained

MEBIBYTE = 2**20
TRACES = Path(__file__).parents[1] / "traces"

EVENTS = (
    {"kind": "new_order", "words": "2 Classic Burger: no onion; 1 French Fries"},
    {"kind": "change_line", "line": "live1.1", "note": "light, please"},
    {"kind": "cancel", "name": "live1"},
)
STORED = [
    json.dumps({"id": "anna-1", "event": json.dumps(event), "meaning": "", "proof": "0" * 64})
    for event in EVENTS
]


def _fields(data: bytes) -> dict[str, Any] | None:
    """Return the fields of a stored message, if damaged text still has fields."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def test_a_message_in_a_mailbox_is_read_or_refused() -> None:
    def read(data: bytes) -> None:
        text = data.decode(errors="surrogateescape")
        with suppress(InputError):
            read_stored({"id": "1", "sender": "anna", "event": text, "meaning": text})
        if fields := _fields(data):
            with suppress(InputError):
                read_stored({"sender": "anna", **fields})

    events = [json.dumps(event).encode() for event in EVENTS]
    attempt([*events, *(text.encode() for text in STORED)], read, 8 * MEBIBYTE)


def test_an_entry_in_redis_is_read_or_refused() -> None:
    def read(data: bytes) -> None:
        fields = data.decode(errors="surrogateescape").split("\n")
        fields = fields[: len(fields) // 2 * 2]
        with suppress(InputError):
            read_entry("anna", StreamEntry("1-1", len(data), fields))
        StreamEntry("1-1", len(data), fields).preview()

    corpus = [
        "\n".join(part for pair in json.loads(text).items() for part in pair) for text in STORED
    ]
    attempt([text.encode() for text in corpus], read, 8 * MEBIBYTE)


def test_a_trace_is_read_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        with suppress(TraceError):
            read_trace(file)

    attempt([_shortest().read_bytes()], read, 64 * MEBIBYTE)


def test_a_record_under_a_valid_digest_is_read_or_refused() -> None:
    lines = _shortest().read_text(encoding="utf-8").splitlines()
    kinds = {json.loads(line)["kind"]: number for number, line in enumerate(lines)}

    def reading(number: int) -> Callable[[bytes], None]:
        def read(data: bytes) -> None:
            text = data.decode(errors="replace").replace("\n", " ")
            with suppress(TraceError, ValueError):
                parse_trace(rechained([*lines[:number], text, *lines[number + 1 :]]), "trace.jsonl")

        return read

    for number in kinds.values():
        share = SECONDS / len(kinds)
        attempt([lines[number].encode()], reading(number), 64 * MEBIBYTE, share)


def test_a_checkpoint_is_read_or_refused(tmp_path: Path) -> None:
    serializer = PlainSerializer("checkpoints")
    made = tmp_path / "made"
    state = {"world": {"a": [1, 2.5, None, "x" * 400]}, "records": 7}
    values = [serializer.dumps_typed(each) for each in (state, [1], "text")]
    kinds = sorted({kind for kind, _ in values})

    def read(data: bytes) -> None:
        for kind in kinds:
            with suppress(ForgedCheckpointError):
                serializer.loads_typed((kind, data))

    forged = [data for _, data in payloads(made).values()]
    attempt([*(data for _, data in values), *forged], read, 200 * MEBIBYTE)
    assert not made.exists()


def _shortest() -> Path:
    return min(TRACES.glob("*.jsonl"), key=lambda path: path.stat().st_size)
