"""The comparison with another commit: what it says of figures that differ, agree or lack."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import probes
from benchmarks.against import Side, check_out, row


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ([1.0, 1.0], [1.1, 1.1], "| step | 1 | 1.1 | 1.10 | 0% | more |"),
        ([1.0, 1.0], [0.9, 0.9], "| step | 1 | 0.9 | 0.90 | 0% | less |"),
        ([1.0, 1.0], [1.04, 1.04], "| step | 1 | 1.04 | 1.04 | 0% |  |"),
        ([1.0, 1.2, 1.3], [1.1, 1.1], "| step | 1 | 1.1 | 1.10 | 20% |  |"),
        (None, [1.0], "| step | not there | 1 | | | |"),
        ([0.0], [2.0], "| step | 0 | 2 | | | changed |"),
    ],
)
def test_a_change_is_more_than_5_percent_and_than_the_noise(
    old: list[float] | None, new: list[float], told: str
) -> None:
    assert row("step", old, new) == told


def test_a_report_is_measured_of_so_many_episodes_as_its_name_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBES", str(tmp_path))
    monkeypatch.setattr(probes, "LENGTHS", (9, 12))
    monkeypatch.setattr(
        probes,
        "SUITE",
        {**probes.SUITE, "scenarios": ["level1/01"], "arms": [{"planner": "naive"}]},
    )
    (measured,) = probes.answers(iter(["report"]))
    assert measured
    assert list(measured) == ["report, 9 episodes", "report, 12 episodes"]
    assert all(seconds > 0 for seconds in measured.values())
    for path in tmp_path.glob("*/*/results.jsonl"):
        specs = [json.loads(line)["spec"] for line in path.read_text("utf-8").splitlines()]
        assert path.parent.name in ("played", str(len(specs)))
        names = Counter((spec["arm"], spec["case"], spec["repeat"]) for spec in specs)
        assert set(names.values()) == {1}
    assert "| naive |" in next(tmp_path.glob("*/12/tables.md")).read_text("utf-8")


PROBE = """
import json, sys
from old_name import VALUE
for line in sys.stdin:
    found = {line.strip(): VALUE} if line.strip() == "step" else None
    print(json.dumps(found), flush=True)
"""


def test_a_commit_is_measured_by_its_own_probes_with_its_own_modules(tmp_path: Path) -> None:
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks/probes.py").write_text(PROBE)
    (tmp_path / "old_name.py").write_text("VALUE = 2.5")
    side = Side(tmp_path, Path(sys.executable), tmp_path)
    assert side.measure("step")
    assert not side.measure("view")
    assert side.measure("step")
    side.close()
    assert side.rounds == {"step": [2.5, 2.5]}


def test_a_commit_that_is_not_there_is_refused_in_one_line() -> None:
    with pytest.raises(SystemExit, match=r"^no_such: there is no such commit; name another one$"):
        check_out("no_such")
