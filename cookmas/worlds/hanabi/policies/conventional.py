"""Our policy: it gives clues by the conventions, plays what they call, and discards the chop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from cookmas.worlds.hanabi.engine import Move
from cookmas.worlds.hanabi.policies.bits import bits_of
from cookmas.worlds.hanabi.policies.conventions import Hand, believe, deduce, interpret
from cookmas.worlds.hanabi.policies.seen import Seen

W = dict(delayed=0.6, wrong=3.0, false=1.0, critical=1.5, two=0.5, bad=0.3, useful=0.15, info=0.05,
         th=0.5, th_low=0.7, low=2, pace=-0.5, danger=1.5, last=1.0, chopplay=0.0,gam=0.0, gamlives=2)


class View:
    """What a player concludes from what it sees."""

    def __init__(self, seen: Seen) -> None:
        self.game, self.position, self.calls = seen
        self.player = me = self.position.player
        self.bits = bits = bits_of(self.game)
        position = self.position
        self.outlook = bits.outlook(position.fireworks, position.discards)
        self.beliefs = believe(bits, position, self.calls)
        self.gone = self._find_gone()
        self.mine = deduce(self.beliefs.hands[me], self.outlook.useless, self.gone, self.beliefs.held)

    def _find_gone(self) -> int:
        position, game = self.position, self.game
        seen: dict[str, int] = {}
        for player, hand in enumerate(position.hands):
            if player != self.player:
                for card in hand:
                    seen[card] = seen.get(card, 0) + 1
        gone = self.outlook.gone
        for card, count in seen.items():
            rank = int(card[1])
            height = position.fireworks[game.colours.index(card[0])]
            count += position.discards.count(card) + (rank <= height)
            if count >= game.copies(rank):
                gone |= self.bits.of[card]
        return gone

    def plays(self) -> list[int]:
        other = ~self.outlook.playable
        return [slot for slot, cards in enumerate(self.mine) if not cards & other]

    # Clues

    def clues(self) -> Iterator[tuple[float, Move]]:
        position, game, bits = self.position, self.game, self.bits
        me = self.player
        for ahead in range(1, game.players):
            other = (me + ahead) % game.players
            hand = position.hands[other]
            base = self.value(other, self.beliefs.hands[other])
            for value in game.colours:
                told = [card[0] == value for card in hand]
                if True in told:
                    move = Move("colour", other, value)
                    after = interpret(bits, self.outlook, self.beliefs, other, move, told)
                    yield self.value(other, after) - base, move
            for value in game.digits:
                told = [card[1] == value for card in hand]
                if True in told:
                    move = Move("rank", other, value)
                    after = interpret(bits, self.outlook, self.beliefs, other, move, told)
                    yield self.value(other, after) - base, move

    def value(self, other: int, hand: Hand) -> float:
        bits, outlook = self.bits, self.outlook
        true = [bits.of[card] for card in self.position.hands[other]]
        heights = list(self.position.fireworks)
        useless = outlook.useless
        held = self.beliefs.held
        total = 0.0
        done: set[int] = set()
        first = found = deduce(hand, useless, outlook.gone, held)
        ranks = self.game.ranks
        playable = outlook.playable
        while True:
            ready = [s for s, c in enumerate(found) if not c & ~playable and s not in done]
            if not ready:
                break
            slot = min(ready, key=lambda s: (bits.lowest(found[s]), -s))
            done.add(slot)
            bit = true[slot]
            if bit & playable:
                total += 1
                heights[(bit.bit_length() - 1) // ranks] += 1
                useless |= bit
                playable = bits.next(heights)
            else:
                total -= W["wrong"]
            found = deduce(hand, useless, outlook.gone, held)
        later = bits.next(self.beliefs.heights) | playable
        seen = 0
        for slot, cards in enumerate(found):
            if not hand.touched[slot] or slot in done:
                continue
            bit = true[slot]
            if bit & useless:
                if cards & ~useless:
                    total -= W["bad"]
            elif bit & seen or bit & held and cards & (cards-1):
                total -= W["bad"]
            else:
                seen |= bit
                if not bit & first[slot]:
                    total -= W["false"]
                    continue
                total += W["useful"] if cards & ~later else W["delayed"]
                total += W["info"] * (25 - cards.bit_count()) / 5
        chop = hand.find_chop()
        if chop is not None and not done and all(c & ~useless for c in found):
            bit = true[chop]
            if bit & outlook.critical:
                total -= W["critical"]
            elif not bit & useless and self.position.hands[other][chop][1] == "2" and not self.elsewhere(other, chop):
                total -= W["two"]
            elif bit & playable:
                total -= W["chopplay"]
        return total

    def elsewhere(self, other, chop):
        card = self.position.hands[other][chop]
        return any(c == card for p, h in enumerate(self.position.hands) for s, c in enumerate(h) if (p, s) != (other, chop))

    def endangered(self, other: int) -> bool:
        chop = self.beliefs.hands[other].find_chop()
        if chop is None:
            return False
        found = self.beliefs.cards[other]
        if any(not c & ~self.outlook.playable or not c & ~self.outlook.useless for c in found):
            return False
        bit = self.bits.of[self.position.hands[other][chop]]
        return bool(bit & self.outlook.critical)


def conventional(seen: Seen, draw: Random) -> Move:
    """Return the move of our policy."""
    view = View(seen)
    position, game = view.position, view.game
    me = view.player
    plays = view.plays()
    nxt = (me + 1) % game.players
    if plays and not (position.clues and view.endangered(nxt)):
        return Move("play", min(plays, key=lambda s: (view.bits.lowest(view.mine[s]), -s)))
    best = None
    if position.clues:
        best = max(view.clues(), key=lambda each: each[0], default=None)
    if plays:
        if best and best[0] >= W["danger"] and best[1].at == nxt:
            return best[1]
        return Move("play", min(plays, key=lambda s: (view.bits.lowest(view.mine[s]), -s)))
    if position.lives > 1 and not position.deck:
        slot, chance = likeliest(view)
        if chance > 0 and not (best and best[0] >= W["last"]):
            return Move("play", slot)
    pace = sum(position.fireworks) + len(position.deck) + game.players - view.outlook.reach
    if best:
        threshold = W["th_low"] if position.clues <= W["low"] else W["th"]
        if best[0] >= threshold or position.clues == game.clues:
            return best[1]
        if pace <= 0 and best[0] > W["pace"]:
            return best[1]
    if W["gam"] and position.lives>=W["gamlives"]:
        slot, chance = likeliest(view)
        if chance >= W["gam"]: return Move("play", slot)
    if position.clues < game.clues:
        return Move("discard", view_discard(view))
    return Move("play", likeliest(view)[0])


def view_discard(view: View) -> int:
    useless = view.outlook.useless
    for slot, cards in enumerate(view.mine):
        if not cards & ~useless:
            return slot
    sure = 0
    for p, (hand, told) in enumerate(zip(view.position.hands, view.beliefs.hands)):
        if p != view.player:
            for card, each in zip(hand, told.touched):
                if each:
                    sure |= view.bits.of[card]
    for slot, cards in enumerate(view.mine):
        if not cards & ~(useless | sure):
            return slot
    chop = view.beliefs.hands[view.player].find_chop()
    if chop is not None:
        return chop
    return min(range(len(view.mine)), key=lambda s: ((view.mine[s] & view.outlook.critical).bit_count() / view.mine[s].bit_count(), -s))


def likeliest(view: View) -> tuple[int, float]:
    playable = view.outlook.playable
    best = (0, -1.0)
    for slot, cards in enumerate(view.mine):
        chance = (cards & playable).bit_count() / cards.bit_count()
        if chance > best[1]:
            best = slot, chance
    return best
