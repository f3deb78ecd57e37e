"""YAML: parsed without the values that it silently misreads, and written as it is read again.

Two passes look for what YAML 1.1 misreads, and for too much of it. `refuse_large` checks the text
before nodes are built from it, because very deep nesting would crash the process. `refuse_pitfalls`
checks the nodes before they become plain data.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
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

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str, where: str) -> Any:
    """Return the plain data of a YAML text. Raise InputError, which names the origin `where`."""
    try:
        refuse_large(text, where, _LOADER)
        loader = _LOADER(text)
        root = loader.get_single_node()
        if root is None:
            raise InputError(where, "the file: is empty")
        refuse_pitfalls(root, where)
        return loader.construct_document(root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"{where}, line {mark.line + 1}" if mark else where
        stated = getattr(error, "problem", None)
        problem = _problem_in(text, mark) or stated or "cannot be read"
        raise InputError(line, f"is no YAML: {problem}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(where, "is no YAML: a value is not what its tag says") from None


def _problem_in(text: str, mark: yaml.Mark | None) -> str | None:
    """Return the common cause of a syntax error at a mark: a tab, or a colon in a plain value."""
    lines = text.splitlines()
    if mark is None or mark.line >= len(lines):
        return None
    line = lines[mark.line]
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "the line begins with a tab; indent with spaces"
    if line[mark.column : mark.column + 1] == ":":
        return f"a value has a colon in it; put quotes around the value: {line.strip()[:80]}"
    return None


def load_shipped_yaml(path: Path) -> Any:
    """Return the plain data of a YAML file that is part of CookMAS, without any check."""
    return yaml.load(path.read_text(encoding="utf-8"), _LOADER)


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


class _Dumper(yaml.SafeDumper):
    """A dumper that indents the entries of lists and writes notes as keys, even long ones."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def check_simple_key(self) -> bool:
        return isinstance(self.event, yaml.ScalarEvent) and "\n" not in self.event.value


def _quote_digits(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Return a text's node; the reader takes digits without quotes for a number."""
    digits = text.lstrip("+-").replace("_", "").isdecimal()
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="'" if digits else None)


_Dumper.add_representer(str, _quote_digits)


def to_yaml(data: Any, *, flow: bool | None = False, width: int = 1000) -> str:
    """Return plain data as YAML, in the given order, with lines of about `width` characters.

    Lists and mappings are in block style; if `flow`, in brackets; if `flow` is None, only the
    innermost are in brackets.
    """
    return yaml.dump(
        data,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=flow,
        width=width,
    )
