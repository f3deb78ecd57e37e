"""The proofs of what models are told about Hanabi."""

from __future__ import annotations

from cookmas.episodes.world import Command
from cookmas.worlds.hanabi.rules import Move, Position
from cookmas.worlds.hanabi.voice import VOICE
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld
from tests.worlds.telling import Rule, page, quoted, told

PAGE = page("reference/hanabi-rules.md")

WORLD = HanabiWorld(HanabiLevel())
GAME = WORLD.game
START = GAME.deal(GAME.cards)
"""A table at which alice holds R1, R1, R1, R2, R2 and bob R3, R3, R4, R4, R5."""


def rules_told() -> str:
    return told(WORLD, VOICE)


def play(position: Position, *moves: Move) -> Position:
    for move in moves:
        assert move in GAME.moves(position)
        position = GAME.play(position, move).position
    return position


def rises(first: int, last: int) -> None:
    ones = START._replace(fireworks=(first - 1, 0, 0, 0, 0))
    assert play(ones, Move("play", 0)).fireworks == (first, 0, 0, 0, 0)
    assert play(START, Move("play", 3)).fireworks == (0,) * 5
    assert GAME.ranks == last
    assert str(last) == GAME.digits[-1]


def is_named(rank: int) -> None:
    assert f"R{rank}" == GAME.cards[0] == "R1"


def has_cards(count: int) -> None:
    assert len(GAME.cards) == count


def has_copies(*numbers: int) -> None:
    for copies, rank in zip(numbers[::2], numbers[1::2], strict=True):
        assert GAME.cards.count(f"G{rank}") == copies
    assert numbers[1::2] == (1, 2, 3, 4, 5)


def begins_with(cards: int) -> None:
    assert {len(hand) for hand in START.hands} == {cards}


def sees_all_but_the_own() -> None:
    state = WORLD.observe({**WORLD.start()}, "alice")
    hands = {name: {each["card"] for each in hand} for name, hand in state["hands"].items()}
    assert hands == {"alice": {"??"}, "bob": {"R3", "R4", "R5"}}


def is_numbered(first: int) -> None:
    oldest = WORLD.move_of(f"play({first})").at
    assert START.hands[0][oldest] == "R1"
    assert oldest == 0


def moves_down() -> None:
    (after, *_) = play(START, Move("play", 0)).hands
    assert after == ("R1", "R1", "R2", "R2", "Y1")


def moves_in_turn() -> None:
    after = play(START, Move("play", 0))
    assert after.player == 1
    assert play(after, Move("play", 0)).player == 0


def has_three_moves() -> None:
    after = play(START, Move("colour", 1, "R"))
    assert {move.kind for move in GAME.moves(after)} == {"play", "discard", "colour", "rank"}


def joins() -> None:
    assert play(START, Move("play", 0)).fireworks[0] == 1


def is_lost() -> None:
    after = play(START, Move("play", 3))
    assert after.discards == ("R2",)
    assert after.lives == START.lives - 1


def has_lives(count: int) -> None:
    assert START.lives == count


def costs_a_token() -> None:
    assert play(START, Move("rank", 1, "3")).clues == START.clues - 1


def has_clues(count: int) -> None:
    assert START.clues == count
    assert not any(move.kind == "discard" for move in GAME.moves(START))


def needs_a_token() -> None:
    moves = [*GAME.moves(START._replace(clues=0))]
    assert moves
    assert not any(move.kind in ("colour", "rank") for move in moves)


def names_another() -> None:
    clues = [move for move in GAME.moves(START) if move.kind in ("colour", "rank")]
    assert {move.at for move in clues} == {1}
    assert {move.kind for move in clues} == {"colour", "rank"}


def points_out() -> None:
    _, marks = play(START, Move("rank", 1, "4")).marks
    assert [each.rank_told for each in marks] == [False, False, True, True, False]
    assert Move("rank", 1, "1") not in GAME.moves(START)


def is_heard() -> None:
    clue = Command("alice", "clue(bob,4)")
    state, _, _ = WORLD.step(WORLD.start(), [clue])
    for name in WORLD.workers:
        assert WORLD.observe(state, name)["recent"][-1]["action"] == "clue(bob,4)"


def gives_back() -> None:
    after = play(START, Move("rank", 1, "4"), Move("discard", 0))
    assert after.clues == START.clues


def is_refused_with_all() -> None:
    assert Move("discard", 0) not in GAME.moves(START)
    assert Move("discard", 0) in GAME.moves(START._replace(clues=START.clues - 1))


