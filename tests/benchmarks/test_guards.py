"""A planted mistake lets the guard of its figure fail, and no other test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.guards import AWAY, FAILS, SILENT

ROOT = Path(__file__).parents[2]
TRIED = """
from benchmarks.guards import try_guard
for figure, test in (
    ("Estimate.mean", "test_cases_with_more_values_weigh_more_in_a_mean_and_its_interval"),
    ("Estimate.cases", "test_a_failure_more_does_not_raise_the_lower_end_of_a_share"),
    ("PairedDifference.p", "test_cases_with_more_values_weigh_more_in_a_mean_and_its_interval"),
    ("pass^k", "test_pass_hat_counts_ways_to_draw_repeats_that_all_succeed"),
):
    print(try_guard(figure, "check", f"tests/evals/test_statistics.py::{test}"))
"""


@pytest.mark.conformance
def test_a_test_fails_if_what_it_looks_at_is_wrong() -> None:
    ran = subprocess.run([sys.executable, "-c", TRIED], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout.splitlines() == [FAILS, SILENT, AWAY, FAILS], ran.stderr
