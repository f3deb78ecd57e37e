"""Repair of truth files: the digest by which a truth names its scenario is updated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cookmas.files.errors import InputError
from cookmas.files.reading import parse_yaml, read_text, read_yaml
from cookmas.files.writing import write_whole
from cookmas.scenarios.scenario import load_scenario
from cookmas.scenarios.truth.truth import truth_path

_SCENARIO_LINE = re.compile(r"^scenario[ ]*:.*$", re.MULTILINE)


def fix(path: Path) -> list[str]:
    """Update the digest in the truth of a scenario, if the digest is out of date.

    `path` is the file of the scenario. The rest of the truth file stays unchanged. Returns a list
    with one sentence about the update; without an update it is empty. Raises InputError.
    """
    data = read_yaml(path)
    if not isinstance(data, Mapping) or "events" not in data:
        return []
    scenario = load_scenario(str(path))
    truth = truth_path(scenario)
    if not truth.exists():
        return []
    content = read_yaml(truth)
    if not isinstance(content, Mapping) or content.get("scenario") == scenario.digest:
        return []
    line = f'scenario: "{scenario.digest}"'
    text, replaced = _SCENARIO_LINE.subn(line, read_text(truth), count=1)
    repaired = text if replaced else f"{line}\n{text}"
    if parse_yaml(repaired, str(truth)) != {**content, "scenario": scenario.digest}:
        raise InputError(str(truth), f"cannot be repaired; write the line {line}")
    write_whole(truth, repaired)
    return [f"{truth} now names the current scenario, {scenario.digest}"]
