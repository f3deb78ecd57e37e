"""Line-ups as a person says them: every seat has one planner, and what is wrong is one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cookmas import load_planner, load_scenario
from cookmas.episodes.trace import SeatRecord
from cookmas.files.errors import CookMASError
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planners.naming import is_lineup, lineup, seed_of, text_of

WORKERS = ("alice", "bob")
HALVES = load_scenario("corridor/halves")


def test_a_lineup_is_told_from_a_planner() -> None:
    assert is_lineup("alice=llm")
    assert not any(map(is_lineup, ("llm", "module:Class", "./runs/a=1.yaml", "runs/x.yaml")))


def test_seats_are_in_the_order_of_the_workers() -> None:
    found = lineup(" bob = greedy ,alice=module:Class", WORKERS)
    assert list(found.items()) == [("alice", "module:Class"), ("bob", "greedy")]
    assert text_of(found) == "alice=module:Class,bob=greedy"


def test_a_seat_of_a_person_may_be_left_out() -> None:
    assert lineup("bob=greedy", WORKERS, ["alice"]) == {"alice": "person", "bob": "greedy"}
    assert lineup("alice=llm,bob=greedy", WORKERS, ["alice"])["alice"] == "llm"


def test_no_two_seats_draw_the_same() -> None:
    assert seed_of(7, "alice") != seed_of(7, "bob")
    assert seed_of(7, "alice") == seed_of(7, "alice")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (
            "walker_1=embedded",
            "seat 'walker_2' has no planner; expected walker_1=...,",
        ),
        ("walker_1=embedded,bob=team", "there is no seat 'bob'; expected walker_1, walker_2"),
        ("walker_1=team,walker_1=team", "seat 'walker_1' has two planners"),
        ("walker_1=team,team", "'team': expected SEAT=PLANNER for each seat"),
        ("walker_1=,walker_2=team", "'walker_1=': expected SEAT=PLANNER for each seat"),
        ("walker_1=team,walker_2=best", "seat 'walker_2', planner 'best': expected embedded, team"),
        ("walker_1=team,walker_2=llm", "--model: expected the name of a model"),
    ],
)
def test_what_is_no_lineup_is_said_in_one_line(spec: str, expected: str) -> None:
    with pytest.raises(CookMASError) as caught:
        load_planner(spec, HALVES)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("planner", "seats", "whole", "expected"),
    [
        ("team", {"walker_1": {}}, {}, "names seat 'walker_1'; add --planner SEAT=PLANNER"),
        ("walker_1=team,walker_2=team", {"bob": {}}, {}, "there is no seat 'bob'"),
        (
            "walker_1=team,walker_2=team",
            {"walker_1": {"model": "m"}},
            {},
            "seat 'walker_1', planner 'team': calls no model: leave out --model",
        ),
        (
            "walker_1=team,walker_2=team",
            {},
            {"budget_calls": 3},
            "calls no model in any seat: leave out --budget-calls",
        ),
        (
            "walker_1=llm,walker_2=team",
            {},
            {"model": "m", "base_url": "http://127.0.0.1:9/v1", "budget_money": 1.0},
            "give prices of the model of seat 'walker_1'",
        ),
    ],
)
def test_options_of_seats_that_do_not_fit_are_refused(
    planner: str, seats: Mapping[str, Any], whole: Mapping[str, Any], expected: str
) -> None:
    own = {seat: ModelOptions(**each) for seat, each in seats.items()}
    with pytest.raises(CookMASError) as caught:
        load_planner(planner, HALVES, ModelOptions(**whole, seats=own))
    assert expected in str(caught.value)


def test_name_and_class_come_from_the_members() -> None:
    small = ModelOptions(model="small", base_url="http://127.0.0.1:9/v1")
    options = ModelOptions(seats={"walker_2": small})
    team = load_planner("walker_1=embedded,walker_2=llm", HALVES, options)
    assert isinstance(team, Team)
    assert team.name == "walker_1=embedded, walker_2=llm (small)"
    assert team.planner_class == "mixed"
    assert team.seats == {
        "walker_1": SeatRecord(planner="embedded", planner_class="embedded"),
        "walker_2": SeatRecord(planner="llm (small)", planner_class="pure"),
    }


def test_a_team_in_a_seat_gives_its_member() -> None:
    team = load_planner("walker_1=team,walker_2=team", HALVES)
    assert (team.name, team.planner_class) == ("team", "embedded")
