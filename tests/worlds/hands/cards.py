"""A card game: turns, hidden hands, a shuffled deck; two players lay one rising pile together.

Each holds two of the cards 1 to 6, which the other does not see; two are in the deck. Whose turn it
is plays a card, and draws another one, or passes. Who plays a card while the other holds a lower
one has lost the game for both. All six cards on the pile win it; two passes in a row end it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import DONE, Commands, Ending, Json, Outcome, Ruling, Tally, Trigger
from cookmas.files.errors import InputError
from cookmas.orchestrator.planner import Observation
from tests.worlds.hands.table import Game, GameDomain

CARDS = list(range(1, 7))
HAND = 2
PLAYERS = ("alice", "bob")

Table = dict[str, Any]
"""`hands` by player, the `deck` from its top, the `pile` as it was laid, whose `turn` it is, how
many have `passed` in a row, and how it was `lost`; a card that is not seen is None."""

_PLAY = re.compile(r"play\((\d)\)")


class CardsWorld(World):
    """The rules of the game."""

    name = "cards"
    rules = "1"
    workers: Sequence[str] = PLAYERS
    idle = "pass"
    central = False
    best_score = float(len(CARDS))

    def setup(self) -> dict[str, Any]:
        return {}

    def start(self) -> Table:
        hands: dict[str, list[int]] = {name: [] for name in PLAYERS}
        return {"hands": hands, "deck": [], "pile": [], "turn": "alice", "passed": 0, "lost": ""}

    def apply(self, state: Table, event: Json) -> tuple[Table, Ruling]:
        cards = event.get("cards")
        if event.get("kind") != "deal" or not isinstance(cards, list) or sorted(cards) != CARDS:
            raise InputError("event", "expected a deal of all cards")
        if any(state["hands"].values()):
            return state, Ruling(refused="the cards are dealt already")
        hands = {"alice": sorted(cards[:HAND]), "bob": sorted(cards[HAND : 2 * HAND])}
        return {**state, "hands": hands, "deck": cards[2 * HAND :]}, Ruling()

    def movers(self, state: Table) -> Sequence[str]:
        return [state["turn"]]

    def step(
        self, state: Table, commands: Commands
    ) -> tuple[Table, Mapping[str, Outcome], Sequence[Trigger]]:
        given, mover = dict(commands), state["turn"]
        outcomes = dict.fromkeys(PLAYERS, DONE)
        if given.get(other_of(mover), self.idle) != self.idle:
            outcomes[other_of(mover)] = Outcome("not_your_turn", "It is not your turn.")
        action = given.get(mover, "")
        if action == self.idle:
            passed = {**state, "passed": state["passed"] + 1, "turn": other_of(mover)}
            return passed, outcomes, [Trigger(kind="passed", cause=f"{mover} passed")]
        match = _PLAY.fullmatch(action)
        if match is None or int(match[1]) not in state["hands"][mover]:
            outcomes[mover] = Outcome("no_card", f"You hold {state['hands'][mover]}, not that.")
            return state, outcomes, ()
        after, triggers = self._played(state, mover, int(match[1]))
        return after, outcomes, triggers

    def _played(self, state: Table, mover: str, card: int) -> tuple[Table, list[Trigger]]:
        triggers = [Trigger(kind="played", cause=f"{mover} played {card}")]
        hands, deck, other = state["hands"], state["deck"], other_of(mover)
        if any(held < card for held in hands[other]):
            why = f"{mover} played {card}, and {other} held {min(hands[other])}"
            return {**state, "lost": why}, triggers
        mine = [held for held in hands[mover] if held != card]
        if deck:
            triggers.append(Trigger(kind="drew", cause=f"you drew {deck[0]}", to=(mover,)))
        return {
            **state,
            "hands": {**hands, mover: sorted([*mine, *deck[:1]])},
            "deck": deck[1:],
            "pile": [*state["pile"], card],
            "turn": other,
            "passed": 0,
        }, triggers

    def legal(self, state: Table, worker: str) -> Sequence[str]:
        if worker != state["turn"]:
            return [self.idle]
        return [*(f"play({card})" for card in state["hands"][worker]), self.idle]

    def refusal(self, commands: Commands) -> str | None:
        return None

    def ending(self, state: Table) -> Ending | None:
        if state["lost"]:
            return Ending("lost", state["lost"])
        if len(state["pile"]) == len(CARDS):
            return Ending("won", "all cards are on the pile")
        if state["passed"] == len(PLAYERS):
            return Ending("over", f"everybody passed with {len(state['pile'])} cards on the pile")
        return None

    def is_finished(self, state: Table) -> bool:
        return False

    def lookups(self, state: Table) -> Sequence[str]:
        return ()

    def tally(self, state: Table) -> Tally:
        return Tally(done=len(state["pile"]), lost=0, score=float(len(state["pile"])))

    def progress_key(self, state: Table) -> Json:
        return {"pile": state["pile"], "turn": state["turn"]}

    def observe(self, state: Table, worker: str | None = None) -> Table:
        hands = {
            name: hand if name == worker else [None] * len(hand)
            for name, hand in state["hands"].items()
        }
        return {**state, "hands": hands, "deck": [None] * len(state["deck"])}

    def spectate(self, state: Table) -> Table:
        return {**state, "deck": [None] * len(state["deck"])}

    def draw_alike(self, state: Table, worker: str, seed: int) -> Table:
        other = other_of(worker)
        held = len(state["hands"][other])
        unseen = sorted([*state["hands"][other], *state["deck"]])
        drawn = Random(seed).sample(unseen, len(unseen))
        hands = {**state["hands"], other: sorted(drawn[:held])}
        return state if state["lost"] else {**state, "hands": hands, "deck": drawn[held:]}

    def dump(self, state: Table) -> dict[str, Any]:
        return state

    def load(self, data: Json) -> Table:
        return dict(data)


def other_of(player: str) -> str:
    """Return the other player."""
    return PLAYERS[1 - PLAYERS.index(player)]


@dataclass(frozen=True)
class Layer:
    """Plays its lowest card if at most `gap` unseen cards may come before it; otherwise passes."""

    name: str
    gap: int
    planner_class: PlannerClass = "embedded"

    def act(self, observation: Observation[Any]) -> str:
        assert observation.agent
        return self.choose(observation.state, observation.agent)

    def choose(self, seen: Table, player: str) -> str:
        """Return the action for what the player sees."""
        hand, top = seen["hands"][player], max(seen["pile"], default=0)
        card = min((held for held in hand if held > top), default=None)
        if card is None:
            return "pass"
        between = [each for each in range(top + 1, card) if each not in hand]
        return f"play({card})" if len(between) <= self.gap else "pass"


def careful() -> Layer:
    """Return the policy that plays a card only if it is certainly the next one."""
    return Layer("careful", 0)


def bold() -> Layer:
    """Return the policy that accepts the risk of one card before its own."""
    return Layer("bold", 1)


def dealt(seed: int) -> dict[str, Any]:
    """Return the deal of a seed."""
    return {"kind": "deal", "cards": Random(f"cards/{seed}").sample(CARDS, len(CARDS))}


GAME = Game(name="six", make=CardsWorld, draw=dealt, drawn="the order of the deck")
DOMAIN = GameDomain(
    GAME,
    {"careful": "tests.worlds.hands.cards:careful", "bold": "tests.worlds.hands.cards:bold"},
)
