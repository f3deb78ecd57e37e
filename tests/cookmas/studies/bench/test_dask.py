"""Sweeps on a Dask cluster of this machine, begun once for all of these tests."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from distributed import Client

from cookmas.files.errors import CookMASError
from cookmas.studies.bench.dask_cluster import LOCAL, DaskCluster, job_player
from cookmas.studies.bench.folder import RESULTS, TRACES
from cookmas.studies.bench.spec import EpisodeJob, JobResult
from tests.cookmas.studies.bench.conftest import Sweeping

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cluster() -> AsyncIterator[DaskCluster]:
    async with DaskCluster(LOCAL, count=2, at_a_time=2) as begun:
        yield begun


async def busy(client: Client) -> int:
    """The process of a worker that has something to do, as soon as there is one."""
    async with asyncio.timeout(60):
        while True:
            for worker, keys in (await client.processing()).items():
                if keys:
                    return int((await client.run(os.getpid, workers=[worker]))[worker])


async def test_a_cluster_gives_the_same_bytes_also_if_a_worker_is_killed(
    cluster: DaskCluster, sweeping: Sweeping, finished: Path, tmp_path: Path
) -> None:
    one, other = finished, tmp_path / "other"
    asked: list[EpisodeJob] = []
    killed: list[int] = []

    class Killing(DaskCluster):
        """Kills the first worker that has work."""

        async def play(self, job: EpisodeJob) -> JobResult:
            asked.append(job)
            if len(asked) > 1:
                return await super().play(job)
            async with Client(self.address, asynchronous=True, set_as_default=False) as client:
                playing = asyncio.create_task(super().play(job))
                killed.append(await busy(client))
                os.kill(killed[0], signal.SIGKILL)
            return await playing

    assert not (await sweeping.run(other, Killing(cluster.address))).unplayed
    assert killed
    names = [RESULTS, *(f"{TRACES}/{path.name}" for path in (one / TRACES).iterdir())]
    assert [(one / name).read_bytes() for name in names] == [
        (other / name).read_bytes() for name in names
    ]


async def test_a_worker_with_other_code_is_refused(
    cluster: DaskCluster, sweeping: Sweeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "cookmas.studies.bench.dask_cluster.code_of", lambda specs: {"code": "newer"}
    )
    with pytest.raises(CookMASError, match="a worker of the cluster has another code"):
        await sweeping.run(tmp_path / "sweep", DaskCluster(cluster.address))


async def test_a_worker_without_the_code_says_so(sweeping: Sweeping) -> None:
    spec = sweeping.specs[0].model_copy(update={"planner": "no_such_package.planner:Planner"})
    for question in ({"of": "a later version"}, {"spec": spec.model_dump(mode="json")}):
        answer = await job_player()(question, {"code": "newer"})
        assert re.fullmatch(
            "a worker of the cluster lacks code that the episode needs .+", answer["error"]
        )


@pytest.mark.parametrize(
    ("address", "said"),
    [("here", "expected local or tcp://HOST:PORT"), ("tcp://127.0.0.1:9", "no scheduler of Dask")],
)
async def test_what_is_no_cluster_is_told(
    address: str, said: str, sweeping: Sweeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cookmas.studies.bench.dask_cluster.PATIENCE", 0.1)
    with pytest.raises(CookMASError, match=said):
        await sweeping.run(tmp_path / "sweep", DaskCluster(address))
