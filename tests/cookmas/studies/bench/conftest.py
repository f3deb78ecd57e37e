"""A small suite: two corridors, a planner without a model and one with the scripted model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import pytest

from cookmas.studies.bench.executor import Executor, Here
from cookmas.studies.bench.spec import EpisodeSpec, Job, Limits, Played
from cookmas.studies.bench.suite import Suite, episodes_of, load_suite
from cookmas.studies.bench.sweep import Standing, Swept, sweep

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
        self._here = Here()
        self._fails = fails
        self.capacity = 2
        self.asked: list[str] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def play(self, job: Job) -> Played:
        self.asked.append(job.spec.name)
        why = self._fails(job.spec, self.asked.count(job.spec.name))
        return Played(failed=why) if why else await self._here.play(job)


class Sweeping:
    """Sweeps of one suite, and the messages of the last one."""

    def __init__(self, path: Path) -> None:
        suite, _ = load_suite(str(path))
        self.suite: Suite = suite
        self.path = path
        self.told: list[Standing] = []

    @property
    def specs(self) -> Sequence[EpisodeSpec]:
        return episodes_of(self.suite, self.path)

    async def run(
        self, folder: Path, executor: Executor | None = None, limits: Limits | None = None
    ) -> Swept:
        self.told = []
        return await sweep(
            self.suite,
            self.specs,
            folder,
            executor or Here(2),
            limits or Limits(),
            self.told.append,
        )


@pytest.fixture
def sweeping(suite_file: Path, monkeypatch: pytest.MonkeyPatch) -> Sweeping:
    monkeypatch.setattr("cookmas.studies.bench.sweep.WAIT", 0.0)
    return Sweeping(suite_file)


@pytest.fixture
def counting() -> type[Counting]:
    return Counting
