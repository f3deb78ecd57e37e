"""Statistics over episodes that come in cases: repeats of one scenario are not independent.

The extra `report` brings scipy, which computes them. Nothing depends on the order of cases or
values, and resampling has a fixed seed: the same results give the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from evals.resampling import bootstrap_t, sign_flips
from files.errors import MissingError

SIGNIFICANCE = 0.05
"""Of every test; intervals have a level of 1 - SIGNIFICANCE."""

POWER = 0.8
"""With which a difference should be seen."""

FEWEST = 5
"""Cases from which a mean has an interval."""

FEWEST_PAIRED = 6
"""Cases from which a sign-flip test can have a p below 0.05."""

FEWEST_RESAMPLED = 10
"""Different contributions from which a skewed mean has a bootstrap interval."""

Cases = Mapping[str, Sequence[float]]
"""The scored values by case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over all values of all cases, with its interval; None where there is none."""

    mean: float
    low: float | None
    high: float | None
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One arm minus another, over the cases in which both were scored.

    `one` and `other` are their means over these cases, and `mean` is the difference. `p` is of the
    sign-flip test; the interval excludes zero exactly where p is below 0.05. `needed` is the number
    of cases that show a difference of this size with a power of 0.8, None where it is zero.
    """

    one: float
    other: float
    mean: float
    low: float | None
    high: float | None
    p: float
    cases: int
    needed: int | None


def need_scipy() -> None:
    """Raise MissingError if there is no scipy."""
    try:
        import scipy.stats  # noqa: F401
    except ImportError:
        raise MissingError("statistics need scipy; install the extra 'report'") from None


def estimate(cases: Cases, share: bool = False) -> Estimate | None:
    """Return the mean of all values with its interval over cases; None without any value.

    A `share` of values from 0 to 1 has an interval from two cases on; another mean from five cases
    on, if they differ.
    """
    sums = _Sums.of(cases)
    if not sums.counts:
        return None
    low, high = _share_interval(sums) if share else _mean_interval(sums)
    return Estimate(mean=sums.mean, low=low, high=high, cases=len(sums.counts))


def pass_hat(cases: Cases, k: int) -> Estimate | None:
    """Return pass^k: the chance that k repeats of a case all succeed, over cases with k repeats.

    Of n repeats c successes give C(c, k) / C(n, k) (tau-bench: Yao et al. 2024, Section 3). A case
    weighs as much as it has repeats, so that pass^1 is the share of successes.
    """
    chances = {
        case: [comb(round(sum(values)), k) / comb(len(values), k)] * len(values)
        for case, values in cases.items()
        if len(values) >= k
    }
    return estimate(chances, share=True)


def difference(one: Cases, other: Cases) -> Difference | None:
    """Return the paired difference of two arms' means over the cases they share; None without any.

    The test flips the signs of the cases' differences (Fisher 1935); the interval inverts it
    (Hartigan 1969). `needed` is ((z(0.975) + z(0.8)) sd / mean)^2, sd that of the differences.
    """
    import numpy as np
    from scipy import special

    shared = sorted(case for case in one if one[case] and other.get(case))
    if not shared:
        return None
    sums = [_Sums.of({case: arm[case] for case in shared}) for arm in (one, other)]
    gaps = np.round(np.subtract(sums[0].contributions(), sums[1].contributions()), DIGITS)
    flipped = sign_flips(gaps, SIGNIFICANCE)
    mean = round(sums[0].mean - sums[1].mean, DIGITS)
    needed = None
    if mean and len(shared) > 1:
        quantiles = float(special.ndtri(1 - SIGNIFICANCE / 2) + special.ndtri(POWER))
        needed = max(FEWEST_PAIRED, math.ceil((quantiles * float(gaps.std(ddof=1)) / mean) ** 2))
    return Difference(
        one=sums[0].mean,
        other=sums[1].mean,
        mean=mean,
        low=flipped.low,
        high=flipped.high,
        p=flipped.p,
        cases=len(shared),
        needed=needed,
    )


def noise_floor(cases: Cases) -> float | None:
    """Return by how much two single runs over the cases differ in one of 20 pairs of runs.

    A single run plays each case once; the cases are the same in both, so only repeats differ:
    z(0.975) sqrt(2 sum of the variances within cases) / cases. None without a repeat.
    """
    from scipy import special

    repeated = [values for values in cases.values() if len(values) > 1]
    if not repeated:
        return None
    within = math.fsum(_variance(values) for values in repeated) / len(repeated)
    return float(special.ndtri(1 - SIGNIFICANCE / 2)) * math.sqrt(2 * within / len(repeated))


