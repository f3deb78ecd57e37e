"""Write docs/reference/overcooked-results.md: our cooks as partners beside the published numbers.

    python -m benchmarks.overcooked_ai.tables [--folder FOLDER] [--repeats N] [--seeds N] [FILE]

Plays the suites `partners.yaml` and `line_ups.yaml` with `cookmas bench`, and measures the greedy
cooks of overcooked-ai. It takes about forty CPU minutes. Suites that are already played in
the folder are not played again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.overcooked_ai.greedy import SEEDS, GreedyScores, compare_greedy
from benchmarks.overcooked_ai.published import GATED, LAYOUTS, load_points
from benchmarks.page import DOCS, table, write_details
from cookmas.evals.columns import SCORE
from cookmas.evals.statistics import estimate
from cookmas.studies.report.crossplay import matrices
from cookmas.studies.report.rendering import markdown_table
from cookmas.studies.report.results import ArmResults, read_results

PAGE = DOCS / "reference" / "overcooked-results.md"
SUITES = Path(__file__).parent

TITLES = {
    "cramped_room": "Cramped Room",
    "asymmetric_advantages": "Asymmetric Advantages",
    "coordination_ring": "Coordination Ring",
    "forced_coordination": "Forced Coordination",
    "counter_circuit_o_1order": "Counter Circuit",
    "soup_passing_door": "Locked",
    "no_counter_door": "Gated Delivery",
}
"""The names of the layouts in the papers."""

PROXY = "clone"
"""The partner that stands for a person, as the behaviour clone of people does in the papers."""

HEAD = """\
# Overcooked-AI: results

