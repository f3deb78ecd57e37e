"""The channel to a process: messages of plain data as JSON, each after its length in bytes."""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any

LONGEST = 16 * 1024 * 1024
"""Bytes of a message at most."""

_LENGTH = struct.Struct("!I")


class ChannelError(Exception):
    """What came through the channel is no message."""


def packed(data: Any) -> bytes:
    """Plain data as a message. Raises TypeError, ValueError or RecursionError if it is none."""
    text = json.dumps(data, allow_nan=False).encode()
    if len(text) > LONGEST:
        raise ValueError(f"it has {len(text)} bytes; at most {LONGEST} can be sent")
    return _LENGTH.pack(len(text)) + text


def send(channel: socket.socket, message: bytes, until: float | None = None) -> None:
    """Send a packed message. Raises TimeoutError after `until` (monotonic seconds), or OSError."""
    channel.settimeout(_left(until))
    channel.sendall(message)


def receive(channel: socket.socket, until: float | None = None) -> Any:
    """The next message. Raises TimeoutError, OSError, EOFError at the end, or ChannelError."""
    (length,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size, until))
    if length > LONGEST:
        raise ChannelError(f"a message of {length} bytes")
    try:
        return json.loads(_exactly(channel, length, until))
    except (ValueError, RecursionError) as error:
        raise ChannelError(f"a message that is no JSON ({type(error).__name__})") from None


def _exactly(channel: socket.socket, length: int, until: float | None) -> bytes:
    data = bytearray()
    while len(data) < length:
        channel.settimeout(_left(until))
        chunk = channel.recv(min(length - len(data), 1 << 20))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)


def _left(until: float | None) -> float | None:
    return None if until is None else max(until - time.monotonic(), 0.001)
