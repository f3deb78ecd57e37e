"""Repair of truth files: the digest by which a truth names its scenario."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from episodes.errors import InputError
from episodes.files import read_text, read_yaml
from scenarios.scenario import load_scenario
from scenarios.truth.truth import truth_path

_SCENARIO_LINE = re.compile(r"^scenario[ ]*:.*$", re.MULTILINE)


def fix(path: Path) -> list[str]:
    """Update the digest in the truth of the scenario in a file; return a sentence if it was old.

    The rest of the truth file stays as it is written. Raises InputError.
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
    draft = truth.with_suffix(".new")
    draft.write_text(text if replaced else f"{line}\n{text}", encoding="utf-8", newline="")
    try:
        if read_yaml(draft) != {**content, "scenario": scenario.digest}:
            raise InputError(str(truth), f"cannot be repaired; write the line {line}")
        os.replace(draft, truth)
    finally:
        draft.unlink(missing_ok=True)
    return [f"{truth} now names the current scenario, {scenario.digest}"]
