"""Mending what a person would have to paste by hand: the digests by which truths name scenarios."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from files.errors import InputError
from files.reading import parse_yaml, read_text, read_yaml
from files.writing import write_whole
from scenarios.scenario import load_scenario
from scenarios.truth.truth import truth_path

_NAMED = re.compile(r"^scenario[ ]*:.*$", re.MULTILINE)


def fix(path: Path) -> list[str]:
    """Let the truth of the scenario in a file name it as it is now; a sentence if that was needed.

    Whatever else the truth says stays as it is written. Raises InputError.
    """
    data = read_yaml(path)
    if not isinstance(data, Mapping) or "events" not in data:
        return []
    scenario = load_scenario(str(path))
    truth = truth_path(scenario)
    if not truth.exists():
        return []
    said = read_yaml(truth)
    if not isinstance(said, Mapping) or said.get("scenario") == scenario.digest:
        return []
    line = f'scenario: "{scenario.digest}"'
    text, found = _NAMED.subn(line, read_text(truth), count=1)
    mended = text if found else f"{line}\n{text}"
    if parse_yaml(mended, str(truth)) != {**said, "scenario": scenario.digest}:
        raise InputError(str(truth), f"cannot be mended; write {line}")
    write_whole(truth, mended)
    return [f"{truth} names the scenario as it is now, {scenario.digest}"]
