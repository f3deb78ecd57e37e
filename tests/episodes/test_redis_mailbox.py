"""What is particular to a mailbox in Redis: the stream, what it keeps, and who may use it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from episodes.envelope import Envelope
from episodes.errors import InfrastructureError, InputError, MissingError
from episodes.mailbox import Settled
from episodes.redis_letterbox import RedisLetterbox, create_kitchen
from episodes.redis_link import RedisLink
from episodes.redis_mailbox import RedisMailbox
from episodes.redis_texts import RedisTexts
from orchestrator.runs.liveness import heartbeat_age
from tests.redis_process import PERSISTENT, RedisProcess
from workers.redis_channel import RedisChannel

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "kitchen-in-redis.md"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisProcess]:
    server = RedisProcess(tmp_path, *PERSISTENT)
    yield server
    server.kill()


@pytest.fixture
async def link(server: RedisProcess) -> AsyncIterator[RedisLink]:
    link = RedisLink(server.url)
    await create_kitchen(link, "corner", "run")
    yield link
    await link.close()


def message(word: str, sender: str = "anna") -> Envelope:
    return Envelope(id=word, sender=sender, event={"kind": "word", "word": word})


async def append(link: RedisLink, entry: dict[Any, Any]) -> None:
    await link.run(lambda r: r.xadd("cookmas:corner:orders", entry))


async def let_in(link: RedisLink, name: str, rules: Sequence[str]) -> None:
    async def ask(redis: Any) -> Any:
        return await redis.execute_command("ACL", "SETUSER", name, *rules)

    await link.run(ask)


async def stands(link: RedisLink) -> tuple[int, int]:
    """How many messages are in the stream, and how many of them are with the group."""
    pending: Any = await link.run(lambda r: r.xpending("cookmas:corner:orders", "kitchen"))
    return await link.run(lambda r: r.xlen("cookmas:corner:orders")), pending["pending"]


async def test_a_message_is_taken_off_the_stream_when_it_is_settled(link: RedisLink) -> None:
    mailbox = await RedisMailbox.open_kitchen(link, "corner")
    await RedisLetterbox(link, "corner").post(message("a"))
    assert await stands(link) == (1, 0)
    await mailbox.open(1, 0)
    assert await stands(link) == (1, 1)
    await mailbox.settle([Settled(number=1, about="o1")])
    assert await stands(link) == (0, 0)
    results: Any = await link.run(lambda r: r.xrange("cookmas:corner:results"))
    assert [fields["sender"] for _, fields in results] == ["anna"]


async def test_what_others_append_to_the_stream_is_taken_off_and_nothing_else(
    link: RedisLink,
) -> None:
    mailbox = await RedisMailbox.open_kitchen(link, "corner")
    box = RedisLetterbox(link, "corner")
    forged = {"sender": "anna", "id": "forged", "event": '{"kind": "word"}', "meaning": ""}
    deep = {**forged, "event": "[" * 100_000}
    nothing = {"nothing": "x"}
    for entry in (forged, deep, nothing):
        await append(link, entry)
    await box.post(message("a"))
    letters = await mailbox.open(1, 0)
    assert [letter.event["word"] for letter in letters] == ["a"]
    assert await stands(link) == (1, 1)


async def test_kitchens_are_side_by_side(link: RedisLink) -> None:
    await create_kitchen(link, "other", "another run")
    await RedisLetterbox(link, "other").post(message("theirs"))
    await RedisLetterbox(link, "corner").post(message("ours"))
    mailbox = await RedisMailbox.open_kitchen(link, "corner")
    assert [letter.event["word"] for letter in await mailbox.open(1, 0)] == ["ours"]
    with pytest.raises(InputError, match="another run has it"):
        await create_kitchen(link, "corner", "another run")
    await mailbox.publish({"ended": "closed"})
    await create_kitchen(link, "corner", "another run")
    with pytest.raises(MissingError, match="no open kitchen 'absent'"):
        await RedisLetterbox(link, "absent").post(message("a"))
    with pytest.raises(InputError, match="a name has letters"):
        await RedisLetterbox(link, "a*").post(message("a"))


async def test_a_full_server_refuses_messages_and_lets_the_kitchen_go_on(link: RedisLink) -> None:
    mailbox, box = await RedisMailbox.open_kitchen(link, "corner"), RedisLetterbox(link, "corner")
    await box.post(message("a"))
    await link.run(lambda r: r.config_set("maxmemory", 1))
    with pytest.raises(InfrastructureError, match="is full and keeps nothing more"):
        await box.post(message("b"))
    assert [letter.event["word"] for letter in await mailbox.open(1, 0)] == ["a"]
    await mailbox.settle([Settled(number=1, about="o1")])
    await mailbox.publish({"timestep": 1, "ended": None})
    answer = await box.answer("anna", "a")
    assert answer
    assert answer.about == "o1"
    await link.run(lambda r: r.config_set("maxmemory", 0))
    assert await box.post(message("b")) is None


async def test_a_server_that_forgets_its_last_moments_makes_nobody_take_a_message_twice(
    server: RedisProcess, link: RedisLink
) -> None:
    """As after a power cut with `appendfsync everysec`: what it had acknowledged is gone."""
    mailbox, box = await RedisMailbox.open_kitchen(link, "corner"), RedisLetterbox(link, "corner")
    await box.post(message("kept"))
    await mailbox.open(1, 0)
    server.remember()
    for word in ("settled", "taken"):
        await box.post(message(word))
        await mailbox.open(2, 1 if word == "settled" else 2)
    await mailbox.settle([Settled(number=1, about="o1"), Settled(number=2, about="o2")])
    server.forget()
    assert await mailbox.open(3, 3) == []
    for word in ("settled", "taken", "new"):
        await box.post(message(word))
    letters = await mailbox.open(4, 3)
    assert [(letter.number, letter.event["word"]) for letter in letters] == [(4, "new")]
    answer = await box.post(message("settled"))
    assert answer
    assert (answer.status, answer.about) == ("taken_already", "o2")
    assert await box.answer("anna", "taken") is None
    await mailbox.settle([Settled(number=n, about=f"o{n}") for n in (1, 2, 3, 4)])
    told = {word: await box.answer("anna", word) for word in ("kept", "settled", "taken", "new")}
    assert [answer.about for answer in told.values() if answer] == ["o1", "o2", "o3", "o4"]


async def test_a_server_that_forgets_everything_ends_the_kitchen_with_an_error(
    tmp_path: Path,
) -> None:
    (tmp_path / "forgetful").mkdir()
    server = RedisProcess(tmp_path / "forgetful")
    link = RedisLink(server.url)
    await create_kitchen(link, "corner", "run")
    mailbox = await RedisMailbox.open_kitchen(link, "corner")
    server.kill()
    server.start()
    with pytest.raises(MissingError, match="no such open kitchen"):
        await mailbox.open(1, 0)
    await link.close()
    server.kill()


async def test_a_secret_is_in_no_message() -> None:
    told: list[str] = []
    link = RedisLink("redis://anna:secret@127.0.0.1:1/0", patience=0.1, tell=told.append)
    with pytest.raises(InfrastructureError, match=r"127\.0\.0\.1:1/0 does not answer") as caught:
        await RedisLetterbox(link, "corner").post(message("a"))
    assert "secret" not in str(caught.value)
    assert told == ["Redis at 127.0.0.1:1/0 does not answer; waiting until it does"]
    await link.close()


async def test_the_users_of_the_how_to_may_do_what_they_are_for(
    server: RedisProcess, link: RedisLink
) -> None:
    acl = re.search(r"```text acl\n(.*?)```", HOW_TO.read_text(), re.DOTALL)
    assert acl
    users = [line.split()[1:] for line in acl[1].splitlines()]
    for name, *rules in users[:-1]:
        await let_in(link, name, rules)

    links = {
        name: RedisLink(f"unix://{name}:{name}-secret@{server.socket}", patience=0.5)
        for name, *_ in users[:-1]
    }
    box = RedisLetterbox(links["guest"], "corner")
    kitchen = await RedisMailbox.open_kitchen(links["kitchen"], "corner")
    assert await box.post(message("a")) is None
    assert await kitchen.open(1, 0)
    await kitchen.settle([Settled(number=1, about="o1")])
    await kitchen.publish({"timestep": 1, "ended": None})
    assert await box.answer("anna", "a")
    assert await box.status()
    await RedisTexts(links["chef"], "corner").push({"Toast": "Toast it."}, "menu")
    assert await RedisTexts(links["kitchen"], "corner").all() == {"Toast": "Toast it."}
    channel = RedisChannel(links["kitchen"], "corner", "worker_2")
    asked = await channel.assign(1, "wait")
    assert [e for e, _ in await links["robot"].wait("cookmas:corner:work:worker_2", "0")] == [asked]
    reports = ["cookmas:corner:reports:worker_2"]
    await links["robot"].script("report", reports, asked, "wait")
    assert [report.action for report in await channel.reports(1)] == ["wait"]
    assert await links["screen"].run(lambda r: r.get("cookmas:corner:status"))
    lease = ["cookmas:corner:lease", "cookmas:corner:kitchen"]
    await links["kitchen"].script("touch", lease, 1, "here", 1)
    age = await heartbeat_age(f"unix://screen:screen-secret@{server.socket}#corner")
    assert age is not None
    assert age < 60

    forbidden: dict[str, Callable[[], Awaitable[Any]]] = {
        "guest closes": lambda: box.close(),
        "guest edits": lambda: RedisTexts(links["guest"], "corner").push({"Toast": "Burn it."}),
        "robot orders": lambda: RedisLetterbox(links["robot"], "corner").post(message("b")),
        "screen orders": lambda: RedisLetterbox(links["screen"], "corner").post(message("b")),
        "chef takes": lambda: RedisMailbox.open_kitchen(links["chef"], "corner", 2),
        "kitchen flushes": lambda: links["kitchen"].run(lambda r: r.flushall()),
    }
    for work in forbidden.values():
        with pytest.raises(InfrastructureError, match=r"refuses|does not let this user in"):
            await work()
    stranger = RedisLink(f"unix://guest:wrong@{server.socket}", patience=0.5)
    with pytest.raises(InfrastructureError, match="does not let this user in"):
        await RedisLetterbox(stranger, "corner").post(message("b"))
    for each in (*links.values(), stranger):
        await each.close()
