"""A server that loses single keys: the orchestrator says so, and the kitchen goes on."""

from __future__ import annotations

import logging

import pytest

from cookmas.client import AsyncClient
from cookmas.mailboxes.protocol import FORGOTTEN, Answer, Settled, refusal
from cookmas.mailboxes.redis.letterbox import RedisLetterbox, create_episode
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.mailbox import RedisMailbox
from tests.mailboxes.opened import message


@pytest.fixture
async def mailbox(link: RedisLink) -> RedisMailbox:
    await link.run(lambda redis: redis.flushdb())
    await create_episode(link, "corner", "run")
    return await RedisMailbox.open_episode(link, "corner")


async def serve(mailbox: RedisMailbox, number: int) -> list[str | None]:
    """Take the letters from a number on, settle them, and return their senders."""
    letters = await mailbox.open(1, number - 1)
    await mailbox.settle([Settled(number=letter.number, about="o") for letter in letters])
    return [letter.sender for letter in letters]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("part", ["guests", "house", "out:anna"])
async def test_a_lost_key_is_told_and_made_again(
    part: str,
    restarted: bool,
    link: RedisLink,
    mailbox: RedisMailbox,
    caplog: pytest.LogCaptureFixture,
) -> None:
    box = RedisLetterbox(link, "corner")
    assert await box.post(message("a", "anna")) is None
    assert await serve(mailbox, 1) == ["anna"]
    assert caplog.messages == []
    before = await box.house_token()
    key = f"cookmas:corner:{part}"
    await link.run(lambda redis: redis.delete(key))
    if restarted:
        mailbox = await RedisMailbox.open_episode(link, "corner", fence=2)
    with caplog.at_level(logging.WARNING):
        assert await mailbox.idle(1)
    (said,) = caplog.messages
    assert key in said
    assert "noeviction" in said
    assert await box.post(message("b", "anna")) is None
    assert await serve(mailbox, 2) == ["anna"]
    answer = await box.answer(message("b", "anna"))
    assert answer is not None
    assert answer.status == "taken"
    token = await box.house_token()
    assert token is not None
    assert before is not None
    assert (token == before) is (part != "house"), "a token that is not lost is kept"
    assert len(token) == len(before), "a new token is as hard to guess"
    async with AsyncClient(box, "house", patience=0, token=token, world="restaurant") as house:
        await house.instruct("quickly, please")
        assert await serve(mailbox, 3) == ["house"]
    assert len(caplog.messages) == 1


RECORDS = [["out:anna"], ["done:anna"], ["out:anna", "done:anna"]]
"""The keys with the answers of a sender, of which the server may lose any."""


async def lose(link: RedisLink, parts: list[str]) -> None:
    keys = [f"cookmas:corner:{part}" for part in parts]
    assert await link.run(lambda redis: redis.delete(*keys)) == len(keys)


@pytest.mark.parametrize("first", ["orchestrator", "sender"])
@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("lost", RECORDS[::2], ids=str)
async def test_a_repeated_message_whose_answer_is_lost_is_answered(
    lost: list[str], restarted: bool, first: str, link: RedisLink, mailbox: RedisMailbox
) -> None:
    box, sent = RedisLetterbox(link, "corner"), message("a", "anna")
    await box.post(sent)
    assert await serve(mailbox, 1) == ["anna"]
    await lose(link, lost)
    if restarted:
        mailbox = await RedisMailbox.open_episode(link, "corner", fence=2)
    if first == "orchestrator":
        await mailbox.idle(1)
    told = refusal(sent, FORGOTTEN) if restarted else Answer(id=sent.id, status="taken", about="o")
    assert await box.post(sent) is None
    assert await mailbox.open(2, 1) == []
    assert await box.answer(sent) == told
    assert await box.post(sent) == told.repeat()
    entries = await link.run(lambda redis: redis.xlen("cookmas:corner:in:anna"))
    ids = await link.run(lambda redis: redis.lrange("cookmas:corner:done:anna", 0, -1))
    assert (entries, ids) == (0, [sent.id])


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("lost", RECORDS, ids=str)
async def test_a_message_whose_records_are_lost_before_its_answer_gets_it(
    lost: list[str], restarted: bool, link: RedisLink, mailbox: RedisMailbox
) -> None:
    box, earlier, sent = RedisLetterbox(link, "corner"), message("a", "anna"), message("b", "anna")
    await box.post(earlier)
    assert await serve(mailbox, 1) == ["anna"]
    await box.post(sent)
    assert len(await mailbox.open(1, 1)) == 1
    await lose(link, lost)
    if restarted:
        mailbox = await RedisMailbox.open_episode(link, "corner", fence=2)
    await box.post(sent)
    assert len(await mailbox.open(1, 1)) == 1
    assert await serve(mailbox, 2) == ["anna"]
    answer = Answer(id=sent.id, status="taken", about="o")
    assert await box.answer(sent) == answer
    assert await box.post(sent) == answer.repeat()


async def test_a_repeated_message_is_taken_once_though_its_answer_and_its_letter_are_lost(
    link: RedisLink, mailbox: RedisMailbox
) -> None:
    box, sent = RedisLetterbox(link, "corner"), message("a", "anna")
    await box.post(sent)
    assert await serve(mailbox, 1) == ["anna"]
    keys = [f"cookmas:corner:{part}" for part in ("out:anna", "letters")]
    await link.run(lambda redis: redis.delete(*keys))
    mailbox = await RedisMailbox.open_episode(link, "corner", fence=2)
    await box.post(sent)
    assert await mailbox.open(2, 1) == []
    assert await box.answer(sent) == refusal(sent, FORGOTTEN)
