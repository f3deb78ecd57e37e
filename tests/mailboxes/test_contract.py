"""What every mailbox of an open episode promises; a further one is plugged in as an `Opened`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailboxes.envelope import Answer, Envelope, pack, proof_of, read_envelope
from mailboxes.memory import MemoryOpenMailbox
from mailboxes.protocol import (
    FLOODED,
    MOST_LETTERS,
    REUSED,
    UNPROVED,
    Letter,
    Letterbox,
    OpenMailbox,
    Settled,
)
from mailboxes.redis.letterbox import RedisLetterbox, create_episode
from mailboxes.redis.link import RedisLink
from mailboxes.redis.mailbox import RedisMailbox
from mailboxes.sqlite.file import create_mailbox
from mailboxes.sqlite.letterbox import SqliteLetterbox
from mailboxes.sqlite.mailbox import SqliteMailbox
from tests.redis_process import RedisProcess

QUOTA = 40

Known = Sequence[tuple[int, dict[str, Any]]]


class Opened(NamedTuple):
    """A kitchen's side and a sender's side of one mailbox.

    A sender may have QUOTA messages waiting. `again` opens the kitchen's side anew, as after a
    crash; None where nothing outlives one.
    """

    mailbox: OpenMailbox
    letterbox: Letterbox
    again: Callable[[], Awaitable[OpenMailbox]] | None = None


@asynccontextmanager
async def memory(folder: Path, known: Known) -> AsyncIterator[Opened]:
    mailbox = MemoryOpenMailbox(known, QUOTA)
    yield Opened(mailbox, mailbox)


@asynccontextmanager
async def sqlite(folder: Path, known: Known) -> AsyncIterator[Opened]:
    create_mailbox(folder, known)
    opened: list[SqliteMailbox] = []

    async def again() -> SqliteMailbox:
        opened.append(SqliteMailbox(folder, fence=len(opened) + 1))
        return opened[-1]

    yield Opened(await again(), SqliteLetterbox(folder, QUOTA), again)
    for each in opened:
        each.close()


@asynccontextmanager
async def redis(folder: Path, known: Known) -> AsyncIterator[Opened]:
    server = RedisProcess(folder)
    link, other = RedisLink(server.url), RedisLink(server.url)
    fences = count(1)

    async def again() -> RedisMailbox:
        return await RedisMailbox.open_episode(link, "corner", next(fences), most_waiting=QUOTA)

    try:
        await create_episode(link, "corner", "run", known)
        yield Opened(await again(), RedisLetterbox(other, "corner"), again)
    finally:
        for each in (link, other):
            await each.close()
        server.kill()


Open = Callable[[Path, Known], AbstractAsyncContextManager[Opened]]

MAILBOXES: dict[str, Open] = {"memory": memory, "redis": redis, "sqlite": sqlite}


@pytest.fixture(autouse=True)
def no_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody finds by chance what nobody has told."""
    monkeypatch.setattr("mailboxes.sqlite.mailbox.GLANCE", 3600.0)


@pytest.fixture(params=sorted(MAILBOXES))
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    async with MAILBOXES[request.param](tmp_path, [(0, said("known")), (7, said("later"))]) as it:
        yield it


@pytest.fixture(params=sorted(MAILBOXES))
async def bare(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    async with MAILBOXES[request.param](tmp_path, []) as it:
        yield it


def said(word: str) -> dict[str, Any]:
    return {"kind": "word", "word": word}


def message(word: str, sender: str = "anna", **more: Any) -> Envelope:
    return Envelope(id=f"{sender}-{word}", sender=sender, event=said(word), **more)


async def told(opened: Opened, envelope: Envelope) -> Answer | None:
    """What a sender is told of a message, at once or as soon as the kitchen has looked."""
    mailbox, letterbox, _ = opened
    if answer := await letterbox.post(envelope):
        return answer
    await mailbox.idle(0)
    return await letterbox.answer(envelope)


async def take(mailbox: OpenMailbox, timestep: int = 1, after: int = 0) -> list[Letter]:
    """All letters, as an episode takes them at a timestep."""
    letters: list[Letter] = []
    while new := await mailbox.open(timestep, letters[-1].number if letters else after):
        letters += new
    return letters


def words(letters: Sequence[Letter]) -> list[str]:
    return [letter.event["word"] for letter in letters]


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
    if again is None:
        return
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
    later = await again() if again else mailbox
    assert await take(later, timestep=1, after=1) == letters[1:]
    assert await take(later, timestep=1, after=0) == letters
    await later.settle([Settled(number=2, refused="too late"), Settled(number=3, about="o3")])
    told = [await letterbox.answer(message(word)) for word in ("b", "c")]
    assert [answer.about if answer else None for answer in told] == ["o2", "o3"]


async def test_who_was_superseded_takes_and_tells_nothing_any_more(bare: Opened) -> None:
    mailbox, letterbox, again = bare
    if again is None:
        return
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


@settings(max_examples=15, deadline=None)
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
    await (await again() if again else mailbox).tell_places()
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


@settings(max_examples=15, deadline=None)
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


async def test_a_name_belongs_to_who_used_it_first(bare: Opened) -> None:
    mailbox, _, again = bare
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
    assert sorted(words(await take(await again() if again else mailbox))) == ["free", "mine"]


async def test_the_house_alone_speaks_as_the_house(bare: Opened) -> None:
    _, letterbox, again = bare
    if again is None:
        return
    token = await letterbox.house_token()
    assert token
    answer = await told(bare, message("theirs", "house"))
    assert answer is not None
    assert answer.why == UNPROVED
    assert await told(bare, message("ours", "house", proof=proof_of(token))) is None


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.integers() | st.booleans(), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=100, deadline=None)
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
