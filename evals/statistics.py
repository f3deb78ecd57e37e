"""Statistics over cases: all episodes of one scenario form a case, as they are not independent.

The functions need scipy, which the extra `report` installs. No result depends on the order of cases
or values, and resampling has a fixed seed. So equal data give equal numbers.

The sign-flip test has an interval, and means have the bootstrap-t interval.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Any

from cookmas.files.errors import MissingError

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


SIGNIFICANCE = 0.05
"""Significance level of every test; the confidence level of every interval is 1 - SIGNIFICANCE."""

POWER = 0.8
"""Probability with which a comparison should detect a real difference."""

FEWEST = 5
"""Smallest number of cases for which a mean has an interval."""

FEWEST_PAIRED = 6
"""Smallest number of cases for which a sign-flip test can have a p-value below 0.05."""

FEWEST_RESAMPLED = 10
"""Smallest number of different contributions of cases for a bootstrap interval of a mean."""

FEWEST_CORRELATED = 4
"""Smallest number of pairs for which a correlation has an interval; with three, z has none."""

Cases = Mapping[str, Sequence[float]]
"""The scored values of each case, by the case's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over all values of all cases, with its interval."""

    mean: float
    """The mean."""
    low: float | None
    """Lower end of the interval; None if there is no interval."""
    high: float | None
    """Upper end of the interval; None if there is no interval."""
    cases: int
    """Number of cases that have values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """The difference between two arms, one minus the other, over the cases that both have."""

    one: float
    """Mean of the first arm over the common cases."""
    other: float
    """Mean of the other arm over the common cases."""
    mean: float
    """Difference of the two means."""
    low: float | None
    """Lower end of the interval of the difference; None if it has no end."""
    high: float | None
    """Upper end of the interval of the difference; None if it has no end."""
    p: float
    """p-value of the sign-flip test; it is below 0.05 exactly if the interval excludes zero."""
    cases: int
    """Number of the common cases."""
    needed: int | None
    """Number of cases that detect a difference of this size with a power of 0.8.

    None if there is no difference, or only one case.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """The correlation of two figures over the same arms."""

    pearson: float
    """Pearson's r."""
    low: float | None
    """Lower end of the interval of r by Fisher's z; None below `FEWEST_CORRELATED` arms."""
    high: float | None
    """Upper end of the interval of r; None as for `low`."""
    spearman: float
    """Spearman's rank coefficient."""
    count: int
    """Number of arms."""


def need_scipy() -> None:
    """Raise MissingError if scipy is not installed."""
    try:
        import scipy.stats  # noqa: F401
    except ImportError:
        raise MissingError("statistics need scipy; install the extra 'report'") from None


def estimate(cases: Cases, share: bool = False) -> Estimate | None:
    """Return the mean of all values with its interval over cases; None if there is no value.

    The interval of a `share` (values from 0 to 1) needs two cases. The interval of another mean
    needs five cases that are not all equal.
    """
    sums = _Sums.of(cases)
    if not sums.counts:
        return None
    low, high = _share_interval(sums) if share else _mean_interval(sums)
    return Estimate(mean=sums.mean, low=low, high=high, cases=len(sums.counts))


def pass_hat(cases: Cases, k: int) -> Estimate | None:
    """Return pass^k: the chance that k repeats of a case all succeed, over cases with k repeats.

    Cases with fewer are left out; return None if no case is left. Values are 1 for a success and 0
    for a failure. A case with c successes in n repeats has C(c, k) / C(n, k) (tau-bench: Yao et al.
    2024, Section 3). The weight of a case is its number of repeats, so that pass^1 is the share of
    successes.
    """
    chances = {
        case: [comb(round(sum(values)), k) / comb(len(values), k)] * len(values)
        for case, values in cases.items()
        if len(values) >= k
    }
    return estimate(chances, share=True)


