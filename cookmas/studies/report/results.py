"""The results of one sweep or several, read as columns and put together by who planned."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from cookmas.studies.bench.folder import MEASUREMENTS, RESULTS, SWEEP, iterate_lines, read_origin
from cookmas.studies.bench.spec import Measured, Point, Result
from cookmas.studies.report import copies
from cookmas.worlds import domain_of
from episodes.trace import PlannerClass, Termination
from evals.columns import SCORE, SUCCESS, Column, Score
from evals.mistakes import MISTAKE
from evals.verdict import Check, Measurements, Number, Verdict
from files.errors import MissingError

LONGEST = 80
"""Characters of a mistake's example that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A kind of mistake in an episode: how often it was made, and the first occasion."""

    kind: str
    times: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A judged episode as numbers; its verdict is not held.

    `values` are those of each column of the world, None for what is unscored; `scores` is what each
    score of the world takes from the verdict. `digest` identifies its trace, `drawn` says that its
    seed draws what happens in it; a `copy` is a repeat that is the same as one before it.
    """

    case: str
    repeat: int
    group: str | None
    planner: str
    judges: str
    termination: Termination | None
    summary: Mapping[str, Number]
    values: Mapping[str, Sequence[float | None]]
    scores: Sequence[Any]
    mistakes: Sequence[Mistake]
    trace: Path
    answered_by: Sequence[str]
    digest: str | None = None
    drawn: bool = False
    copy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many episodes are planned (None: not known), played, and not judged of these."""

    planned: int | None
    played: int
    unjudged: int

    def __str__(self) -> str:
        of = "" if self.planned is None else f" of {self.planned}"
        unjudged = f", {self.unjudged} not judged" if self.unjudged else ""
        return f"{self.played}{of} played{unjudged}"

    @property
    def complete(self) -> bool:
        """Whether all episodes are played and judged, as far as is known."""
        return not self.unjudged and self.planned in (None, self.played)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """The episodes of one planner, at one value of what was varied, by case and repeat.

    `world` is as a person names it, which for one from outside is `package.module:Domain`. No
    class is known of an arm without a judged episode. `progress` counts all classes together.
    `played` is without copies where every repeat is one; `copies` names those that there are.
    `seats` say who plays in each seat, where each has a planner of its own.
    """

    name: str
    at: Point
    world: str
    planner_class: PlannerClass | None
    played: Sequence[Played]
    progress: Progress
    copies: str | None = None
    seats: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its name, with what was varied."""
        return self.name if self.at is None else f"{self.name}, {self.at}"

    def of_group(self, group: str | None) -> Sequence[Played]:
        """Return its episodes of a group; None: all of them."""
        return [each for each in self.played if group is None or each.group == group]

    @property
    def repeats(self) -> int:
        """How often a case was played at most."""
        return max(Counter(each.case for each in self.played).values(), default=0)


Key = tuple[str, Point]
"""Name of an arm, and the value of what was varied."""


def columns_of(world: str) -> Sequence[Column]:
    """Return the columns that are reported of a world."""
    return domain_of(world).judging.columns


def primary_of(arms: Sequence[Arm]) -> Column:
    """Return the column by which arms of one world are compared before all others.

    It is the one that the world's judging names; else success, or the score where an episode is
    graded and neither a success nor a failure.
    """
    judging = domain_of(arms[0].world).judging
    columns = {column.name: column for column in judging.columns}
    named = getattr(judging, "primary", SUCCESS.name)
    if named == SUCCESS.name and any(_graded_alone(each) for arm in arms for each in arm.played):
        return columns.get(SCORE.name, SCORE)
    return columns.get(named, SUCCESS)


def _graded_alone(played: Played) -> bool:
    success, score = (played.values.get(each.name, ()) for each in (SUCCESS, SCORE))
    return set(success) <= {None} and any(each is not None for each in score)


def scores_of(world: str) -> Sequence[Score]:
    """Return the scores that a world reads off many episodes together."""
    found: Sequence[Score] = getattr(domain_of(world).judging, "scores", ())
    return found


def read_results(paths: Sequence[Path]) -> list[Arm]:
    """Return the arms of all sweeps: in the order of the paths, then of the suite.

    Where a folder does not say what its sweep began with, they are by name and value. Arms of one
    name in several sweeps are told apart by their folders; a sweep that is named twice counts once.
    Raises CookMASError.
    """
    files: dict[Path, Path] = {}
    for file in map(_results, paths):
        files.setdefault(file.resolve(), file)
    sweeps = [_Sweep(file) for file in files.values()]
    names = Counter(name for sweep in sweeps for name in {name for name, _ in sweep.progress})
    folders = _told_apart([file.parent for file in files])
    return [
        replace(arm, name=f"{folder}: {arm.name}") if names[arm.name] > 1 else arm
        for sweep, folder in zip(sweeps, folders, strict=True)
        for arm in sweep.arms()
    ]


def _results(path: Path) -> Path:
    file = path / RESULTS if path.is_dir() else path
    if not file.is_file():
        raise MissingError(f"{path}: there are no results here (no {RESULTS})")
    return file


def _told_apart(folders: Sequence[Path]) -> list[str]:
    """Return the ends of the paths in which they differ."""
    common = Path(os.path.commonpath(folders))
    base = common.parent if common in folders else common
    return [str(folder.relative_to(base)) for folder in folders]


class _Sweep:
    """What is read of one sweep: its judged episodes, and how far each arm is."""

    def __init__(self, file: Path) -> None:
        self.played: dict[tuple[Key, str, PlannerClass], list[Played]] = {}
        self.worlds: dict[str, _Reported] = {}
        self.seats: dict[Key, Mapping[str, str]] = {}
        counts: Counter[Key] = Counter()
        unjudged: Counter[Key] = Counter()
        took = {
            each.episode: each for each in iterate_lines(file.with_name(MEASUREMENTS), Measured)
        }
        for result in iterate_lines(file, Result):
            spec, verdict = result.spec, result.verdict
            key = (spec.arm, spec.at)
            if spec.world not in self.worlds:
                self.worlds[spec.world] = _Reported(columns_of(spec.world), scores_of(spec.world))
            self.seats[key] = spec.labels
            counts[key] += 1
            unjudged[key] += verdict is None or not verdict.judged
            if verdict is not None:
                reported = self.worlds[spec.world]
                played = _played(result, verdict, took.get(spec.name), file.parent, reported)
                of = (key, spec.world, verdict.planner_class)
                self.played.setdefault(of, []).append(played)
        began = file.with_name(SWEEP).is_file()
        planned = read_origin(file.parent).planned if began else {}
        self.progress = {
            key: Progress(planned=planned.get(key), played=counts[key], unjudged=unjudged[key])
            for key in dict.fromkeys((*planned, *sorted(counts, key=_order)))
        }

    def arms(self) -> Iterator[Arm]:
        """Return the arms in order, those of one name and value by world and class."""
        for key in self.progress:
            judged = sorted(of for of in self.played if of[0] == key)
            for of in judged:
                yield self._arm(*of, self.played[of])
            if not judged and self.worlds:
                yield self._arm(key, min(self.worlds), None, ())

    def _arm(
        self, key: Key, world: str, planner_class: PlannerClass | None, played: Sequence[Played]
    ) -> Arm:
        ordered = sorted(played, key=lambda each: (each.case, each.repeat))
        found = [
            replace(each, copy=copy)
            for each, copy in zip(ordered, copies.copied(ordered), strict=True)
        ]
        return Arm(
            name=key[0],
            at=key[1],
            world=world,
            planner_class=planner_class,
            played=copies.counted_once(found),
            progress=self.progress[key],
            copies=copies.told(found),
            seats=self.seats.get(key, {}),
        )


def _order(key: Key) -> tuple[object, ...]:
    """By name, then by the value: numbers by their size, before words."""
    name, at = key
    return name, float(at) if isinstance(at, int | float) else math.inf, str(at)


class _Reported(NamedTuple):
    """What is reported of a world."""

    columns: Sequence[Column]
    scores: Sequence[Score]


def _played(
    result: Result, verdict: Verdict, took: Measured | None, folder: Path, reported: _Reported
) -> Played:
    verdict = verdict.model_copy(update={"measured": _as_measured(took)})
    return Played(
        case=result.spec.case,
        repeat=result.spec.repeat,
        group=verdict.group,
        planner=verdict.planner,
        judges=verdict.judges,
        termination=verdict.termination,
        summary=verdict.summary,
        values={
            column.name: tuple(None if x is None else float(x) for x in column.values(verdict))
            for column in reported.columns
        },
        scores=tuple(score.take(verdict) for score in reported.scores),
        mistakes=tuple(_mistake(check) for check in verdict.of(MISTAKE)),
        trace=folder / result.trace,
        answered_by=took.answered_by if took else (),
        digest=result.digest,
        drawn=result.drawn,
    )


def _mistake(check: Check) -> Mistake:
    first = check.evidence.partition("; ")[0]
    shown = first if len(first) <= LONGEST else f"{first[: LONGEST - 3]}..."
    return Mistake(kind=check.subject, times=int(check.value or 0), example=shown)


def _as_measured(measured: Measured | None) -> Measurements | None:
    if measured is None or measured.model_seconds is None:
        return None
    return Measurements(
        wall_seconds=measured.seconds,
        model_seconds=measured.model_seconds,
        retries=measured.retries,
        cost=measured.cost,
    )
