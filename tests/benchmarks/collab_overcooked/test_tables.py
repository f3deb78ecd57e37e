"""The tables of results: what they count, and the pairs that they name."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.collab_overcooked.pairs import ARMS, Pairing, play
from benchmarks.collab_overcooked.tables import list_levels, page
from cookmas.evals.verdict import EPISODE
from cookmas.orchestrator.planners.naming import planners_in
from cookmas.world_names import domain_of
from tests.benchmarks.judged import judged

SCRIPTED = ("reference", "asking", "sharing", "obedient", "reserved", "erring")


def row(text: str, heading: str, name: str) -> list[str]:
    """Return the cells of a pair in the table under a heading."""
    part = text.partition(f"## {heading}")[2].partition("\n## ")[0]
    (line,) = [each for each in part.splitlines() if each.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("| ").split(" | ")][1:]


def test_talks_and_categories_are_counted_over_all_tasks() -> None:
    both, neither = (f"{word} initiating, {word} responding" for word in ("successful", "failed"))
    first = judged(
        "collab-overcooked/level_1",
        ("matrix", both, 2),
        ("matrix", neither, 1),
        ("failed_initiation", "premature", 1),
        ("initiating_capability", EPISODE, 1.0),
        ("responding_capability", EPISODE, 0.5),
    )
    second = judged(
        "collab-overcooked/level_3", ("matrix", neither, 4), ("failed_initiation", "nothing", 4)
    )
    played = {"a pair": [first, second], "a silent pair": [judged("collab-overcooked/level_1")]}
    made = page(played)
    counted = ["2", "0", "0", "5", "1", "0", "0", "4"]
    assert row(made, "Initiating and responding", "a pair") == counted
    assert made.count("| a silent pair |") == 1
    talked, silent = list_levels(played)
    assert talked[13:15] == ["100.0", "50.0"]
    assert silent[:2] == ["a silent pair", "100.0"]
    assert silent[13:] == [""] * 12


def test_every_scripted_cook_is_in_the_tables() -> None:
    named = {part.partition("@")[0] for arm in ARMS for part in planners_in(arm.planner)}
    assert set(SCRIPTED) <= set(domain_of("collab-overcooked").planners)
    assert {*SCRIPTED, "oracle", "llm", "collab"} <= named


def test_the_command_of_a_pair_has_its_options() -> None:
    arm = Pairing("x", "llm", 0.1, {"look_ahead": 1, "queue": True})
    wanted = "--planner llm --look-ahead 1 --queue --model scripted --base-url URL"
    assert arm.command == wanted


@pytest.mark.parametrize("name", ["sharing, sharing", "asking, obedient", "oracle for both"])
def test_a_pair_without_mistakes_succeeds(name: str) -> None:
    (arm,) = [each for each in ARMS if each.name == name]
    (verdict,) = asyncio.run(play(arm, ["level_1/01"]))
    assert verdict.success
