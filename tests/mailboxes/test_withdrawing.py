"""Messages that are withdrawn: told so, never taken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.mailboxes.protocol import (
    Answer,
    Letter,
    Settled,
)
from tests.mailboxes.opened import MAILBOXES, QUOTA, Opened, message, said, take


@pytest.fixture(params=list(MAILBOXES))
async def withdrawing(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    async with MAILBOXES[request.param](tmp_path, [(7, said("later"))]) as it:
        yield it


async def test_what_is_withdrawn_is_told_so_and_never_taken(withdrawing: Opened) -> None:
    mailbox, letterbox, _ = withdrawing
    for word in ("taken", "a", "b"):
        await letterbox.post(message(word))
        if word == "taken":
            await take(mailbox)
    await letterbox.post(message("a", "bert"))
    await letterbox.post(message("b", "bert"))
    assert await letterbox.withdraw(sender="anna", id="bert-a") == 0
    assert await letterbox.withdraw(id="bert-a") == 1
    assert await letterbox.withdraw(sender="anna") == 2
    assert await letterbox.answer(message("taken")) is None
    for sender, word in (("anna", "a"), ("anna", "b"), ("bert", "a")):
        told = Answer(id=f"{sender}-{word}", status="withdrawn")
        assert await letterbox.answer(message(word, sender)) == told
        assert await letterbox.post(message(word, sender)) == told
    assert (await letterbox.backlog()).waiting == 1
    assert await letterbox.withdraw() == 1
    await letterbox.post(message("c"))
    letters = await take(mailbox, timestep=7, after=1)
    assert [(letter.number, letter.event["word"]) for letter in letters] == [(2, "later"), (3, "c")]
    await mailbox.settle([Settled(number=3, about="o1")])
    answer = await letterbox.answer(message("c"))
    assert answer is not None
    assert answer.status == "taken"


async def test_a_closed_kitchen_ends_once_what_waits_is_withdrawn(tmp_path: Path) -> None:
    for kind in MAILBOXES:
        (tmp_path / kind).mkdir()
        async with MAILBOXES[kind](tmp_path / kind, []) as (mailbox, letterbox, _):
            await letterbox.post(message("a"))
            await letterbox.close()
            assert not await mailbox.empty(0)
            await letterbox.withdraw()
            assert await mailbox.empty(0)


async def test_withdrawn_messages_leave_their_sender_room(withdrawing: Opened) -> None:
    _, letterbox, _ = withdrawing
    for number in range(QUOTA):
        await letterbox.post(message(str(number), "flood"))
    assert await letterbox.withdraw("flood") == QUOTA
    assert await letterbox.post(message("more", "flood")) is None


@settings(max_examples=15)
@given(does=st.lists(st.tuples(st.sampled_from(["post", "take", "withdraw"]), st.integers(0, 2))))
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_each_message_is_taken_or_withdrawn_and_never_both(
    kind: str, does: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def play() -> None:
        async with MAILBOXES[kind](tmp_path_factory.mktemp(kind), []) as (mailbox, letterbox, _):
            sent, letters, withdrawn = 0, list[Letter](), 0
            for do, number in [*does, ("withdraw", 0), ("take", 0)]:
                if do == "post":
                    await letterbox.post(message(str(sent), f"s{number}"))
                    sent += 1
                elif do == "take":
                    letters += await mailbox.open(1, len(letters))
                else:
                    withdrawn += await letterbox.withdraw(f"s{number}" if number else None)
            assert [letter.number for letter in letters] == list(range(1, len(letters) + 1))
            assert len({letter.event["word"] for letter in letters}) == len(letters)
            assert len(letters) + withdrawn == sent
            for letter in letters:
                assert (
                    await letterbox.answer(message(letter.event["word"], letter.sender or ""))
                    is None
                )

    asyncio.run(play())
