"""Simulate how often 95% intervals cover the true mean; write a table into the page of the metrics.

    python -m benchmarks.coverage [SAMPLES]

Cases are drawn from distributions of known mean with a fixed seed. The exit code is 1 if the
intervals of a share, or of a mean of normal values, cover it in fewer than 93% of the samples.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.page import DOCS, fill, table
from evals.statistics import Cases, Estimate, PairedDifference, difference, estimate

SAMPLES = 2000
LEAST = 0.93
CASES = (2, 3, 5, 6, 10, 20, 60)
SHARES = (0.5, 0.8, 0.95, 0.99)
REPEATED = ((1, 0.5), (4, 0.02), (4, 0.2), (4, 0.5), (4, 0.9), (13, 0.2), (None, 0.5))
"""Repeats of a case (None: geometric, 5 on average), and the correlation of repeats."""

Rng = np.random.Generator
Sample = Callable[[Rng, int], Estimate | PairedDifference | None]
"""Draws a number of cases, and estimates their mean."""

DRAWN: Mapping[str, tuple[Callable[[Rng, int], Sequence[float]], float]] = {
    "normal": (lambda rng, n: [*rng.normal(10, 4, n)], 10.0),
    "exponential": (lambda rng, n: [*rng.exponential(1, n)], 1.0),
    "lognormal": (lambda rng, n: [*rng.lognormal(0, 1, n)], math.exp(0.5)),
    "70% zeros, else exponential": (
        lambda rng, n: [*np.where(rng.random(n) < 0.7, 0, rng.exponential(10, n))],
        3.0,
    ),
}
"""Distributions of values with their means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A simulated estimate: samples of known means; `held` if at least 93% must be covered."""

    name: str
    samples: Sequence[tuple[Sample, float]]
    held: bool = False


def coverage(sample: Sample, truth: float, cases: int, samples: int) -> float | None:
    """Return the share of intervals that cover the true mean; None if too few have two ends."""
    rng = np.random.default_rng(0)
    found = [sample(rng, cases) for _ in range(samples)]
    ends = [(x.low, x.high) for x in found if x and x.low is not None and x.high is not None]
    if len(ends) < samples / 2:
        return None
    return sum(low <= truth <= high for low, high in ends) / len(ends)


def rows() -> Iterator[Row]:
    """Return all simulated estimates."""
    for repeats, rho in REPEATED:
        of = {1: "1 repeat", None: f"about 5 values, rho {rho}"}
        name = f"shares, {of.get(repeats, f'{repeats} repeats, rho {rho}')}"
        yield Row(name=name, samples=[(_share(p, repeats, rho), p) for p in SHARES], held=True)
    for name, (draw, mean) in DRAWN.items():
        yield Row(name=f"means, {name}", samples=[(_mean(draw), mean)], held=name == "normal")
    yield Row(name="differences of normal values", samples=[(_paired_normal, 0.0)])
    for repeats in (1, 4):
        name = f"differences of shares, {repeats} repeat{'s' * (repeats > 1)}"
        yield Row(name=name, samples=[(_paired_shares(repeats), 0.0)])


def _share(share: float, repeats: int | None, rho: float) -> Sample:
    """Draw cases with different probabilities, so that their repeats are correlated
    (beta-binomial).
    """
    spread = (1 - rho) / rho

    def sample(rng: Rng, cases: int) -> Estimate | None:
        chances = rng.beta(share * spread, (1 - share) * spread, cases)
        return estimate(_played(chances, repeats, rng), share=True)

    return sample


def _mean(draw: Callable[[Rng, int], Sequence[float]]) -> Sample:
    return lambda rng, cases: estimate(_single(draw(rng, cases)))


def _paired_normal(rng: Rng, cases: int) -> PairedDifference | None:
    return difference(*(_single([*rng.normal(10, 4, cases)]) for _ in range(2)))


def _paired_shares(repeats: int) -> Sample:
    """Draw two arms with the same probability in each case."""

    def sample(rng: Rng, cases: int) -> PairedDifference | None:
        chances = rng.beta(1, 0.5, cases)
        return difference(*(_played(chances, repeats, rng) for _ in range(2)))

    return sample


def _played(chances: Iterable[float], repeats: int | None, rng: Rng) -> Cases:
    return {
        str(case): [float(x) for x in rng.random(repeats or rng.geometric(0.2)) < chance]
        for case, chance in enumerate(chances)
    }


def _single(values: Sequence[float]) -> Cases:
    return {str(case): [float(value)] for case, value in enumerate(values)}


def main() -> int:
    samples = int(sys.argv[1]) if sys.argv[1:] else SAMPLES
    lines, failed = [], 0
    for row in rows():
        cells = []
        for cases in CASES:
            found = [coverage(sample, truth, cases, samples) for sample, truth in row.samples]
            covered = sorted(each for each in found if each is not None)
            failed += row.held and any(each < LEAST for each in covered)
            ends = dict.fromkeys(f"{100 * each:.1f}" for each in (covered[:1] + covered[-1:]))
            cells.append(" to ".join(ends) or "-")
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    columns = f"| | {' | '.join(f'{cases} cases' for cases in CASES)} |"
    fill(DOCS / "reference/metrics.md", "coverage", table(columns, lines))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
