"""How the best move of a question is chosen and confirmed, and what no question asks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from cookmas.solving.hanabi import search
from cookmas.world_names import domain_of
from cookmas.worlds.base.questions import Kind, Question
from cookmas.worlds.hanabi import questions
from cookmas.worlds.hanabi.questions import DEALS, FRESH, LATE, choose_move
from cookmas.worlds.hanabi.rules import Move
from tests.worlds.hanabi.playing import played, world_of

PLAY, CLUE, DISCARD = Move("play", 0), Move("rank", 1, "1"), Move("discard", 0)

Scores = dict[Move, tuple[Sequence[int], Sequence[int]]]
"""What each move scores on the deals that choose, and on the fresh ones."""


def choose(scores: Scores, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what is chosen if moves score so on the deals, in the order of their drawing."""
    numbers = iter(range(10_000))
    table = {move: [*first, *fresh] for move, (first, fresh) in scores.items()}
    monkeypatch.setattr(search, "draw_deal", lambda *_: next(numbers))
    monkeypatch.setattr(
        search, "try_move", lambda _, move, deals: [table[move][number] for number in deals]
    )
    seen: Any = None
    return choose_move(seen, list(scores), Random(0))


def spread(mean: int, half_width: int, count: int) -> list[int]:
    """Return scores of which half are above and half below a mean by as much."""
    return [mean + half_width * (1 if number % 2 else -1) for number in range(count)]


@pytest.mark.parametrize(
    ("errors", "chosen"), [(2.5, False), (2.9, False), (3.1, True), (4.0, True)]
)
def test_a_best_move_beats_each_other_by_three_standard_errors_on_fresh_deals(
    errors: float, chosen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On FRESH deals with gains of `mean` ± 800 a standard error is about 100."""
    mean = round(errors * 800 / (FRESH - 1) ** 0.5)
    scores: Scores = {
        DISCARD: ([0] * DEALS, [0] * FRESH),
        PLAY: ([5] * DEALS, [0] * FRESH),
        CLUE: ([9] * DEALS, spread(mean, 800, FRESH)),
    }
    found = choose(scores, monkeypatch)
    assert (found is not None) is chosen
    if found:
        best, tried = found
        assert best == CLUE
        assert {move: list(each) for move, each in tried.items()} == {
            move: list(fresh) for move, (_, fresh) in scores.items()
        }
        assert list(tried) == list(scores)


def test_the_last_of_the_others_has_to_be_beaten_too(monkeypatch: pytest.MonkeyPatch) -> None:
    scores: Scores = {
        PLAY: ([9] * DEALS, [9] * FRESH),
        CLUE: ([5] * DEALS, [0] * FRESH),
        DISCARD: ([0] * DEALS, [9] * FRESH),
    }
    assert choose(scores, monkeypatch) is None


def test_deals_that_choose_a_move_do_not_confirm_it(monkeypatch: pytest.MonkeyPatch) -> None:
    scores: Scores = {
        PLAY: ([9] * DEALS, [5] * FRESH),
        CLUE: ([0] * DEALS, [5] * FRESH),
        DISCARD: ([0] * DEALS, [0] * FRESH),
    }
    assert choose(scores, monkeypatch) is None
    later: Scores = {**scores, PLAY: ([0] * DEALS, [9] * FRESH)}
    assert choose(later, monkeypatch) is None


def ask(world: Any, state: Any, seat: str, kind: Kind, seed: int) -> list[Question]:
    found = domain_of("hanabi").questioner
    return list(found.ask(world, world.observe(state, seat), seat, kind, Random(seed)))


def test_a_best_move_is_asked_for_near_the_end_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    scored = {PLAY: [3, 5], DISCARD: [1, 2], Move("play", 1): [2, 2]}
    monkeypatch.setattr(questions, "choose_move", lambda *_: (PLAY, scored))
    world, late = world_of("two"), 0
    for moves in range(0, 90, 6):
        state = played(world, 3, moves)
        asked = ask(world, state, state["player"], "planning", 0)
        if len(state["deck"]) > LATE:
            assert not asked
        for question in asked:
            assert (question.right, question.margin) == (["play(1)"], 2.0)
            assert question.depth == len(state["deck"]) + 2
            late += 1
    assert late


def test_a_card_can_be_more_than_what_it_is_and_a_clue_tells_something_new() -> None:
    world, asked = world_of("two"), 0
    for seed in range(12):
        state = played(world, seed, 25)
        found = ask(world, state, "alice", "comprehension", seed)
        for question in [*found, *ask(world, state, "alice", "mind", seed)]:
            about = question.about.removeprefix("view of ")
            if about == "own card":
                owner = "bob" if "bob" in question.text else "alice"
                slot = int(question.text.partition("slot ")[2].split()[0]) - 1
                entry = state["hands"][owner][slot]
                assert len(question.options) >= 3
                if owner == "bob":
                    assert question.right != [entry["card"]]
                asked += 1
            elif about == "touched":
                value = question.text.partition(",")[2].partition(")")[0]
                told = {"red": "R", "yellow": "Y", "green": "G", "white": "W", "blue": "B"}
                sign = told.get(value, value)
                known = "rank_told" if sign.isdigit() else "colour_told"
                touched = [x for x in state["hands"]["bob"] if sign in x["card"]]
                assert touched
                assert not all(entry[known] for entry in touched)
                asked += 1
    assert asked > 12
