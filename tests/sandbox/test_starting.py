"""The start of a child has a time limit of its own, and does not count towards that of a call."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from cookmas.episodes.failure import FailedError
from cookmas.sandbox import child
from cookmas.sandbox.child import Child, Limits

QUICK = """
async def number(data):
    return 7
"""


@pytest.fixture(autouse=True)
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a module that answers at once."""
    (tmp_path / "quick.py").write_text(QUICK)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_a_late_start_costs_a_call_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_START", f"import time; time.sleep(2); {child._START}")
    monkeypatch.setattr(child, "GRACE", 0.0)
    with contextlib.closing(Child("quick", Limits(seconds=1.9))) as late:
        assert late.ask("number", None) == 7


def test_a_child_that_does_not_start_in_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.closing(Child("quick", Limits(seconds=60))) as never:
        with monkeypatch.context() as patch:
            patch.setattr(child, "_START", "import time; time.sleep(60)")
            patch.setattr(child, "LONGEST_START", 0.5)
            with pytest.raises(FailedError, match=r"its process did not start within 0\.5 s"):
                never.ask("number", None)
        assert never.ask("number", None) == 7
