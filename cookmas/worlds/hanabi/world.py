"""The world Hanabi: each player sees all hands but its own, and one player moves at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Annotated, Any

from pydantic import Field

from cookmas.episodes.base import World
from cookmas.episodes.level import Level
from cookmas.episodes.world import Ending, Json, Outcome, Ruling, Trigger
from cookmas.files.errors import InputError
from cookmas.worlds.hanabi.rules import (
    CARDS_BY_PLAYERS,
    UNSEEN,
    Game,
    Marks,
    Move,
    Position,
    complete_deal,
    draw_hand,
    list_unseen,
)
from cookmas.worlds.hanabi.words import COLOURS as COLOURS
from cookmas.worlds.hanabi.words import describe_rules, describe_table, split_action

Table = dict[str, Any]
"""The state: the `timestep`, the `seed`, the `deck` with the next card last, the `hands` by player,
the `fireworks` by colour, the `discards`, the tokens `clues` and `lives`, the `player` whose move
it is, the moves that are `left` after the last draw, the `recent` moves, and all `past` ones.

Each card of a hand is a mapping of the `card` and its marks: the `colours` and `ranks` that clues
leave possible, and whether they named them (`colour_told`, `rank_told`). A card that the observer
does not see is `??`. A recent move has the `player`, the `action`, the `card` that was played or
discarded, and whether it was `played` well. A past move is the action and that card.
"""

PLAYERS = ("alice", "bob", "cara", "dan", "eve")
"""The names of the players."""

_LETTERS = {word: letter for letter, word in COLOURS.items()}


class HanabiLevel(Level):
    """The fields of a scenario's file from which the game is built."""

    players: Annotated[int, Field(ge=2, le=5)] = 2
    """Number of players."""
    colours: Annotated[int, Field(ge=1, le=5)] = 5
    """Number of colours."""
    ranks: Annotated[int, Field(ge=2, le=5)] = 5
    """Highest rank."""
    hand: Annotated[int, Field(ge=1, le=5)] | None = None
    """Number of cards of a hand; None: 5 for two or three players, 4 for more."""
    clues: Annotated[int, Field(ge=1, le=8)] = 8
    """Clue tokens at the start, and the most that there can be."""
    lives: Annotated[int, Field(ge=1, le=3)] = 3
    """Life tokens at the start."""