def difference(one: Cases, other: Cases) -> PairedDifference | None:
    """Return the paired difference of two arms; None if they have no case in common.

    The test flips the signs of the cases' differences (Fisher 1935); the interval inverts the test
    (Hartigan 1969). `needed` is ((z(0.975) + z(0.8)) sd / mean)^2, rounded up and at least
    FEWEST_PAIRED, where sd is the standard deviation of the differences.
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
    return PairedDifference(
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
    """Return the difference that two runs of the same arm exceed by chance in 5 % of pairs.

    A run plays each case once. Both runs play the same cases, so the difference comes only from the
    variance within cases: z(0.975) sqrt(2 * sum of the variances within cases) / cases. Return None
    if no case has a repeat.
    """
    from scipy import special

    repeated = [values for values in cases.values() if len(values) > 1]
    if not repeated:
        return None
    within = math.fsum(_variance(values) for values in repeated) / len(repeated)
    return float(special.ndtri(1 - SIGNIFICANCE / 2)) * math.sqrt(2 * within / len(repeated))


def adjust(ps: Sequence[float]) -> list[float]:
    """Return the p-values of several comparisons, adjusted for the false discovery rate.

    Source: Benjamini and Hochberg 1995.
    """
    from scipy import stats

    return [float(p) for p in stats.false_discovery_control(list(ps))] if ps else []


"""Decimals to which contributions are rounded, so that equal contributions stay equal."""


@dataclass(frozen=True, slots=True)
class _Sums:
    """The sum and the number of values of each case, without cases that have no values."""

    sums: Sequence[float]
    counts: Sequence[int]

    @classmethod
    def of(cls, cases: Cases) -> _Sums:
        """Return the sums of the given cases, in the order of the cases."""
        groups = [values for values in cases.values() if values]
        return cls([math.fsum(values) for values in groups], list(map(len, groups)))

    @property
    def mean(self) -> float:
        """Mean of all values."""
        return math.fsum(self.sums) / sum(self.counts)

    def contributions(self) -> list[float]:
        """Return the contribution of each case to the mean of all values.

        The mean of the contributions is this mean. A contribution is the linearised value of a
        ratio (Cochran 1977, Section 6.3): mean + (sum - mean * count) / mean count. If all cases
        have equally many values, a contribution is the mean of its case.
        """
        mean, usual = self.mean, sum(self.counts) / len(self.counts)
        pairs = zip(self.sums, self.counts, strict=True)
        return [round(mean + (total - mean * count) / usual, DIGITS) for total, count in pairs]


def _share_interval(sums: _Sums) -> tuple[float | None, float | None]:
    """Return the interval of a share after Clopper and Pearson (1934).

    The effective number of values takes the place of the number of trials. The lower end is never
    above that of equally many cases that all succeed, and the upper end never below that of cases
    that all fail. So a failure among successes does not raise the lower end.
    """
    from scipy import special

    if len(sums.counts) == 1:
        return None, None
    cases, trials = _count_effective(sums)
    yes = sums.mean * trials
    no, tail = trials - yes, SIGNIFICANCE / 2
    low = float(special.betaincinv(yes, no + 1, tail)) if yes > 0 else 0.0
    high = float(special.betaincinv(yes + 1, no, 1 - tail)) if no > 0 else 1.0
    agreeing = tail ** (1 / cases)
    return min(low, agreeing), max(high, 1 - agreeing)


def _count_effective(sums: _Sums) -> tuple[float, float]:
    """Return the effective number of equal cases, and the effective number of independent values.

    The first is the number of cases / (1 + the squared coefficient of variation of their sizes).
    The second is the number of values / the design effect (Kish 1965). The design effect is
    1 + (m - 1) rho for m repeats with the correlation rho within a case. A factor of Student's t
    corrects for the fact that the design effect is estimated (Korn and Graubard 1998). If all
    values are 0 or all are 1, rho is unknown and 1 is assumed.
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
    """Return Student's interval of the mean, or a bootstrap interval if contributions are skewed.

    The n contributions count as skewed if n < 25 g^2 (Cochran 1977, Section 2.15), where g is
    Fisher's skewness. If no value is negative, the lower end is at least 0.
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


def correlate(ones: Sequence[float], others: Sequence[float]) -> Correlation | None:
    """Return the correlation of pairs of numbers.

    Return None with fewer than three pairs, or if one figure is constant.
    """
    if len(ones) < 3 or len(set(ones)) < 2 or len(set(others)) < 2:
        return None
    from scipy.stats import pearsonr, spearmanr

    found = pearsonr(ones, others)
    low = high = None
    if len(ones) >= FEWEST_CORRELATED:
        low, high = map(float, found.confidence_interval(1 - SIGNIFICANCE))
    return Correlation(
        pearson=float(found.statistic),
        low=low,
        high=high,
        spearman=float(spearmanr(ones, others).statistic),
        count=len(ones),
    )


Successes = Mapping[tuple[str, int], bool | None]
"""The success of each episode by its case and repeat; None if it is unknown."""


def select_clean_successes(clean: Successes, faulty: Successes) -> Cases:
    """Return the successes under faults by case, of those episodes whose clean twin succeeded.

    A clean twin is the same scenario without its faults. A planner that fails anyway says nothing
    about faults, so the share is conditional: of the episodes whose clean twin succeeds, how many
    succeed.
    """
    successes: dict[str, list[float]] = {}
    for (case, repeat), success in sorted(faulty.items()):
        if clean.get((case, repeat)) and success is not None:
            successes.setdefault(case, []).append(float(success))
    return successes
