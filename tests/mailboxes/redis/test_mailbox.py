"""What is particular to a mailbox in Redis: the stream, what it keeps, and who may use it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cookmas.files.errors import CookMASError, InfrastructureError, InputError, MissingError
from cookmas.mailboxes.protocol import CLOSED, FLOODED, Envelope, Settled
from cookmas.mailboxes.redis.address import is_exposed, split_address, without_secrets
from cookmas.mailboxes.redis.letterbox import RedisLetterbox, create_episode
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.mailbox import RedisMailbox
from cookmas.scenarios.redis_recipes import RedisRecipes
from cookmas.status import heartbeat_age
from cookmas.workers.remote import WireChannel
from cookmas.workers.wires import RedisWire
from tests.redis_process import RedisProcess
from tests.redis_users import users_of_the_how_to


def message(word: str, sender: str = "anna") -> Envelope:
    return Envelope(id=word, sender=sender, event={"kind": "word", "word": word})


async def stands(link: RedisLink, sender: str = "anna") -> int:
    """How many messages are in a sender's stream."""
    return await link.run(lambda r: r.xlen(f"cookmas:corner:in:{sender}"))


async def test_a_message_is_taken_off_the_stream_when_it_is_settled(link: RedisLink) -> None:
    mailbox = await RedisMailbox.open_episode(link, "corner")
    await RedisLetterbox(link, "corner").post(message("a"))
    await mailbox.open(1, 0)
    assert await stands(link) == 1
    await mailbox.settle([Settled(number=1, about="o1")])
    assert await stands(link) == 0


async def test_answers_are_forgotten_after_so_many_of_the_same_sender(link: RedisLink) -> None:
    mailbox = await RedisMailbox.open_episode(link, "corner", remembered=3)
    box = RedisLetterbox(link, "corner")
    for number in range(1, 6):
        await box.post(message(str(number)))
        await box.post(message(str(number), "bert"))
        await mailbox.settle(
            [Settled(number=n.number, about="o") for n in await mailbox.open(1, 2 * number - 2)]
        )
    found = [str(n) for n in range(1, 6) if await box.answer(message(str(n)))]
    assert found == ["3", "4", "5"]
    assert await link.run(lambda r: r.hlen("cookmas:corner:out:anna")) == 4
    assert await link.run(lambda r: r.llen("cookmas:corner:done:anna")) == 3


async def test_the_refusal_of_a_flood_is_not_kept(link: RedisLink) -> None:
    mailbox = await RedisMailbox.open_episode(link, "corner", most_waiting=1)
    box = RedisLetterbox(link, "corner")
    for word in ("first", "later"):
        await box.post(message(word))
    await mailbox.idle(0)
    refused = await box.answer(message("later"))
    assert refused
    assert refused.why == FLOODED
    assert not await link.run(lambda r: r.hexists("cookmas:corner:out:anna", "later"))
    assert [letter.event["word"] for letter in await mailbox.open(1, 0)] == ["first"]
    await box.post(message("later"))
    assert [letter.event["word"] for letter in await mailbox.open(2, 1)] == ["later"]


async def test_the_keys_of_another_version_are_not_replaced(link: RedisLink) -> None:
    await RedisLetterbox(link, "corner").post(message("theirs"))
    await link.run(lambda r: r.rename("cookmas:corner:episode", "cookmas:corner:renamed"))
    with pytest.raises(InputError, match="another version of CookMAS left its keys"):
        await create_episode(link, "corner", "run")
    assert await link.run(lambda r: r.xlen("cookmas:corner:in:anna")) == 1


async def test_kitchens_are_side_by_side(link: RedisLink) -> None:
    await create_episode(link, "other", "another run")
    await RedisLetterbox(link, "other").post(message("theirs"))
    await RedisLetterbox(link, "corner").post(message("ours"))
    mailbox = await RedisMailbox.open_episode(link, "corner")
    assert [letter.event["word"] for letter in await mailbox.open(1, 0)] == ["ours"]
    with pytest.raises(InputError, match="another run has it"):
        await create_episode(link, "corner", "another run")
    await RedisLetterbox(link, "corner").close()
    await mailbox.end()
    refused = await RedisLetterbox(link, "corner").post(message("late"))
    assert refused
    assert refused.why == CLOSED
    await create_episode(link, "corner", "another run")
    assert await RedisLetterbox(link, "corner").post(message("ours")) is None
    with pytest.raises(MissingError, match="no open episode 'absent'"):
        await RedisLetterbox(link, "absent").post(message("a"))
    with pytest.raises(InputError, match="a name has letters"):
        await RedisLetterbox(link, "a*").post(message("a"))


