"""The words for Hanabi: the hands, what their owners know, the fireworks and the tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cookmas.episodes.world import Json
from cookmas.worlds.base.viewing import OPEN, Item, Panel, Terms, Viewing, VisibleGoal, panel_of
from cookmas.worlds.hanabi.rules import UNSEEN, Game, list_possible, list_unseen
from cookmas.worlds.hanabi.words import COLOURS, count_things, describe_told, split_action
from cookmas.worlds.hanabi.world import HanabiWorld, Table


class HanabiViewing(Viewing):
    """The words for hands, fireworks, tokens and discards."""

    terms = Terms(goals="fireworks", reached="complete")

    def event(self, event: Json) -> str:
        """Return an event in words; those of a deal leave the cards out."""
        return "the cards are dealt" if event.get("kind") == "deal" else super().event(event)

    def action(self, world: HanabiWorld, state: Table, worker: str, action: str) -> str:
        """Return a move in words, such as `plays card 2`."""
        kind, rest = split_action(action)
        if kind in ("play", "discard"):
            return f"{kind}s card {rest}"
        if action == world.idle:
            return "waits"
        player, _, value = rest.partition(",")
        if kind != "clue" or not value:
            return action
        return f"tells {player} which cards are {value}{'s' if value.isdigit() else ''}"

    def panels(self, world: HanabiWorld, state: Table) -> Sequence[Panel]:
        """Return the hand of each player, what lies on the table, and the last moves.

        Beside each card stands what clues named of it, and what it can be as far as its owner
        knows. The owner counts the cards that it sees. If the observer does not see its own cards,
        they do not count for the others either.
        """
        hands = [self._hand(world, state, player) for player in range(len(world.workers))]
        discards = sort_by_colour(state["discards"]).items()
        level, heights = world.level, state["fireworks"].items()
        fireworks = ", ".join(f"{COLOURS[colour]} {height}" for colour, height in heights)
        table = [
            Item(name="to move", what=state["player"]),
            Item(name="fireworks", what=fireworks, note=f"score {world.score(state):g}"),
            Item(name="clue tokens", what=f"{state['clues']} of {level.clues}"),
            Item(
                name="life tokens",
                what=f"{state['lives']} of {level.lives}",
                alarming=state["lives"] <= 1,
            ),
            Item(
                name="deck", what=count_things(len(state["deck"]), "card"), note=_last_moves(state)
            ),
        ]
        said = (
            (each["player"], self._describe_move(world, state, each)) for each in state["recent"]
        )
        return [
            *hands,
            Panel(title="table", items=table),
            panel_of("discards", discards),
            panel_of("last moves", said),
        ]

    def goals(self, world: HanabiWorld, state: Table) -> Sequence[VisibleGoal]:
        """Return the fireworks; a firework that can no longer grow is closed, complete or lost."""
        over = world.ending(state) is not None
        discards: Counter[str] = Counter(state["discards"])
        goals = []
        for colour, height in state["fireworks"].items():
            reach, top = find_reach(world.game, colour, height, discards), world.game.ranks
            stuck = height < top and (over or reach == height)
            ended = f"ends at {height}" if stuck else OPEN
            goals.append(
                VisibleGoal(
                    name=COLOURS[colour],
                    what=f"{height} of {top}",
                    note="" if reach == top or stuck else f"at most {reach}",
                    status="complete" if height == top else ended,
                    lost=stuck,
                )
            )
        return goals

    def _hand(self, world: HanabiWorld, state: Table, player: int) -> Panel:
        position, name = world.position(state), world.workers[player]
        unseen = list_unseen(world.game, position, player)
        marks = position.marks[player]
        held = zip(position.hands[player], marks, list_possible(unseen, marks), strict=True)
        items = [
            Item(
                name=str(slot),
                what="not seen" if card == UNSEEN else name_card(card),
                note=f"{f'told {told}; ' if told else ''}can be {describe(world, cards)}",
            )
            for slot, (card, mark, cards) in enumerate(held, 1)
            for told in [describe_told(mark)]
        ]
        return Panel(title=f"cards of {name}", items=items)

    def _describe_move(self, world: HanabiWorld, state: Table, move: Mapping[str, str]) -> str:
        words = self.action(world, state, move["player"], move["action"])
        if not move["card"]:
            return words
        missed = move["action"].startswith("play") and not move["played"]
        return f"{words}: {name_card(move['card'])}{', which does not fit' if missed else ''}"


def name_card(card: str) -> str:
    """Return a card in words, such as `red 3`."""
    return f"{COLOURS[card[0]]} {card[1:]}"


def sort_by_colour(cards: Iterable[str]) -> dict[str, str]:
    """Return the ranks of cards by the word of their colour, in order, such as `1 1 3`."""
    ranks: dict[str, list[str]] = {}
    for card in sorted(cards, key=lambda each: (list(COLOURS).index(each[0]), each[1:])):
        ranks.setdefault(COLOURS[card[0]], []).append(card[1:])
    return {colour: " ".join(each) for colour, each in ranks.items()}


def describe(world: HanabiWorld, cards: Iterable[str]) -> str:
    """Return in words what a card can be, such as `red or blue 1 2, white 3`."""
    kinds = set(cards)
    if kinds == set(world.game.cards):
        return "any card"
    alike: dict[str, list[str]] = {}
    for colour, ranks in sort_by_colour(kinds).items():
        alike.setdefault(ranks, []).append(colour)
    return ", ".join(f"{' or '.join(colours)} {ranks}" for ranks, colours in alike.items())


def find_reach(game: Game, colour: str, height: int, discards: Counter[str]) -> int:
    """Return the highest rank that a firework can still reach with what was not discarded."""
    for rank in range(height + 1, game.ranks + 1):
        if discards[f"{colour}{rank}"] == game.copies(rank):
            return rank - 1
    return game.ranks


def _last_moves(state: Table) -> str:
    return "" if state["left"] is None else f"{count_things(state['left'], 'move')} left"


VIEWING = HanabiViewing()
