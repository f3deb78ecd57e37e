"""The results of one or more sweeps, read as columns and grouped by arm.

Repeats of a scenario whose traces are identical, byte for byte, are copies; they count once.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from cookmas.episodes.parts import SCRIPTED, SCRIPTED_MARK, mark_scripted
from cookmas.episodes.trace import PlannerClass, Termination
from cookmas.evals.columns import SCORE, SUCCESS, Column, Score
from cookmas.evals.mistakes import MISTAKE
from cookmas.evals.planning import LENIENT
from cookmas.evals.verdict import Check, Measurements, Number, Verdict
from cookmas.files.errors import InputError, MissingError
from cookmas.studies.bench.folder import MEASUREMENTS, RESULTS, SWEEP, iterate_lines, read_origin
from cookmas.studies.bench.spec import EpisodeMeasurements, EpisodeResult, EpisodeSpec, Point
from cookmas.world_names import domain_of

LONGEST = 80
"""Maximum length of a mistake's example in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One kind of mistake in an episode."""

    kind: str
    times: int
    example: str
    """Description of the first one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeNumbers:
    """A judged episode as numbers; the verdict itself is dropped to save memory."""

    case: str
    """The scenario with the settings that all arms share, and the state of a probe."""
    repeat: int
    group: str | None
    """Group of scenarios to which the episode belongs."""
    planner: str
    termination: Termination | None
    """How the episode ended."""
    summary: Mapping[str, Number]
    """Numbers of the verdict's summary."""
    values: Mapping[str, Sequence[float | None]]
    """The episode's values of each column of the world; None for an unscored value."""
    scores: Sequence[Any]
    """For each score of the world, the data that the score takes from the verdict."""
    mistakes: Sequence[Mistake]
    lenient: Mapping[str, int]
    """Number of answers that were read leniently, by kind of leniency."""
    trace: Path
    answered_by: Sequence[str]
    digest: str | None = None
    """Digest of the trace; None if it was not recorded."""
    drawn: bool = False
    """True if the scenario draws something by the seed."""
    copy: bool = False
    """True if the trace is identical to that of an earlier repeat."""


def mark_copies(played: Sequence[EpisodeNumbers]) -> list[bool]:
    """Return for each episode of an arm whether it is a copy of an earlier one.

    If two repeats differ although their scenario draws nothing, something else is random, such as a
    model's answers. Then equal repeats are equal by chance, and no episode counts as a copy.
    """
    if any(map(_differ, _by_case(played))):
        return [False] * len(played)
    seen: set[tuple[str, str]] = set()
    copies: list[bool] = []
    for each in played:
        key = (each.case, each.digest or "")
        copies.append(each.digest is not None and key in seen)
        seen.add(key)
    return copies


def drop_copies(played: Sequence[EpisodeNumbers]) -> list[EpisodeNumbers]:
    """Return the episodes that enter an arm's figures.

    A case is a scenario with its settings. If each case has only one episode that is not a copy,
    only these episodes enter. Otherwise all episodes enter, so that every case keeps its weight in
    the means, and arms are compared with the same weights.
    """
    first = [each for each in played if not each.copy]
    return first if len(first) == len({each.case for each in played}) else list(played)


def describe_copies(played: Sequence[EpisodeNumbers]) -> str | None:
    """Return a sentence that names the copies among the episodes of an arm; None if it has none."""
    copies = [each for each in played if each.copy]
    if not copies:
        return None
    cases = list(dict.fromkeys(each.case for each in copies))
    named = ", ".join(cases[:3]) + (f" and {len(cases) - 3} more" if len(cases) > 3 else "")
    return (
        f"{len(copies)} of {len(played)} episodes are copies of another repeat, byte for byte, "
        f"and are not counted: {named}"
    )


def _by_case(played: Sequence[EpisodeNumbers]) -> list[list[EpisodeNumbers]]:
    cases: dict[str, list[EpisodeNumbers]] = {}
    for each in played:
        cases.setdefault(each.case, []).append(each)
    return list(cases.values())


