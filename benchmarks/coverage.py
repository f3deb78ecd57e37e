"""Simulate how often 95% intervals cover the true mean, and write a table into the docs.

    python -m benchmarks.coverage [SAMPLES]

The cases are drawn with a fixed seed from distributions whose means are known. The exit code is 1
if the intervals of shares, or of means of normal values, cover the true mean in fewer than 93% of
the samples.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.page import DOCS
from cookmas.evals.statistics import Cases, Estimate, PairedDifference, difference, estimate

SAMPLES = 2000
LEAST = 0.93
CASES = (2, 3, 5, 6, 10, 20, 60)
SHARES = (0.5, 0.8, 0.95, 0.99)
REPEATED = ((1, 0.5), (4, 0.02), (4, 0.2), (4, 0.5), (4, 0.9), (13, 0.2), (None, 0.5))
"""Pairs of the number of repeats of a case, and the correlation of the repeats.

If the number is None, it is drawn from a geometric distribution with the mean 5.
"""

Rng = np.random.Generator
Sample = Callable[[Rng, int], Estimate | PairedDifference | None]
"""Function that draws a number of cases and returns the estimate of their mean."""

DRAWN: Mapping[str, tuple[Callable[[Rng, int], Sequence[float]], float]] = {
    "normal": (lambda rng, n: [*rng.normal(10, 4, n)], 10.0),
    "exponential": (lambda rng, n: [*rng.exponential(1, n)], 1.0),
    "lognormal": (lambda rng, n: [*rng.lognormal(0, 1, n)], math.exp(0.5)),
    "70% zeros, else exponential": (
        lambda rng, n: [*np.where(rng.random(n) < 0.7, 0, rng.exponential(10, n))],
        3.0,
    ),
}
"""Functions that draw values, each with the true mean of the values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageRow:
    """A row of the table: a kind of estimate.

    `samples` are functions that draw values and estimate their mean, each with the true mean. If
    `held`, at least 93% of the intervals must cover the true mean.
    """

    name: str
    samples: Sequence[tuple[Sample, float]]
    held: bool = False


def coverage(sample: Sample, truth: float, cases: int, samples: int) -> float | None:
    """Return the share of intervals that cover the true mean `truth`.

    There are `samples` intervals, each from a sample of `cases` cases. Return None if fewer than
    half of the intervals have two ends.
    """
    rng = np.random.default_rng(0)
    found = [sample(rng, cases) for _ in range(samples)]
    ends = [(x.low, x.high) for x in found if x and x.low is not None and x.high is not None]
    if len(ends) < samples / 2:
        return None
    return sum(low <= truth <= high for low, high in ends) / len(ends)


def rows() -> Iterator[CoverageRow]:
    """Yield all rows of the table."""
    for repeats, rho in REPEATED:
        of = {1: "1 repeat", None: f"about 5 values, rho {rho}"}
        name = f"shares, {of.get(repeats, f'{repeats} repeats, rho {rho}')}"
        yield CoverageRow(
            name=name, samples=[(_share(p, repeats, rho), p) for p in SHARES], held=True
        )
    for name, (draw, mean) in DRAWN.items():
        yield CoverageRow(
            name=f"means, {name}", samples=[(_mean(draw), mean)], held=name == "normal"
        )
    yield CoverageRow(name="differences of normal values", samples=[(_draw_pairs, 0.0)])
    for repeats in (1, 4):
        name = f"differences of shares, {repeats} repeat{'s' * (repeats > 1)}"
        yield CoverageRow(name=name, samples=[(_share_difference(repeats), 0.0)])


def _share(share: float, repeats: int | None, rho: float) -> Sample:
    """Return a function that draws cases of successes and estimates their share.

    Each case has its own probability of success, drawn from a beta distribution with the mean
    `share`. So the repeats of a case are correlated by `rho` (beta-binomial).
    """
    spread = (1 - rho) / rho

    def sample(rng: Rng, cases: int) -> Estimate | None:
        chances = rng.beta(share * spread, (1 - share) * spread, cases)
        return estimate(_draw_episodes(chances, repeats, rng), share=True)

    return sample


def _mean(draw: Callable[[Rng, int], Sequence[float]]) -> Sample:
    return lambda rng, cases: estimate(_single(draw(rng, cases)))


def _draw_pairs(rng: Rng, cases: int) -> PairedDifference | None:
    return difference(*(_single([*rng.normal(10, 4, cases)]) for _ in range(2)))


def _share_difference(repeats: int) -> Sample:
    """Return a function that estimates the difference of two arms.

    In each case both arms have the same probability of success, so the true difference is 0.
    """

    def sample(rng: Rng, cases: int) -> PairedDifference | None:
        chances = rng.beta(1, 0.5, cases)
        return difference(*(_draw_episodes(chances, repeats, rng) for _ in range(2)))

    return sample


def _draw_episodes(chances: Iterable[float], repeats: int | None, rng: Rng) -> Cases:
    return {
        str(case): [float(x) for x in rng.random(repeats or rng.geometric(0.2)) < chance]
        for case, chance in enumerate(chances)
    }


def _single(values: Sequence[float]) -> Cases:
    return {str(case): [float(value)] for case, value in enumerate(values)}


def main() -> int:
    samples = int(sys.argv[1]) if sys.argv[1:] else SAMPLES
    lines: list[list[str]] = []
    failed = 0
    for row in rows():
        cells = []
        for cases in CASES:
            found = [coverage(sample, truth, cases, samples) for sample, truth in row.samples]
            covered = sorted(each for each in found if each is not None)
            failed += row.held and any(each < LEAST for each in covered)
            ends = dict.fromkeys(f"{100 * each:.1f}" for each in (covered[:1] + covered[-1:]))
            cells.append(" to ".join(ends) or "-")
        lines.append([row.name, *cells])
        print(*lines[-1], sep=", ", flush=True)
    with (DOCS / "reference/coverage.csv").open("w", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerows([["intervals of", *(f"{cases} cases" for cases in CASES)], *lines])
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
