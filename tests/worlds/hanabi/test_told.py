"""What a player of Hanabi is told: what it knows of each card, and never its own cards."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.trace import Trace
from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.prompting import Prompting, preset
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.replaying import replay
from cookmas.studies.previewing import first_request
from cookmas.worlds.hanabi.rules import UNSEEN
from cookmas.worlds.hanabi.voice import VOICE
from cookmas.worlds.hanabi.words import describe_kinds, describe_table
from tests.worlds.hanabi.playing import SCENARIOS, begun, played, world_of
from tests.worlds.recording import Recording
from tests.worlds.telling import page, plain

PRESETS = ("cac", *VOICE.presets)
TABLES = (st.sampled_from(SCENARIOS), st.integers(0, 999), st.integers(0, 60))
KINDS = [f"{colour}{rank}" for colour, rank in product("RYGWB", "12345")]


def read_kinds(words: str) -> set[str]:
    """Return the cards in words such as `RY12 G3`."""
    parts = (re.fullmatch(r"([A-Z]+)(\d+)", part) for part in words.split())
    return {f"{x}{y}" for part in parts if part for x, y in product(part[1], part[2])}


@given(st.sets(st.sampled_from(KINDS)))
def test_kinds_in_short_are_the_same_kinds(kinds: set[str]) -> None:
    assert read_kinds(describe_kinds(sorted(kinds))) == kinds


@given(*TABLES)
def test_each_card_is_told_and_can_be_what_it_is(name: str, seed: int, moves: int) -> None:
    world = world_of(name)
    state = played(world, seed, moves)
    for worker in world.workers:
        seen = world.observe(state, worker)
        table = (world.game, world.position(seen), seen["recent"], world.workers, worker)
        told = list(describe_table(*table, hands=True))
        for owner, hand in state["hands"].items():
            for slot, entry in enumerate(hand, 1):
                own = owner == worker
                begin = (
                    f"Your card {slot}," if own else f"Card {slot} of {owner} is {entry['card']},"
                )
                (line,) = [each for each in told if each.startswith(begin)]
                *_, kinds = line.partition("can be ")
                for part in kinds.removesuffix(".").split(", "):
                    assert entry["card"] in read_kinds(part.partition(" by ")[0])


@given(*TABLES, st.integers(0, 99))
def test_a_player_is_told_the_same_of_tables_that_it_cannot_tell_apart(
    name: str, seed: int, moves: int, other: int
) -> None:
    world = world_of(name)
    state = played(world, seed, moves)
    for worker in world.workers:
        alike = world.draw_alike(state, worker, other)
        one, two = (world.observe(each, worker) for each in (state, alike))
        assert world.narrate(one, worker) == world.narrate(two, worker)
        assert VOICE.tell_state(world, one) == VOICE.tell_state(world, two)
        listed = [world.legal(world.listable(each, worker) or {}, worker) for each in (one, two)]
        assert listed[0] == listed[1] == world.legal(state, worker)


@given(*TABLES)
def test_the_state_is_read_back_as_far_as_it_is_told(name: str, seed: int, moves: int) -> None:
    world = world_of(name)
    state = {**world.observe(played(world, seed, moves), "alice"), "past": []}
    assert VOICE.read_state(world, json.loads(json.dumps(VOICE.tell_state(world, state)))) == state
    bare = VOICE.without_deductions()
    assert not {"can", "counted", "recent"} & {
        *json.dumps(bare.tell_state(world, state)).split('"')
    }
    known = VOICE.read_state(world, bare.tell_state(world, state))
    for hand, told in zip(state["hands"].values(), known["hands"].values(), strict=True):
        for entry, less in zip(hand, told, strict=True):
            for part in ("colour", "rank"):
                named = entry[f"{part}_told"]
                assert less[f"{part}_told"] is named
                left, there = set(less[f"{part}s"]), set(entry[f"{part}s"])
                assert left == there if named else left >= there


def test_recent_moves_say_at_which_slots_a_clue_points() -> None:
    world = world_of("three")
    state = begun(world, 0)
    value = state["hands"]["bob"][1]["card"][1]
    slots = [str(n) for n, x in enumerate(state["hands"]["bob"], 1) if x["card"][1] == value]
    state, _, _ = world.step(state, [Command("alice", f"clue(bob,{value})")])
    where = f"{'slots' if slots[1:] else 'slot'} {', '.join(slots)}"
    assert world.narrate(state, "bob")[-1] == f"alice told you {value} ({where})."
    state, _, _ = world.step(state, [Command("bob", "discard(1)")])
    assert world.narrate(state, "bob")[-2] == f"alice told you {value}."
    gone = state["discards"][0]
    assert world.narrate(state, "cara")[-1] == f"bob discarded slot 1, {gone}."


class Kept(SchedulingPlanner):
    """An agent that keeps what it observed, with the digests of its requests."""

    def __init__(self, ways: Prompting) -> None:
        self.model = Recording()
        super().__init__(self.model, ways, voice=VOICE)
        self.turns: list[tuple[Observation[Any], list[str]]] = []

    async def turn(self, observation: Observation[Any]) -> Turn:
        begin = len(self.model.requests)
        answer = await super().turn(observation)
        digests = [request.digest() for request in self.model.requests[begin:]]
        self.turns.append((observation, digests))
        return answer


def game(name: str, ways: Prompting, horizon: int) -> tuple[Trace, dict[str, Kept]]:
    scenario = cookmas.load_scenario(f"hanabi/{name}")
    workers = list(scenario.world().workers)
    seats = {worker: Kept(ways) for worker in workers}
    team = team_of_seats({name: seat_of(kept, name, workers) for name, kept in seats.items()})
    trace = asyncio.run(episode_of(scenario, team, horizon=horizon).run())
    return trace, seats


@pytest.mark.parametrize("name", ["cac", "watson", "sherlock", "mycroft"])
def test_no_call_of_a_seat_depends_on_its_own_cards(name: str) -> None:
    """All calls of a seat, by the bytes, with the seat's own cards and the deck exchanged."""
    ways = preset(name, VOICE.presets)
    trace, seats = game("small", ways, 8)
    states = [frame.before for frame in replay(trace)]
    world = world_of("small")
    changed = 0
    for worker, kept in seats.items():
        for observation, asked in kept.turns:
            state = states[observation.timestep]
            alike = world.draw_alike(state, worker, 7)
            changed += alike["hands"][worker] != state["hands"][worker]
            again = Kept(ways)
            seen = world.observe(alike, worker)
            asyncio.run(again.turn(replace(observation, state=seen)))
            assert again.turns[0][1] == asked
            assert asked
    assert changed
    assert UNSEEN in seats["alice"].model.asked[0]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_told_the_rules_of_the_page(name: str) -> None:
    request = first_request("hanabi/two", f"alice={name},bob=random")
    system = request.messages[0].content
    assert world_of("two").about in system
    hints = VOICE.prompts.joinpath("hints.md").read_text(encoding="utf-8")
    told = plain(hints.partition("{{whose}}")[2])
    assert (told in plain(system)) is preset(name, VOICE.presets).hints
    assert told in page("reference/hanabi-rules.md")


