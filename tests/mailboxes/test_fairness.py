"""Whose turn it is, and how many come before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.mailboxes.fairness import Turns

SENDERS = st.sampled_from(["anna", "bert", "cleo", "dora"])


@given(sent=st.lists(SENDERS, max_size=20), last=st.dictionaries(SENDERS, st.integers(1, 9)))
def test_a_place_is_how_many_are_taken_before(sent: list[str], last: dict[str, int]) -> None:
    turns = Turns[int](last)
    for number, sender in enumerate(sent):
        turns.add(sender, str(number % 2), number)
    places = dict(turns.places(lambda _: True))
    taken = [turn.item for turn in turns.take(len(sent), 10, lambda _: True)]
    assert [places[item] for item in taken] == list(range(len(sent)))


@pytest.mark.parametrize("known", [True, False])
def test_senders_whose_last_turn_is_long_ago_are_forgotten(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is forgotten has its turn as soon as somebody new, and not after."""
    monkeypatch.setattr("cookmas.mailboxes.fairness.REMEMBERED", 2)
    senders = {"anna": 1, "bert": 2, "cleo": 3}
    turns = Turns[str](senders if known else None)
    if not known:
        for name, number in senders.items():
            turns.add(name, "", name)
            turns.take(1, number, lambda _: True)
    for name in ("anna", "bert", "dora"):
        turns.add(name, "", name)
    taken = [turn.sender for turn in turns.take(3, 4, lambda _: True)]
    assert taken == ["anna", "dora", "bert"]
