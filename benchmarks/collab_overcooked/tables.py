"""Write docs/reference/collab-overcooked-results.md: our pairs beside the published numbers.

    python -m benchmarks.collab_overcooked.tables [--levels N] [FILE]

Plays all thirty tasks (with --levels those up to level N) with the pairs of `pairs.py`. It takes
about eight CPU minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.collab_overcooked.pairs import ARMS, play
from benchmarks.collab_overcooked.published import LEVELS, PublishedResult, load_published
from benchmarks.page import DOCS, table, write_details
from cookmas.evals.requests import MATRIX
from cookmas.evals.trajectories import ASTRAY
from cookmas.evals.verdict import Verdict
from cookmas.world_names import domain_of

PAGE = DOCS / "reference" / "collab-overcooked-results.md"

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

BY_LEVEL = (("SR", "PC"), ("IC", "RC"))
"""The columns of the details; the last two are of pairs that talk."""

MODEL = " --model scripted --base-url URL"
"""The options of every pair with a scripted model."""

PAIR = re.compile(r"--planner bob=[\w@.]+,alice=[\w@.]+")
"""The options of a pair whose name says them."""

HEAD = """\
# Collab-Overcooked: results

`python -m benchmarks.collab_overcooked.tables` plays all tasks and writes this page. What the
measures mean stands in the [metrics](metrics.md#collab-overcooked).

None of the figures in these tables is that of a large model. *scripted model* is the
[scripted model](model-server.md) over the network, in the seats of the preset
[`collab`](prompting.md#the-agent-of-collab-overcooked): it plans by the rules, and its faults are
drawn. The other names are those of the [scripted cooks](collab-overcooked-rules.md#scripted-cooks);
*erring* draws a fifth of its moves unless a rate stands there. The chef is named first.

"""

BEYOND = """\
Beyond the paper, as upper lines:

- *orchestrator*: a third party plans for both cooks. It sees the recipe and both sides, so nobody
  has to ask. With the scripted model, and as *oracle for both* without a model.
- *shared schedules*: two agents that write schedules, and each sees what is left of the other's.
- *sharing*: a scripted cook tells the schedule of both at the beginning, in one message; its
  partner knows nothing else.

"""

COMMANDS = """\
## The commands

`cookmas run collab-overcooked/TASK` plays a task with the options of its pair: `--planner
bob=X,alice=Y` for *X, Y*, where *at 5%* is `@0.05` and a scripted model `collab`, or those below. A
cook that draws has `--planner-seed n` in the n-th task. A pair with a scripted model also has
`--model scripted --base-url URL`; without faults the model is `cookmas model-server --seed 1`. For
*faults N%*, each of four faults strikes N of a hundred actions and requests, as with `cookmas
model-server --seed 1 --fault illegal=0.15 --fault wrong_item=0.15 --fault off_by_one=0.15 --fault
missing_worker=0.15`.

| pair | options |
|---|---|
"""

OURS = """\
## Our pairs, all levels

SR, PC, IC, RC and the shares are per cent. `IC` and `RC` are of the required collaborations (Table
3 of the paper), those *of talks* of the talks that the chef began. *after refusal* is the verifier
dependence. A cell is empty if nothing was asked for, or nothing was served. [Each level by
itself](collab-overcooked-results.csv).

"""

INITIATED = """\
## Initiating and responding

The number of talks by whether the request, and the response to it, advanced the task; then the
talks whose request did not, by the paper's categories (Appendix C.4) of its first action, counted
from the traces. *nothing*: the chef spoke and named no action.

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


def figures(verdicts: Iterable[Verdict], check: str) -> list[float]:
    """Return the values of a check in some verdicts."""
    if check == "success":
        return [float(verdict.success is True) for verdict in verdicts]
    found = [each.value for verdict in verdicts for each in verdict.of(check)]
    return [float(value) for value in found if isinstance(value, bool | int | float)]


def page(results: Mapping[str, Sequence[Verdict]]) -> str:
    """Return the whole page."""
    models = [row for row in load_published() if row.kind != "people"]
    talking = {
        name: verdicts for name, verdicts in results.items() if any(figures(verdicts, "matrix"))
    }
    parts = [
        HEAD + BEYOND.strip(),
        OURS + _measure(results),
        INITIATED + _count(talking, {"matrix": [*MATRIX.values()], "failed_initiation": ASTRAY}),
        COMMANDS + "\n".join(_commands()),
        MODELS + "\n".join(_differences(models)) + "\n\n" + _render_published(models),
        PEOPLE + _people([row for row in load_published() if row.kind == "people"]),
    ]
    return "\n\n".join(parts) + "\n"


def _commands() -> Iterator[str]:
    """Yield the options of each pair that its name does not say."""
    for arm in ARMS:
        options = arm.command.removesuffix(MODEL)
        if not PAIR.fullmatch(options):
            yield f"| {arm.label} | `{options}` |"


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


def list_levels(results: Mapping[str, Sequence[Verdict]]) -> Iterator[Sequence[str]]:
    """Yield the figures of each pair on each level, by the columns of `BY_LEVEL`."""
    for name, verdicts in results.items():
        cells = [name]
        for titles in BY_LEVEL:
            talking = "IC" not in titles or any(figures(verdicts, "matrix"))
            for level in range(1, LEVELS + 1):
                own = [each for each in verdicts if each.group == f"level_{level}"]
                cells += [_figure(own, title) if own and talking else "" for title in titles]
        yield cells


def _count(results: Mapping[str, Sequence[Verdict]], checks: Mapping[str, Sequence[str]]) -> str:
    """Return the sums of checks in the verdicts of each pair, with a column for each subject."""
    rows = []
    for name, verdicts in results.items():
        cells = [name]
        for check, subjects in checks.items():
            found: Counter[str] = Counter()
            for verdict in verdicts:
                found.update({each.subject: int(each.value or 0) for each in verdict.of(check)})
            cells += [str(found[subject]) for subject in subjects]
        rows.append(f"| {' | '.join(cells)} |")
    subjects = [subject for each in checks.values() for subject in each]
    return table(f"| pair | {' | '.join(subjects)} |", rows)


def _level_names(*titles: str) -> list[str]:
    return [f"{title} {level}" for level in range(1, LEVELS + 1) for title in titles]


def _levels(first: str, *titles: str) -> str:
    return f"| {first} | {' | '.join(_level_names(*titles))} |"


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
        results[arm.label] = asyncio.run(play(arm, names))
        print(f"{arm.name}: {len(names)} episodes", flush=True)
    given.file.write_text(page(results), encoding="utf-8")
    columns = ["pair", *(name for titles in BY_LEVEL for name in _level_names(*titles))]
    write_details(given.file, columns, list_levels(results))
    print(given.file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