@pytest.mark.parametrize(
    ("planner", "alike"),
    [
        ("llm-team", True),
        ("alice=llm,bob=llm", True),
        ("alice=llm,bob=piers", False),
        ("alice=llm,bob=cac", False),
    ],
)
def test_only_players_that_are_told_the_same_are_promised_common_conventions(
    planner: str, alike: bool
) -> None:
    told = plain(first_request("hanabi/two", planner).messages[0].content)
    for words, there in (("All of you keep to these:", alike), ("may not know them:", not alike)):
        assert (words in told) is there
        assert words in page("reference/hanabi-rules.md")


def test_hands_are_told_once() -> None:
    request = first_request("hanabi/two", "llm-team")
    user = request.messages[-1].content
    cards = [x["card"] for x in parse_blocks(user)["STATE"]["hands"]["bob"]]
    assert user.count("told") == 10
    assert sum(user.count(card) for card in cards) == 5


@given(*TABLES)
def test_what_counting_leaves_is_told_where_it_is_less_than_the_clues_leave(
    name: str, seed: int, moves: int
) -> None:
    """Of the cards of a hand, those remain of which some copy is not seen elsewhere."""
    world = world_of(name)
    seen = world.observe(played(world, seed, moves), "alice")
    elsewhere = [*seen["discards"]]
    elsewhere += [f"{x}{n}" for x, top in seen["fireworks"].items() for n in range(1, top + 1)]
    for owner, hand in VOICE.tell_state(world, seen)["hands"].items():
        others = [each for name, cards in seen["hands"].items() if name != owner for each in cards]
        gone = Counter([*elsewhere, *(each["card"] for each in others)])
        for entry in hand:
            colours, ranks = entry["can"].split(" ")
            clued = {f"{x}{y}" for x, y in product(colours, ranks)}
            left = {card for card in clued if gone[card] < world.game.cards.count(card)}
            counted = read_kinds(entry["counted"]) if "counted" in entry else clued
            assert counted <= left
            if entry["card"] != UNSEEN:
                assert entry["card"] in counted
            assert ("counted" in entry) is (counted < clued)


@pytest.mark.parametrize("name", ["sherlock", "watson"])
def test_every_field_is_explained(name: str) -> None:
    request = first_request("hanabi/two", f"alice={name},bob=random")
    system = request.messages[0].content
    blocks = parse_blocks(request.messages[-1].content)
    state = blocks["STATE"]
    fields = {*state, *state["hands"]["bob"][0]} - {"timestep", "card"}
    missing = {each for each in fields if f"`{each}`" not in system}
    assert not missing
    assert ("`can`" in system) is ("can" in fields) is (name == "sherlock")
    counted = Counter(entry["card"] for hand in state["hands"].values() for entry in hand)
    assert counted[UNSEEN] == 5
