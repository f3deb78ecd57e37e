"""Scenarios and their truth, written as YAML that people can read and edit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from cookmas.files.writing import write_text
from cookmas.scenarios.scenario import build_scenario
from cookmas.scenarios.truth.truth import truth_path


class _Dumper(yaml.SafeDumper):
    """A dumper that indents the entries of lists and writes notes as keys, even long ones."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def check_simple_key(self) -> bool:
        return isinstance(self.event, yaml.ScalarEvent) and "\n" not in self.event.value


def to_yaml(data: Mapping[str, Any]) -> str:
    """Return plain data as YAML in block style, in the given order, each text on one line."""
    return yaml.dump(
        dict(data),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=1000,
    )


def write(
    folder: Path, name: str, scenario: Mapping[str, Any], truth: Mapping[str, Any]
) -> tuple[Path, Path]:
    """Write a scenario as `name.yaml` in a folder, and its truth to `truth_path`.

    Returns both files. Raises InputError, before it writes anything, if the scenario is invalid.
    """
    path = folder / f"{name}.yaml"
    built = build_scenario(name, path, dict(scenario))
    truth_file = truth_path(built)
    for file, data in ((path, scenario), (truth_file, truth)):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_text(file, to_yaml(data))
    return path, truth_file
