"""The comparison of layouts: what it says of repairs that differ, or that may differ by chance."""

from __future__ import annotations

import pytest

from benchmarks.prompts import describe_difference

ROWS = {f"level3/{number:02}": [3.0, 5.0] for number in range(1, 21)}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ((2.0, 2.0), "+2.0 (95% interval +2.0 to +2.0 over 20 scenarios, p = 0.00), which is dec"),
        ((-2.0, 2.0), "+0.0 (95% interval -"),
        ((-2.0, 2.0), "p = 1.00), which may be chance."),
    ],
)
def test_a_difference_is_decided_by_its_interval_over_scenarios(
    more: tuple[float, float], told: str
) -> None:
    columns = {
        name: [value + more[number % 2] for value in values]
        for number, (name, values) in enumerate(ROWS.items())
    }
    said = describe_difference(columns, ROWS)
    assert told in said
    assert "4.0 in rows" in said
