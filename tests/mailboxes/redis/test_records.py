"""The texts that Redis holds: an orchestrator of another build reads the same ones."""

from __future__ import annotations

import pytest

from cookmas.files.errors import InputError
from cookmas.mailboxes.protocol import Envelope
from cookmas.mailboxes.redis.records import KnownEvent, TakenLetter, Waiting

LETTER = (
    '{"timestep":3,"event":{"word":"é","of":[1.0,null]},"sender":"anna","entry":"1-2","id":"a",'
    '"digest":"b3ae7f404f9c51a2"}'
)
KNOWN_LETTER = '{"timestep":3,"event":{"word":"b"},"sender":null,"entry":"","id":"","digest":""}'
KNOWN = '{"due":4,"event":{"word":"b"}}'


def test_a_letter_of_a_sender_is_stored_and_read() -> None:
    envelope = Envelope(id="a", sender="anna", event={"word": "é", "of": [1.0, None]})
    taken = TakenLetter.of(Waiting("1-2", envelope), 7, 3)
    assert taken.text() == LETTER
    assert TakenLetter.read("7", LETTER) == taken
    assert taken.letter().injected


def test_a_known_event_is_stored_and_read_before_and_after_it_is_taken() -> None:
    known = KnownEvent(due=4, event={"word": "b"})
    assert known.text() == KNOWN
    assert KnownEvent.read(KNOWN) == known
    taken = TakenLetter.of_known(known.event, 7, 3)
    assert taken.text() == KNOWN_LETTER
    assert TakenLetter.read("7", KNOWN_LETTER) == taken
    assert not taken.letter().injected


@pytest.mark.parametrize("part", ["timestep", "event", "sender", "entry", "id", "digest"])
def test_a_letter_without_a_part_is_none(part: str) -> None:
    with pytest.raises(InputError, match="letter 7: is no letter"):
        TakenLetter.read("7", LETTER.replace(f'"{part}"', '"other"'))
    with pytest.raises(InputError, match="letter x: is no letter"):
        TakenLetter.read("x", LETTER)


@pytest.mark.parametrize("text", ['{"due":true,"event":{}}', '{"due":"4","event":{}}', '{"due":4}'])
def test_a_known_event_without_timestep_or_event_is_none(text: str) -> None:
    with pytest.raises(InputError, match="known event: has no timestep or no event"):
        KnownEvent.read(text)
