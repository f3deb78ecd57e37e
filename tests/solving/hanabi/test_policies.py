"""The policies of Hanabi: they play by the rules, and see only what their seat may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random
from statistics import fmean

import pytest

import cookmas
from cookmas.api import load_scenario
from cookmas.episodes.world import Command
from cookmas.orchestrator.planner import Observation
from cookmas.solving.hanabi import planners as seats
from cookmas.solving.hanabi import published
from cookmas.solving.hanabi.bits import bits_of
from cookmas.solving.hanabi.conventional import conventional
from cookmas.solving.hanabi.conventions import (
    Calls,
    Policy,
    Seen,
    believe,
    hear,
    hide,
    no_calls,
    play_deal,
)
from cookmas.solving.hanabi.planners import recall
from cookmas.solving.hanabi.published import (
    OwnHand,
    discard_oldest,
    osawa_discard,
    play_if_certain,
    play_probably_safe,
    play_safe_card,
    random_move,
    tell_anyone_about_useful_card,
    tell_dispensable,
    tell_playable_card,
    tell_unknown,
)
from cookmas.solving.hanabi.search import list_candidates, search
from cookmas.world_names import domain_of
from cookmas.worlds.hanabi.rules import (
    CARDS_BY_PLAYERS,
    Game,
    Marks,
    Move,
    Position,
    draw_hand,
    fits,
    list_possible,
)
from cookmas.worlds.hanabi.world import HanabiWorld, Table

POLICIES: dict[str, Policy] = {
    "random": random_move,
    "cautious": published.cautious,
    "internal": published.internal,
    "outer": published.outer,
    "iggi": published.iggi,
    "piers": published.piers,
    "conventional": conventional,
}
SMALL = Game(2, "RY", 3, 2, 3, 2)


def whole(players: int) -> Game:
    return Game(players, "RYGWB", 5, CARDS_BY_PLAYERS[players], 8, 3)


def mean_score(policy: Policy, players: int, deals: int) -> float:
    game = whole(players)
    ends = [play_deal(game, [policy] * players, seed) for seed in range(deals)]
    return fmean(game.score(end) for end in ends)


def walk(game: Game, policy: Policy, seed: int) -> Iterator[tuple[Position, Calls, Move, Position]]:
    """Yield each position of a game with the calls, the move and the position after it."""
    draw = Random(seed)
    position, calls = game.deal(game.shuffle(draw)), no_calls(game)
    while not game.is_over(position):
        move = policy(Seen(game, hide(position, position.player), calls), draw)
        after = game.play(position, move).position
        yield position, calls, move, after
        calls = hear(game, calls, position, move, after)
        position = after


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_gives_legal_moves_wherever_random_moves_lead(name: str) -> None:
    for game in (SMALL, whole(3), whole(5)):
        for position, calls, _, _ in walk(game, mixed, 1):
            seen = Seen(game, hide(position, position.player), calls)
            assert POLICIES[name](seen, Random(1)) in list(game.moves(position))


def mixed(seen: Seen, draw: Random) -> Move:
    """Return a random move that is seldom a play, so that games last."""
    legal = list(seen.game.moves(seen.position))
    others = [move for move in legal if move.kind != "play"]
    return draw.choice(others if others and draw.random() < 0.8 else legal)


@pytest.mark.parametrize("name", ["cautious", "iggi", "outer", "internal"])
def test_a_policy_that_plays_only_what_is_sure_loses_no_life(name: str) -> None:
    for players in (2, 4):
        game = whole(players)
        for seed in range(3):
            assert play_deal(game, [POLICIES[name]] * players, seed).lives == game.lives


def test_the_policies_score_in_the_known_order() -> None:
    means = [mean_score(POLICIES[name], 2, 12) for name in ("conventional", "iggi", "outer")]
    assert means == sorted(means, reverse=True)
    assert means[0] > 20
    assert mean_score(published.internal, 2, 12) < means[2]
    assert mean_score(random_move, 2, 12) < 2


@pytest.mark.parametrize(
    ("known", "heights"),
    [(("Y1", "Y2"), (0, 2)), (("R1", "Y1"), (1, 1)), (("R2", "Y3"), (0, 0))],
)
def test_a_firework_is_believed_to_grow_by_known_cards_that_follow(
    known: tuple[str, str], heights: tuple[int, int]
) -> None:
    hand = tuple(Marks(card[0], card[1], True, True) for card in known)
    position = SMALL.deal(SMALL.shuffle(Random(1)))._replace(marks=(hand, (SMALL.unmarked,) * 2))
    assert believe(bits_of(SMALL), position, no_calls(SMALL)).heights == heights


# Seats


def opened(name: str, seed: int, moves: int) -> tuple[HanabiWorld, Table]:
    """Return a world after some moves of our policy."""
    world = load_scenario(f"hanabi/{name}").world()
    assert isinstance(world, HanabiWorld)
    state: Table = world.apply(world.start(), {"kind": "begin", "seed": seed})[0]
    player = seats.CONVENTIONAL()
    for _ in range(moves):
        action = player.act(observed(world, state))
        state, _, _ = world.step(state, [Command(state["player"], action)])
    return world, state


def observed(world: HanabiWorld, state: Table) -> Observation[Table]:
    agent = state["player"]
    return Observation(
        timestep=state["timestep"], triggers=(), world=world, texts={}, fails={},
        state=world.view_for(state, agent), agent=agent,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["two", "four", "small"])
def test_a_seat_answers_alike_in_tables_that_it_cannot_tell_apart(name: str) -> None:
    for moves in (0, 5, 9):
        world, state = opened(name, 3, moves)
        for planner in ("conventional", "piers", "internal", "cautious", "outer", "iggi"):
            spec = domain_of("hanabi").planners[planner]
            player = getattr(seats, spec.rpartition(":")[2])(seed=4)
            usual = player.act(observed(world, state))
            for seed in range(3):
                other = world.draw_alike(state, state["player"], seed)
                assert player.act(observed(world, other)) == usual


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_seat_recalls_the_calls_from_the_past_moves(players: int) -> None:
    game = whole(players)
    past: list[tuple[Move, str]] = []
    for position, calls, move, _ in walk(game, conventional, 5):
        assert recall(game, hide(position, position.player), past) == calls
        past.append((move, game.play(position, move).card))


def test_a_line_up_of_policies_plays_a_game() -> None:
    run = cookmas.play("hanabi/small", "alice=conventional,bob=search")
    assert run.trace.end is not None


# Search


def test_the_search_takes_a_legal_move_that_depends_on_its_seed_alone() -> None:
    for position, calls, _, _ in [*walk(SMALL, conventional, 2)][::3]:
        seen = Seen(SMALL, hide(position, position.player), calls)
        move = search(seen, Random(7))
        assert move == search(seen, Random(7))
        assert {move, *list_candidates(seen)} <= set(SMALL.moves(position))


# Conventions


def table(hands: list[list[str]], **fields: object) -> Position:
    """Return a position at two players in which nothing was told; the first player moves."""
    game = whole(2)
    rest = list((Counter(game.cards) - Counter(hands[0] + hands[1])).elements())
    return game.deal(hands[0] + hands[1] + rest)._replace(**fields)  # type: ignore[arg-type]


OWN = ["B4", "W4", "W3", "G3", "G4"]


def called(hand: list[str], move: Move, **fields: object) -> list[set[str]]:
    """Return the calls of the second player after a clue of the first one."""
    game, before = whole(2), table([OWN, hand], **fields)
    after = game.play(before, move).position
    kinds = dict.fromkeys(game.cards)
    bits = {card: 1 << place for place, card in enumerate(kinds)}
    calls = hear(game, no_calls(game), before, move, after)[1]
    return [{card for card, bit in bits.items() if call & bit} for call in calls]


def test_a_colour_calls_the_newest_card_that_it_touches() -> None:
    hand = ["R3", "Y1", "R1", "B2", "B3"]
    assert called(hand, Move("colour", 1, "R")) == [set(), set(), {"R1"}, set(), set()]


def test_a_rank_on_the_chop_saves_it_or_calls_it() -> None:
    fives = {f"{colour}5" for colour in "RYGWB"}
    hand = ["R5", "Y1", "R1", "B2", "Y5"]
    assert called(hand, Move("rank", 1, "5"))[0] == fives
    assert called(hand, Move("rank", 1, "1"))[2] == {f"{colour}1" for colour in "RYGWB"}
    saved = called(["R2", "Y1", "R1", "B1", "Y5"], Move("rank", 1, "2"), fireworks=(2, 0, 0, 0, 0))
    assert saved[0] == {"Y2", "G2", "W2", "B2"}


def test_a_called_card_is_played_next() -> None:
    game = whole(2)
    before = table([OWN, ["R3", "Y1", "R1", "B2", "B3"]])
    move = Move("colour", 1, "R")
    after = game.play(before, move).position
    calls = hear(game, no_calls(game), before, move, after)
    assert conventional(Seen(game, hide(after, 1), calls), Random()) == Move("play", 2)


def test_the_last_copy_on_the_chop_is_saved_before_a_card_is_played() -> None:
    game = whole(2)
    marks = table([OWN, OWN]).marks
    own = (*marks[0][:4], Marks("R", "1", True, True))
    position = table([["B4", "W4", "W3", "G3", "R1"], ["Y5", "Y3", "R3", "B3", "G3"]])
    position = position._replace(marks=(own, marks[1]))
    move = conventional(Seen(game, hide(position, 0), no_calls(game)), Random())
    assert move == Move("rank", 1, "5")


# The rules of the published lists


def asked(own: list[Marks], other: list[str], **fields: object) -> OwnHand:
    game = whole(2)
    position = table([OWN, other], **fields)
    position = position._replace(marks=(tuple(own), position.marks[1]))
    return OwnHand(Seen(game, hide(position, 0), no_calls(game)))


ANY = Marks("RYGWB", "12345")
OTHER = ["R3", "Y2", "B1", "B2", "G1"]


def test_rules_play_what_is_playable() -> None:
    certain = asked([ANY, Marks("R", "1", True, True), ANY, ANY, ANY], OTHER)
    assert play_if_certain(certain, Random()) == Move("play", 1)
    any_one = asked([ANY, ANY, ANY, Marks("RYGWB", "1", False, True), ANY], OTHER)
    assert play_if_certain(any_one, Random()) is None
    assert play_safe_card(any_one, Random()) == Move("play", 3)
    likely = asked([ANY, Marks("RY", "12"), ANY, ANY, ANY], OTHER)
    assert play_safe_card(likely, Random()) is None
    assert play_probably_safe(0.6)(likely, Random()) == Move("play", 1)
    assert play_probably_safe(0.7)(likely, Random()) is None


def test_rules_discard_what_is_useless_and_else_the_oldest() -> None:
    marks = [ANY, ANY, Marks("RYGWB", "1", False, True), ANY, ANY]
    done = asked(marks, OTHER, fireworks=(1, 1, 1, 1, 1), clues=7)
    assert osawa_discard(done, Random()) == Move("discard", 2)
    assert osawa_discard(asked(marks, OTHER, clues=7), Random()) is None
    dead = [Marks("R", "5", True, True), ANY, ANY, ANY, ANY]
    lost = asked(dead, OTHER, discards=("R4", "R4"), clues=7)
    assert osawa_discard(lost, Random()) == Move("discard", 0)
    assert discard_oldest(lost, Random()) == Move("discard", 0)
    assert discard_oldest(asked(marks, OTHER), Random()) is None


def test_rules_tell_of_playable_cards() -> None:
    hand = asked([ANY] * 5, OTHER)
    assert tell_anyone_about_useful_card(hand, Random()) == Move("rank", 1, "1")
    told = {tell_playable_card(hand, Random(seed)) for seed in range(9)}
    assert told == {Move("rank", 1, "1"), Move("colour", 1, "B")}
    assert tell_unknown(hand, Random()) == Move("colour", 1, "R")
    assert tell_anyone_about_useful_card(asked([ANY] * 5, OTHER, clues=0), Random()) is None


def test_rules_tell_what_is_dispensable() -> None:
    complete = asked([ANY] * 5, OTHER, fireworks=(0, 5, 0, 0, 0))
    assert tell_dispensable(complete, Random()) == Move("colour", 1, "Y")
    low = asked([ANY] * 5, OTHER, fireworks=(1, 1, 1, 1, 1))
    assert tell_dispensable(low, Random()) == Move("rank", 1, "1")
    assert tell_dispensable(asked([ANY] * 5, OTHER), Random()) is None


# Knowledge


def draw_marks(draw: Random, hand: list[str]) -> list[Marks]:
    """Return marks that fit a hand of a small variant."""
    found = []
    for card in hand:
        colours = "".join(x for x in "RY" if x == card[0] or draw.random() < 0.5)
        ranks = "".join(x for x in "123" if x == card[1] or draw.random() < 0.5)
        found.append(Marks(colours, ranks))
    return found


def list_hands(cards: list[str], marks: list[Marks]) -> Counter[tuple[str, ...]]:
    """Return all hands that fit, with the number of deals that have them."""
    return Counter(hand for hand in permutations(cards, len(marks)) if all(map(fits, hand, marks)))


def test_what_a_card_can_be_is_never_excluded_and_always_fits() -> None:
    for seed in range(60):
        draw = Random(seed)
        cards = draw.sample(SMALL.cards, 7)
        marks = draw_marks(draw, cards[:3])
        possible = list_possible(Counter(cards), marks)
        for hand in list_hands(cards, marks):
            assert all(card in can for card, can in zip(hand, possible, strict=True))
        for can, each in zip(possible, marks, strict=True):
            assert all(fits(card, each) for card in can)


def test_a_drawn_hand_is_uniform_over_the_deals_that_fit() -> None:
    for seed in range(3):
        draw = Random(seed)
        cards = draw.sample(SMALL.cards, 6)
        marks = draw_marks(draw, cards[:3])
        hands = list_hands(cards, marks)
        count = 4000
        drawn = Counter(draw_hand(Counter(cards), marks, draw) for _ in range(count))
        assert set(drawn) <= set(hands)
        total = hands.total()
        chi = sum(
            (drawn[hand] - count * n / total) ** 2 / (count * n / total)
            for hand, n in hands.items()
        )
        free = max(len(hands) - 1, 1)
        assert chi < free + 4 * (2 * free) ** 0.5 + 8
