"""Text from outside made harmless: no control characters, no line breaks, no lone surrogates."""

from __future__ import annotations

LONGEST = 300
"""Characters of a text that is told in one line."""

_GAP = " [...] "
"""What stands for the middle of a text that is too long."""


def clean(text: object) -> str:
    """Text from outside without control characters; each is a space."""
    return "".join(c if c.isprintable() else " " for c in str(text))


def one_line(text: object, most: int = LONGEST) -> str:
    """Text from outside in one line of at most so many characters, without runs of spaces."""
    line = " ".join(clean(text).split())
    return line if len(line) <= most else line[: most - 3] + "..."


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters: of a longer one its head and its tail."""
    tail = most // 4
    head = most - tail - len(_GAP)
    return text if len(text) <= most else text[:head] + _GAP + text[-tail:]


def escaped(text: str) -> str:
    """Text from outside in which control characters and lone surrogates can be seen."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def repaired(text: str) -> str:
    """Return a text in which the bytes that were no UTF-8 are replacement characters."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def preview(data: object, most: int = 200) -> str:
    """Return the first characters of anything from outside, in one line that can be shown."""
    return one_line(escaped(str(data)[:most]), most)


def with_article(noun: str) -> str:
    """A noun behind "a" or "an", such as "an int"."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"
