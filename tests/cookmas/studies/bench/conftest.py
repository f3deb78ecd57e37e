"""A small suite: two corridors, a planner without a model and one with the scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import pytest

from cookmas.studies.bench.executor import Executor, LocalExecutor
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec, JobResult
from cookmas.studies.bench.suite import Suite, episodes_of, load_suite
from cookmas.studies.bench.sweep import SweepProgress, Swept, sweep

SUITE = """
title: Two corridors
world: corridor
scenarios: [halves, two]
repeats: 2
arms:
  - planner: embedded
  - {name: asked, planner: llm, scripted: {illegal: 0.2}}
"""


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(SUITE)
    return path


class Counting:
    """An executor that records the episodes it gets, and fails at chosen ones."""

    def __init__(self, fails: Callable[[EpisodeSpec, int], str | None] = lambda *_: None) -> None:
        self._here = LocalExecutor()
        self._fails = fails
        self.capacity = 2
        self.asked: list[str] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def play(self, job: EpisodeJob) -> JobResult:
        self.asked.append(job.spec.name)
        why = self._fails(job.spec, self.asked.count(job.spec.name))
        return JobResult(failed=why) if why else await self._here.play(job)


class Sweeping:
    """Sweeps of one suite, and the messages of the last one."""

    def __init__(self, path: Path) -> None:
        suite, _ = load_suite(str(path))
        self.suite: Suite = suite
        self.path = path
        self.told: list[SweepProgress] = []

    @property
    def specs(self) -> Sequence[EpisodeSpec]:
        return episodes_of(self.suite, self.path)

    async def run(
        self, folder: Path, executor: Executor | None = None, limits: SweepLimits | None = None
    ) -> Swept:
        self.told = []
        return await sweep(
            self.suite,
            self.specs,
            folder,
            executor or LocalExecutor(2),
            limits or SweepLimits(),
            self.told.append,
        )


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the finished sweep, which nobody changes."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "small.yaml").write_text(SUITE)
    asyncio.run(Sweeping(folder / "small.yaml").run(folder / "sweep"))
    return folder / "sweep"


@pytest.fixture
def sweeping(suite_file: Path, monkeypatch: pytest.MonkeyPatch) -> Sweeping:
    monkeypatch.setattr("cookmas.studies.bench.sweep.WAIT", 0.0)
    return Sweeping(suite_file)


@pytest.fixture
def counting() -> type[Counting]:
    return Counting
