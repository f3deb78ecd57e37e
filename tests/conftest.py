"""Fixtures of all tests: quick planning, no limit on the time of examples, and a Redis server."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from cookmas.mailboxes.redis.letterbox import create_episode
from cookmas.mailboxes.redis.link import RedisLink
from tests.redis_process import PERSISTENT, RedisProcess
from tests.sampling import CONFORMANCE, EXPLORING, examples
from tests.tls import self_signed
from tests.warm import running

settings.register_profile(
    "cookmas", deadline=None, derandomize=not EXPLORING, max_examples=examples(100)
)
settings.load_profile("cookmas")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts its background jobs so, and the processes of the tests would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Let each client of a model read one certificate at its start, and Inspect write elsewhere.

    The certificate is for an address that no test listens at: of two of one name only the first is
    looked at. The home of who runs the tests may be one that cannot be written.
    """
    folder = TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_DATA_HOME"] = str(Path(folder.name) / "data")
    os.environ["SSL_CERT_FILE"] = str(self_signed(Path(folder.name), "192.0.2.2")[0])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Do not look for garbage among what stays until the end: the modules and the tests."""
    gc.disable()
    done = yield
    gc.freeze()
    gc.enable()
    return done


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make conformance` plays, in each run that is not one."""
    if not CONFORMANCE and (
        left_out := [item for item in items if item.get_closest_marker("conformance")]
    ):
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("conformance")]


@pytest.fixture(scope="module")
def least_effort() -> Iterator[None]:
    """Let the embedded planner plan with the least effort, where planning is not tested."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cookmas.solving.restaurant.planners.EmbeddedPlanner.effort", 1)
        yield


@pytest.fixture(scope="module", autouse=True)
def no_process_outlives_its_file() -> Iterator[None]:
    """Kill the warm processes that a file of tests has left."""
    before = running()
    yield
    for each in running():
        if each not in before:
            each.kill()
            each.wait()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisProcess]:
    server = RedisProcess(tmp_path, *PERSISTENT)
    yield server
    server.kill()


@pytest.fixture
async def link(server: RedisProcess) -> AsyncIterator[RedisLink]:
    """Yield a link to a Redis server in which the kitchen `corner` is open."""
    link = RedisLink(server.url)
    await create_episode(link, "corner", "run")
    yield link
    await link.close()
