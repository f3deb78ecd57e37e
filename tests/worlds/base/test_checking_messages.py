"""The messages that a world declares are checked: each is filled with its examples and taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cookmas.commands.world_faults import find_world_faults
from cookmas.episodes.level import Level
from cookmas.worlds.base import MessageField, MessageForm, Ruling
from cookmas.worlds.base.checking import message_faults
from tests.worlds.base.dice import DiceDomain, DiceWorld

State = dict[str, Any]

BET = MessageForm(
    kind="bet",
    event="new_bet",
    fields=(MessageField(name="stake", kind=int),),
    subject="bet",
    creates="bet",
)
WITHDRAW = MessageForm(kind="withdraw", fields=(MessageField(name="bet"),), subject="bet")


class Betting(DiceWorld):
    """A game on which people bet."""

    messages: Sequence[MessageForm] = (BET, WITHDRAW)

    def opening(self) -> State:
        return {**super().opening(), "bets": []}

    def receive(self, state: State, event: Mapping[str, Any]) -> tuple[State, Ruling]:
        match event:
            case {"kind": "new_bet", "bet": str(name), "stake": int()}:
                return {**state, "bets": [*state["bets"], name]}, Ruling()
            case {"kind": "withdraw", "bet": str(name)} if name in state["bets"]:
                return {**state, "bets": [each for each in state["bets"] if each != name]}, Ruling()
            case _:
                return super().receive(state, event)

    def count_open(self, state: State) -> int:
        return len(state["bets"])


class Uncounted(Betting):
    def count_open(self, state: State) -> int:
        return 0


class Crashing(Betting):
    def receive(self, state: State, event: Mapping[str, Any]) -> tuple[State, Ruling]:
        raise KeyError("bets")


def declared(*messages: MessageForm) -> type[Betting]:
    return type("Declared", (Betting,), {"messages": messages})


def form(kind: str = "bet", **more: Any) -> MessageForm:
    field = MessageField(name="stake", **more.pop("field", {"kind": int}))
    return MessageForm(**{"kind": kind, "event": "new_bet", "fields": (field,), **more})


def raising(world: Any) -> Sequence[str]:
    raise AttributeError("no tables")


CREATES = {"subject": "bet", "creates": "bet"}


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (declared(BET, form(event="other", **CREATES)), "two messages have the same name: bet"),
        (
            declared(BET, form("wager", **CREATES)),
            "two messages become events of the same kind: new_bet",
        ),
        (
            declared(form(fields=(MessageField(name="kind"),), **CREATES)),
            "two fields of a message have the same name, or one is 'kind': bet",
        ),
        (declared(form(creates="bet")), "a message that creates something needs a subject"),
        (declared(form(subject="stake", creates="bet")), "a message that creates something needs"),
        (declared(BET, form("tip", event="tip", subject="who")), "the subject of a message is not"),
        (
            declared(form(field={"kind": int, "example": "much"}, **CREATES)),
            "the example of a field is not accepted: message 'bet', stake: expected a whole number",
        ),
        (
            declared(form(field={"choices": ("1", "2"), "example": "3"}, **CREATES)),
            "the example of a field is not accepted: message 'bet', stake: expected one of 1, 2",
        ),
        (
            declared(form(event="news", **CREATES)),
            "a message becomes an event that the world does not know",
        ),
        (
            declared(form(field={"choices": raising}, **CREATES)),
            "the messages of the world cannot be read",
        ),
        (Uncounted, "what a message creates is not counted by count_open: bet"),
        (Crashing, "a message cannot be taken"),
    ],
)
def test_what_is_wrong_with_a_message_is_said(world: type[DiceWorld], said: str) -> None:
    domain = DiceDomain(world)
    found = [str(fault) for fault in message_faults(domain, domain.scenario("six", {}))]
    assert [each for each in found if each.startswith(said)], found


def test_sound_messages_have_no_faults() -> None:
    domain = DiceDomain(Betting)
    assert list(message_faults(domain, domain.scenario("six", {}))) == []
    assert Betting(Level()).messages == (BET, WITHDRAW)


UNCOUNTED = DiceDomain(Uncounted)


def test_the_check_of_a_world_checks_its_messages() -> None:
    assert "what a message creates is not counted by count_open: bet" in find_world_faults(
        "tests.worlds.base.test_checking_messages:UNCOUNTED"
    )
