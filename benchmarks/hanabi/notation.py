"""Positions and moves of Hanabi as the Hanabi Learning Environment of OpenSpiel writes them."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.worlds.hanabi.rules import UNSEEN, Game, Marks, Move, Position


def write_move(game: Game, move: Move, player: int) -> str:
    """Return a move of a player as OpenSpiel writes it, such as `(Reveal player +1 rank 2)`."""
    if move.kind in ("play", "discard"):
        return f"({move.kind.capitalize()} {move.at})"
    what = "color" if move.kind == "colour" else "rank"
    return f"(Reveal player +{(move.at - player) % game.players} {what} {move.value})"


def write_view(game: Game, seen: Position, player: int) -> str:
    """Return what a player sees as OpenSpiel writes it; the own cards are `??` in `seen`."""
    return "\n".join(_list_lines(game, seen, player))


def _list_lines(game: Game, seen: Position, player: int) -> Iterator[str]:
    yield f"Life tokens: {seen.lives}"
    yield f"Info tokens: {seen.clues}"
    heights = zip(game.colours, seen.fireworks, strict=True)
    yield f"Fireworks: {''.join(f'{colour}{height} ' for colour, height in heights)}"
    yield "Hands:"
    awaits_draw = game.is_over(seen) and bool(seen.deck)
    for ahead in range(game.players):
        owner = (player + ahead) % game.players
        if ahead:
            yield "-----"
        if owner == seen.player and not awaits_draw:
            yield "Cur player"
        for card, marks in zip(seen.hands[owner], seen.marks[owner], strict=True):
            yield f"{'XX' if card == UNSEEN else card} || {_write_marks(marks)}"
    yield f"Deck size: {len(seen.deck)}"
    yield "Discards:" + "".join(f" {card}" for card in seen.discards)


def _write_marks(marks: Marks) -> str:
    """Return what clues named of a card, and what it can still be."""
    colour = marks.colours if marks.colour_told else "X"
    rank = marks.ranks if marks.rank_told else "X"
    return f"{colour}{rank}|{marks.colours}{marks.ranks}"