def adjusted(ps: Sequence[float]) -> list[float]:
    """Return the p-values of several comparisons adjusted for the false discovery rate.

    Benjamini and Hochberg 1995.
    """
    from scipy import stats

    return [float(p) for p in stats.false_discovery_control(list(ps))] if ps else []


DIGITS = 9
"""Decimals to which contributions are rounded, so that equal ones stay equal."""


@dataclass(frozen=True, slots=True)
class _Sums:
    """The sum and the number of the values of each case that has any."""

    sums: Sequence[float]
    counts: Sequence[int]

    @classmethod
    def of(cls, cases: Cases) -> _Sums:
        """Return those of some cases, in the order of the cases."""
        groups = [values for values in cases.values() if values]
        return cls([math.fsum(values) for values in groups], list(map(len, groups)))

    @property
    def mean(self) -> float:
        """That of all values."""
        return math.fsum(self.sums) / sum(self.counts)

    def contributions(self) -> list[float]:
        """Return what each case says of the mean; it is the mean of these.

        The linearised values of a ratio (Cochran 1977, Section 6.3): mean + (sum - mean * count) /
        mean count, which is the mean of the case where all have as many values.
        """
        mean, usual = self.mean, sum(self.counts) / len(self.counts)
        pairs = zip(self.sums, self.counts, strict=True)
        return [round(mean + (total - mean * count) / usual, DIGITS) for total, count in pairs]


def _share_interval(sums: _Sums) -> tuple[float | None, float | None]:
    """Clopper and Pearson's interval (1934) with the effective number of values as its trials.

    Cases that differ say no more than as many that agree throughout: so a failure among
    successes does not raise the lower end.
    """
    from scipy import special

    if len(sums.counts) == 1:
        return None, None
    cases, trials = _effective(sums)
    yes = sums.mean * trials
    no, tail = trials - yes, SIGNIFICANCE / 2
    low = float(special.betaincinv(yes, no + 1, tail)) if yes > 0 else 0.0
    high = float(special.betaincinv(yes + 1, no, 1 - tail)) if no > 0 else 1.0
    agreed = tail ** (1 / cases)
    return min(low, agreed), max(high, 1 - agreed)


def _effective(sums: _Sums) -> tuple[float, float]:
    """Return as how many equal cases, and as how many independent values, the values count.

    Cases count as their number / (1 + the squared variation of their sizes), values as their
    number / the design effect (Kish 1965), which is 1 + (m - 1) rho with m repeats of an intra-case
    correlation rho. Student's t corrects for its estimation (Korn and Graubard 1998). The
    correlation of values that are all 0 or all 1 is unknown and taken as 1.
    """
    from scipy import special

    number, share = sum(sums.counts), sums.mean
    cases = number**2 / sum(count**2 for count in sums.counts)
    pairs = zip(sums.sums, sums.counts, strict=True)
    between = math.fsum((total - share * count) ** 2 for total, count in pairs)
    if round(between, DIGITS) == 0:
        return cases, cases if share in (0, 1) else number
    upper = 1 - SIGNIFICANCE / 2
    corrected = special.stdtrit(number - 1, upper) / special.stdtrit(cases - 1, upper)
    values = float(corrected) ** 2 * number**2 * share * (1 - share) / between
    return cases, min(number, values)


def _mean_interval(sums: _Sums) -> tuple[float | None, float | None]:
    """Student's interval; by a bootstrap where the contributions are skewed.

    Skewed is n < 25 g^2 (Cochran 1977, Section 2.15), g being Fisher's skewness. A mean of values
    of which none is negative has no negative lower end.
    """
    import numpy as np
    from scipy import special

    values: Any = np.sort(sums.contributions())
    count = len(values)
    if count < FEWEST or values[0] == values[-1]:
        return None, None
    mean, error = sums.mean, float(values.std(ddof=1)) / math.sqrt(count)
    below = above = float(special.stdtrit(count - 1, 1 - SIGNIFICANCE / 2))
    skewness = float(np.mean((values - mean) ** 3) / values.std() ** 3)
    if len(np.unique(values)) >= FEWEST_RESAMPLED and count < 25 * skewness**2:
        below, above = bootstrap_t(values, SIGNIFICANCE) or (below, above)
    low = mean - below * error
    return max(low, 0.0) if min(sums.sums) >= 0 else low, mean + above * error


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
