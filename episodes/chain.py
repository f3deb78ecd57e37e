"""The chain that closes a trace: each line ends with a digest of itself and of all lines before it.

    {"kind":"trigger", ... ,"chain":"5f0c2b9a4d3e1807"}

The digest is the first sixteen hexadecimal digits of the SHA-256 of the digest before and of the
line without its own. It finds accidents: whoever means to deceive can make it anew.
"""

from __future__ import annotations

import hashlib
import re

_LINK = re.compile(r',"chain":"([0-9a-f]{16})"\}\Z')


class Chain:
    """A chain as far as it goes: `last` is the digest that its last line ends with."""

    def __init__(self, last: str = "") -> None:
        self.last = last

    @classmethod
    def behind(cls, line: str) -> Chain:
        """The chain that goes on after a line, which is taken to be whole."""
        return cls(parted(line)[1] or "")

    def close(self, body: str) -> str:
        """The next line: an object in JSON as text, with its digest as one more field."""
        self.last = self._digest(body)
        return f'{body[:-1]},"chain":"{self.last}"}}'

    def takes(self, line: str) -> bool:
        """Whether a line is the next one; if it is, the chain goes on after it."""
        body, found = parted(line)
        if found is None or found != self._digest(body):
            return False
        self.last = found
        return True

    def _digest(self, body: str) -> str:
        return hashlib.sha256((self.last + body).encode()).hexdigest()[:16]


def parted(line: str) -> tuple[str, str | None]:
    """A line without its digest, and the digest; None: it ends with none."""
    link = _LINK.search(line)
    return (line[: link.start()] + "}", link[1]) if link else (line, None)
