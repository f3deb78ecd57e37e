"""Write docs/reference/robotouille-results.md: optima and agents beside the published figures.

    python -m benchmarks.robotouille.tables [--tasks N] [FILE]

The optima come from the certificates. The agents play the layout of the seed 42 of each task, or of
the first N tasks of both groups.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import yaml

from benchmarks.page import DOCS, table
from benchmarks.robotouille import certify
from benchmarks.serving import faults, model_server
from cookmas.api import aplay
from cookmas.episodes.parts import mark_scripted
from cookmas.evals.verdict import Check, Verdict
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.solving import robotouille as solving
from cookmas.solving.certificates import Certificate, read_certificate
from cookmas.worlds.robotouille.domain import DOMAIN

CERTIFICATES = Path(solving.__file__).with_name("certificates")

PAGE = DOCS / "reference" / "robotouille-results.md"
PUBLISHED: Any = yaml.safe_load(Path(__file__).with_name("published.yaml").read_text())
GROUPS = ("synchronous", "asynchronous")
"""The groups of which results were published."""
AGENTS = ("io", "io-cot", "react")
SEED = 42
AT_A_TIME = 3
"""Number of concurrent episodes."""

FAULTS = ("illegal", "wrong_item", "off_by_one", "missing_worker")


class ResultArm(NamedTuple):
    """A planner, and how often the scripted model errs."""

    name: str
    planner: str
    rate: float | None = None
    """Rate of each fault; None if no model is asked."""

    @property
    def label(self) -> str:
        """The name in tables, which says so if the scripted model answers."""
        return self.name if self.rate is None else mark_scripted(self.name)


ARMS = (
    ResultArm("embedded", "embedded"),
    ResultArm("random", "random"),
    *(ResultArm(name, name, 0) for name in AGENTS),
    *(ResultArm(f"{name}; faults 5%", name, 0.05) for name in AGENTS),
    *(ResultArm(f"{name}; faults 15%", name, 0.15) for name in AGENTS),
)

HEAD = """\
# Robotouille: results

