"""Statistics over episodes that come in cases: several repeats of one scenario are no new scenario.

Everything is computed by scipy, which the extra `report` brings; what is drawn is drawn with a
fixed seed, so that the same results give the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from episodes.errors import MissingError

LEVEL = 0.95
"""Of every interval."""

POWER = 0.8
"""With which a difference should be seen."""

RESAMPLES = 4999
SEED = 0

Cases = Mapping[str, Sequence[float]]
"""What was scored, by case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over all values of all cases, with its interval; None where there is none."""

    mean: float
    low: float | None
    high: float | None
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One arm minus another, over the cases that both were scored in.

    `p` is that of the sign-flip test, `needed` the number of cases in which a difference as large
    as this one would be seen with the power of 0.8; None where no number would do.
    """

    mean: float
    low: float | None
    high: float | None
    p: float
    cases: int
    needed: int | None


def need_scipy() -> None:
    """Raises MissingError if there is no scipy."""
    try:
        import scipy.stats  # noqa: F401
    except ImportError:
        raise MissingError("statistics need scipy; install the extra 'report'") from None


def estimate(cases: Cases, share: bool = False) -> Estimate | None:
    """The mean of all values, with a bootstrap interval over cases (BCa: Efron 1987).

    Whole cases are drawn with their repeats (Field and Welsh 2007). Where all values of a `share`
    are the same there is nothing to resample, and the interval is the exact binomial one with each
    case as one trial (Clopper and Pearson 1934). A single case has none. None without any value.
    """
    from scipy import stats

    groups = [values for values in cases.values() if values]
    if not groups:
        return None
    sums, counts = [math.fsum(values) for values in groups], [len(values) for values in groups]
    mean = math.fsum(sums) / sum(counts)
    low: float | None = None
    high: float | None = None
    if len(groups) > 1:
        if len({x for values in groups for x in values}) > 1:
            low, high = _bootstrap((sums, counts), _ratio)
        elif share and mean in (0, 1):
            exact = stats.binomtest(int(mean) * len(groups), len(groups)).proportion_ci(LEVEL)
            low, high = float(exact.low), float(exact.high)
        else:
            low = high = mean
    return Estimate(mean=mean, low=low, high=high, cases=len(groups))


def pass_hat(cases: Cases, k: int) -> Estimate | None:
    """pass^k: the chance that k repeats of a case all succeed, where there are as many.

    Of n repeats c successes give C(c, k) / C(n, k) (tau-bench: Yao et al. 2024, Section 3).
    """
    chances = {
        case: [comb(round(sum(values)), k) / comb(len(values), k)]
        for case, values in cases.items()
        if len(values) >= k
    }
    return estimate(chances, share=True)


def difference(one: Cases, other: Cases) -> Difference | None:
    """The paired difference between two arms; None if they share no case.

    The test flips the signs of the differences of the cases' means (Fisher 1935), all ways or many
    drawn ones. `needed` is ((z(0.975) + z(0.8)) sd / mean)^2, sd that of the differences.
    """
    import numpy as np
    from scipy import stats

    shared = [case for case in one if one[case] and other.get(case)]
    if not shared:
        return None
    gaps = np.array([_mean(one[case]) - _mean(other[case]) for case in shared])
    mean = float(gaps.mean())
    if len(shared) == 1:
        return Difference(mean=mean, low=None, high=None, p=1.0, cases=1, needed=None)
    low, high = _bootstrap((list(gaps),), np.mean) if np.ptp(gaps) else (mean, mean)
    tested: Any = stats.permutation_test(
        (gaps,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        rng=SEED,
    )
    quantiles = stats.norm.ppf(0.5 + LEVEL / 2) + stats.norm.ppf(POWER)
    needed = (quantiles * float(gaps.std(ddof=1)) / mean) ** 2 if mean else None
    return Difference(
        mean=mean,
        low=low,
        high=high,
        p=float(tested.pvalue),
        cases=len(shared),
        needed=None if needed is None else max(2, math.ceil(needed)),
    )


def adjusted(ps: Sequence[float]) -> list[float]:
    """The p-values of several comparisons, so that false findings stay rare among all found.

    Benjamini and Hochberg 1995.
    """
    from scipy import stats

    return [float(p) for p in stats.false_discovery_control(list(ps))] if ps else []


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _ratio(sums: Any, counts: Any, axis: int = -1) -> Any:
    return sums.sum(axis=axis) / counts.sum(axis=axis)


def _bootstrap(
    data: tuple[Sequence[float], ...], statistic: Any
) -> tuple[float | None, float | None]:
    """The interval of a statistic of cases; by percentiles where BCa has none."""
    import warnings

    from scipy import stats

    for method in ("BCa", "percentile"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: Any = stats.bootstrap(
                data,
                statistic,
                paired=len(data) > 1,
                vectorized=True,
                n_resamples=RESAMPLES,
                confidence_level=LEVEL,
                method=method,
                rng=SEED,
            )
        low, high = float(found.confidence_interval.low), float(found.confidence_interval.high)
        if math.isfinite(low) and math.isfinite(high):
            return low, high
    return None, None
