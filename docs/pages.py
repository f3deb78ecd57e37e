"""Building blocks of the pages that are generated from the code."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest

NOTE = "<!-- Made by docs/generate.py: change the code, then run it again. -->"


def in_cell(text: str) -> str:
    """Return a text escaped for a table cell."""
    return text.replace("|", "\\|").replace("\n", " ")


def field_docs(owner: type) -> dict[str, str]:
    """Return the docstring under each public field of a class and of its bases, on one line.

    A field without one is an error: pages show these texts as the meanings of the fields.
    """
    meanings: dict[str, str] = {}
    for base in reversed(owner.__mro__[:-1]):
        if base.__module__.split(".")[0] not in ("pydantic", "builtins", "typing"):
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
            assert isinstance(body, ast.ClassDef)
            for field, text in zip_longest(body.body, body.body[1:]):
                match field, text:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(about))),
                    ):
                        meanings[name] = " ".join(about.split())
                    case (ast.AnnAssign(target=ast.Name(id=name)), _) if not _is_hidden(field):
                        raise ValueError(f"describe the field {base.__name__}.{name} for the pages")
    return meanings


def _is_hidden(field: ast.AnnAssign) -> bool:
    name, kind = ast.unparse(field.target), ast.unparse(field.annotation)
    tag = name == "kind" and kind.startswith("Literal")
    return tag or name.startswith("_") or kind.startswith("ClassVar")


def as_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_page(title: str, *parts: str) -> str:
    """Return a page of these parts, with a note that it is generated."""
    return "\n\n".join([f"# {title}", NOTE, *map(_wrap, parts)]) + "\n"


def _wrap(text: str) -> str:
    """Return prose in lines of readable length; tables, headings, indented lines and code are
    unchanged.
    """
    if "```" in text:
        return text
    paragraphs = text.split("\n\n")
    return "\n\n".join(p if p[:1] in "|# " else _WRAP.fill(p) for p in paragraphs)


_WRAP = textwrap.TextWrapper(width=105, break_long_words=False, break_on_hyphens=False)
