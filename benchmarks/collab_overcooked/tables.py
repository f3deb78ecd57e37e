"""Write docs/reference/collab-overcooked-results.md: our pairs beside the published numbers.

    python -m benchmarks.collab_overcooked.tables [--levels N] [FILE]

Plays all thirty tasks (with --levels those up to level N) with pairs of scripted cooks, and with
the scripted model over the network in both seats, without faults and with faults of several rates.
It takes about ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from benchmarks.collab_overcooked.published import LEVELS, PublishedResult, load_published
from benchmarks.page import DOCS, table
from benchmarks.serving import faults, model_server
from cookmas.api import aplay
from cookmas.worlds import domain_of
from evals.verdict import Verdict
from orchestrator.dialogue.options import AskingOptions
from orchestrator.models.options import ModelOptions

PAGE = DOCS / "reference" / "collab-overcooked-results.md"

AT_A_TIME = 3
"""Number of concurrent episodes."""

FAULTS = ("illegal", "wrong_item", "off_by_one", "missing_worker")
"""The faults that strike each action of the scripted model, all at the same rate."""


class Pairing(NamedTuple):
    """A pair of cooks: who plays each seat, and the faults of the scripted model."""

    name: str
    planner: str
    rate: float | None = None
    """Rate of each fault; None if no model is asked."""
    asking: Mapping[str, Any] = {}


MODEL = "bob=collab,alice=collab"

ARMS = (
    Pairing("reference, reference", "bob=reference,alice=reference"),
    Pairing("erring, reference", "bob=erring,alice=reference"),
    Pairing("reference, erring", "bob=reference,alice=erring"),
    Pairing("model, model", MODEL, 0.0),
    Pairing("model, obedient", "bob=collab,alice=obedient", 0.0),
    Pairing("model, reserved", "bob=collab,alice=reserved", 0.0),
    Pairing("model, model; faults 5%", MODEL, 0.05),
    Pairing("model, model; faults 15%", MODEL, 0.15),
    Pairing("model, model; faults 30%", MODEL, 0.3),
    Pairing("faults 15%, no error handling", MODEL, 0.15, {"look_ahead": 0, "retries": 0}),
    Pairing("faults 15%, no talk", MODEL, 0.15, {"talk": 0}),
)
"""The pairs; the chef plays the first seat."""

MEASURES = {
    "SR": "success",
    "PC": "progress_completeness",
    "IC": "initiating_capability",
    "RC": "responding_capability",
    "IC of talks": "initiated",
    "RC of talks": "responded",
    "redundant": "redundancy",
    "fulfilled": "fulfilled",
    "delay": "response_delay",
    "after refusal": "verifier_dependence",
}
"""The checks behind the columns."""

HEAD = """\
# Collab-Overcooked: results