async def test_a_full_server_refuses_messages_and_lets_the_kitchen_go_on(link: RedisLink) -> None:
    mailbox, box = await RedisMailbox.open_episode(link, "corner"), RedisLetterbox(link, "corner")
    await box.post(message("a"))
    await link.run(lambda r: r.config_set("maxmemory", 1))
    with pytest.raises(InfrastructureError, match="is full and keeps nothing more"):
        await box.post(message("b"))
    assert [letter.event["word"] for letter in await mailbox.open(1, 0)] == ["a"]
    await mailbox.settle([Settled(number=1, about="o1")])
    await mailbox.publish({"timestep": 1, "ended": None})
    answer = await box.answer(message("a"))
    assert answer
    assert answer.about == "o1"
    await link.run(lambda r: r.config_set("maxmemory", 0))
    assert await box.post(message("b")) is None


async def test_a_server_that_forgets_its_last_moments_makes_nobody_take_a_message_twice(
    server: RedisProcess, link: RedisLink
) -> None:
    """As after a power cut with `appendfsync everysec`: what it had acknowledged is gone."""
    mailbox, box = await RedisMailbox.open_episode(link, "corner"), RedisLetterbox(link, "corner")
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
    assert await box.answer(message("taken")) is None
    await mailbox.settle([Settled(number=n, about=f"o{n}") for n in (1, 2, 3, 4)])
    told = {word: await box.answer(message(word)) for word in ("kept", "settled", "taken", "new")}
    assert [answer.about for answer in told.values() if answer] == ["o1", "o2", "o3", "o4"]


async def test_a_result_is_told_although_the_server_has_forgotten_its_letter(
    server: RedisProcess, link: RedisLink
) -> None:
    """The result comes before the sender sends again: nothing is answered later."""
    mailbox, box = await RedisMailbox.open_episode(link, "corner"), RedisLetterbox(link, "corner")
    await box.post(message("kept"))
    await mailbox.open(1, 0)
    server.remember()
    for number, word in enumerate(("taken", "sent again"), start=1):
        await box.post(message(word))
        await mailbox.open(2, number)
    server.forget()
    await box.post(message("sent again"))
    await mailbox.settle([Settled(number=n, about=f"o{n}") for n in (1, 2, 3)])
    told = {word: await box.post(message(word)) for word in ("kept", "taken", "sent again")}
    assert [answer.about for answer in told.values() if answer] == ["o1", "o2", "o3"]
    assert await mailbox.open(3, 3) == []
    assert await mailbox.idle(3)


