"""A PostgreSQL server, for the versions that use one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live.postgres import Postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.stop()
