"""Hanabi in numbers, for training: every player sees the table from its own place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cookmas.episodes.base import World
from cookmas.worlds.base.training import NOTHING, Array, Rows, Training, place_in
from cookmas.worlds.hanabi.rules import Move
from cookmas.worlds.hanabi.words import COLOURS
from cookmas.worlds.hanabi.world import HanabiWorld, Table


class HanabiTraining(Training):
    """The representation of Hanabi in numbers, from the place of one player.

    Players are counted from the observer, who is 0, in the order of play. So the same numbers mean
    the same in all places, and one policy can play all of them. What nobody may see is NOTHING.
    """

    world: HanabiWorld

    def __init__(self, world: World, place: int = 0) -> None:
        self._place = place
        super().__init__(world)

    def list_actions(self) -> Sequence[str]:
        """Return waiting, and the moves; a clue names how many places ahead the player sits."""
        game = self.world.game
        slots = range(1, game.hand + 1)
        values = (*(COLOURS[colour] for colour in game.colours), *game.digits)
        return (
            self.world.idle,
            *(f"{kind}({slot})" for kind in ("play", "discard") for slot in slots),
            *(f"clue(+{n},{value})" for n in range(1, game.players) for value in values),
        )

    def list_arrays(self) -> Mapping[str, Array]:
        """Return the shapes of the observed arrays, by name."""
        game = self.world.game
        colours = tuple(f"can_be_{COLOURS[colour]}" for colour in game.colours)
        ranks = tuple(f"can_be_{rank}" for rank in game.digits)
        self._kinds = list(dict.fromkeys(game.cards))
        return {
            "table": Array(1, ("timestep", "player", "clues", "lives", "deck", "left")),
            "fireworks": Array(len(game.colours), ("height",)),
            "discards": Array(len(self._kinds), ("copies",)),
            "hands": Array(
                game.players * game.hand,
                ("player", "slot", "colour", "rank", "colour_told", "rank_told", *colours, *ranks),
            ),
            "recent": Array(game.players, ("player", "action", "colour", "rank", "played")),
        }

    def of(self, worker: str) -> HanabiTraining:
        """Return the representation from the place of a player."""
        return HanabiTraining(self.world, self.world.workers.index(worker))

    def encode(self, state: Table) -> Mapping[str, Rows]:
        """Return the arrays of an observed table."""
        left = NOTHING if state["left"] is None else state["left"]
        tokens = (state["clues"], state["lives"], len(state["deck"]))
        discarded: Counter[str] = Counter(state["discards"])
        return {
            "table": [[state["timestep"], self._ahead(state["player"]), *tokens, left]],
            "fireworks": [[height] for height in state["fireworks"].values()],
            "discards": [[discarded[card]] for card in self._kinds],
            "hands": list(self._encode_hands(state["hands"])),
            "recent": [
                [
                    self._ahead(each["player"]),
                    self._number(each["action"], each["player"]),
                    *self._card(each["card"]),
                    int(each["played"]),
                ]
                for each in state["recent"]
            ],
        }

    def text(self, state: Table, number: int) -> str:
        """Return the action that a number means for the player of this place."""
        action = self.actions[number]
        kind, _, rest = action.partition("(+")
        if kind != "clue":
            return action
        ahead, _, value = rest.partition(",")
        workers = self.world.workers
        return f"clue({workers[(self._place + int(ahead)) % len(workers)]},{value}"

    def legal(self, state: Table, worker: str) -> Sequence[int]:
        """Return the numbers of the legal actions."""
        return [self._number(action, worker) for action in self.world.legal(state, worker)]

    def _number(self, action: str, worker: str) -> int:
        """Return the number of a move of a worker, whose clues are counted from its place."""
        move: Move = self.world.move_of(action)
        if move.kind in ("play", "discard"):
            return self.number[action]
        workers = self.world.workers
        ahead = (move.at - workers.index(worker)) % len(workers)
        return self.number[f"clue(+{ahead},{action.partition(',')[2]}"]

    def _ahead(self, player: str) -> int:
        """Return how many places ahead of this one a player sits."""
        workers = self.world.workers
        return (workers.index(player) - self._place) % len(workers)

    def _card(self, card: str) -> tuple[int, int]:
        """Return the place of the colour, and the rank; NOTHING for a card that is not seen."""
        colours = place_in(self.world.game.colours)
        if card[:1] not in colours:
            return NOTHING, NOTHING
        return colours[card[0]], int(card[1:])

    def _encode_hands(
        self, hands: Mapping[str, Iterable[Mapping[str, Any]]]
    ) -> Iterator[list[int]]:
        """Yield a row for each card, the hand of this place first."""
        game = self.world.game
        for name in sorted(hands, key=self._ahead):
            for slot, each in enumerate(hands[name]):
                yield [
                    self._ahead(name),
                    slot,
                    *self._card(each["card"]),
                    int(each["colour_told"]),
                    int(each["rank_told"]),
                    *(int(colour in each["colours"]) for colour in game.colours),
                    *(int(rank in each["ranks"]) for rank in game.digits),
                ]


TRAINING = HanabiTraining
