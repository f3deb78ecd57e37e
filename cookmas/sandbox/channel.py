"""The channel to a child process: JSON messages, each preceded by its length in bytes."""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any

LONGEST = 16 * 1024 * 1024
"""Maximum size of a message, in bytes."""

_LENGTH = struct.Struct("!I")


class ChannelError(Exception):
    """Invalid data in the channel."""


def pack(data: Any) -> bytes:
    """Return plain data as a message.

    Raise TypeError, ValueError or RecursionError if JSON cannot express the data.
    """
    text = json.dumps(data, allow_nan=False).encode()
    if len(text) > LONGEST:
        raise ValueError(f"it has {len(text)} bytes; at most {LONGEST} can be sent")
    return _LENGTH.pack(len(text)) + text


def send(channel: socket.socket, message: bytes, until: float | None = None) -> None:
    """Send a packed message.

    Raise OSError, or TimeoutError at the time `until` (monotonic seconds).
    """
    channel.settimeout(_seconds_left(until))
    channel.sendall(message)


def receive(channel: socket.socket, until: float | None = None) -> Any:
    """Return the next message as plain data.

    Raise TimeoutError at the time `until` (monotonic seconds), EOFError if the channel is closed,
    ChannelError if the data are invalid, or OSError.
    """
    (length,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size, until))
    if length > LONGEST:
        raise ChannelError(f"a message of {length} bytes")
    try:
        return json.loads(_exactly(channel, length, until))
    except (ValueError, RecursionError) as error:
        raise ChannelError(f"a message that is not JSON ({type(error).__name__})") from None


def _exactly(channel: socket.socket, length: int, until: float | None) -> bytes:
    data = bytearray()
    while len(data) < length:
        channel.settimeout(_seconds_left(until))
        chunk = channel.recv(min(length - len(data), 1 << 20))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)


def _seconds_left(until: float | None) -> float | None:
    return None if until is None else max(until - time.monotonic(), 0.001)
