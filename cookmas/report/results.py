"""The results of one sweep or several, read and put together by who planned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cookmas.bench.folder import MEASUREMENTS, RESULTS, read_lines
from cookmas.bench.spec import Measured, Point, Result
from episodes.errors import MissingError
from episodes.trace import PlannerClass
from evals.verdict import Measurements, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A judged episode: who planned, in which case, and where its trace is.

    `world` is as a person names it, which for one from outside is `package.module:Domain`.
    """

    arm: str
    at: Point
    world: str
    case: str
    repeat: int
    verdict: Verdict
    trace: Path
    answered_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """All episodes of one planner, at one value of what was varied."""

    name: str
    at: Point
    world: str
    planner_class: PlannerClass
    played: Sequence[Played]

    @property
    def label(self) -> str:
        """Its name, with what was varied."""
        return self.name if self.at is None else f"{self.name}, {self.at}"

    def of_level(self, level: int | None) -> Sequence[Played]:
        """Its episodes of a level; None: all of them."""
        return [each for each in self.played if level is None or each.verdict.level == level]

    @property
    def repeats(self) -> int:
        """How often a case was played at most."""
        cases = [each.case for each in self.played]
        return max(map(cases.count, cases), default=0)


def read_results(paths: Sequence[Path]) -> list[Arm]:
    """The arms of all sweeps, in the order in which they come.

    Arms of one name in several sweeps are told apart by the folder. Raises CookMASError.
    """
    found: dict[Path, list[Played]] = {}
    for path in paths:
        file = path / RESULTS if path.is_dir() else path
        if not file.is_file():
            raise MissingError(f"{path}: there are no results here (no {RESULTS})")
        found[file.parent] = [*found.get(file.parent, ()), *_played(file)]
    names = [name for played in found.values() for name in {each.arm for each in played}]
    arms: dict[tuple[object, ...], list[Played]] = {}
    for folder, played in found.items():
        for each in played:
            twice = names.count(each.arm) > 1
            name = f"{folder.name}: {each.arm}" if twice else each.arm
            key = (name, each.at, each.world, each.verdict.planner_class)
            arms.setdefault(key, []).append(each)
    return [
        Arm(
            name=str(name),
            at=played[0].at,
            world=played[0].world,
            planner_class=played[0].verdict.planner_class,
            played=played,
        )
        for (name, *_), played in arms.items()
    ]


def _played(file: Path) -> Iterator[Played]:
    took = _measurements(file.with_name(MEASUREMENTS))
    for result in read_lines(file, Result):
        if result.verdict is None:
            continue
        measured = took.get(result.spec.name)
        yield Played(
            arm=result.spec.arm,
            at=result.spec.at,
            world=result.spec.world,
            case=result.spec.case,
            repeat=result.spec.repeat,
            verdict=result.verdict.model_copy(update={"measured": _as_measured(measured)}),
            trace=file.parent / result.trace,
            answered_by=measured.answered_by if measured else (),
        )


def _measurements(path: Path) -> Mapping[str, Measured]:
    return {each.episode: each for each in read_lines(path, Measured)}


def _as_measured(measured: Measured | None) -> Measurements | None:
    if measured is None or measured.model_seconds is None:
        return None
    return Measurements(
        wall_seconds=measured.seconds,
        model_seconds=measured.model_seconds,
        retries=measured.retries,
        cost=measured.cost,
    )
