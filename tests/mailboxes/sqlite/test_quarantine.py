"""Rows that are written past the client, and cannot be read: they stop nobody."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.mailboxes.protocol import MOST_QUARANTINED, Envelope, Letter, Settled
from cookmas.mailboxes.sqlite.file import MAILBOX, create_mailbox
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.mailboxes.sqlite.mailbox import MOST_SIFTED, SqliteMailbox

EVENT = '{"kind": "word", "word": "x"}'

GOOD: dict[str, Any] = {"sender": "anna", "id": "good", "event": EVENT, "kind": "word"}

POISON: dict[str, dict[str, Any]] = {
    "half a character": {"event": '{"kind": "word", "word": "\\ud800"}'},
    "no UTF-8": {"event": b'{"kind": "word", "word": "\xff"}'},
    "no id": {"id": None},
    "a BLOB for an id": {"id": b"\xff"},
    "a BLOB for a kind": {"kind": b"word"},
    "another kind": {"kind": "other"},
    "a text for a number": {"number": "first"},
    "a BLOB for a number": {"number": b"1"},
    "a number out of bounds": {"number": 2**63 - 1},
    "a number that nobody gave": {"number": 999_999_999_999_999, "timestep": 1},
    "a number that is the next": {"number": 2, "timestep": 1},
    "neither sender nor due": {"sender": None},
    "a text for due": {"sender": None, "due": "soon"},
    "a BLOB for a sender": {"sender": b"anna"},
    "an empty sender": {"sender": ""},
    "a sender that moves the cursor": {"sender": "\x1b[2J"},
    "no JSON": {"event": "{"},
    "no mapping": {"event": "[]"},
    "a null": {"event": "null"},
    "deep": {"event": "[" * 100_000},
    "too long": {"event": '{"kind": "word", "word": "' + 20_000 * "x" + '"}'},
    "a BLOB for a meaning": {"meaning": b"{}"},
    "a meaning that is none": {"meaning": "[]"},
    "a proof that is none": {"proof": "x"},
    "the house": {"sender": "house"},
}


@pytest.fixture
def mailbox(tmp_path: Path) -> Iterator[SqliteMailbox]:
    create_mailbox(tmp_path)
    with closing(SqliteMailbox(tmp_path)) as mailbox:
        yield mailbox


def insert(folder: Path, *rows: dict[str, Any]) -> None:
    """Write rows as whoever has the file can."""
    with closing(sqlite3.connect(folder / MAILBOX)) as database, database:
        for row in rows:
            names = ", ".join(row)
            marks = ", ".join(
                f"CAST(:{name} AS TEXT)" if name == "event" else f":{name}" for name in row
            )
            database.execute(f"INSERT INTO messages ({names}) VALUES ({marks})", row)


async def play(mailbox: SqliteMailbox, letterbox: SqliteLetterbox) -> list[Letter]:
    """Take and settle all there is; bert is answered, and then the mailbox is idle."""
    mine = Envelope(id="mine", sender="bert", event={"kind": "word"})
    await letterbox.post(mine)
    letters: list[Letter] = []
    while new := await mailbox.open(1, letters[-1].number if letters else 0):
        letters += new
    await mailbox.settle([Settled(number=letter.number, about="o") for letter in letters])
    answer = await letterbox.answer(mine)
    assert answer
    assert answer.status == "taken"
    assert await mailbox.idle(letters[-1].number)
    return [letter for letter in letters if letter.sender != "bert"]


async def test_what_cannot_be_read_goes_to_the_quarantine_and_the_rest_goes_on(
    mailbox: SqliteMailbox, tmp_path: Path
) -> None:
    rows = [{**GOOD, "id": f"bad {n}", **bad} for n, bad in enumerate(POISON.values())]
    insert(tmp_path, *rows, GOOD)
    letterbox = SqliteLetterbox(tmp_path)
    letters = await play(mailbox, letterbox)
    assert [letter.event["word"] for letter in letters] == ["x"]
    assert await letterbox.count_quarantined() == len(POISON)
    found = await letterbox.quarantine()
    assert len(found) == len(POISON)
    for each in found:
        assert each.origin.startswith("row ")
        assert 0 < len(each.reason) <= 200
        assert len(each.preview) <= 200
        assert f"{each.reason}{each.preview}".isprintable()
    await letterbox.empty_quarantine()
    assert await letterbox.count_quarantined() == 0
    assert await letterbox.quarantine() == []
    await letterbox.close()
    assert await mailbox.empty(2)


@pytest.mark.parametrize("sent", ["soon", b"\xff", float("inf"), float("-inf"), -1e300])
async def test_the_backlog_is_counted_whatever_a_row_says_of_its_time(
    mailbox: SqliteMailbox, tmp_path: Path, sent: object
) -> None:
    insert(tmp_path, {**GOOD, "sent": sent})
    assert await SqliteLetterbox(tmp_path).backlog() == (1, None)


async def test_numbered_letters_that_are_damaged_are_put_aside_too(
    mailbox: SqliteMailbox, tmp_path: Path
) -> None:
    letterbox = SqliteLetterbox(tmp_path)
    for word in ("a", "b", "c", "d"):
        await letterbox.post(Envelope(id=word, sender="anna", event={"kind": "word", "word": word}))
    await mailbox.open(1, 0)
    with closing(sqlite3.connect(tmp_path / MAILBOX)) as database, database:
        database.execute("UPDATE messages SET event = '{' WHERE number = 1")
        database.execute("UPDATE messages SET timestep = 'soon' WHERE number = 2")
        database.execute("UPDATE messages SET sender = x'ff' WHERE number = 3")
    assert [letter.number for letter in await mailbox.open(1, 0)] == [4]
    assert await letterbox.count_quarantined() == 3


async def test_a_quarantine_is_bounded_and_counts_on(
    mailbox: SqliteMailbox, tmp_path: Path
) -> None:
    count = MOST_QUARANTINED + 20
    insert(tmp_path, *({**GOOD, "id": f"{n}", "event": "{"} for n in range(count)))
    letterbox = SqliteLetterbox(tmp_path)
    for _ in range(count // MOST_SIFTED + 1):
        assert await mailbox.open(1, 0) == []
    assert await letterbox.count_quarantined() == count
    found = await letterbox.quarantine()
    assert len(found) == MOST_QUARANTINED
    assert found[0].origin == f"row {count}"
    assert await mailbox.idle(0)


ANYTHING = (
    st.none() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5) | st.binary(max_size=5)
)


@settings(max_examples=20)
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {"event": st.sampled_from([EVENT, "{}", "{", ""]) | st.text(max_size=5)},
            optional=dict.fromkeys(
                ("sender", "id", "kind", "meaning", "proof", "due", "number"), ANYTHING
            ),
        ),
        max_size=4,
    )
)
async def test_no_row_of_any_kind_stops_the_kitchen(
    rows: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    create_mailbox(folder)
    for row in rows:
        try:
            insert(folder, row)
        except (sqlite3.IntegrityError, UnicodeEncodeError):
            continue
    with closing(SqliteMailbox(folder)) as mailbox:
        letters: list[Letter] = []
        while new := await mailbox.open(2**62, letters[-1].number if letters else 0):
            letters += new
        await mailbox.settle([Settled(number=letter.number) for letter in letters])
        await SqliteLetterbox(folder).close()
        due = [row for row in rows if row.get("sender") is None and type(row.get("due")) is int]
        assert due or await mailbox.empty(letters[-1].number if letters else 0)
