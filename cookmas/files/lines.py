"""Functions that make untrusted text safe: no control characters, line breaks, lone surrogates."""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 300
"""Maximum length, in characters, of a text that is shown on one line."""

_GAP = " [...] "
"""The mark that replaces the middle of a text that is too long."""

_NOTHING = {
    *("", "#n/a", "#na", "<na>", "n/a", "na", "nan", "-nan", "none", "null"),
    *("#n/a n/a", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"),
}
"""The texts, in lower case, that programs which read CSV take for a missing value."""

_NUMBER = re.compile(r"[\d\s.,:/%$€+-]+")
"""What spreadsheets take for a number, an amount, a date or a time of day."""

_FOLDERS = re.compile(r"(?<![^\s'\"(])/+(?:[^/:;\n]*[^/:;\s'\"(]/+)+")
"""The folders of an absolute path, which may have spaces in their names."""


def clean(text: object) -> str:
    """Return untrusted text with each control character replaced by a space."""
    return "".join(c if c.isprintable() else " " for c in str(text))


def one_line(text: object, most: int = LONGEST) -> str:
    """Return untrusted text as one line of at most `most` characters, without runs of spaces."""
    line = " ".join(clean(text).split())
    return line if len(line) <= most else line[: most - 3] + "..."


def shorten(text: str, most: int) -> str:
    """Return a text; if it is longer than `most` characters, its middle is left out."""
    tail = most // 4
    head = most - tail - len(_GAP)
    return text if len(text) <= most else text[:head] + _GAP + text[-tail:]


def escape(text: str) -> str:
    """Return untrusted text with control characters and lone surrogates as escape sequences."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def repair_utf8(text: str) -> str:
    """Return a text in which each byte that was not UTF-8 is a replacement character.

    Such bytes come in as surrogates of the error handler `surrogateescape`.
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def preview(data: object, most: int = 200) -> str:
    """Return the first `most` characters of untrusted data, escaped, on one line."""
    return one_line(escape(str(data)[:most]), most)


def with_article(noun: str) -> str:
    """Return a noun with its article "a" or "an", such as "an int"."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def has_lone_surrogate(data: Any) -> bool:
    """Return whether plain data has a lone surrogate anywhere."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def replace_lone_surrogates(text: str) -> str:
    """Return a text in which a question mark replaces each lone surrogate."""
    return text.encode(errors="replace").decode()


def without_lone_surrogates(data: Any) -> Any:
    """Return plain data in which a question mark replaces each lone surrogate."""
    if not has_lone_surrogate(data):
        return data
    return json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


def stays_text(text: str) -> bool:
    """Return whether programs that read CSV take a cell for the text that it is.

    They take other texts for a missing value, a truth value, a number, a date or a formula.
    """
    word = text.strip().lower()
    if word in _NOTHING | {"true", "false"} or word[:1] in "=+-@" or _NUMBER.fullmatch(word):
        return False
    try:
        float(word)
    except ValueError:
        return True
    return False


def cut_folders(text: str) -> str:
    """Return a text with the absolute paths in it cut to the names of their files.

    What is shown to others, such as a page, names no folder of its author.
    """
    return _FOLDERS.sub("", text)