`python -m benchmarks.collab_overcooked.tables` plays all tasks and writes this page. What the
measures mean stands in the [metrics](metrics.md#collab-overcooked).

None of the figures in these tables is that of a large model. *model* is the
[scripted model](model-server.md) over the network, in the seats of the preset
[`collab`](prompting.md#the-agent-of-collab-overcooked): it plans by the rules, and its faults are
drawn. It shows what the measures show, and what each part of the agent is for. *reference*,
*reserved*, *obedient* and *erring* are the scripted cooks. The chef is named first.

"""

OURS = """\
## Our pairs, all levels

SR, PC, IC, RC and the shares are per cent. `IC` and `RC` are of the required collaborations (Table
3 of the paper), those *of talks* of the talks that were held. *after refusal* is the verifier
dependence. *faults N%*: each of four faults strikes N of a hundred actions and requests.

"""

MODELS = """\
## Published: SR and PC by level

From the table of thirteen models of the version at EMNLP 2025. Its numbers take the place of those
in Table 2 of the earlier submission:
"""

PEOPLE = """\
## Published: people

Table 6 of the submission: pairs with 10, 15 or 20 seconds for each timestep.

"""


async def play(arm: Pairing, names: Sequence[str]) -> list[Verdict]:
    """Play tasks with a pair; return the verdicts."""
    if arm.rate is None:
        return await _play(arm, names, None)
    rates = dict.fromkeys(FAULTS, arm.rate)
    with model_server(*faults(1, **rates)) as url:
        return await _play(arm, names, ModelOptions(model="scripted", base_url=url))


async def _play(arm: Pairing, names: Sequence[str], model: ModelOptions | None) -> list[Verdict]:
    turns = asyncio.Semaphore(AT_A_TIME)
    asking = AskingOptions(**arm.asking) if arm.asking else None

    async def one(name: str) -> Verdict:
        async with turns:
            run = await aplay(f"collab-overcooked/{name}", arm.planner, model=model, asking=asking)
            assert run.verdict
            return run.verdict

    return list(await asyncio.gather(*map(one, names)))


def figures(verdicts: Iterable[Verdict], check: str) -> list[float]:
    """Return the values of a check in some verdicts."""
    if check == "success":
        return [float(verdict.success is True) for verdict in verdicts]
    found = [each.value for verdict in verdicts for each in verdict.of(check)]
    return [float(value) for value in found if isinstance(value, bool | int | float)]


def page(results: Mapping[str, Sequence[Verdict]]) -> str:
    """Return the whole page."""
    models = [row for row in load_published() if row.kind != "people"]
    parts = [
        HEAD.strip(),
        OURS + _measure(results),
        "## Our pairs: SR and PC by level\n\n" + _by_level(results),
        MODELS + "\n".join(_differences(models)) + "\n\n" + _render_published(models),
        PEOPLE + _people([row for row in load_published() if row.kind == "people"]),
    ]
    return "\n\n".join(parts) + "\n"


def _measure(results: Mapping[str, Sequence[Verdict]]) -> str:
    rows = [
        f"| {name} | " + " | ".join(_figure(verdicts, title) for title in MEASURES) + " |"
        for name, verdicts in results.items()
    ]
    return table(f"| pair | {' | '.join(MEASURES)} |", rows)


def _figure(verdicts: Sequence[Verdict], title: str) -> str:
    found = figures(verdicts, MEASURES[title])
    if not found:
        return ""
    return f"{mean(found):.2f}" if title == "delay" else f"{100 * mean(found):.1f}"


def _by_level(results: Mapping[str, Sequence[Verdict]]) -> str:
    rows = []
    for name, verdicts in results.items():
        cells = []
        for level in range(1, LEVELS + 1):
            own = [each for each in verdicts if each.group == f"level_{level}"]
            cells += [_figure(own, "SR"), _figure(own, "PC")] if own else ["", ""]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return table(_levels("pair", "SR", "PC"), rows)


def _levels(first: str, *titles: str) -> str:
    names = [f"{title} {level}" for level in range(1, LEVELS + 1) for title in titles]
    return f"| {first} | {' | '.join(names)} |"


def _render_published(rows: Sequence[PublishedResult]) -> str:
    made = [
        f"| {row.name} | "
        + " | ".join(f"{x:.2f}" for pair in zip(row.sr, row.pc, strict=True) for x in pair)
        + " |"
        for row in rows
    ]
    return table(_levels("model", "SR", "PC"), made)


def _differences(rows: Sequence[PublishedResult]) -> Iterator[str]:
    for row in rows:
        for measure, level, value in row.differs:
            yield f"there the {measure} of {row.name} on level {level} is {value:g}."


def _people(rows: Sequence[PublishedResult]) -> str:
    made = []
    for row in rows:
        assert row.ic
        assert row.rc
        parts = zip(row.sr, row.pc, row.ic, row.rc, strict=True)
        made.append(
            f"| {row.name} | " + " | ".join(f"{x:g}" for part in parts for x in part) + " |"
        )
    return table(_levels("who", "SR", "PC", "IC", "RC"), made)


def main(arguments: Sequence[str]) -> int:
    """Play all pairs and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collab_overcooked.tables")
    parser.add_argument("file", nargs="?", type=Path, default=PAGE)
    parser.add_argument("--levels", type=int, default=LEVELS, choices=range(1, LEVELS + 1))
    given = parser.parse_args(arguments)
    names = [
        name
        for level in range(1, given.levels + 1)
        for name in domain_of("collab-overcooked").names(f"level_{level}")
    ]
    results = {}
    for arm in ARMS:
        results[arm.name] = asyncio.run(play(arm, names))
        print(f"{arm.name}: {len(names)} episodes", flush=True)
    given.file.write_text(page(results), encoding="utf-8")
    print(given.file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