`python -m benchmarks.overcooked_ai.tables` plays all episodes and writes this page. What the
measures mean stands in the [metrics](metrics.md#overcooked-ai), what the cooks do in the
[rules](overcooked-rules.md).

None of our figures is that of a large model. *cac* and *llm-co* are the
[scripted model](model-server.md) in the seats of these [presets](prompting.md): it does what the
greedy cook does, and with *faults* some of its actions are wrong. *joint-search* is the
[planner](overcooked-rules.md#the-joint-planner). The others are cooks by rules; *clone* was
counted from runs of four of them (`cookmas/solving/overcooked/clone.json`).

The published numbers are those of version 1 (LLM-Co) and version 2 (LLM-Coordination, CAC) of arXiv
2310.03903.

All figures are points of an episode of 400 timesteps in the papers' dynamics, unless it is said
otherwise; a soup has 20.
"""

CROSS = """\
## Who plays with whom

Means over the seven layouts, with intervals of 95% over layouts. Each pair has played each layout
{repeats} times; [each layout by itself](overcooked-results.csv) has intervals over repeats. A star
marks self-play.
"""

SELF_PLAY = """\
## Self-play

Ours, then published: {sources}. An upper bound stands beside the scores of the
[joint planner](overcooked-rules.md#the-joint-planner).
"""

PROXIES = """\
## With a partner that was copied, from both seats

The first number is that of the agent as alice (published: the first seat), the second one as bob.
Our partner is *clone*. In the papers it is a behaviour clone of people, of which we have no
weights, so that ours and theirs are not the same test. Published: {sources}.
"""

GATES = """\
## Layouts with gates

Self-play. The helper directive is an [option of the preset](prompting.md); rules need none.
Published: {sources}.
"""

GREEDY = """\
## Greedy cooks in the dynamics of overcooked-ai

Two of our greedy cooks, which draw nothing, and two of overcooked-ai 1.1.0's `GreedyHumanModel`,
which draw when they are stuck: the mean over {seeds} seeds. The layouts are those of overcooked-ai,
of which Asymmetric Advantages is smaller than that of the papers.
`python -m benchmarks.overcooked_ai.greedy` measures both.
"""


class PairPoints(NamedTuple):
    """The points of all episodes, by pair of players and by layout."""

    points: Mapping[tuple[str, str], Mapping[str, Sequence[float]]]

    def of(self, one: str, other: str, layout: str) -> str:
        """Return the mean of a pair on a layout, with its interval if it has one."""
        found = self.points.get((one, other), {}).get(layout, ())
        made = estimate({str(number): [x] for number, x in enumerate(found)})
        if made is None:
            return ""
        text = f"{made.mean:.0f}"
        return text if made.low is None else f"{text} ({made.low:.0f} to {made.high:.0f})"

    def mean(self, one: str, other: str, layout: str) -> str:
        """Return the mean of a pair on a layout."""
        return self.of(one, other, layout).partition(" ")[0]

    @property
    def players(self) -> list[str]:
        """All players, in the order of the suites."""
        return list(dict.fromkeys(one for one, _ in self.points))


def read_played(arms: Sequence[ArmResults]) -> PairPoints:
    """Return the points of all episodes except copies of earlier ones."""
    points: dict[tuple[str, str], dict[str, list[float]]] = {}
    for arm in arms:
        for each in arm.played:
            one, other = arm.seats.values()
            layout = next(name for name in TITLES if name in each.case)
            if not each.copy:
                found = points.setdefault((one, other), {}).setdefault(layout, [])
                found += [x for x in each.values[SCORE.name] if x is not None]
    return PairPoints(points)


def play_suite(name: str, folder: Path, repeats: int | None) -> list[ArmResults]:
    """Play a suite with `cookmas bench`, if it is not played yet, and return its results."""
    command = [sys.executable, "-m", "cookmas", "bench", str(SUITES / f"{name}.yaml")]
    command += ["--folder", str(folder / name), "--jobs", "2"]
    subprocess.run([*command, *(["--repeats", str(repeats)] if repeats else [])], check=True)
    return read_results([folder / name])


def page(
    partners: Sequence[ArmResults], models: Sequence[ArmResults], greedy: Sequence[GreedyScores]
) -> str:
    """Return the whole page."""
    ours, asked = read_played(partners), read_played(models)
    repeats = max(arm.repeats for arm in partners)
    (matrix,) = matrices(partners, SCORE)
    seats = matrix.table_of_self_play()
    published = load_points()
    parts = [
        HEAD,
        CROSS.format(repeats=repeats) + "\n" + markdown_table(matrix.table(), Path()),
        *([] if seats is None else [markdown_table(seats, Path())]),
        SELF_PLAY.format(sources=_sources(published.self_play)).strip(),
        _table("agents", LAYOUTS, _self_play(ours, asked)),
        PROXIES.format(sources=_sources(published.proxy)).strip(),
        _table("agent", LAYOUTS, _with_proxy(ours, asked)),
        GATES.format(sources=_sources(published.gates)).strip(),
        _table("agents", GATED, _at_gates(ours, asked)),
        GREEDY.format(seeds=SEEDS).strip(),
        table(
            "| layout | ours | GreedyHumanModel |",
            [f"| {TITLES[row.layout]} | {row.ours:.0f} | {row.theirs:.0f} |" for row in greedy],
        ),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _sources(rows: Sequence[object]) -> str:
    named = [each for row in rows for each in str(getattr(row, "source", "")).split("; ")]
    return "; ".join(dict.fromkeys(named))


def list_pairs(played: PairPoints) -> Iterator[tuple[str, str, str, str]]:
    """Yield the mean of each pair on each layout, with its interval over repeats."""
    for layout, title in TITLES.items():
        for one in played.players:
            for other in played.players:
                yield title, one, other, played.of(one, other, layout)


def _table(first: str, layouts: Sequence[str], rows: Iterator[tuple[str, Sequence[str]]]) -> str:
    head = " | ".join(TITLES[name] for name in layouts)
    return table(
        f"| {first} | {head} |", [f"| {name} | {' | '.join(cells)} |" for name, cells in rows]
    )


def _with_themselves(
    both: Sequence[PairPoints], layouts: Sequence[str]
) -> Iterator[tuple[str, Sequence[str]]]:
    for played in both:
        for name in played.players:
            if (name, name) in played.points:
                yield f"*{name}*", [played.mean(name, name, layout) for layout in layouts]


def _self_play(ours: PairPoints, asked: PairPoints) -> Iterator[tuple[str, Sequence[str]]]:
    yield from _with_themselves((ours, asked), LAYOUTS)
    for row in load_points().self_play:
        yield (
            row.name,
            [
                f"{points:g} ± {spread:g}" if spread else f"{points:g}"
                for points, spread in zip(row.points, row.deviation, strict=True)
            ],
        )


def _with_proxy(ours: PairPoints, asked: PairPoints) -> Iterator[tuple[str, Sequence[str]]]:
    for played in (ours, asked):
        for name in played.players:
            if (name, PROXY) in played.points and (PROXY, name) in played.points:
                pairs = [
                    (played.mean(name, PROXY, layout), played.mean(PROXY, name, layout))
                    for layout in LAYOUTS
                ]
                yield f"*{name}*", [f"{one}, {other}" for one, other in pairs]
    for row in load_points().proxy:
        both = zip(row.first, row.second, strict=True)
        yield row.name, [f"{one:g}, {other:g}" for one, other in both]


def _at_gates(ours: PairPoints, asked: PairPoints) -> Iterator[tuple[str, Sequence[str]]]:
    yield from _with_themselves((ours, asked), GATED)
    for row in load_points().gates:
        yield row.name, [f"{points:g}" for points in row.points]


def main(arguments: Sequence[str]) -> int:
    """Play all episodes and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.overcooked_ai.tables")
    parser.add_argument("file", nargs="?", type=Path, default=PAGE)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--repeats", type=int)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as made:
        folder = given.folder or Path(made)
        partners = play_suite("partners", folder, given.repeats)
        models = play_suite("line_ups", folder, None)
        given.file.write_text(page(partners, models, compare_greedy(given.seeds)), encoding="utf-8")
        pairs = list_pairs(read_played(partners))
        write_details(given.file, ("layout", "alice", "bob", "points"), pairs)
    print(given.file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
