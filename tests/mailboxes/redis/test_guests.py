"""A guest of a kitchen in Redis, with the rights of the how-to, hurts nobody but itself."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis
from redis.exceptions import NoPermissionError, ResponseError

from cookmas.files.errors import NoOpenEpisodeError
from cookmas.mailboxes.protocol import FLOODED, MOST_WAITING, Envelope, Letter, Settled
from cookmas.mailboxes.redis.letterbox import RedisLetterbox, create_episode, guest_rules
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.mailbox import RedisMailbox
from tests.redis_process import RedisProcess
from tests.redis_users import as_user, let_in, users_of_the_how_to

INBOX = "cookmas:corner:in:anna"
EVENT = '{"kind": "word", "word": "x"}'


@dataclass
class Attacked:
    """A kitchen with two guests: anna attacks it past the client, bert orders."""

    mailbox: RedisMailbox
    anna: Any
    bert: RedisLetterbox
    link: RedisLink
    number: int = 0
    after: int = 0

    async def goes_on(self) -> list[Letter]:
        """Take what there is; what bert sends now is taken and answered."""
        self.number += 1
        mine = message(str(self.number), "bert")
        await self.bert.post(mine)
        letters: list[Letter] = []
        while new := await self.mailbox.open(1, letters[-1].number if letters else self.after):
            letters += new
        self.after = letters[-1].number
        await self.mailbox.settle([Settled(number=n.number, about="o") for n in letters])
        answer = await self.bert.answer(mine)
        assert answer
        assert answer.status == "taken"
        return [letter for letter in letters if letter.sender == "anna"]


@pytest.fixture
async def attacked(server: RedisProcess, link: RedisLink) -> AsyncIterator[Attacked]:
    users = await users_of_the_how_to(server, link)
    line = guest_rules("corner", "bert", "bert-secret")
    await let_in(link, *(lambda words: (words[1], words[2:]))(line.split()))
    for name in ("anna", "bert"):
        await RedisLetterbox(link, "corner").admit(name)
    users["bert"] = as_user(server, "bert")
    anna = Redis(
        unix_socket_path=str(server.socket), username="anna", password="anna-secret", protocol=2
    )
    bert = RedisLetterbox(users["bert"], "corner")
    yield Attacked(await RedisMailbox.open_episode(users["kitchen"], "corner"), anna, bert, link)
    anna.close()
    for each in users.values():
        await each.close()


def message(word: str, sender: str = "anna") -> Envelope:
    return Envelope(id=word, sender=sender, event={"kind": "word", "word": word})


async def test_a_guest_may_do_nothing_that_hurts_others(attacked: Attacked) -> None:
    key = "cookmas:corner:"
    forbidden: list[tuple[Any, ...]] = [
        ("HINCRBY", f"{key}episode", "closed", 1),
        ("HINCRBY", f"{key}episode", "fence", 1),
        ("HINCRBY", f"{key}turns", "bert", 1),
        ("HSET", f"{key}guests", "bert", "mine"),
        ("XADD", f"{key}in:bert", "*", "id", "1", "event", EVENT),
        ("XADD", f"{key}in:house", "*", "id", "1", "event", EVENT),
        ("XADD", f"{key}bell", "*", "x", "y"),
        ("XADD", "cookmas:other:in:anna", "*", "x", "y"),
        ("XTRIM", INBOX, "MAXLEN", 0),
        ("DEL", f"{key}status"),
        ("DEL", f"{key}out:anna"),
        ("GET", f"{key}house"),
        ("HMGET", f"{key}out:bert", "1"),
        ("EVAL", "while true do end", 0),
        ("FLUSHALL",),
        ("CONFIG", "SET", "maxmemory", "1"),
        ("CLIENT", "PAUSE", 100_000),
        ("CLIENT", "KILL", "TYPE", "normal"),
        ("SHUTDOWN",),
        ("KEYS", "*"),
        ("MONITOR",),
        ("SUBSCRIBE", "x"),
        ("SCRIPT", "FLUSH"),
        ("MULTI",),
    ]
    for command in forbidden:
        with pytest.raises(NoPermissionError):
            attacked.anna.execute_command(*command)
    for wrong in ("out:anna", "status", "setup"):
        with pytest.raises(ResponseError, match="WRONGTYPE"):
            attacked.anna.execute_command("XADD", f"{key}{wrong}", "*", "x", "y")
    assert await attacked.goes_on() == []


POISON: dict[str, list[Any]] = {
    "no UTF-8 for an event": ["id", "1", "event", b"\xff"],
    "no UTF-8 in words": ["id", "1", "event", b'{"kind": "word", "word": "\xff"}'],
    "no UTF-8 for a name": ["id", "1", b"\xff", "x", "event", EVENT],
    "no UTF-8 for an id": ["id", b"\xff", "event", EVENT],
    "half a character": ["id", "1", "event", '{"kind": "word", "word": "\\ud800"}'],
    "no id": ["event", EVENT],
    "no event": ["id", "1"],
    "an id twice": ["id", "1", "id", "2", "event", EVENT],
    "an event twice": ["id", "1", "event", EVENT, "event", "{}"],
    "another sender": ["id", "1", "event", EVENT, "sender", "bert"],
    "something else": ["x", "y"],
    "no JSON": ["id", "1", "event", "{"],
    "no mapping": ["id", "1", "event", "[]"],
    "NaN": ["id", "1", "event", '{"x": NaN}'],
    "deep": ["id", "1", "event", '{"x":' + "[" * 100_000],
    "long": ["id", "1", "event", json.dumps({"kind": "word", "word": 20_000 * "x"})],
    "huge": ["id", "1", "event", 8_000_000 * "x"],
    "a huge number": ["id", "1", "event", '{"x": ' + 5_000 * "9" + "}"],
    "a hundred thousand fields": [word for n in range(100_000) for word in (f"f{n}", "x")],
    "a proof that is none": ["id", "1", "event", EVENT, "proof", "x"],
    "a meaning that is none": ["id", "1", "event", EVENT, "meaning", "[]"],
}


async def test_what_cannot_be_read_goes_to_the_quarantine_and_the_rest_goes_on(
    attacked: Attacked,
) -> None:
    for entry in POISON.values():
        attacked.anna.execute_command("XADD", INBOX, "*", *entry)
    assert await attacked.goes_on() == []
    assert attacked.anna.execute_command("XADD", INBOX, "*", "id", "1", "event", EVENT)
    assert [letter.event for letter in await attacked.goes_on()] == [json.loads(EVENT)]
    box = RedisLetterbox(attacked.link, "corner")
    assert await box.count_quarantined() == len(POISON)
    found = await box.quarantine()
    assert len(found) == len(POISON)
    for each in found:
        assert each.origin.startswith("anna, entry ")
        assert 0 < len(each.reason) <= 300
        assert len(each.preview) <= 200
        assert f"{each.reason}{each.preview}".isprintable()
    await box.empty_quarantine()
    assert await box.count_quarantined() == 0
    assert await box.quarantine() == []
    assert await attacked.mailbox.idle(attacked.after)


Running = Callable[[list[bytes]], None]


@pytest.fixture
def running(server: RedisProcess) -> Running:
    """Sends an entry to a kitchen that must go on."""

    async def send(entry: list[bytes]) -> None:
        link = RedisLink(server.url)
        await create_episode(link, "corner", "run")
        box = RedisLetterbox(link, "corner")
        await box.register("anna", "")
        redis: Any = Redis(unix_socket_path=str(server.socket))
        redis.execute_command("XADD", INBOX, "*", *entry)
        mailbox = await RedisMailbox.open_episode(link, "corner")
        letters = await mailbox.open(1, 0)
        await mailbox.settle([Settled(number=letter.number) for letter in letters])
        assert redis.xlen(INBOX) == 0
        redis.close()
        await link.close()

    return lambda entry: asyncio.run(send(entry))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    entry=st.lists(
        st.sampled_from([b"id", b"event", b"meaning", b"proof", b"sender"])
        | st.binary(max_size=8)
        | st.sampled_from([EVENT.encode(), b"{}", b"[]", b'"\\ud800"', b"1"]),
        min_size=2,
        max_size=10,
    ).filter(lambda words: len(words) % 2 == 0)
)
def test_no_entry_of_any_kind_stops_the_kitchen(entry: list[bytes], running: Running) -> None:
    running(entry)


async def test_a_guest_that_trims_or_numbers_its_stream_hurts_only_itself(
    attacked: Attacked,
) -> None:
    anna = attacked.anna
    for word in ("1", "2", "3"):
        anna.execute_command("XADD", INBOX, "*", "id", word, "event", EVENT)
    anna.execute_command("XADD", INBOX, "MAXLEN", "1", "*", "id", "4", "event", EVENT)
    assert len(await attacked.goes_on()) == 1
    last = "18446744073709551615-18446744073709551615"
    anna.execute_command("XADD", INBOX, last, "id", "5", "event", EVENT)
    assert len(await attacked.goes_on()) == 1
    with pytest.raises(ResponseError):
        anna.execute_command("XADD", INBOX, "*", "id", "6", "event", EVENT)
    assert await attacked.goes_on() == []


async def test_a_flood_past_the_client_is_taken_off_and_others_go_on(attacked: Attacked) -> None:
    with attacked.anna.pipeline(transaction=False) as pipeline:
        for number in range(MOST_WAITING + 100):
            pipeline.execute_command("XADD", INBOX, "*", "id", str(number), "event", EVENT)
        pipeline.execute()
    box = RedisLetterbox(attacked.link, "corner")
    one_more = Envelope(id="more", sender="anna", event=json.loads(EVENT))
    await box.post(one_more)
    for _ in range(2):
        await attacked.mailbox.idle(0)
    answer = await box.answer(one_more)
    assert answer
    assert answer.why == FLOODED
    assert await attacked.link.run(lambda r: r.xlen(INBOX)) == MOST_WAITING
    mine = message("mine", "bert")
    await attacked.bert.post(mine)
    assert "bert" in [letter.sender for letter in await attacked.mailbox.open(1, 0)]


async def test_what_a_closed_kitchen_gets_is_refused_however_it_is_numbered(
    attacked: Attacked,
) -> None:
    attacked.anna.execute_command("XADD", INBOX, "1000-1", "id", "before", "event", EVENT)
    await RedisLetterbox(attacked.link, "corner").close()
    attacked.anna.execute_command("XADD", INBOX, "1000-2", "id", "after", "event", EVENT)
    letters = await attacked.mailbox.open(1, 0)
    assert len(letters) == 1
    await attacked.mailbox.settle([Settled(number=1, about="o")])
    assert await attacked.mailbox.empty(1)
    box = RedisLetterbox(attacked.link, "corner")
    answer = await box.answer(Envelope(id="after", sender="anna", event=json.loads(EVENT)))
    assert answer
    assert answer.why == "the episode is closed"


async def test_stored_text_that_is_damaged_is_put_aside_and_the_rest_goes_on(
    attacked: Attacked,
) -> None:
    await attacked.bert.post(message("a", "bert"))
    await attacked.bert.post(message("b", "bert"))
    await attacked.mailbox.open(1, 0)
    letters = "cookmas:corner:letters"
    damaged: Any = {"1": "no JSON", "x": "{}", "7": '{"sender": 1}'}
    await attacked.link.run(lambda r: r.hset(letters, mapping=damaged))
    await attacked.link.run(lambda r: r.rpush("cookmas:corner:known", "no JSON"))
    again = await RedisMailbox.open_episode(attacked.link, "corner", 2)
    assert [letter.event["word"] for letter in await again.open(1, 0)] == ["b"]
    assert [letter.event["word"] for letter in await again.open(1, 2)] == ["a"]
    box = RedisLetterbox(attacked.link, "corner")
    assert await box.count_quarantined() == 4
    await attacked.link.run(lambda r: r.lpush("cookmas:corner:quarantine", "no JSON"))
    reasons = [each.reason for each in await box.quarantine()]
    assert reasons[0] == "is damaged"
    assert len(reasons) == 5
    assert await again.idle(3)


async def test_a_stream_is_read_in_bounded_parts(attacked: Attacked) -> None:
    for number in range(10):
        attacked.anna.execute_command("XADD", INBOX, "*", "id", number, "event", 400 * "x")
    keys = [f"cookmas:corner:{part}" for part in ("guests", "ends", "house", "episode")]
    *_, sent, _ = await attacked.link.script("take", keys, 1, 10, 100)
    ((_, _, _, entries),) = sent
    assert len(entries) == 3


async def test_a_flood_is_counted_and_withdrawn_in_bounded_parts(attacked: Attacked) -> None:
    words = 12_000 * "x"
    for number in range(400):
        event = json.dumps({"kind": "word", "word": words})
        attacked.anna.execute_command("XADD", INBOX, "*", "id", number, "event", event)
    highest = f"{2**64 - 1}-{2**64 - 1}"
    attacked.anna.execute_command("XADD", INBOX, highest, "id", "last", "event", EVENT)
    await attacked.link.run(
        lambda redis: redis.config_set("client-output-buffer-limit", "normal 2mb 0 0")
    )
    box = RedisLetterbox(attacked.link, "corner")
    assert (await box.backlog()).waiting == 401
    assert await box.withdraw("anna") == 401
    assert (await box.backlog()).waiting == 0


async def test_entries_that_cannot_be_read_are_withdrawn_without_reading_them(
    attacked: Attacked,
) -> None:
    for number in range(12):
        attacked.anna.execute_command("XADD", INBOX, "*", "id", number, "event", 3_000_000 * "x")
    attacked.anna.execute_command("XADD", INBOX, "*", "id", "good", "event", EVENT)
    attacked.anna.execute_command("XADD", INBOX, "*", "nothing", "known")
    await attacked.link.run(
        lambda redis: redis.config_set("client-output-buffer-limit", "normal 2mb 0 0")
    )
    box = RedisLetterbox(attacked.link, "corner")
    state = await attacked.link.run(lambda redis: redis.hget("cookmas:corner:out:anna", ""))
    assert await box.withdraw("anna", "good") == 1
    assert (await box.backlog()).waiting == 13
    assert await box.withdraw("anna") == 13
    assert (await box.backlog()).waiting == 0
    answered = await attacked.link.run(lambda redis: redis.hgetall("cookmas:corner:out:anna"))
    assert answered.keys() == {"", "good"}
    assert answered[""] == state


async def test_what_a_guest_makes_before_the_kitchen_is_opened_is_no_kitchen(
    server: RedisProcess, link: RedisLink
) -> None:
    await link.run(lambda redis: redis.flushdb())
    users = await users_of_the_how_to(server, link)
    anna = users["anna"]

    async def make(redis: Any) -> None:
        for part in ("status", "setup", "lease", "out:anna"):
            await redis.xadd(f"cookmas:corner:{part}", {"x": "y"})

    await anna.run(make)
    box = RedisLetterbox(link, "corner")
    for asked in (box.status(), box.setup(), box.answer(message("1"))):
        with pytest.raises(NoOpenEpisodeError):
            await asked
    await create_episode(link, "corner", "run")
    assert await box.status() is None
    for each in users.values():
        await each.close()


async def test_who_sends_faster_than_is_read_holds_up_nobody(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive = RedisMailbox._receive

    async def receive_and_send(self: RedisMailbox, read: Any, sent: Any) -> None:
        await receive(self, read, sent)
        flood(attacked.anna, 50)

    monkeypatch.setattr(RedisMailbox, "_receive", receive_and_send)
    flood(attacked.anna, 3000)
    mine = message("mine", "bert")
    await attacked.bert.post(mine)
    async with asyncio.timeout(60):
        letters = await attacked.mailbox.open(1, 0)
        assert "bert" in {letter.sender for letter in letters}
        assert not await attacked.mailbox.idle(letters[-1].number)
        await attacked.mailbox.settle([Settled(number=n.number, about="o") for n in letters])
    assert await attacked.bert.answer(mine)


async def test_a_closed_kitchen_waits_for_no_latecomers(
    attacked: Attacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive = RedisMailbox._receive

    async def receive_and_send(self: RedisMailbox, read: Any, sent: Any) -> None:
        await receive(self, read, sent)
        flood(attacked.anna, 5)

    await RedisLetterbox(attacked.link, "corner").close()
    monkeypatch.setattr(RedisMailbox, "_receive", receive_and_send)
    flood(attacked.anna, 5)
    async with asyncio.timeout(60):
        assert await attacked.mailbox.open(1, 0) == []
        assert await attacked.mailbox.empty(0)


def flood(anna: Any, count: int) -> None:
    """Append so many messages to a guest's stream, past the client."""
    pipeline = anna.pipeline(transaction=False)
    for _ in range(count):
        pipeline.xadd(INBOX, {"id": uuid.uuid4().hex, "event": EVENT})
    pipeline.execute()
