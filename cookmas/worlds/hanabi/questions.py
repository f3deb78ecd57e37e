"""Questions about a table of Hanabi: cards, clues, and what a partner concludes from a clue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from random import Random
from statistics import fmean, stdev

from cookmas.worlds.base.questions import KINDS, VIEW, Kind, Question, Questioner
from cookmas.worlds.hanabi.engine import Marks, Move, Position, mark_colour, mark_rank
from cookmas.worlds.hanabi.knowledge import list_possible, list_unseen
from cookmas.worlds.hanabi.policies.conventional import conventional
from cookmas.worlds.hanabi.policies.search import draw_deal, list_candidates, try_move
from cookmas.worlds.hanabi.policies.seats import see
from cookmas.worlds.hanabi.world import HanabiWorld, Table

DEALS = 8
"""Number of deals on which moves are tried; twice as many must agree."""

SHOWN = 6
"""Greatest number of cards among the options of a question about a hidden card."""

_OWN = "By clues and by counting, which of these can your card in slot {slot} be?"
_THEIRS = (
    "{owner} does not see its own cards. By its clues, and by counting the cards that both of you "
    "see, which of these can it take its card in slot {slot} for?"
)
_MEANT = (
    "{giver} has just given you this clue: {clue}. By convention such a clue is about the newest "
    "card that it touches. Which of your cards is that?"
)
_BEST = (
    "Which of these moves leads to the highest score on average, if all players then follow these "
    "conventions? The chop is the oldest card that no clue has touched; it is discarded next. A "
    "clue of a rank that touches the chop may save it. Any other clue calls the newest card that "
    "it touches for the first time to be played."
)
_SAFE = (
    "{partner} plays a card only if it is surely playable, whatever the card can be by clues, "
    "fireworks and discards. After which clue of {seat} does {partner} play a card?"
)


class HanabiQuestioner(Questioner):
    """The questions of Hanabi."""

    kinds = KINDS
    players = ("conventional", "piers", "cautious")

    def ask(
        self, world: HanabiWorld, observed: Table, seat: str, kind: Kind, draw: Random
    ) -> Iterator[Question]:
        """Yield the questions about a table before the end of a game."""
        position = world.position(observed)
        if world.game.is_over(position):
            return
        number = world.workers.index(seat)
        if kind == "comprehension":
            yield from self._ask_card(world, position, number, number, draw)
            yield from self._ask_touched(world, position, number, draw)
            yield from self._ask_playable(world, position, number)
        elif kind == "mind":
            yield from self._ask_meant(world, observed, number)
            yield from self._ask_safe(world, position, number)
            for other in range(world.game.players):
                if other != number:
                    yield from self._ask_card(world, position, number, other, draw)
        elif position.player == number:
            yield from self._ask_best(world, observed, draw)

    def _ask_card(
        self, world: HanabiWorld, position: Position, number: int, owner: int, draw: Random
    ) -> Iterator[Question]:
        """Yield what a card can be for its owner, by what the owner and the seat both see."""
        game, marks = world.game, position.marks[owner]
        every = list_possible(list_unseen(game, position, number, owner), marks)
        slot = draw.randrange(len(marks))
        kinds = list(dict.fromkeys(game.cards))
        right = [card for card in kinds if card in every[slot]]
        wrong = [card for card in kinds if card not in every[slot]]
        if not right or not wrong:
            return
        shown = [draw.choice(right), *draw.sample(wrong, min(SHOWN - 1, len(wrong)))]
        own = owner == number
        yield Question(
            kind="comprehension" if own else "mind",
            about="own card" if own else f"{VIEW} own card",
            text=(_OWN if own else _THEIRS).format(slot=slot + 1, owner=world.workers[owner]),
            options=sorted(shown),
            right=shown[:1],
            proof={
                card: f"{every[slot][card]} unseen copies fit the clues" for card in sorted(shown)
            },
        )

    def _ask_touched(
        self, world: HanabiWorld, position: Position, number: int, draw: Random
    ) -> Iterator[Question]:
        """Yield which cards of another player a clue touches."""
        other = draw.choice([x for x in range(world.game.players) if x != number])
        hand = position.hands[other]
        values = [x for x in (*world.game.colours, *world.game.digits) if x in "".join(hand)]
        value = draw.choice(values)
        touched = [value in (card[0], card[1:]) for card in hand]
        right = _list_slots(touched)
        one_off = [
            _list_slots([yes != (slot == at) for slot, yes in enumerate(touched)])
            for at in range(len(hand))
        ]
        options = sorted({right, *filter(None, one_off)})
        if len(options) > 1:
            move = Move("rank" if value in world.game.digits else "colour", other, value)
            yield Question(
                kind="comprehension",
                about="touched",
                text=f"Which slots does {world.text_of(move)} touch?",
                options=options,
                right=[right],
                proof=dict.fromkeys(options, f"the cards are {', '.join(hand)}"),
            )

    def _ask_playable(
        self, world: HanabiWorld, position: Position, number: int
    ) -> Iterator[Question]:
        """Yield which cards of other players a firework needs next."""
        game = world.game
        needs = {
            f"{colour}{height + 1}": f"the firework {colour} is at {height}"
            for colour, height in zip(game.colours, position.fireworks, strict=True)
        }
        cards = sorted(
            {x for other, hand in enumerate(position.hands) if other != number for x in hand}
        )
        right = [card for card in cards if card in needs]
        if right and len(right) < len(cards):
            yield Question(
                kind="comprehension",
                about="playable",
                text="Which of these cards of the other players could be played well now?",
                options=cards,
                right=right,
                proof={card: needs.get(card, "its firework needs another card") for card in cards},
            )

    def _ask_meant(self, world: HanabiWorld, observed: Table, number: int) -> Iterator[Question]:
        """Yield what the last clue meant under the convention of the newest card."""
        if not observed["recent"]:
            return
        last = observed["recent"][-1]
        if not last["action"].startswith(f"clue({world.workers[number]},"):
            return
        move = world.move_of(last["action"])
        marks = world.position(observed).marks[number]
        touched = [
            slot
            for slot, each in enumerate(marks)
            if (each.rank_told and each.ranks == move.value)
            or (each.colour_told and each.colours == move.value)
        ]
        slots = [f"slot {slot + 1}" for slot in range(len(marks))]
        yield Question(
            kind="mind",
            about="meaning of a clue",
            text=_MEANT.format(giver=last["player"], clue=last["action"]),
            options=slots,
            right=[slots[touched[-1]]],
            proof={
                name: "touched" if slot in touched else "not touched"
                for slot, name in enumerate(slots)
            },
        )

    def _ask_safe(self, world: HanabiWorld, position: Position, number: int) -> Iterator[Question]:
        """Yield after which clue a cautious partner plays, by what both of them know."""
        game = world.game
        if position.player != number:
            return
        clues = [move for move in game.moves(position) if move.kind in ("colour", "rank")]
        for other in range(game.players):
            if other == number:
                continue
            told = {
                world.text_of(x): _plays(world, position, number, x) for x in clues if x.at == other
            }
            right = [clue for clue, card in told.items() if card]
            if right and len(right) < len(told):
                partner = world.workers[other]
                yield Question(
                    kind="mind",
                    about="safe play",
                    text=_SAFE.format(partner=partner, seat=world.workers[number]),
                    options=list(told),
                    right=right,
                    proof={
                        clue: f"{card} is surely playable" if card else "no card is surely playable"
                        for clue, card in told.items()
                    },
                )

    def _ask_best(self, world: HanabiWorld, observed: Table, draw: Random) -> Iterator[Question]:
        """Yield the best of some moves on drawn deals, if twice as many deals agree.

        It must be better than the second best by the standard error of the difference.
        """
        seen = see(world, observed)
        moves = list(dict.fromkeys([conventional(seen, draw), *list_candidates(seen)]))
        if len(moves) < 2:
            return
        deals = [draw_deal(seen, draw) for _ in range(2 * DEALS)]
        scores = {world.text_of(move): try_move(seen, move, deals) for move in moves}
        half, (best, second) = (
            nlargest(2, scores, key=lambda text: sum(scores[text][:count]))
            for count in (DEALS, 2 * DEALS)
        )
        gains = [x - y for x, y in zip(scores[best], scores[second], strict=True)]
        if half[0] == best and fmean(gains) > stdev(gains) / len(gains) ** 0.5:
            yield Question(
                kind="planning",
                about="best move",
                text=_BEST,
                options=list(scores),
                right=[best],
                proof={text: f"scores {fmean(x):.2f} on average" for text, x in scores.items()},
                depth=len(deals[0].deck) + world.game.players,
                margin=round(fmean(gains), 4),
            )


QUESTIONER = HanabiQuestioner()


def _plays(world: HanabiWorld, position: Position, giver: int, clue: Move) -> str:
    """Return a card that its owner knows to be playable after a clue; empty if there is none.

    The owner knows clues, fireworks and discards, and hands that both see.
    """
    game, other = world.game, clue.at
    mark = mark_colour if clue.kind == "colour" else mark_rank
    cards = position.hands[other]
    marks: Sequence[Marks] = [
        mark(each, card, clue.value)
        for each, card in zip(position.marks[other], cards, strict=True)
    ]
    next_of: Mapping[str, int] = dict(zip(game.colours, position.fireworks, strict=True))
    every = list_possible(list_unseen(game, position, giver, other), marks)
    for card, possible in zip(cards, every, strict=True):
        if possible and all(int(x[1:]) == next_of[x[0]] + 1 for x in possible):
            return card
    return ""


def _list_slots(touched: Sequence[bool]) -> str:
    """Return slots in words; empty without any."""
    return " and ".join(str(slot + 1) for slot, yes in enumerate(touched) if yes)
