"""Checks for YAML 1.1 pitfalls (values that YAML silently misreads) and for oversized YAML.

There are two passes. `refuse_large` checks the text before nodes are built from it, because very
deep nesting would crash the process. `refuse_pitfalls` checks the nodes before they become plain
data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from cookmas.files.errors import InputError

MOST_NESTED = 32
"""Maximum depth of nested lists and mappings."""

MOST_VALUES = 200_000
"""Maximum number of values in a file, counted with all aliases expanded."""

MOST_DIGITS = 15
"""Maximum number of digits in a number."""

_TAG = "tag:yaml.org,2002:"
_QUOTED = ("'", '"', "|", ">")
_SHOWN = 40


def refuse_large(text: str, where: str, loader: Any) -> None:
    """Raise InputError if a YAML text is nested too deeply or has too many values.

    Also raise it if a value contains itself. `where` names the text in the error.
    """
    sizes: dict[str | None, int] = {}
    begun: list[tuple[str | None, int]] = []
    values = 0
    for event in yaml.parse(text, Loader=loader):
        values += 1
        problem: str | None = None
        if isinstance(event, yaml.CollectionStartEvent):
            begun.append((event.anchor, values))
            if len(begun) > MOST_NESTED:
                problem = f"is nested deeper than {MOST_NESTED} levels"
        elif isinstance(event, yaml.AliasEvent):
            values += sizes.get(event.anchor, 0)
            if any(anchor == event.anchor for anchor, _ in begun):
                problem = f"*{event.anchor} contains itself"
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = begun.pop()
            sizes[anchor] = values - before
        if values > MOST_VALUES:
            problem = f"has more than {MOST_VALUES} values"
        if problem:
            line = event.start_mark.line + 1 if event.start_mark else 0
            raise InputError(f"{where}, line {line}", problem)


def refuse_pitfalls(root: yaml.Node, where: str) -> None:
    """Raise InputError for the first value that YAML may misread, with its field and line.

    Such values are unquoted words that become booleans or dates, numbers to base 60, numbers with
    leading zeros or too many digits, and duplicate keys. CookMAS files need none of them.
    """
    for field, line, problem in _pitfalls(root, "", set()):
        raise InputError(where, f"{field or 'the file'}: {problem} (line {line})")


def _pitfalls(node: yaml.Node, field: str, seen: set[int]) -> Iterator[tuple[str, int, str]]:
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        plain = node.style not in _QUOTED
        if plain and (problem := _scalar(node.value, node.tag.removeprefix(_TAG))):
            yield field, node.start_mark.line + 1, problem
    elif isinstance(node, yaml.SequenceNode):
        for number, entry in enumerate(node.value):
            yield from _pitfalls(entry, _join(field, str(number)), seen)
    elif isinstance(node, yaml.MappingNode):
        keys: set[str] = set()
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            if name in keys:
                yield _join(field, name), key.start_mark.line + 1, "is given twice, expected once"
            keys.add(name)
            yield from _pitfalls(key, _join(field, name), seen)
            yield from _pitfalls(value, _join(field, name), seen)


def _join(field: str, name: str) -> str:
    return f"{field}.{name}" if field else name


def _scalar(text: str, tag: str) -> str | None:
    if tag == "bool":
        return f"YAML reads {text} as true or false, expected quotes around the word: '{text}'"
    if tag == "timestamp":
        return f"YAML reads {text} as a date, expected quotes around it: '{text}'"
    if tag == "int" and ":" in text:
        return f"YAML reads {text} as a number to base 60, expected quotes around it: '{text}'"
    if tag in ("int", "float") and sum(map(str.isalnum, text)) > MOST_DIGITS:
        return f"{text[:_SHOWN]} has more than {MOST_DIGITS} digits, expected a smaller number"
    number = text.lstrip("+-").replace("_", "")
    if number.isdecimal() and len(number) > 1 and number.startswith("0"):
        return f"YAML reads {text} as no decimal number, expected no leading zero: {int(number)}"
    return None