def is_given_for_a_firework() -> None:
    ready = START._replace(fireworks=(4, 0, 0, 0, 0), player=1)
    assert play(ready._replace(clues=3), Move("play", 4)).clues == 4
    assert play(ready, Move("play", 4)).clues == START.clues


def draws() -> None:
    after = play(START, Move("play", 0))
    assert len(after.deck) == len(START.deck) - 1
    last = play(START._replace(deck=(), left=2), Move("play", 0))
    assert len(last.hands[0]) == GAME.hand - 1


def ends() -> None:
    assert GAME.is_over(START._replace(fireworks=(5,) * 5))
    assert GAME.is_over(START._replace(lives=0))
    drawn = play(START._replace(deck=("Y1",)), Move("play", 0))
    assert not GAME.is_over(play(drawn, Move("play", 0)))
    assert GAME.is_over(play(drawn, Move("play", 0), Move("play", 0)))


def scores(best: int) -> None:
    assert GAME.score(START._replace(fireworks=(5,) * 5)) == best
    assert GAME.score(START._replace(fireworks=(1, 2, 0, 0, 0))) == 3


def scores_nothing(score: int) -> None:
    assert GAME.score(START._replace(fireworks=(5, 5, 5, 5, 4), lives=0)) == score


def is_silent() -> None:
    assert WORLD.talk_rounds == 0


RULES = (
    Rule("alice and bob play together.", ("two to five players",)),
    Rule(
        "They build a firework of each colour: red, yellow, green, white and blue.",
        ("The players build a firework of each colour together.",),
    ),
    Rule(
        "A firework begins with rank <n>, and rises by one rank at a time to rank <n>.",
        ("A firework begins with rank 1, and rises by one rank at a time.",),
        rises,
    ),
    Rule("A card has a colour and a rank.", ("A card has a colour and a rank;",)),
    quoted("R1 is the red card of rank <n>.", is_named),
    Rule("The deck has <n> cards at first.", ("The usual deck has 50 cards",), has_cards),
    Rule(
        "Of each colour there are <n> of rank <n>, <n> of rank <n>, <n> of rank <n>, <n> of rank "
        "<n> and <n> of rank <n>.",
        ("three of rank 1, two of rank 2, 3 and 4, and one of rank 5.",),
        has_copies,
    ),
    Rule("Each player begins with <n> cards.", ("Each player begins with 5 cards",), begins_with),
    quoted("Players see the cards of all others, but not their own.", sees_all_but_the_own),
    quoted("The slots of a hand are numbered from <n>, the oldest card.", is_numbered),
    quoted(
        "If a card leaves the hand, the newer ones move down by one slot, and the card that is "
        "drawn gets the last slot.",
        moves_down,
    ),
    quoted("The players move in turn.", moves_in_turn),
    quoted("A move plays a card, discards a card, or gives a clue.", has_three_moves),
    quoted("A played card joins the firework of its colour if it is the next rank.", joins),
    quoted("Otherwise it is discarded, and a life token is lost.", is_lost),
    quoted("There are <n> life tokens at first.", has_lives),
    quoted("A clue costs a clue token.", costs_a_token),
    quoted("There are <n> clue tokens at first, and never more.", has_clues),
    quoted("Without one nobody gives a clue.", needs_a_token),
    quoted("A clue names another player, and a colour or a rank.", names_another),
    quoted(
        "It points out all cards of this colour or rank in the hand of that player, and there "
        "must be at least one.",
        points_out,
    ),
    quoted("All players hear it.", is_heard),
    quoted("A discard gives back a clue token.", gives_back),
    quoted("Nobody discards while all clue tokens are there.", is_refused_with_all),
    quoted(
        "A completed firework gives back a clue token too, if one is missing.",
        is_given_for_a_firework,
    ),
    quoted("Who plays or discards a card draws one, as long as the deck has any.", draws),
    quoted(
        "The game ends when all fireworks are complete, when no life token is left, or when "
        "each player has had one more move after the last card was drawn.",
        ends,
    ),
    quoted("The score is the number of cards in the fireworks, at most <n>.", scores),
    quoted("It is <n> if no life token is left.", scores_nothing),
    quoted("Players tell each other nothing but by their moves.", is_silent),
    quoted("`play(SLOT)`: play a card of the own hand.", joins),
    quoted(
        "`discard(SLOT)`: put a card of the own hand away, and get a clue token back.", gives_back
    ),
    quoted(
        "`clue(PLAYER,VALUE)`: tell another player which of its cards have a colour or a rank.",
        points_out,
    ),
)
