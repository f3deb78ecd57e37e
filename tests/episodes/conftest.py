"""The checked scenarios, each played once with the embedded planner; a kitchen in Redis."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import Run
from episodes.redis_letterbox import create_kitchen
from episodes.redis_link import RedisLink
from scenarios.scenario import scenario_names
from tests.redis_process import PERSISTENT, RedisProcess


@pytest.fixture(scope="session")
def played() -> Any:
    """The run of a scenario, by its name; played when it is first asked for."""
    return lru_cache(maxsize=None)(cookmas.play)


@pytest.fixture(scope="session")
def all_played(played: Any) -> Mapping[str, Run]:
    """Every checked scenario."""
    return {name: played(name) for name in scenario_names()}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisProcess]:
    server = RedisProcess(tmp_path, *PERSISTENT)
    yield server
    server.kill()


@pytest.fixture
async def link(server: RedisProcess) -> AsyncIterator[RedisLink]:
    """A link to a server in which the kitchen `corner` is open."""
    link = RedisLink(server.url)
    await create_kitchen(link, "corner", "run")
    yield link
    await link.close()
