"""The table of what tests cost: recorded, added up by folder, and beside the code they guard."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import costs
from tests.mutants.changes import Mutant, mutants_of
from tests.mutants.session import keep_result
from tests.mutants.trying import Outcome, Tried

ROOT = Path(__file__).parents[1]


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.startswith(" ")]


def lines(folder: Path, pattern: str = "**/*.py") -> int:
    return sum(len(path.read_text().splitlines()) for path in folder.glob(pattern))


def test_records_are_added_up_by_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = {
        "gw0": [["tests/orchestrator/models/test_a.py::one[x::y]", 1.5, 2.5], ["TOTAL", 9, 9]],
        "gw1": [["tests/orchestrator/test_b.py::two", 1, 2], ["tests/live/test_c.py::three", 4, 4]],
        "gw2": [["tests/orchestrator/test_b.py::four", 2, 1]],
    }
    for name, records in recorded.items():
        (tmp_path / name).write_text("".join(json.dumps(record) + "\n" for record in records))
    budget = mutants_of(ROOT, "orchestrator/models/budget.py")
    elsewhere = mutants_of(ROOT, "cookmas/status.py")[0]
    drawn: list[tuple[Mutant, Outcome]] = [
        (budget[0], "killed"),
        (budget[1], "survived"),
        (budget[2], "equivalent"),
        (elsewhere, "killed"),
    ]
    for mutant, outcome in drawn:
        keep_result(tmp_path / "mutants", mutant, Tried(outcome=outcome))
    files = [str(tmp_path / name) for name in recorded]
    asked = ["--recorded", *files, "--files", "1", "--mutants", str(tmp_path / "mutants")]
    assert costs.main(asked) == 0
    models, whole = lines(ROOT / "orchestrator/models"), lines(ROOT / "orchestrator")
    assert rows(capsys.readouterr().out) == [
        ["cpu", "s", "wall", "s", "tests", "lines", "killed", "folder"],
        ["8.5", "9.5", "4", str(whole), "1/2", "all"],
        ["4.0", "4.0", "1", "0", "0/0", "tests/live"],
        ["3.0", "3.0", "2", str(whole - models), "0/0", "tests/orchestrator"],
        ["1.5", "2.5", "1", str(models), "1/2", "tests/orchestrator/models"],
        ["4.0", "4.0", "1", "tests/live/test_c.py"],
    ]


def test_a_run_is_recorded_and_its_failure_is_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(costs.RECORD, "")
    spending = "import time\ndef test_spends():\n    end = time.process_time() + 0.2\n"
    spending += "    while time.process_time() < end:\n        pass\n"
    (tmp_path / "test_few.py").write_text(f"{spending}def test_fails():\n    assert False\n")
    here = ["-c", str(tmp_path / "pytest.ini"), "-p", "no:cacheprovider"]
    settings = "[pytest]\nasyncio_default_fixture_loop_scope = function\n"
    (tmp_path / "pytest.ini").write_text(settings)
    assert costs.main([*here, "--files", "9", str(tmp_path)]) == 1
    by_file = {row[-1]: row for row in rows(capsys.readouterr().out)[-2:]}
    assert by_file["test_few.py"][2] == "2"
    assert 0.15 < float(by_file["test_few.py"][0]) < 5
    assert by_file["collection/"][2] == "1"


def test_a_child_that_runs_is_counted_and_is_counted_once_when_it_has_ended() -> None:
    before = costs.used()
    script = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout
        child.stdout.readline()
        running = costs.used() - before
        child.communicate(b"\n")
    assert 0.15 < running <= costs.used() - before < running + 0.2
