"""YAML that CookMAS writes, so that it reads the same data again."""

from __future__ import annotations

from typing import Any

import yaml


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
