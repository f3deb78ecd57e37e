"""Messages that wait: their order, their limit, their place, and what lets others pass."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.mailboxes.protocol import (
    FLOODED,
    MOST_LETTERS,
    Answer,
    Envelope,
    OpenMailbox,
    Settled,
)
from tests.mailboxes.open_memory import FencedMailbox
from tests.mailboxes.opened import MAILBOXES, QUOTA, Opened, message, take, told, words


@settings(max_examples=15)
@given(sent=st.lists(st.sampled_from(["anna", "bert", "cleo"]), max_size=40))
@pytest.mark.parametrize("kind", sorted(MAILBOXES))
def test_each_senders_order_is_kept(
    kind: str, sent: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def play() -> None:
        async with MAILBOXES[kind](tmp_path_factory.mktemp(kind), []) as (mailbox, letterbox, _):
            for number, sender in enumerate(sent):
                await letterbox.post(message(str(number), sender))
            letters = await take(mailbox)
            assert [letter.number for letter in letters] == list(range(1, len(sent) + 1))
            for sender in set(sent):
                own = [int(n.event["word"]) for n in letters if n.sender == sender]
                assert own == [number for number, name in enumerate(sent) if name == sender]

    asyncio.run(play())


async def test_a_flood_from_one_sender_does_not_hold_up_the_others(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    for number in range(4 * MOST_LETTERS):
        await letterbox.post(message(str(number), "flood"))
    await mailbox.open(1, 0)
    await letterbox.post(message("mine", "anna"))
    await letterbox.post(message("mine too", "anna"))
    letters = await mailbox.open(2, MOST_LETTERS)
    assert len(letters) == MOST_LETTERS
    assert words(letters)[0] == "mine"
    assert "mine too" in words(letters)


async def test_a_letter_tells_how_long_its_message_waited(opened: Opened) -> None:
    mailbox, letterbox, again = opened
    began = time.time()
    await letterbox.post(message("mine"))
    stored = time.time()
    await asyncio.sleep(0.05)

    async def check(box: OpenMailbox) -> None:
        least = time.time() - stored
        known, mine = await take(box)
        most = time.time() - began
        assert known.waited is None
        assert (mine.waited is None) == isinstance(box, FencedMailbox)
        if mine.waited is not None:
            assert least - 0.002 <= mine.waited <= most + 0.002

    await check(mailbox)
    await check(await again())


async def test_who_has_too_much_waiting_is_told_so(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    for number in range(QUOTA):
        assert await letterbox.post(message(str(number), "flood")) is None
    for _ in range(2):
        answer = await told(bare, message("more", "flood"))
        assert answer is not None
        assert (answer.status, answer.why) == ("refused", FLOODED)
    assert await told(bare, message("mine", "anna")) is None
    letters = list(await mailbox.open(1, 0))
    assert await told(bare, message("more", "flood")) is None
    letters += await take(mailbox, 2, after=len(letters))
    assert words(letters)[-1] == "more"
    await mailbox.settle([Settled(number=letter.number, about="o") for letter in letters])
    answer = await told(bare, message("more", "flood"))
    assert answer is not None
    assert answer.status == "taken_already"


async def test_who_must_wait_is_told_its_place_once(bare: Opened) -> None:
    mailbox, letterbox, again = bare
    for word in ("1", "2", "3"):
        await letterbox.post(message(word, "flood"))
    await letterbox.post(message("a"))
    await mailbox.open(1, 0, lambda event: event["word"] == "1")
    assert await letterbox.answer(message("a")) is None
    await mailbox.tell_places()
    told = {
        each.id: await letterbox.answer(each)
        for each in (message("a"), message("2", "flood"), message("3", "flood"))
    }
    assert told == {
        name: Answer(id=name, status="waiting", place=place)
        for name, place in {"anna-a": 0, "flood-2": 1, "flood-3": 2}.items()
    }
    await letterbox.post(message("b"))
    await (await again()).tell_places()
    later = await letterbox.answer(message("b"))
    assert later
    assert later.place == 2


async def test_a_place_gives_way_to_the_answer(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    await letterbox.post(message("a"))
    await mailbox.tell_places()
    await take(mailbox)
    await mailbox.settle([Settled(number=1, about="o1")])
    await mailbox.tell_places()
    answer = await letterbox.answer(message("a"))
    assert answer
    assert answer.status == "taken"


async def test_what_cannot_be_taken_yet_waits_and_lets_pass_what_is_of_another_kind(
    bare: Opened,
) -> None:
    mailbox, letterbox, _ = bare
    sent = [
        ("big", "1", "anna"),
        ("small", "2", "anna"),
        ("big", "3", "anna"),
        ("big", "4", "bert"),
    ]
    sent += [("small", "5", "anna"), ("small", "6", "bert")]
    for kind, word, sender in sent:
        event = {"kind": kind, "word": word}
        await letterbox.post(Envelope(id=word, sender=sender, event=event))
    asked: list[str] = []

    def may(event: Mapping[str, Any]) -> bool:
        asked.append(event["word"])
        return bool(event["kind"] == "small")

    letters = await mailbox.open(1, 0, may)
    assert [(letter.sender, letter.event["word"]) for letter in letters] == [
        ("anna", "2"),
        ("bert", "6"),
        ("anna", "5"),
    ]
    assert asked == ["1", "2", "6", "5"]
    assert not await mailbox.idle(3)
    assert words(await take(mailbox, 2, after=3)) == ["4", "1", "3"]


async def test_what_is_taken_is_asked_for_one_by_one(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    for word in ("a", "b", "c"):
        await letterbox.post(message(word))
    room = iter([True, True, False])
    assert words(await mailbox.open(1, 0, lambda event: next(room))) == ["a", "b"]
    assert words(await take(mailbox, 2, after=2)) == ["c"]