def _differ(repeats: Sequence[EpisodeNumbers]) -> bool:
    """Return whether repeats of a case differ although their scenario draws nothing."""
    return len({each.digest for each in repeats if not each.drawn}) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of an arm, in episodes."""

    planned: int | None
    """Number of planned episodes; None if unknown."""
    played: int
    """Number of played episodes."""
    unjudged: int
    """Number of played episodes that are not judged."""

    def __str__(self) -> str:
        of = "" if self.planned is None else f" of {self.planned}"
        unjudged = f", {self.unjudged} not judged" if self.unjudged else ""
        return f"{self.played}{of} played{unjudged}"

    @property
    def complete(self) -> bool:
        """True if all played episodes are judged, and no planned episode is known to be missing."""
        return not self.unjudged and self.planned in (None, self.played)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmResults:
    """The episodes of one planner at one value of the varied option, sorted by case and repeat."""

    name: str
    """Name of the arm in the suite, which says so if the scripted model answered."""
    at: Point
    """Value of the varied option; None if nothing is varied."""
    world: str
    """Name of the world; `package.module:Domain` for a user-supplied one."""
    planner_class: PlannerClass | None
    """Class of the planner; None if no episode is judged."""
    played: Sequence[EpisodeNumbers]
    """The judged episodes that enter the figures, as `drop_copies` selects them."""
    progress: Progress
    """Progress of the arm, counted over all classes of planners."""
    copies: str | None = None
    """A sentence that names the copies; None if there are none."""
    seats: Mapping[str, str] = field(default_factory=dict)
    """Planner of each seat; empty if one planner has all workers."""
    answers: str = ""
    """How the models' answers are read (see `EpisodeSpec.answers`)."""

    @property
    def label(self) -> str:
        """The name, with the value of the varied option."""
        return self.name if self.at is None else f"{self.name}, {self.at}"

    def is_named(self, name: str) -> bool:
        """Return whether a user means this arm: by its label, also without the mark of scripted."""
        return name in (self.label, self.label.replace(SCRIPTED_MARK, ""))

    def of_group(self, group: str | None) -> Sequence[EpisodeNumbers]:
        """Return the episodes of a group; all episodes if `group` is None."""
        return [each for each in self.played if group is None or each.group == group]

    @property
    def repeats(self) -> int:
        """The maximum number of episodes of a case."""
        return max(Counter(each.case for each in self.played).values(), default=0)


Key = tuple[str, Point]
"""Name of an arm, and the value of the varied option."""


def columns_of(world: str) -> Sequence[Column]:
    """Return the columns that the reports of a world have."""
    return domain_of(world).judging.columns


def primary_of(arms: Sequence[ArmResults]) -> Column:
    """Return the column by which arms of one world are compared first.

    It is the column that the world's judging names as primary. If that column is success, but some
    episode has a score and is neither a success nor a failure, the column is the score instead.
    """
    judging = domain_of(arms[0].world).judging
    columns = {column.name: column for column in judging.columns}
    only_graded = any(_is_only_graded(each) for arm in arms for each in arm.played)
    if judging.primary == SUCCESS.name and only_graded:
        return columns.get(SCORE.name, SCORE)
    return columns.get(judging.primary, SUCCESS)


def _is_only_graded(played: EpisodeNumbers) -> bool:
    success, score = (played.values.get(each.name, ()) for each in (SUCCESS, SCORE))
    return set(success) <= {None} and any(each is not None for each in score)


def scores_of(world: str) -> Sequence[Score]:
    """Return the scores that a world computes from many episodes together."""
    return domain_of(world).judging.scores


def read_results(paths: Sequence[Path]) -> list[ArmResults]:
    """Return the arms of all sweeps, in the order of the paths and then of the suite.

    If a sweep's folder does not record its suite, its arms are sorted by name and value. Arms of
    the same name in several sweeps are prefixed with their folders. A sweep that is named twice
    counts once. Raise CookMASError if results cannot be read or are empty, or if evaluators of
    another version judged them, whose figures may have another meaning.
    """
    files: dict[Path, Path] = {}
    for file in map(_results, paths):
        files.setdefault(file.resolve(), file)
    sweeps = [_Sweep(file) for file in files.values()]
    names = Counter(name for sweep in sweeps for name in sweep.all_names)
    folders = _distinguish([file.parent for file in files])
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


def _distinguish(folders: Sequence[Path]) -> list[str]:
    """Return the folders' paths below their common parent, which distinguish the folders."""
    common = Path(os.path.commonpath(folders))
    base = common.parent if common in folders else common
    return [str(folder.relative_to(base)) for folder in folders]


