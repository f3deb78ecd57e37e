"""Texts in the notation of Python's literals, which are read and never evaluated."""

from __future__ import annotations

import ast
import re

from cookmas.files.errors import InputError

EXPECTED = "expected a dictionary of literals, such as {'grid': '...'}"

_ROW = "[WXBOPRL0-9 ]{0,40}"

JAXMARL = rf"(?m)(?:^|[\"']){_ROW}W{_ROW}\n(?:{_ROW}\n){{0,40}}{_ROW}A"
"""Matches rows in the letters of JaxMARL, from one with a wall to the first one with an agent."""

IN_LETTERS = "a layout in the letters of JaxMARL"
"""What a text with such rows is."""


def parse_literals(text: str, where: str) -> object:
    """Return the value of a text; a byte order mark before it does not count.

    Raise InputError, which names the origin `where`, if it is no literal or gives a key twice.
    """
    plain = text.removeprefix("\ufeff").strip()
    blank = text.count("\n", 0, text.find(plain))
    try:
        tree = ast.parse(plain, mode="eval")
        _refuse_double_keys(tree, where, blank)
        value: object = ast.literal_eval(tree)
    except SyntaxError as error:
        line = f", line {error.lineno + blank}" if error.lineno else ""
        what = IN_LETTERS if re.search(JAXMARL, text) else "no layout"
        raise InputError(f"{where}{line}", f"is {what}: {EXPECTED}") from None
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise InputError(where, f"is no layout: {EXPECTED}") from None
    return value


def _refuse_double_keys(tree: ast.AST, where: str, blank: int) -> None:
    """Raise InputError for a key that a dictionary has twice; `blank` lines are before the tree."""
    for node in ast.walk(tree):
        keys = node.keys if isinstance(node, ast.Dict) else []
        seen: set[object] = set()
        for key in keys:
            if isinstance(key, ast.Constant):
                if key.value in seen:
                    line = key.lineno + blank
                    raise InputError(
                        where, f"{key.value!s}: is given twice, expected once (line {line})"
                    )
                seen.add(key.value)
