"""People at the terminal: alone, and with a planner in the other seat."""

from __future__ import annotations

from pathlib import Path

from tests.warm import say


def test_a_person_who_follows_the_suggestions_reaches_the_goal_in_the_fewest_timesteps(
    tmp_path: Path,
) -> None:
    code, said = say(tmp_path, "\n" * 20, "play", "robotouille/synchronous/1", "--as", "robot1")
    assert code == 0, said
    assert "makespan 14 against an optimum of 14" in said


def test_a_partner_acts_alone_if_the_person_does_not_stand_in_the_way(tmp_path: Path) -> None:
    seats = ("--as", "robot1", "--planner", "robot1=person,robot2=embedded")
    moves = "\n".join(["move(table1, table3)", *["wait"] * 60, ""])
    _, said = say(tmp_path, moves, "play", "robotouille/two-robots/1", *seats)
    assert "the goal is reached" in said.splitlines()
