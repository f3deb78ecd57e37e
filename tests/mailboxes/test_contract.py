"""What every mailbox of an open episode promises; a further one is plugged in as an `Opened`."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.files.plain import pack
from cookmas.mailboxes.protocol import (
    CLOSED,
    ENDED,
    REUSED,
    UNPROVED,
    Answer,
    Backlog,
    Envelope,
    Settled,
    proof_of,
    read_envelope,
)
from tests.mailboxes.open_memory import MemoryOpenMailbox
from tests.mailboxes.opened import Opened, message, said, take, told, words


async def test_known_events_come_first_and_are_numbered_with_the_messages(opened: Opened) -> None:
    mailbox, letterbox, _ = opened
    await letterbox.post(message("a"))
    letters = await take(mailbox, timestep=0)
    assert [(n.number, n.event["word"], n.sender) for n in letters] == [
        (1, "known", None),
        (2, "a", "anna"),
    ]
    assert [letter.injected for letter in letters] == [False, True]
    assert await take(mailbox, 6, after=2) == []
    assert words(await take(mailbox, 7, after=2)) == ["later"]


async def test_a_message_sent_twice_counts_once(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    assert await letterbox.post(message("a")) is None
    assert await letterbox.post(message("a")) is None
    assert words(await take(mailbox)) == ["a"]
    await mailbox.settle([Settled(number=1, about="o1")])
    again = await letterbox.post(message("a"))
    assert again == Answer(id="anna-a", status="taken_already", about="o1")
    assert await take(mailbox, 2, after=1) == []


async def test_ids_are_each_senders_own_and_stand_for_one_message(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    await letterbox.post(Envelope(id="1", sender="anna", event=said("a")))
    assert await letterbox.post(Envelope(id="1", sender="bert", event=said("b"))) is None
    await told(bare, other := Envelope(id="1", sender="anna", event=said("c")))
    assert sorted(words(await take(mailbox))) == ["a", "b"]
    await mailbox.settle([Settled(number=n, about=f"o{n}") for n in (1, 2)])
    answer = await letterbox.post(other)
    assert answer is not None
    assert (answer.status, answer.why) == ("refused", REUSED)
    assert await letterbox.answer(other) == answer


async def test_nothing_is_answered_before_it_is_settled(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    for word in ("a", "b"):
        await letterbox.post(message(word))
    await take(mailbox)
    assert await letterbox.answer(message("a")) is None
    await mailbox.settle([Settled(number=1, about="o1"), Settled(number=2, refused="no such word")])
    assert await letterbox.answer(message("a")) == Answer(id="anna-a", status="taken", about="o1")
    refused = Answer(id="anna-b", status="refused", why="no such word")
    assert await letterbox.answer(message("b")) == refused
    assert await letterbox.post(message("b")) == refused
    assert await letterbox.answer(message("never sent")) is None


async def test_settling_again_changes_nothing(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    await letterbox.post(message("a"))
    await take(mailbox)
    await mailbox.settle([Settled(number=1, about="o1")])
    await mailbox.settle([Settled(number=1, refused="too late"), Settled(number=9, about="o9")])
    answer = await letterbox.answer(message("a"))
    assert answer is not None
    assert (answer.status, answer.about) == ("taken", "o1")


async def test_a_timestep_opened_again_gives_the_same_letters(opened: Opened) -> None:
    mailbox, letterbox, _ = opened
    await letterbox.post(message("a"))
    first = await take(mailbox, timestep=3)
    assert await take(mailbox, timestep=3) == first
    await letterbox.post(message("b"))
    again = await take(mailbox, timestep=3)
    assert again[:2] == first
    assert words(again[2:]) == ["b"]


async def test_what_was_kept_outlives_whoever_plays(opened: Opened) -> None:
    mailbox, letterbox, again = opened
    await letterbox.post(message("a"))
    taken = await take(mailbox, timestep=2)
    await letterbox.post(message("b"))
    letters = await take(await again(), timestep=4)
    assert letters[:2] == taken
    assert [(letter.event["word"], letter.timestep) for letter in letters[2:]] == [("b", 4)]


async def test_what_was_settled_lately_is_taken_again_after_an_earlier_checkpoint(
    bare: Opened,
) -> None:
    mailbox, letterbox, again = bare
    for word in ("a", "b", "c"):
        await letterbox.post(message(word))
    letters = await take(mailbox)
    await mailbox.settle([Settled(number=n, about=f"o{n}") for n in (1, 2)])
    later = await again()
    assert await take(later, timestep=1, after=1) == letters[1:]
    assert await take(later, timestep=1, after=0) == letters
    await later.settle([Settled(number=2, refused="too late"), Settled(number=3, about="o3")])
    told = [await letterbox.answer(message(word)) for word in ("b", "c")]
    assert [answer.about if answer else None for answer in told] == ["o2", "o3"]


async def test_who_was_superseded_takes_and_tells_nothing_any_more(bare: Opened) -> None:
    mailbox, letterbox, again = bare
    await letterbox.post(message("a"))
    successor = await again()
    with pytest.raises(Exception, match="another process"):
        await mailbox.open(1, 0)
    await take(successor)
    with pytest.raises(Exception, match="another process"):
        await mailbox.settle([Settled(number=1, about="o1")])
    with pytest.raises(Exception, match="another process"):
        await mailbox.publish({"timestep": 1})
    assert await letterbox.answer(message("a")) is None


async def test_events_of_no_kind_are_taken_too(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    for number, kind in enumerate([None, ["list"], 5, "", "x' OR 1"]):
        event = {"word": str(number)} if kind is None else {"kind": kind, "word": str(number)}
        await letterbox.post(Envelope(id=str(number), sender="anna", event=event))
    letters = await mailbox.open(1, 0, lambda event: event.get("kind") != "x' OR 1")
    assert words(letters) == ["0", "1", "2", "3"]


async def test_it_is_idle_until_somebody_sends_something(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    assert await mailbox.idle(0)
    waiting = asyncio.create_task(mailbox.wait(0))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await letterbox.post(message("a"))
    await asyncio.wait_for(waiting, 60)
    assert not await mailbox.idle(0)
    await take(mailbox)
    assert await mailbox.idle(1)


async def test_known_events_that_are_to_come_keep_it_from_idling(opened: Opened) -> None:
    mailbox, letterbox, _ = opened
    await take(mailbox, 0)
    assert not await mailbox.idle(1)
    await letterbox.close()
    assert not await mailbox.empty(1)
    await take(mailbox, 7, after=1)
    assert await mailbox.empty(2)


async def test_closing_wakes_it_and_lets_nothing_more_in(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    await letterbox.post(message("a"))
    await take(mailbox)
    waiting = asyncio.create_task(mailbox.wait(1))
    await asyncio.sleep(0.05)
    assert not await mailbox.empty(1)
    await letterbox.close()
    await asyncio.wait_for(waiting, 60)
    assert await mailbox.empty(1)
    answer = await told(bare, message("b"))
    assert answer is not None
    assert (answer.status, answer.why) == ("refused", "the episode is closed")
    assert await told(bare, message("a")) is None


async def test_what_waited_before_closing_is_still_taken(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    await letterbox.post(message("a"))
    await letterbox.close()
    assert not await mailbox.empty(0)
    assert words(await take(mailbox)) == ["a"]


@pytest.mark.parametrize("closed", [False, True])
async def test_what_has_no_answer_at_the_end_is_refused_now_and_later(
    bare: Opened, closed: bool
) -> None:
    mailbox, letterbox, again = bare
    await letterbox.post(message("taken"))
    (letter,) = await take(mailbox)
    await mailbox.settle([Settled(number=letter.number, about="it")])
    for word, sender in [("a", "anna"), ("b", "bert")]:
        await letterbox.post(message(word, sender))
    if closed:
        await letterbox.close()
    assert await mailbox.end() == 2
    assert (await letterbox.backlog()) == Backlog(0, None)
    assert await letterbox.withdraw() == 0
    answered = await letterbox.answer(message("taken"))
    assert (answered and answered.about) == "it"
    why = CLOSED if closed else ENDED
    newcomer = message("c", "newcomer")
    for each in [message("a"), message("b", "bert"), message("late"), newcomer]:
        answer = await letterbox.post(each) or await letterbox.answer(each)
        assert answer is not None
        assert (answer.id, answer.status) == (each.id, "refused")
        assert answer.why == why
    assert (await letterbox.backlog()).waiting == 0
    assert await letterbox.withdraw() == 0
    assert await (await again()).end() == 0


async def test_a_letter_that_was_numbered_and_not_settled_is_refused_at_the_end(
    bare: Opened,
) -> None:
    mailbox, letterbox, _ = bare
    await letterbox.post(message("a"))
    await take(mailbox)
    await mailbox.end()
    answer = await letterbox.answer(message("a"))
    assert (answer and answer.why) == ENDED


async def test_meanings_are_kept_apart_from_the_letters(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    await letterbox.post(message("a", meaning={"1": []}))
    await letterbox.post(message("b"))
    letters = await take(mailbox)
    assert all("meaning" not in letter.event for letter in letters)
    assert await mailbox.meanings() == {1: {"1": []}}


async def test_everybody_may_see_the_status(bare: Opened) -> None:
    mailbox, letterbox, _ = bare
    assert await letterbox.status() is None
    await mailbox.publish({"timestep": 3, "note": "crème brûlée"})
    assert await letterbox.status() == {"timestep": 3, "note": "crème brûlée"}


async def test_the_backlog_is_what_waits_to_be_taken(opened: Opened) -> None:
    mailbox, letterbox, _ = opened
    await take(mailbox, timestep=0)
    assert await letterbox.backlog() == (0, None)
    await letterbox.post(message("a"))
    await asyncio.sleep(0.05)
    await letterbox.post(message("b", "bert"))
    waiting, oldest = await letterbox.backlog()
    assert waiting == 2
    assert oldest is not None
    assert 0.05 <= oldest < 60
    await take(mailbox, 1, after=1)
    assert await letterbox.backlog() == (0, None)


async def test_a_name_belongs_to_who_used_it_first(bare: Opened) -> None:
    _, _, again = bare
    proof = proof_of("anna's secret")
    assert await told(bare, message("mine", proof=proof)) is None
    for other in (None, proof_of("a guess")):
        answer = await told(bare, message("theirs", proof=other))
        assert answer is not None
        assert (answer.status, answer.why) == ("refused", UNPROVED)
    assert await told(bare, message("free", "bert")) is None
    answer = await told(bare, message("late", "bert", proof=proof))
    assert answer is not None
    assert answer.why == UNPROVED
    assert sorted(words(await take(await again()))) == ["free", "mine"]


async def test_the_house_alone_speaks_as_the_house(bare: Opened) -> None:
    _, letterbox, _ = bare
    token = await letterbox.house_token()
    assert token
    answer = await told(bare, message("theirs", "house"))
    assert answer is not None
    assert answer.why == UNPROVED
    assert await told(bare, message("ours", "house", proof=proof_of(token))) is None


INTEGERS = st.integers(-(2**63), 2**63 - 1)

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | INTEGERS
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | INTEGERS | st.booleans(), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=100)
@given(data=PLAIN)
def test_the_same_plain_data_is_the_same_message(data: Any) -> None:
    async def play() -> None:
        mailbox = MemoryOpenMailbox()
        sent = {"id": "t", "sender": "anna", "event": {"kind": "word", "data": data}}
        envelope = read_envelope(sent)
        again = read_envelope({**sent, "event": json.loads(pack(envelope.event))})
        for each in (envelope, again, read_envelope(sent)):
            assert await mailbox.post(each) is None
        assert len(await take(mailbox)) == 1

    asyncio.run(play())


async def test_what_python_sends_twice_counts_once(bare: Opened) -> None:
    mailbox, _, _ = bare
    event = {"kind": "word", "word": "a", "lines": ({1: "x", "y": (2.5, None)},)}
    for _ in range(2):
        envelope = read_envelope({"id": "t", "sender": "anna", "event": event})
        assert await told(bare, envelope) is None
    assert len(await take(mailbox)) == 1
