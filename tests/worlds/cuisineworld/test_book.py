"""Levels, lifetimes and streams are those of the original."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from cookmas.episodes.codec import to_plain
from cookmas.files.errors import CookMASError
from cookmas.worlds.cuisineworld.rules.book import (
    ORIGINAL_LEVELS,
    TaskBook,
    book,
    build_kitchen,
    levels,
)
from cookmas.worlds.cuisineworld.rules.engine import play, start
from cookmas.worlds.cuisineworld.rules.kitchen import EPISODES, TAUS
from cookmas.worlds.cuisineworld.scenario import build_task

ORIGINAL = json.loads(Path(__file__).with_name("orders.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("level", ORIGINAL_LEVELS)
@pytest.mark.parametrize("tau", TAUS)
def test_intervals_lifetimes_and_streams_are_the_original_s(level: str, tau: str) -> None:
    recorded = ORIGINAL[level][tau]
    kitchen = build_kitchen(level, tau, 2)
    assert kitchen.interval == recorded["interval"]
    assert kitchen.lifetimes == recorded["lifetimes"]
    for episode in range(EPISODES):
        stream = [kitchen.dishes[int(number)] for number in recorded["streams"][episode]]
        assert list(build_task(level, tau, 2, seed=0, episode=episode + 1).stream) == stream


def test_the_book_has_what_the_paper_counts() -> None:
    assert len(book().ingredients) == 27
    assert len(book().tools) == 8
    assert len(ORIGINAL_LEVELS) == 13
    dishes = {dish for level in ORIGINAL_LEVELS for dish in book().levels[level].dishes}
    assert len(dishes) == 33


def test_level_12_lacks_a_fryer_and_the_corrected_level_has_one() -> None:
    faithful, corrected = build_kitchen("level_12", "1.0", 1), build_kitchen(levels()[-1], "1.0", 1)
    assert faithful.dishes == corrected.dishes
    assert faithful.servable == ("potatoSalad", "smashedPotato")
    assert corrected.servable == corrected.dishes
    others = [name for name in ORIGINAL_LEVELS if name != "level_12"]
    assert all(
        build_kitchen(name, "1.0", 1).servable == build_kitchen(name, "1.0", 1).dishes
        for name in others
    )


def test_neither_kitchen_nor_state_tells_the_stream() -> None:
    task = build_task("level_11", "1.0", 2)
    other = build_task("level_11", "1.0", 2, seed=next(
        seed for seed in range(1, 99)
        if build_task("level_11", "1.0", 2, seed=seed).stream[0] == task.stream[0]
    ))  # fmt: skip
    assert other.stream != task.stream
    assert task.kitchen == other.kitchen
    assert to_plain(start(task)) == to_plain(start(other))
    one, two = start(task), start(other)
    for _ in range(task.kitchen.interval - 1):
        one, two = play(task, one, [])[0], play(other, two, [])[0]
    assert to_plain(one) == to_plain(two)


@pytest.mark.parametrize(
    ("level", "tau", "agents", "episode", "problem"),
    [
        ("level_13", "1.0", 2, 1, "there is no level 'level_13'"),
        ("level_3", "1", 2, 1, "'1' is none of 1.0"),
        ("level_3", "1.0", 5, 1, "5 is not between 1 and 4"),
        ("level_3", "1.0", 0, 1, "0 is not between 1 and 4"),
        ("level_3", "1.0", 2, 4, "4 is not between 1 and 3"),
        ("level_3", "1.0", 2, 0, "0 is not between 1 and 3"),
    ],
)
def test_what_does_not_exist_is_said_in_one_line(
    level: str, tau: str, agents: int, episode: int, problem: str
) -> None:
    with pytest.raises(CookMASError, match=problem):
        build_task(level, tau, agents, episode=episode)


@pytest.mark.parametrize(
    ("part", "name", "value", "problem"),
    [
        ("recipes", "soup", {"kettle": ["rice"]}, "there is no tool 'kettle'"),
        ("recipes", "soup", {"pot": ["water"]}, "nothing makes 'water'"),
        ("recipes", "soup", {"pot": ["rice"], "pan": ["rice"]}, "name one tool, not 2"),
        ("recipes", "soup", {"chopboard": ["rice", "pork"]}, "2 items for a chopboard"),
        ("levels", "x", {"places": ["storage"], "dishes": ["Hopper"]}, "serving table are needed"),
        ("levels", "x", {"places": ["sink"], "dishes": ["Hopper"]}, "no kind of place 'sink'"),
        (
            "levels",
            "x",
            {"places": ["storage", "servingtable"], "dishes": ["soap"]},
            "no recipe for 'soap'",
        ),
    ],
)
def test_a_book_is_checked(part: str, name: str, value: object, problem: str) -> None:
    data = book().model_dump()
    data[part][name] = value
    with pytest.raises(ValidationError, match=problem):
        TaskBook.model_validate(data)
