"""What YAML quietly takes for something else than the writer meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from episodes.errors import InputError
from episodes.files import read_text

_TAG = "tag:yaml.org,2002:"


def refuse_pitfalls(path: Path) -> None:
    """Refuse words read as true or false, numbers with a leading zero, dates, and double keys.

    None of them has a place in our files. Raises InputError with the field and the line.
    """
    root = yaml.compose(read_text(path), Loader=yaml.SafeLoader)
    if root is None:
        raise InputError(str(path), "the file: is empty")
    for field, line, problem in _pitfalls(root, "", set()):
        raise InputError(str(path), f"{field or 'the file'}: {problem} (line {line})")


def _pitfalls(node: yaml.Node, field: str, seen: set[int]) -> Iterator[tuple[str, int, str]]:
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        if problem := _scalar(node.value, node.tag.removeprefix(_TAG)):
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
    number = text.lstrip("+-").replace("_", "")
    if number.isdecimal() and len(number) > 1 and number.startswith("0") and tag != "null":
        return f"YAML reads {text} as no decimal number, expected no leading zero: {int(number)}"
    return None
