"""The digest chain of a trace: each line ends with a digest of itself and of all lines before it.

    {"kind":"trigger", ... ,"chain":"5f0c2b9a4d3e1807"}

The digest is the first sixteen hexadecimal digits of the SHA-256 of two texts: the digest of the
previous line, and the line without its own digest. It detects accidental damage. It does not
protect against forgery, because anyone can compute the chain again.
"""

from __future__ import annotations

import hashlib
import re

_LINK = re.compile(r',"chain":"([0-9a-f]{16})"\}\Z')


class Chain:
    """A chain of digests; `last` is the digest of the latest line."""

    def __init__(self, last: str = "") -> None:
        self.last = last

    @classmethod
    def continue_after(cls, line: str) -> Chain:
        """Return the chain that continues after a line; the line itself is not checked."""
        return cls(split_line(line)[1] or "")

    def close(self, body: str) -> str:
        """Return the next line: the JSON object `body` with its digest as the last field."""
        self.last = self._digest(body)
        return f'{body[:-1]},"chain":"{self.last}"}}'

    def takes(self, line: str) -> bool:
        """Return whether a line is the next line of the chain; if it is, advance past it."""
        body, found = split_line(line)
        if found is None or found != self._digest(body):
            return False
        self.last = found
        return True

    def _digest(self, body: str) -> str:
        return hashlib.sha256((self.last + body).encode()).hexdigest()[:16]


def split_line(line: str) -> tuple[str, str | None]:
    """Return a line without its digest, and the digest; None stands for a missing digest."""
    link = _LINK.search(line)
    return (line[: link.start()] + "}", link[1]) if link else (line, None)
