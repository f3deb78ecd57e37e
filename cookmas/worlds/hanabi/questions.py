"""Questions about a table of Hanabi: cards, clues, and what a partner concludes from a clue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from random import Random
from statistics import fmean, stdev
from typing import Any

from cookmas.worlds.base.questions import GUESSES, KINDS, VIEW, Kind, Question, Questioner, ask_fact
from cookmas.worlds.hanabi.rules import (
    Marks,
    Move,
    Position,
    list_possible,
    list_unseen,
    mark_colour,
    mark_rank,
)
from cookmas.worlds.hanabi.words import describe_table, split_action
from cookmas.worlds.hanabi.world import HanabiWorld, Table
from cookmas.worlds.shipped import solved

LATE = 8
"""Greatest number of cards in the deck of a table whose best move is asked for.

Near the end few deals decide between moves. Before it hardly any move is better for certain.
"""

DEALS, FRESH = 16, 64
"""Number of deals on which the best move is chosen, and of others on which it has to be best."""

ERRORS = 3.0
"""Standard errors by which it has to be better than each other move on the latter."""

SHOWN = 6
"""Greatest number of cards among the options of a question about a hidden card."""

_OWN = "By clues and by counting, which of these can your card in slot {slot} be?"
_THEIRS = (
    "{owner} does not see its own cards. By its clues, and by counting the cards that both of you "
    "see, which of these can it take its card in slot {slot} for?"
)
_MEANT = (
    "{giver} has just given you this clue: {clue}. It does not touch the oldest of your cards that "
    "no clue had touched. By convention such a clue is about the newest card that it touches. "
    "Which of your cards is that?"
)
_BEST = (
    "Which of these moves leads to the highest score on average, if all players then follow these "
    "conventions? The chop of a hand is its oldest card that no clue has touched. A clue of a rank "
    "that touches the chop says that the chop can be played, or is the last copy of a useful card "
    "or a useful 2. Any other clue says that the newest card that it touches for the first time, "
    "or else the newest that it touches, can be played, perhaps after cards that hands are known "
    "to hold. Clues touch useful cards alone, and no second copy of a card that a hand is known to "
    "hold. A player saves the last copy of a useful card on the next player's chop, plays what can "
    "be played by this, once the deck is empty also what is likely if a life can be lost, else "
    "gives a clue if one is good enough, else discards what is useless, or the chop. With all clue "
    "tokens there, it gives a clue, or else plays the likeliest card."
)
_SAFE = (
    "{partner} plays a card only if it is surely playable, whatever the card can be by clues, "
    "fireworks and discards. After which clue of {seat} does {partner} play a card?"
)


class HanabiQuestioner(Questioner):
    """The questions of Hanabi."""

    kinds = KINDS
    players = ("conventional", "piers", "cautious")
    episodes = 40

    def narrate(
        self, world: HanabiWorld, observed: Table, seat: str, *, bare: bool
    ) -> Sequence[str]:
        """Return the table and its hands, if `bare` without what follows from the clues."""
        table = world.game, world.position(observed), observed["recent"], world.workers, seat
        return [*describe_table(*table, hands=True, deduced=not bare)]

    def sort_key(self, kind: Kind, right: str) -> str:
        """Return whether the best move is a play, a discard or a clue."""
        return split_action(right)[0] if kind == "planning" else ""

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
        elif position.player == number and len(position.deck) <= LATE:
            yield from self._ask_best(world, observed, draw)

    def _ask_card(
        self, world: HanabiWorld, position: Position, number: int, owner: int, draw: Random
    ) -> Iterator[Question]:
        """Yield what a card can be for its owner, by what the owner and the seat both see."""
        game, marks = world.game, position.marks[owner]
        every = list_possible(list_unseen(game, position, number, owner), marks)
        open_slots = [slot for slot, cards in enumerate(every) if len(cards) > 1]
        if not open_slots:
            return
        slot = draw.choice(open_slots)
        kinds = list(dict.fromkeys(game.cards))
        shown_card = position.hands[owner][slot]
        right = [card for card in kinds if card in every[slot] and card != shown_card]
        wrong = [card for card in kinds if card not in every[slot]]
        if not right or len(wrong) < GUESSES - 1:
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
            bare=True,
        )

    def _ask_touched(
        self, world: HanabiWorld, position: Position, number: int, draw: Random
    ) -> Iterator[Question]:
        """Yield which cards of another player a clue touches that tells something new."""
        other = draw.choice([x for x in range(world.game.players) if x != number])
        hand, marks = position.hands[other], position.marks[other]
        values = [
            value
            for value in (*world.game.colours, *world.game.digits)
            if any(
                (value == card[0] and not mark.colour_told)
                or (value == card[1:] and not mark.rank_told)
                for card, mark in zip(hand, marks, strict=True)
            )
        ]
        if not values:
            return
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
            yield from ask_fact(
                "touched",
                f"Which slots does {world.text_of(move)} touch?",
                options,
                [right],
                f"the cards are {', '.join(hand)}",
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
                bare=True,
            )

    def _ask_meant(self, world: HanabiWorld, observed: Table, number: int) -> Iterator[Question]:
        """Yield what the last clue meant if it cannot be a save clue."""
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
        if len(touched) < 2 or _may_save(marks, touched, move):
            return
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
        """Yield the best of some moves, which some drawn deals choose and fresh ones confirm."""
        seen = solved("hanabi", "planners:see")(world, observed)
        usual = solved("hanabi", "conventional:conventional")(seen, draw)
        others = solved("hanabi", "search:list_candidates")(seen)
        moves: list[Move] = list(dict.fromkeys([usual, *others]))
        chosen = choose_move(seen, moves, draw) if len(moves) >= GUESSES else None
        if chosen is not None:
            best, scores = chosen
            means = {world.text_of(move): fmean(found) for move, found in scores.items()}
            first, second = nlargest(2, means.values())
            yield Question(
                kind="planning",
                about="best move",
                text=_BEST,
                options=list(means),
                right=[world.text_of(best)],
                proof={text: f"scores {mean:.2f} on average" for text, mean in means.items()},
                depth=len(seen.position.deck) + world.game.players,
                margin=round(first - second, 4),
            )


QUESTIONER = HanabiQuestioner()


def choose_move(
    seen: Any, moves: Sequence[Move], draw: Random
) -> tuple[Move, Mapping[Move, Sequence[int]]] | None:
    """Return the best of some moves, and what each of them scores on fresh deals.

    It is chosen on some deals. On fresh ones it has to beat each other move by ERRORS standard
    errors of the difference; else return None.
    """
    draw_deal, try_move = (solved("hanabi", f"search:{name}") for name in ("draw_deal", "try_move"))
    deals = [draw_deal(seen, draw) for _ in range(DEALS)]
    tried = {move: try_move(seen, move, deals) for move in moves}
    best, *others = sorted(moves, key=lambda move: -sum(tried[move]))
    if not _is_better(tried[best], tried[others[0]], 1.0):
        return None
    fresh = [draw_deal(seen, draw) for _ in range(FRESH)]
    scores = {best: try_move(seen, best, fresh)}
    for move in others:
        scores[move] = try_move(seen, move, fresh)
        if not _is_better(scores[best], scores[move], ERRORS):
            return None
    return best, {move: scores[move] for move in moves}


def _is_better(ones: Sequence[int], others: Sequence[int], errors: float) -> bool:
    """Return whether some scores are better than others by a number of standard errors."""
    gains = [one - other for one, other in zip(ones, others, strict=True)]
    return bool(fmean(gains) > errors * stdev(gains) / len(gains) ** 0.5)


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


def _may_save(marks: Sequence[Marks], touched: Sequence[int], clue: Move) -> bool:
    """Return whether a clue may have touched the oldest card that no clue had touched before it.

    `marks` are those after the clue, which do not tell whether the same was told before.
    """
    for slot, each in enumerate(marks):
        other = each.colour_told if clue.kind == "rank" else each.rank_told
        if slot in touched and not other:
            return True
        if not (each.colour_told or each.rank_told):
            return False
    return False


def _list_slots(touched: Sequence[bool]) -> str:
    """Return slots in words; empty without any."""
    return " and ".join(str(slot + 1) for slot, yes in enumerate(touched) if yes)
