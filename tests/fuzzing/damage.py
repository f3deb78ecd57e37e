"""Bytes that a stranger may have written: valid ones with damage, for as long as is asked for."""

from __future__ import annotations

import os
import time
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import count

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

SECONDS = float(os.environ.get("COOKMAS_FUZZ", "0.3"))
"""CPU seconds of each test: a third of one in the tests, more in `make fuzz`."""

TOKENS = (
    *(b"", b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"\n", b"\r\n\r\n", b'"'),
    *(b"{", b"}", b"[" * 2000, b'{"a":' * 2000, b"]", b",", b":", b"null", b"NaN", b"-Infinity"),
    *(b"1e999", b"-1", b"9" * 5000, b"1" + b"0" * 18, b"0.0", b"true", b"[]", b"{}", b'""'),
    *(b"\x1b[2J", "\u202e".encode(), "İ".encode(), b"%00", b"%2e%2e%2f", b"/../..", b"*" * 70_000),
    *(b"\xc1", b"\xc7\xff\x00", b"\xdf\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff", b"\x81\xa1a"),
    *(b"Content-Length: 99999999999\r\n", b"Transfer-Encoding: chunked\r\n", b"__class__"),
)
"""Pieces that have broken readers of JSON, msgpack, HTTP and text."""

_EDITS = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True),
        st.integers(0, 12),
        st.one_of(st.sampled_from(TOKENS), st.binary(max_size=8)),
    ),
    min_size=1,
    max_size=5,
)
"""Where a part is replaced, how many bytes it has, and by what."""


def _edit(data: bytes, edits: Sequence[tuple[float, int, bytes]]) -> bytes:
    for place, length, token in edits:
        at = int(place * (len(data) + 1))
        data = data[:at] + token + data[at + length :]
    return data


def attempt(
    corpus: Sequence[bytes],
    read: Callable[[bytes], object],
    most: int,
    seconds: float = SECONDS,
) -> None:
    """Give damaged members of a corpus to `read` for a number of CPU seconds.

    Fail if `read` raises an error, or holds more than `most` bytes of memory at any time.
    """
    until = time.process_time() + seconds
    for number in count():

        @seed(number)
        @settings(
            max_examples=25,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(st.sampled_from(corpus), _EDITS)
        def once(data: bytes, edits: Sequence[tuple[float, int, bytes]]) -> None:
            damaged = _edit(data, edits)
            tracemalloc.start()
            try:
                read(damaged)
                assert tracemalloc.get_traced_memory()[1] < most
            finally:
                tracemalloc.stop()

        once()
        if time.process_time() > until:
            return
