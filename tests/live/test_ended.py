"""An episode that ends by itself answers every message: what it has not taken is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from cookmas.commands.folders import open_folder
from cookmas.files.errors import InfrastructureError
from cookmas.mailboxes.protocol import Answer
from cookmas.mailboxes.redis.mailbox import RedisMailbox
from cookmas.mailboxes.sqlite.mailbox import SqliteMailbox
from cookmas.orchestrator.runs.request import RedisPlace, RunRequest
from cookmas.status import status_of
from cookmas.world_names import domain_of
from tests.redis_process import RedisProcess

WORLD = "collab-capture"


@pytest.fixture(params=["sqlite", "redis"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | None]:
    """The address of an episode in Redis, or None for one in its folder."""
    if request.param == "sqlite":
        yield None
        return
    server = RedisProcess(tmp_path)
    yield f"{server.url}#corner"
    server.kill()


def begin(folder: Path, place: str | None) -> None:
    scenario, settings = domain_of(WORLD).opening([], {})
    redis = RedisPlace.at(place) if place else None
    create(
        folder,
        RunRequest(
            world=WORLD,
            scenario=scenario,
            settings=settings,
            planner="embedded",
            pace=0.0,
            redis=redis,
        ),
    )


async def send(where: Path | str, word: str) -> Answer:
    async with AsyncClient(where, "anna", patience=20) as client:
        answer = await client.send({"kind": word}, id=word)
    assert answer is not None
    return answer


async def post(where: Path | str, word: str) -> None:
    async with AsyncClient(where, "anna", patience=0) as client:
        assert await client.send({"kind": word}, id=word) is None


async def test_what_waits_at_the_end_and_what_comes_later_is_refused(
    tmp_path: Path,
    place: str | None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    where = place or tmp_path / "open"
    mailboxes: Any = RedisMailbox if place else SqliteMailbox
    end = mailboxes.end

    async def end_after_a_message(mailbox: Any) -> Any:
        await post(where, "last")
        return await end(mailbox)

    monkeypatch.setattr(mailboxes, "end", end_after_a_message)
    begin(tmp_path / "open", place)
    run = await aresume(tmp_path / "open")
    assert run.trace.end
    assert run.trace.end.termination == "won"
    assert caplog.messages[-1:] == ["the episode has ended; 1 waiting messages were refused"]
    for word in ("last", "later"):
        answer = await send(where, word)
        assert (answer.status, answer.why) == ("refused", "the episode has ended")
    status = await status_of(where)
    assert (status.state, status.waiting) == ("over", 0)


async def test_an_episode_that_is_killed_at_its_end_is_taken_up_to_answer_its_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "open"

    async def die(mailbox: SqliteMailbox) -> int:
        await post(folder, "last")
        raise InfrastructureError("the machine is gone")

    begin(folder, None)
    with monkeypatch.context() as dying:
        dying.setattr(SqliteMailbox, "end", die)
        with pytest.raises(InfrastructureError):
            await aresume(folder)
    assert open_folder(tmp_path) == folder
    await aresume(folder)
    assert (await send(folder, "last")).why == "the episode has ended"
    assert open_folder(tmp_path) == tmp_path / "open.2"