class _Sweep:
    """The content of one sweep: its judged episodes, and the progress of each arm."""

    def __init__(self, file: Path) -> None:
        self.played: dict[tuple[Key, str, PlannerClass], list[EpisodeNumbers]] = {}
        self.worlds: dict[str, _Reported] = {}
        self.scripted: set[str] = set()
        self.seats: dict[Key, Mapping[str, str]] = {}
        self.scripted_seats: dict[Key, set[str]] = {}
        self.answers: dict[Key, str] = {}
        counts: Counter[Key] = Counter()
        unjudged: Counter[Key] = Counter()
        took = {
            each.episode: each
            for each in iterate_lines(file.with_name(MEASUREMENTS), EpisodeMeasurements)
        }
        for result in iterate_lines(file, EpisodeResult):
            spec, verdict = result.spec, result.verdict
            key = (spec.arm, spec.at)
            if spec.world not in self.worlds:
                judging = domain_of(spec.world).judging
                self.worlds[spec.world] = _Reported(
                    judging.columns, judging.scores, judging.version
                )
            measured = took.get(spec.name)
            answered_by = measured.answered_by if measured else ()
            if SCRIPTED in answered_by or any(x.scripted is not None for x in spec.asking_parts):
                self.scripted.add(spec.arm)
            self.seats[key] = spec.labels
            self.scripted_seats.setdefault(key, set()).update(_list_scripted(spec, measured))
            self.answers[key] = spec.answers
            counts[key] += 1
            unjudged[key] += verdict is None or not verdict.judged
            if verdict is not None:
                reported = self.worlds[spec.world]
                if verdict.judges != reported.judges:
                    why = f"judged by version {verdict.judges} of the evaluators of {spec.world}"
                    now = f"these have version {reported.judges}"
                    raise InputError(str(file), f"{why}; {now}: cookmas rescore {file.parent}")
                played = _read_played(result, verdict, measured, file.parent, reported)
                of = (key, spec.world, verdict.planner_class)
                self.played.setdefault(of, []).append(played)
        if not counts:
            raise MissingError(f"{file}: no episode has been played yet, so there is no report")
        began = file.with_name(SWEEP).exists()
        planned = read_origin(file.parent).planned if began else {}
        self.progress = {
            key: Progress(planned=planned.get(key), played=counts[key], unjudged=unjudged[key])
            for key in dict.fromkeys((*planned, *sorted(counts, key=_sort_key)))
        }

    @property
    def all_names(self) -> set[str]:
        """The names of all arms, as reports show them."""
        return {self._name(arm) for arm, _ in self.progress}

    def _name(self, arm: str) -> str:
        return mark_scripted(arm) if arm in self.scripted else arm

    def _name_seats(self, key: Key) -> dict[str, str]:
        """Return the name of the player in each seat, which says so if it is the scripted model."""
        scripted = self.scripted_seats.get(key, ())
        labels = self.seats.get(key, {})
        return {s: mark_scripted(name) if s in scripted else name for s, name in labels.items()}

    def arms(self) -> Iterator[ArmResults]:
        """Yield the arms in order; arms of equal name and value are sorted by world and class."""
        for key in self.progress:
            judged = sorted(of for of in self.played if of[0] == key)
            for of in judged:
                yield self._arm(*of, self.played[of])
            if not judged and self.worlds:
                yield self._arm(key, min(self.worlds), None, ())

    def _arm(
        self,
        key: Key,
        world: str,
        planner_class: PlannerClass | None,
        played: Sequence[EpisodeNumbers],
    ) -> ArmResults:
        ordered = sorted(played, key=lambda each: (each.case, each.repeat))
        marked = [
            replace(each, copy=copy)
            for each, copy in zip(ordered, mark_copies(ordered), strict=True)
        ]
        return ArmResults(
            name=self._name(key[0]),
            at=key[1],
            world=world,
            planner_class=planner_class,
            played=drop_copies(marked),
            progress=self.progress[key],
            copies=describe_copies(marked),
            seats=self._name_seats(key),
            answers=self.answers.get(key, ""),
        )


def _list_scripted(spec: EpisodeSpec, measured: EpisodeMeasurements | None) -> Iterator[str]:
    """Yield the seats for which the scripted model answers."""
    answered = measured.scripted_seats if measured else ()
    yield from answered or ()
    old = answered is None and measured is not None and SCRIPTED in measured.answered_by
    for seat, player in (spec.seats or {}).items():
        if player.scripted is not None or (player.model and old):
            yield seat


def _sort_key(key: Key) -> tuple[object, ...]:
    """Return a key that sorts arms by name, then by value: numbers by size, then texts."""
    name, at = key
    return name, float(at) if isinstance(at, int | float) else math.inf, str(at)


class _Reported(NamedTuple):
    """The columns and scores that reports of a world have, and the version of its evaluators."""

    columns: Sequence[Column]
    scores: Sequence[Score]
    judges: str


def _read_played(
    result: EpisodeResult,
    verdict: Verdict,
    took: EpisodeMeasurements | None,
    folder: Path,
    reported: _Reported,
) -> EpisodeNumbers:
    verdict = verdict.model_copy(update={"measured": _measurements_of(took)})
    return EpisodeNumbers(
        case=result.spec.case,
        repeat=result.spec.repeat,
        group=verdict.group,
        planner=verdict.planner,
        termination=verdict.termination,
        summary=verdict.summary,
        values={
            column.name: tuple(None if x is None else float(x) for x in column.values(verdict))
            for column in reported.columns
        },
        scores=tuple(score.take(verdict) for score in reported.scores),
        mistakes=tuple(_mistake(check) for check in verdict.of(MISTAKE)),
        lenient={check.subject: int(check.value or 0) for check in verdict.of(LENIENT)},
        trace=folder / result.trace,
        answered_by=took.answered_by if took else (),
        digest=result.digest,
        drawn=result.drawn,
    )


def _mistake(check: Check) -> Mistake:
    first = check.evidence.partition("; ")[0]
    shown = first if len(first) <= LONGEST else f"{first[: LONGEST - 3]}..."
    return Mistake(kind=check.subject, times=int(check.value or 0), example=shown)


def _measurements_of(measured: EpisodeMeasurements | None) -> Measurements | None:
    if measured is None or measured.model_seconds is None:
        return None
    return Measurements(
        wall_seconds=measured.seconds,
        model_seconds=measured.model_seconds,
        retries=measured.retries,
        cost=measured.cost,
    )
