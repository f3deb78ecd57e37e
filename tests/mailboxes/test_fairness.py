"""Whose turn it is, and how many come before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mailboxes.fairness import Turns

SENDERS = st.sampled_from(["anna", "bert", "cleo", "dora"])


@given(sent=st.lists(SENDERS, max_size=20), last=st.dictionaries(SENDERS, st.integers(1, 9)))
def test_a_place_is_how_many_are_taken_before(sent: list[str], last: dict[str, int]) -> None:
    turns = Turns[int](last)
    for number, sender in enumerate(sent):
        turns.add(sender, str(number % 2), number)
    places = dict(turns.places(lambda _: True))
    taken = [turn.item for turn in turns.take(len(sent), 10, lambda _: True)]
    assert [places[item] for item in taken] == list(range(len(sent)))