class HanabiWorld(World):
    """Players who see every hand but their own, and build fireworks together."""

    name = "hanabi"
    level: HanabiLevel
    level_type = HanabiLevel
    central = False
    talk_rounds = 0
    drawn = "the order of the deck"

    def __init__(self, level: HanabiLevel) -> None:
        super().__init__(level)
        hand = level.hand or CARDS_BY_PLAYERS[level.players]
        letters = "".join(COLOURS)[: level.colours]
        self.game = Game(level.players, letters, level.ranks, hand, level.clues, level.lives)
        if hand * level.players > len(self.game.cards):
            needed, there = hand * level.players, len(self.game.cards)
            raise InputError("hand", f"the hands need {needed} cards, and the deck has {there}")
        self.workers: Sequence[str] = PLAYERS[: level.players]
        self.actions: Mapping[str, str] = {
            "play(SLOT)": "play a card of the own hand.",
            "discard(SLOT)": "put a card of the own hand away, and get a clue token back.",
            "clue(PLAYER,VALUE)": "tell another player which of its cards have a colour or a rank.",
        }
        self.choices: Mapping[str, Sequence[str]] = {
            "SLOT": [str(slot) for slot in range(1, hand + 1)],
            "PLAYER": self.workers,
            "VALUE": [*(COLOURS[letter] for letter in letters), *self.game.digits],
        }

    @property
    def best_score(self) -> float:
        """The number of cards of complete fireworks."""
        return self.game.best

    def opening(self) -> Table:
        """Return the table before the cards are dealt, as if they lay in order."""
        return {**self.entries(self.game.deal(self.game.cards)), "recent": [], "past": []}

    def deal(self, state: Table, draw: Random) -> Table:
        """Return the table with the cards dealt from a shuffled deck."""
        return {**state, **self.entries(self.game.deal(self.game.shuffle(draw)))}

    def receive(self, state: Table, event: Json) -> tuple[Table, Ruling]:
        """Deal a deck in a given order: an event `deal` with the `deck`, the first card first.

        It is refused once the game has begun. Raise InputError for any other event, or for a deck
        without all cards.
        """
        match event:
            case {"kind": "deal", "deck": list(deck)}:
                if Counter(map(str, deck)) != Counter(self.game.cards):
                    raise InputError("deck", "expected each card of this variant, such as R1")
                if state["timestep"] > 0:
                    return state, Ruling(refused="the game has begun")
                dealt = self.entries(self.game.deal(deck))
                return {**state, **dealt}, Ruling(
                    trigger=Trigger(kind="deal", cause="cards are dealt")
                )
        raise InputError("event", "expected `deal` with a deck")

    def movers(self, state: Table) -> Sequence[str]:
        """Return the player whose move it is."""
        return [state["player"]]

    def legal(self, state: Table, worker: str) -> Sequence[str]:
        """Return the moves of the player whose move it is."""
        if worker != state["player"]:
            return []
        return [self.text_of(move) for move in self.game.moves(self.position(state))]

    def advance(self, state: Table, actions: Mapping[str, str], draw: Random) -> Table:
        """Return the table after a move; without one the same player moves again."""
        player = state["player"]
        if player not in actions:
            return state
        action = actions[player]
        result = self.game.play(self.position(state), self.move_of(action))
        done = {"player": player, "action": action, "card": result.card, "played": result.played}
        recent = [*state["recent"], done][-len(self.workers) :]
        past = [*state["past"], [action, result.card]]
        return {**state, **self.entries(result.position), "recent": recent, "past": past}

    def ending(self, state: Table) -> Ending | None:
        """Return how the game has ended: won with the best score, lost without lives, or over."""
        position = self.position(state)
        if not self.game.is_over(position):
            return None
        if position.lives <= 0:
            return Ending("lost", "no life is left")
        if sum(position.fireworks) == self.game.best:
            return Ending("won", "all fireworks are complete")
        return Ending("over", "the deck is empty, and each player has had its last move")

    def score(self, state: Table) -> float:
        """Return the number of cards in fireworks; 0 if no life is left."""
        return self.game.score(self.position(state))

    def rewards(
        self, before: Table, after: Table, outcomes: Mapping[str, Outcome]
    ) -> Mapping[str, float]:
        """Return the change of the score, for each player."""
        return dict.fromkeys(self.workers, self.score(after) - self.score(before))

    def view_for(self, state: Table, worker: str | None) -> Table:
        """Return the table without the deck's order, and for a player without its own cards."""
        hands = {
            name: [{**each, "card": UNSEEN} for each in hand] if name == worker else hand
            for name, hand in state["hands"].items()
        }
        return {**state, "hands": hands, "deck": [UNSEEN] * len(state["deck"])}

    def listable(self, observed: Table, worker: str | None) -> Table | None:
        """Return what a player sees: what it can do does not depend on its own cards."""
        return None if worker is None else observed

    def draw_alike(self, state: Table, worker: str, seed: int) -> Table:
        """Return a table with another hand of the player and another deck that fit what it sees."""
        position, player = self.position(state), self.workers.index(worker)
        draw = Random(f"{seed}/{state['timestep']}")
        unseen = list_unseen(self.game, position, player)
        hand = draw_hand(unseen, position.marks[player], draw)
        return {**state, **self.entries(complete_deal(position, player, hand, unseen, draw))}

    # The table as a position of the engine, and moves as actions.

    def position(self, state: Table) -> Position:
        """Return the position of the engine for a table, also for one that a player observes."""
        hands = state["hands"].values()
        return Position(
            deck=tuple(state["deck"]),
            hands=tuple(tuple(each["card"] for each in hand) for hand in hands),
            marks=tuple(tuple(marks_of(each) for each in hand) for hand in hands),
            fireworks=tuple(state["fireworks"].values()),
            discards=tuple(state["discards"]),
            clues=state["clues"],
            lives=state["lives"],
            player=self.workers.index(state["player"]),
            left=state["left"],
        )

    def entries(self, position: Position) -> Table:
        """Return the entries of the table for a position."""
        hands = zip(self.workers, position.hands, position.marks, strict=True)
        return {
            "deck": list(position.deck),
            "hands": {
                name: [{"card": x, **y._asdict()} for x, y in zip(hand, marks, strict=True)]
                for name, hand, marks in hands
            },
            "fireworks": dict(zip(self.game.colours, position.fireworks, strict=True)),
            "discards": list(position.discards),
            "clues": position.clues,
            "lives": position.lives,
            "player": self.workers[position.player],
            "left": position.left,
        }

    def text_of(self, move: Move) -> str:
        """Return a move as an action; slots are numbered from 1, which is the oldest card."""
        if move.kind in ("play", "discard"):
            return f"{move.kind}({move.at + 1})"
        return f"clue({self.workers[move.at]},{COLOURS.get(move.value, move.value)})"

    def move_of(self, action: str) -> Move:
        """Return the move of a legal action."""
        kind, rest = split_action(action)
        if kind != "clue":
            return Move("play" if kind == "play" else "discard", int(rest) - 1)
        player, _, value = rest.partition(",")
        at = self.workers.index(player)
        return Move("colour", at, _LETTERS[value]) if value in _LETTERS else Move("rank", at, value)

    @cached_property
    def about(self) -> str:  # type: ignore[override]
        """The rules in words."""
        return describe_rules(self.game, self.workers)

    def narrate(self, observed: Table, worker: str | None) -> list[str]:
        """Return what a player knows of the table, in sentences."""
        position = self.position(observed)
        told = describe_table(self.game, position, observed["recent"], self.workers, worker)
        return list(told)


def marks_of(entry: Mapping[str, Any]) -> Marks:
    """Return the marks in the entry of a card."""
    return Marks(entry["colours"], entry["ranks"], entry["colour_told"], entry["rank_told"])