`python -m benchmarks.robotouille.tables` writes this page. What the measures mean stands in the
[metrics](metrics.md#robotouille), the rules in [their own page](robotouille-rules.md).

None of the figures under *Our agents* is that of a large model. `io`, `io-cot` and `react` are the
[published agents](prompting.md#the-agents-of-robotouille) with the [scripted
model](model-server.md) over the network: it plans by the rules, and its faults are drawn.
"""

OPTIMA = """\
## The fewest timesteps

A number is proven to be the fewest unless a bound stands behind it: `26 (22)` is a schedule of 26
timesteps where at least 22 are needed. Each has a
[certificate](robotouille-rules.md#certificates) with its schedule. *published* is the number that
the benchmark prints. It belongs to the base layout, which its evaluation never uses: that plays
layouts by seed, in which objects are moved and added, and which need fewer timesteps or more.

"""

OURS = """\
## Our agents

Each plays the layout of the seed 42 of {count} tasks. *reached* is the share of goals that were
reached, *in time* within 1.5 times the published number, *near the optimum* within 1.5 times the
fewest timesteps that are known. *optimality* is the mean of the fewest timesteps, or a bound, / the
timesteps of the successes: 1 is best. *to go* is that of the timesteps left / the fewest known of
the failures: 0 is best. The mistakes are counted over all episodes.

"""

THEIRS = """\
## Published

Successes in per cent: the goal was reached within 1.5 times the published number of steps, on ten
seeded layouts of each task. First all tasks, then GPT-4o by task.

"""


def certificates() -> dict[str, Certificate]:
    """Return the certificates of all layouts by the scenario's name."""
    found = {}
    for group in certify.GROUPS:
        for name in DOMAIN.names(group):
            known = read_certificate(CERTIFICATES, name, DOMAIN.scenario(name, {}).digest)
            if known:
                found[name] = known
    return found


def page(results: Mapping[str, Sequence[Verdict]], known: Mapping[str, Certificate]) -> str:
    """Return the whole page."""
    count = max((len(verdicts) for verdicts in results.values()), default=0)
    columns = "| agent | reached | in time | near the optimum | optimality | to go | calls | "
    columns += "repeated states | rule violation | state misjudged | goal misread |"
    parts = [
        HEAD.rstrip(),
        OPTIMA + _say_proven(known) + "\n\n" + _list_optima(known),
        OURS.format(count=count) + table(columns, list(_list_agents(results))),
        THEIRS + "\n\n".join(_list_published()),
    ]
    return "\n\n".join(parts) + "\n"


def _say_proven(known: Mapping[str, Certificate]) -> str:
    proven = sum(each.proven for each in known.values())
    gaps = [each.value / each.bound - 1 for each in known.values()]
    return (
        f"Of {len(known)} layouts {proven} are proven. The mean gap of all is {mean(gaps):.1%}, "
        f"and the largest is {max(gaps):.0%}."
    )


def _list_optima(known: Mapping[str, Certificate]) -> str:
    rows = []
    for group in certify.GROUPS:
        for name in DOMAIN.names(group):
            if "-" not in name.rpartition("/")[2]:
                scenario: Any = DOMAIN.scenario(name, {})
                seeds = [f"{name}-{seed}" for seed in (42, 126, 210, 294, 378)]
                cells = [_tell(known.get(each)) for each in (name, *seeds)]
                published = scenario.file.published or ""
                rows.append(f"| {name} | {published} | {' | '.join(cells)} |")
    return table("| task | published | base | 42 | 126 | 210 | 294 | 378 |", rows)


def _tell(certificate: Certificate | None) -> str:
    if certificate is None:
        return ""
    bound = "" if certificate.proven else f" ({certificate.bound})"
    return f"{certificate.value}{bound}"


def _list_agents(results: Mapping[str, Sequence[Verdict]]) -> Iterator[str]:
    for name, verdicts in results.items():
        reached = mean(100 * (verdict.success is True) for verdict in verdicts)
        calls = [verdict.summary.get("planner_calls") or 0 for verdict in verdicts]
        found = Counter[str]()
        for verdict in verdicts:
            for check in verdict.of("mistake"):
                found[check.subject] += int(_number(check))
        cells = [
            f"{reached:.0f}",
            *(_share(verdicts, check) for check in ("within_published", "within_optimum")),
            *(_mean(verdicts, check) for check in ("optimality_rate", "steps_to_go")),
            f"{mean(calls):.1f}",
            _mean(verdicts, "repeated_states"),
            *(str(found[x]) for x in ("rule violation", "state misjudged", "goal misread")),
        ]
        yield f"| {name} | {' | '.join(cells)} |"


def _share(verdicts: Sequence[Verdict], check: str) -> str:
    found = [each.passed for verdict in verdicts for each in verdict.of(check)]
    return f"{100 * mean(passed is True for passed in found):.0f}" if found else ""


def _mean(verdicts: Sequence[Verdict], check: str) -> str:
    found = [_number(each) for verdict in verdicts for each in verdict.of(check)]
    return f"{mean(found):.2f}" if found else ""


def _number(check: Check) -> float:
    assert isinstance(check.value, int | float)
    return float(check.value)


def _list_published() -> Iterator[str]:
    heading = " | ".join(f"{group} {agent}" for group in GROUPS for agent in AGENTS)
    rows = [
        f"| {model} | {' | '.join(str(by[g][a]) for g in GROUPS for a in AGENTS)} |"
        for model, by in PUBLISHED["all"].items()
    ]
    yield table(f"| model | {heading} |", rows)
    rows = []
    for group in GROUPS:
        for number in range(10):
            cells = [str(PUBLISHED["tasks"][group][agent][number]) for agent in AGENTS]
            rows.append(f"| {group}/{number} | {' | '.join(cells)} |")
    yield table(f"| task | {' | '.join(AGENTS)} |", rows)


async def play(arm: ResultArm, names: Sequence[str], url: str | None) -> list[Verdict]:
    """Play scenarios with an agent; return the verdicts. The n-th has the planner seed n."""
    turns = asyncio.Semaphore(AT_A_TIME)
    model = ModelOptions(model="scripted", base_url=url) if url else None

    async def one(number: int, name: str) -> Verdict:
        async with turns:
            run = await aplay(f"robotouille/{name}", arm.planner, model=model, planner_seed=number)
            assert run.verdict
            return run.verdict

    return list(await asyncio.gather(*(one(n, name) for n, name in enumerate(names, start=1))))


def play_arm(arm: ResultArm, names: Sequence[str]) -> list[Verdict]:
    """Play scenarios with an agent, and with a server of the scripted model if it asks one."""
    if arm.rate is None:
        return asyncio.run(play(arm, names, None))
    with model_server(*faults(1, **dict.fromkeys(FAULTS, arm.rate))) as url:
        return asyncio.run(play(arm, names, url))


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description="Write the page of results of Robotouille.")
    parser.add_argument("--tasks", type=int, default=10, help="number of tasks of each group")
    parser.add_argument("file", nargs="?", type=Path, default=PAGE)
    options = parser.parse_args()
    names = [f"{group}/{n}-{SEED}" for group in GROUPS for n in range(options.tasks)]
    results = {}
    for arm in ARMS:
        results[arm.label] = play_arm(arm, names)
        print(f"{arm.name}: played", file=sys.stderr, flush=True)
    options.file.write_text(page(results, certificates()), encoding="utf-8")


if __name__ == "__main__":
    main()
