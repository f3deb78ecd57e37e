"""The sweep: an executor plays the episodes of a suite, while people are told the progress.

A folder keeps the results.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from cookmas.files.lines import clean
from cookmas.files.printing import error_console
from cookmas.orchestrator.models.patience import describe_outage
from cookmas.studies.bench.executor import Executor
from cookmas.studies.bench.folder import Folder, Success, open_sweep, success_of
from cookmas.studies.bench.ledger import Ledger, SweepSpending
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.origin import origin_of
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec
from cookmas.studies.bench.suite import Suite

TRIES = 3
"""Maximum number of attempts to play an episode if the infrastructure fails."""

WAIT = 1.0
"""Seconds before the second attempt. Each further wait is twice as long as the one before."""


LOOK_SECONDS = 1.0
"""Seconds after which a sweep looks again whether endpoints are away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepProgress:
    """The progress of a sweep."""

    done: int
    """Number of finished episodes."""
    total: int
    """Number of all episodes."""
    now: int
    """Number of episodes that this session has finished."""
    seconds: float
    """Seconds of this session."""
    spent: SweepSpending
    """Spending of all sessions together, and the endpoints that are away."""

    @property
    def left(self) -> float | None:
        """Estimated seconds that are left at the present speed; None before the first episode."""
        return self.seconds / self.now * (self.total - self.done) if self.now else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """The result of a sweep."""

    finished: Mapping[str, Success]
    """For each finished episode, by name, whether it is a success (see `Success`)."""
    unplayed: dict[str, str]
    """For each unfinished episode, by name, the reason."""


Watch = Callable[[SweepProgress], None]
"""Function that is called with the progress at the beginning and after every finished episode."""


async def sweep(
    suite: Suite,
    specs: Sequence[EpisodeSpec],
    folder: Path,
    executor: Executor,
    limits: SweepLimits,
    watch: Watch,
) -> Swept:
    """Play the unfinished episodes of a suite.

    If the infrastructure fails in an episode, the episode is tried again, up to `TRIES` times; a
    failed attempt is not scored. When a limit is reached, the episodes that ask a model are left
    unfinished and are not scored. Raise CookMASError if the sweep cannot be started or resumed.
    """
    with open_sweep(folder, origin_of(suite, specs, limits)) as sweep_folder:
        return await _Sweep(sweep_folder, specs, executor, limits, watch).run()


class _Sweep:
    """One session of a sweep."""

    def __init__(
        self,
        folder: Folder,
        specs: Sequence[EpisodeSpec],
        executor: Executor,
        limits: SweepLimits,
        watch: Watch,
    ) -> None:
        self._folder = folder
        self._specs = specs
        self._executor = executor
        self._limits = limits
        self._watch = watch
        self._ledger = Ledger(folder.ledger, limits)
        self._ledger.begin_session()
        self._done = folder.read_successes()
        self._waiting = deque(spec for spec in specs if spec.name not in self._done)
        self._unplayed: dict[str, str] = {}
        self._now = 0
        self._began = time.perf_counter()

    async def run(self) -> Swept:
        if self._waiting:
            self._tell()
            async with self._executor as executor:
                await self._play_all(executor)
        self._folder.put_in_order([spec.name for spec in self._specs])
        return Swept(finished=self._done, unplayed=self._unplayed)

    async def _play_all(self, executor: Executor) -> None:
        hands = min(executor.capacity, len(self._waiting))
        try:
            async with asyncio.TaskGroup() as group:
                looking = group.create_task(self._look_for_outages())
                players = [group.create_task(self._play_some(executor)) for _ in range(hands)]
                await asyncio.gather(*players)
                looking.cancel()
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _look_for_outages(self) -> None:
        """Tell when an endpoint is away, and when it is back."""
        before: set[str] = set()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            away = {name for name, reach in self._ledger.spent.reached.items() if reach.since}
            if away != before:
                self._tell()
            before = away

    async def _play_some(self, executor: Executor) -> None:
        while self._waiting:
            job = self._folder.job(self._waiting.popleft(), self._limits)
            if job.ledger and (reached := self._ledger.reached):
                self._unplayed[job.spec.name] = reached
            else:
                await self._play(executor, job)

    async def _play(self, executor: Executor, job: EpisodeJob) -> None:
        for number in range(TRIES):
            if number:
                await asyncio.sleep(WAIT * 2 ** (number - 1))
            played = await executor.play(job)
            if played.failed is None:
                self._done[job.spec.name] = success_of(self._folder.add(job, played))
                self._unplayed.pop(job.spec.name, None)
                self._now += 1
                self._tell()
                return
            self._unplayed[job.spec.name] = played.failed
            if job.ledger and self._ledger.reached:
                return

    def _tell(self) -> None:
        self._watch(
            SweepProgress(
                done=len(self._done),
                total=len(self._specs),
                now=self._now,
                seconds=time.perf_counter() - self._began,
                spent=self._ledger.spent,
            )
        )


@contextmanager
def print_progress() -> Iterator[Watch]:
    """Yield a function that prints the progress on stderr.

    On a terminal it prints after every episode, elsewhere at every 10%.
    """
    console = error_console()
    if not console.is_terminal:
        yield _Tenths(console).tell
        return
    with console.status("...") as status:
        outages = _Outages(console)

        def tell(standing: SweepProgress) -> None:
            outages.tell(standing)
            status.update(describe(standing))

        yield tell


def describe(standing: SweepProgress) -> str:
    """Return the progress in one line."""
    spent = standing.spent
    parts = [f"{standing.done} of {standing.total} episodes"]
    if standing.left is not None and standing.done < standing.total:
        parts.append(f"{_clock(standing.left)} left")
    if spent.calls:
        parts.append(f"{spent.calls} calls, {spent.tokens} tokens")
    if spent.money:
        parts.append(f"cost {spent.money:.4f}")
    return ", ".join(parts)


class _Outages:
    """Prints a line when an endpoint is away, and one when it is back."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._known: set[str] = set()

    def tell(self, standing: SweepProgress) -> None:
        away = {name: reach for name, reach in standing.spent.reached.items() if reach.since}
        for name in away.keys() - self._known:
            played = f"{standing.done} of {standing.total} episodes are played"
            self._print(f"{describe_outage(name, away[name])}; {played}, those that ask it wait")
        for name in self._known - away.keys():
            self._print(f"{name} is back")
        self._known = set(away)

    def _print(self, line: str) -> None:
        self._console.print(clean(line), markup=False, soft_wrap=True)


class _Tenths:
    """Prints the progress whenever another 10% of the episodes are done."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last_printed = -1
        self._outages = _Outages(console)

    def tell(self, standing: SweepProgress) -> None:
        self._outages.tell(standing)
        tenth = 10 * standing.done // max(standing.total, 1)
        if standing.now and tenth > self._last_printed:
            self._last_printed = tenth
            self._console.print(describe(standing), soft_wrap=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
