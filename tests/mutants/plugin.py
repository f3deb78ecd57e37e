"""Tell pytest which tests to run in which order, and let it note how they ended."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

RESULTS = Path(os.environ["MUTANTS_RESULTS"])
"""A file that gets a line for each test: its name, outcome and seconds."""

ORDER: dict[str, int] = {
    test: place
    for place, test in enumerate(json.loads(Path(os.environ["MUTANTS_TESTS"]).read_text("utf-8")))
}
"""The tests that are run, in their order; empty for all."""

_took: dict[str, float] = {}
_failed: set[str] = set()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if ORDER:
        items[:] = sorted(
            (item for item in items if item.nodeid in ORDER), key=lambda item: ORDER[item.nodeid]
        )


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """Let what a file executes at its import be known as its own."""
    os.environ["PYTEST_CURRENT_TEST"] = f"{collector.nodeid} (collect)"
    try:
        return (yield)
    finally:
        os.environ.pop("PYTEST_CURRENT_TEST", None)


@pytest.fixture(scope="module", autouse=True)
def nothing_is_remembered() -> None:
    """Forget what the product has computed for other files, so that each file executes it."""
    if ORDER:
        return
    for name, module in list(sys.modules.items()):
        if name.startswith("cookmas"):
            for each in list(vars(module).values()):
                if isinstance(each, functools._lru_cache_wrapper):
                    each.cache_clear()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    test = report.nodeid
    _took[test] = _took.get(test, 0) + report.duration
    if report.outcome != "passed":
        _failed.add(test)
    if report.when == "teardown" or report.failed:
        outcome = "failed" if report.failed else "other" if test in _failed else "passed"
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps([test, outcome, round(_took[test], 3)]) + "\n")
