"""Resampling: the sign-flip test with its interval, and the bootstrap-t interval."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

RESAMPLES = 4999
"""Number of resamples that are drawn."""
SEED = 0
"""Seed of every draw; it is fixed, so that equal data give equal results."""

EXACT = 12
"""Greatest number of cases for which all signs are tried."""

CELLS = 2**20
"""Greatest number of values that are drawn at once, which limits the memory."""

DIGITS = 9
"""Decimals to which a mean is rounded, so that equal means compare as equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flipped:
    """The result of a sign-flip test of the hypothesis that a mean is zero."""

    p: float
    """The two-sided p-value."""
    low: float | None
    """Lower end of the interval of means that the test does not reject; None if it has no end."""
    high: float | None
    """Upper end of the same interval; None if it has no end."""


def sign_flips(gaps: Any, significance: float) -> Flipped:
    """Return the two-sided sign-flip test of the mean of the differences `gaps`.

    Its interval has the means that the test does not reject. Consider the hypothesis that the mean
    is a value v. If the signs of the deviations from v are flipped in a subset, the new mean is at
    least the observed mean exactly if the mean of the subset is at most v. So the one-sided p of v
    is the share of subsets whose mean is at most v. The ends of the interval are therefore among
    the ordered means of all subsets (Hartigan 1969). An end is None if the test rejects no value;
    with fewer than six differences it never does.
    """
    import numpy as np

    means = np.sort(np.round(np.concatenate(list(_subset_means(gaps))), DIGITS))
    tried = len(means) + 1  # the empty subset stands for the unchanged data
    rejected = math.ceil(tried * significance / 2) - 1
    least = np.searchsorted(means, 0.0, side="right")
    most = len(means) - np.searchsorted(means, 0.0, side="left")
    return Flipped(
        p=min(1.0, 2 * (1 + int(min(least, most))) / tried),
        low=float(means[rejected - 1]) if rejected else None,
        high=float(means[-rejected]) if rejected else None,
    )


def _subset_means(gaps: Any) -> Iterator[Any]:
    """Yield the means of all subsets but the empty one.

    If there are more than EXACT values, draw subsets at random, each with its complement.
    """
    import numpy as np

    if len(gaps) <= EXACT:
        subsets = np.array(list(product((0, 1), repeat=len(gaps)))[1:])
        yield subsets @ np.sort(gaps) / subsets.sum(axis=1)
        return
    values, counts = np.unique(gaps, return_counts=True)
    rng = np.random.default_rng(SEED)
    yield np.array([counts @ values / len(gaps)])
    for rows in _blocks(len(values)):
        drawn = rng.binomial(counts, 0.5, size=(rows, len(values)))
        for subsets in (drawn, counts - drawn):
            taken = subsets.sum(axis=1)
            yield (subsets @ values)[taken > 0] / taken[taken > 0]


def bootstrap_t(values: Any, significance: float) -> tuple[float, float] | None:
    """Return how far the interval of a mean reaches below and above the mean, in standard errors.

    The quantiles of t come from resamples (Efron 1981), instead of Student's distribution. Return
    None if too many resamples have no variance and therefore no t.
    """
    import numpy as np

    rng, count = np.random.default_rng(SEED), len(values)
    mean, found = values.mean(), []
    for rows in _blocks(count):
        drawn = values[rng.integers(0, count, size=(rows, count))]
        with np.errstate(divide="ignore", invalid="ignore"):
            errors = drawn.std(axis=1, ddof=1) / math.sqrt(count)
            found.append((drawn.mean(axis=1) - mean) / errors)
    tail = significance / 2
    above, below = np.quantile(np.concatenate(found), [tail, 1 - tail], method="inverted_cdf")
    return (float(below), -float(above)) if np.isfinite([above, below]).all() else None


def _blocks(width: int) -> Iterator[int]:
    """Divide all resamples into blocks that are drawn at once, and yield the size of each block.

    `width` is the number of values in a resample.
    """
    rows = max(1, CELLS // width)
    for begin in range(0, RESAMPLES, rows):
        yield min(rows, RESAMPLES - begin)