async def test_a_server_that_forgets_everything_ends_the_kitchen_with_an_error(
    tmp_path: Path,
) -> None:
    (tmp_path / "forgetful").mkdir()
    server = RedisProcess(tmp_path / "forgetful")
    link = RedisLink(server.url)
    await create_episode(link, "corner", "run")
    mailbox = await RedisMailbox.open_episode(link, "corner")
    server.kill()
    server.start()
    with pytest.raises(MissingError, match="no such open episode"):
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
    links = await users_of_the_how_to(server, link)
    box = RedisLetterbox(links["anna"], "corner")
    with pytest.raises(MissingError, match="no open episode 'corner' in which this user may speak"):
        await box.post(message("a"))
    kitchen = await RedisMailbox.open_episode(links["kitchen"], "corner")
    await RedisLetterbox(links["kitchen"], "corner").admit("anna")
    assert await box.post(message("a")) is None
    assert await kitchen.open(1, 0)
    await kitchen.settle([Settled(number=1, about="o1")])
    await kitchen.publish({"timestep": 1, "ended": None})
    assert await box.answer(message("a"))
    assert await box.status()
    assert await box.house_token() is None
    assert await box.setup() == {}
    await RedisRecipes(links["chef"], "corner").push({"Toast": "Toast it."}, "menu")
    assert await RedisRecipes(links["kitchen"], "corner").all() == {"Toast": "Toast it."}
    channel = WireChannel(RedisWire(links["kitchen"], "corner", "worker_2"))
    asked = await channel.assign(1, "wait")
    assert [e for e, _ in await links["robot"].wait("cookmas:corner:work:worker_2", "0")] == [asked]
    reports = ["cookmas:corner:reports:worker_2"]
    await links["robot"].script("report", reports, asked, "wait")
    assert [report["action"] for report in await channel.reports(1)] == ["wait"]
    assert await RedisLetterbox(links["screen"], "corner").status()
    lease = ["cookmas:corner:lease", "cookmas:corner:episode"]
    await links["kitchen"].script("touch", lease, 1, "here", 1)
    age = await heartbeat_age(f"unix://screen:screen-secret@{server.socket}#corner")
    assert age is not None
    assert age < 60
    await RedisLetterbox(links["kitchen"], "corner").close()

    forbidden: dict[str, Callable[[], Awaitable[Any]]] = {
        "robot registers": lambda: RedisLetterbox(links["robot"], "corner").register("eve", ""),
        "robot orders": lambda: RedisLetterbox(links["robot"], "corner").post(message("b")),
        "screen orders": lambda: RedisLetterbox(links["screen"], "corner").post(message("b")),
        "chef takes": lambda: RedisMailbox.open_episode(links["chef"], "corner", 2),
        "kitchen flushes": lambda: links["kitchen"].run(lambda r: r.flushall()),
    }
    for work in forbidden.values():
        with pytest.raises(CookMASError, match=r"refuses|does not let this user|may speak as"):
            await work()
    stranger = RedisLink(f"unix://anna:wrong@{server.socket}", patience=0.5)
    with pytest.raises(InfrastructureError, match="does not let this user in"):
        await RedisLetterbox(stranger, "corner").post(message("b"))
    for each in (*links.values(), stranger):
        await each.close()


async def test_texts_that_are_no_utf8_are_repaired(link: RedisLink) -> None:
    broken: Any = {"Toast": b"Toast it\xff.", b"\xff": "x"}
    await link.run(lambda r: r.hset("cookmas:corner:recipes", mapping=broken))
    texts = RedisRecipes(link, "corner")
    assert await texts.all() == {"Toast": "Toast it\ufffd.", "\ufffd": "x"}

    async def otherwise(key: str) -> str:
        return key

    assert await texts.look_up_first(otherwise)("Toast") == "Toast it\ufffd."
    reported: Any = {"assignment": "1", "action": b"\xff"}
    channel = WireChannel(RedisWire(link, "corner", "worker_2"))
    assert await channel.reports(0.01) == []
    await link.run(lambda r: r.xadd("cookmas:corner:reports:worker_2", reported))
    assert [report["action"] for report in await channel.reports(1)] == ["\ufffd"]


@pytest.mark.parametrize(
    ("url", "without", "unprotected"),
    [
        ("redis://localhost:6379/0", "redis://localhost:6379/0", False),
        ("redis://anna:b@host:1/0", "redis://host:1/0", False),
        ("redis://host/0?password=x&ssl_ca_certs=/c", "redis://host/0?ssl_ca_certs=/c", False),
        ("rediss://host:1/0", "rediss://host:1/0", True),
        ("redis://192.0.2.1", "redis://192.0.2.1", True),
        ("redis://[::1]:1/0", "redis://[::1]:1/0", False),
        ("unix://:secret@/tmp/x", "unix:///tmp/x", False),
    ],
)
def test_an_address_without_secrets_and_whether_it_is_exposed(
    url: str, without: str, unprotected: bool
) -> None:
    assert (without_secrets(url), is_exposed(url)) == (without, unprotected)


@pytest.mark.parametrize("url", ["redis://[::1/0", "redis://host:port/0", "http://host"])
def test_an_address_that_is_none_is_refused_without_its_secret(url: str) -> None:
    with pytest.raises(InputError, match="expected redis://HOST:PORT/0#NAME") as refused:
        split_address(url.replace("//", "//anna:secret@"))
    assert "secret" not in str(refused.value) or url.startswith("http")
