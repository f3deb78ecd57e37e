"""Every constant of the scheduler matters, and its schedules are near their bounds."""

from __future__ import annotations

from statistics import mean

import pytest

from benchmarks.constants import differs, draw_call, find_constants
from tests.sampling import seeds

PROOFS: dict[str, tuple[int, float]] = {
    "drafting.MAX_DELAYS": (27, 0.5),
    "drafting.PUT_GAPS": (109, 2),
    "claims.FETCH": (229, 0.5),
    "mode.MAX_MODES": (25, 0.5),
    "planning.POWER": (17, 2),
    "planning.WIDEST": (36, 0.5),
    "planning.NARROW": (38, 0.5),
    "planning.FEWEST_NARROWED": (43, 2),
    "planning.LINES_AT_ONCE": (27, 0.5),
    "planning.FEW_LINES": (25, 0.5),
    "planning.CLOSE": (9, 2),
    "planning.FAR": (19, 0.5),
    "planning.NEAR": (41, 2),
    "planning.WIDTH": (43, 2),
    "planning.REINSERTING_COST": (41, 2),
    "problem.CARRY": (9, 0.5),
    "problem.PUT_APART": (17, 2),
    "reinserting.TAKING_OUT": (41, 0.5),
    "reinserting.TAKEN_OUT": (41, 2),
    "reinserting.NEIGHBOURS": (41, 2),
    "reinserting.LAST": (41, 2),
    "reinserting.PARTLY": (41, 2),
    "reinserting.LONGER": (41, 2),
    "reinserting.ANY": (41, 2),
    "resources.PAUSE": (49, 2),
    "schedule.EFFORT": (9, 2),
    "schedule.PLANNED_LINES": (10, 0.5),
    "search.LINK_BONUS": (25, 2),
    "search.RANK_NOISE": (9, 2),
    "search.SEED": (9, 0.5),
    "search.BRANCH": (9, 0.5),
    "search.OPENINGS": (24, 2),
    "search.TIE_NOISE": (9, 2),
    "serial.STARTING": (51, 2),
    "serial.PLACING": (51, 2),
    "serial.MARGINS": (31, 2),
    "serial.TOGETHER": (41, 2),
    "serial.BLURS": (41, 2),
    "window.AGE": (43, 2),
    "window.FULL_BONUS": (43, 2),
    "window.VISIT": (9, 2),
    "window.MORE": (43, 0.5),
    "window.STATION_COST": (43, 2),
    "window.SLACK": (9, 2),
}
"""For each constant a drawn call that costs little, and a factor that changes its schedule."""

DEAR = (10, 24, 31, 36, 38, 51)
"""The drawn calls that take longest; their constants are changed in `make conformance`."""

GREATEST_MEAN, GREATEST = 0.075, 0.3
"""The greatest mean gap to the lower bound, and the greatest gap."""


def test_every_constant_has_a_proof() -> None:
    assert sorted(find_constants()) == sorted(PROOFS)


@pytest.mark.parametrize(
    "constant",
    [
        pytest.param(constant, marks=[pytest.mark.conformance] if number in DEAR else [])
        for constant, (number, _) in PROOFS.items()
    ],
)
def test_a_constant_that_is_halved_or_doubled_changes_a_schedule(constant: str) -> None:
    number, factor = PROOFS[constant]
    assert differs(constant, factor, number)


def test_schedules_are_near_their_bounds() -> None:
    gaps = [draw_call(number).compute_gap() for number in seeds(0, 3, 20)]
    assert mean(gaps) <= GREATEST_MEAN
    assert max(gaps) <= GREATEST
