"""What the original answers where its rules are odd, case by case, in both engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from benchmarks.cuisineworld.recorded import SILENT
from cookmas.worlds.cuisineworld.rules.commands import FeedbackKind
from cookmas.worlds.cuisineworld.rules.engine import legal_commands, play, start
from cookmas.worlds.cuisineworld.rules.kitchen import Agent
from cookmas.worlds.cuisineworld.scenario import build_task
from tests.worlds.cuisineworld.slow_engine import slow_copy

TASK = build_task("level_3", "1.0", 2)
"""A kitchen with two pots, chopboards and mixers; salmonSushi and tunaSushi are its dishes."""

STORAGE, TABLE, BOARD, POT, MIXER = "storage0", "servingtable0", "chopboard0", "pot0", "mixer0"
EMPTY = None


class Case(NamedTuple):
    """Where two agents stand, what they hold, and what comes of a list of commands.

    `left` is the items inside the place of agent0 and what the agents hold afterwards; None if
    nothing changes.
    """

    at: str
    holding: tuple[str | None, str | None]
    inside: tuple[str, ...]
    commands: Sequence[str]
    answers: Sequence[str]
    ok: Sequence[bool]
    left: tuple[tuple[str, ...], tuple[str | None, str | None]] | None = None
    busy: int = 0


COMMANDS = {
    "a chopboard swallows a second tuna": Case(
        BOARD,
        ("tuna", "tuna"),
        (),
        ["put_agent0_chopboard0", "put_agent1_chopboard0"],
        [],
        [True, True],
        (("tuna",), (EMPTY, EMPTY)),
    ),
    "a chopboard swallows a second product": Case(
        BOARD,
        ("tunaSashimi", EMPTY),
        ("tunaSashimi",),
        ["put_agent0_chopboard0"],
        [],
        [True],
        (("tunaSashimi",), (EMPTY, EMPTY)),
    ),
    "a mixer swallows a second product": Case(
        MIXER,
        ("tunaSushi", EMPTY),
        ("tunaSushi",),
        ["put_agent0_mixer0"],
        [],
        [True],
        (("tunaSushi",), (EMPTY, EMPTY)),
    ),
    "a pot swallows a second ingredient": Case(
        POT,
        ("rice", EMPTY),
        ("rice",),
        ["put_agent0_pot0"],
        [],
        [True],
        (("rice",), (EMPTY, EMPTY)),
    ),
    "the serving table keeps both": Case(
        TABLE,
        ("tunaSushi", "tunaSushi"),
        (),
        ["put_agent0_servingtable0", "put_agent1_servingtable0"],
        [],
        [True, True],
        (("tunaSushi", "tunaSushi"), (EMPTY, EMPTY)),
    ),
    "an occupied tool swallows nothing": Case(
        POT,
        ("cookedRice", EMPTY),
        ("cookedRice",),
        ["put_agent0_pot0"],
        ["occupied"],
        [False],
        busy=2,
    ),
    "the serving table takes dishes of the level alone": Case(
        TABLE,
        ("tuna", EMPTY),
        (),
        ["put_agent0_servingtable0"],
        ["not_a_dish"],
        [False],
    ),
    "a wrong item into an occupied tool is waste alone": Case(
        POT,
        ("tuna", EMPTY),
        ("cookedRice",),
        ["put_agent0_pot0"],
        ["no_recipe"],
        [False],
        busy=2,
    ),
    "a wrong item into a full chopboard is waste alone": Case(
        BOARD,
        ("salmon", EMPTY),
        ("tuna",),
        ["put_agent0_chopboard0"],
        ["no_recipe"],
        [False],
    ),
    "getting from a tool with nothing finished asks neither hands nor occupation": Case(
        POT,
        ("tuna", EMPTY),
        ("rice",),
        ["get_agent0_pot0"],
        ["not_to_take"],
        [False],
    ),
    "getting from the serving table asks nothing more": Case(
        TABLE,
        ("tuna", EMPTY),
        (),
        ["get_agent0_servingtable0"],
        ["not_to_take"],
        [False],
    ),
    "full hands get from an empty chopboard": Case(
        BOARD,
        ("tuna", EMPTY),
        (),
        ["get_agent0_chopboard0"],
        ["hands_full"],
        [False],
    ),
    "full hands ask storage for nothing": Case(
        STORAGE,
        ("tuna", EMPTY),
        (),
        ["get_agent0_storage0"],
        ["hands_full"],
        [False],
    ),
    "storage is asked for nothing": Case(
        STORAGE,
        (EMPTY, EMPTY),
        (),
        ["get_agent0_storage0"],
        ["no_ingredient"],
        [False],
    ),
    "an item named at a tool is ignored": Case(
        BOARD,
        (EMPTY, EMPTY),
        ("tuna",),
        ["get_agent0_salmon_chopboard0"],
        [],
        [True],
        ((), ("tuna", EMPTY)),
    ),
    "an item named in a put is ignored": Case(
        POT,
        ("rice", EMPTY),
        (),
        ["put_agent0_tuna_pot0"],
        [],
        [True],
        (("rice",), (EMPTY, EMPTY)),
    ),
    "a later agent takes what a mixer has made": Case(
        MIXER,
        (EMPTY, EMPTY),
        ("tunaSashimi", "cookedRice"),
        ["activate_agent0_mixer0", "get_agent1_mixer0"],
        [],
        [True, True],
        ((), (EMPTY, "tunaSushi")),
    ),
    "empty hands at an occupied tool": Case(
        POT,
        (EMPTY, EMPTY),
        ("cookedRice",),
        ["put_agent0_pot0"],
        ["hands_empty", "occupied"],
        [False],
        busy=2,
    ),
    "empty hands at a full chopboard": Case(
        BOARD,
        (EMPTY, EMPTY),
        ("tuna",),
        ["put_agent0_chopboard0"],
        ["hands_empty", "no_room"],
        [False],
    ),
    "empty hands at an occupied chopboard": Case(
        BOARD,
        (EMPTY, EMPTY),
        ("tuna",),
        ["activate_agent0_chopboard0", "put_agent1_chopboard0"],
        ["hands_empty", "occupied", "no_room"],
        [True, False],
        (("tunaSashimi",), (EMPTY, EMPTY)),
    ),
    "full hands get from an occupied tool": Case(
        POT,
        ("tuna", EMPTY),
        ("cookedRice",),
        ["get_agent0_pot0"],
        ["hands_full", "occupied"],
        [False],
        busy=2,
    ),
    "full hands activate an occupied tool": Case(
        POT,
        ("tuna", EMPTY),
        ("cookedRice",),
        ["activate_agent0_pot0"],
        ["hands_full", "occupied"],
        [False],
        busy=2,
    ),
    "full hands activate an empty tool": Case(
        POT,
        ("tuna", EMPTY),
        (),
        ["activate_agent0_pot0"],
        ["hands_full", "nothing_inside"],
        [False],
    ),
    "full hands activate what no recipe has": Case(
        MIXER,
        ("tuna", EMPTY),
        ("cookedRice",),
        ["activate_agent0_mixer0"],
        ["hands_full"],
        [False],
    ),
    "what no recipe has is activated": Case(
        MIXER,
        (EMPTY, EMPTY),
        ("cookedRice",),
        ["activate_agent0_mixer0"],
        ["no_recipe"],
        [False],
    ),
}


@pytest.mark.parametrize("case", COMMANDS)
def test_a_command_is_answered_as_in_the_original(case: str) -> None:
    at, holding, inside, commands, answers, ok, left, busy = COMMANDS[case]
    state = start(TASK)._replace(
        agents=tuple(Agent(at, item) for item in holding),
        inside={at: inside} if inside else {},
        busy={at: busy} if busy else {},
        orders=(),
    )
    slow = slow_copy(TASK, state)
    after, step = play(TASK, state, commands)
    assert (list(step.ok), [each.kind for each in step.feedback]) == (ok, answers)
    assert slow.step(list(commands)) == (ok, answers)
    found = after.inside.get(at, ()), tuple(agent.holding for agent in after.agents)
    assert found == (left or (inside, holding))
    for number in range(2):
        legal = legal_commands(TASK.kitchen, state, number)
        if len(commands) == 1 and f"_agent{number}_{at}" in commands[0]:
            assert (commands[0] in legal) == (ok == [True])


GOOD = "goto_agent0_pot0"

LISTS: dict[str, tuple[Sequence[str], str | None]] = {
    "one word": (["goto"], "word_count"),
    "five words": (["get_agent0_tuna_x_storage0"], "word_count"),
    "an unknown verb of five words": (["fly_agent0_x_x_pot0"], "word_count"),
    "an unknown verb for an unknown agent": (["fly_x_pot0"], "unknown_verb"),
    "an unknown verb of four words": (["fly_agent0_x_pot0"], "unknown_verb"),
    "no number of an agent": (["goto_agent_pot0"], "unknown_agent"),
    "no number and no such place": (["goto_x_oven7"], "unknown_agent"),
    "no number and a word too many": (["goto_x_x_pot0"], "unknown_agent"),
    "no such place": (["goto_agent0_oven7"], "unknown_place"),
    "no such place to get from": (["get_agent0_tuna_oven7"], "unknown_place"),
    "a noop at no such place": (["noop_agent0_oven7"], "unknown_place"),
    "a goto with an item": (["goto_agent0_x_pot0"], None),
    "a noop with an item": (["noop_agent0_x_pot0"], None),
    "an activate with an item": (["activate_agent0_x_pot0"], None),
    "a goto with an item and no such place": (["goto_agent0_x_oven7"], None),
    "an agent twice": ([GOOD, "noop_agent0"], "repeated_agent"),
    "an agent by two names": ([GOOD, "noop_0"], "repeated_agent"),
    "an agent twice before no such place": (
        [GOOD, GOOD, "goto_agent1_oven7"],
        "unknown_place",
    ),
    "a silent refusal before an unknown verb": (["goto_agent0_x_pot0", "fly_agent1_pot0"], None),
    "an unknown verb before a silent refusal": (
        ["fly_agent1_pot0", "goto_agent0_x_pot0"],
        "unknown_verb",
    ),
    "two words with goto before an unknown verb": (
        ["goto_agent0", "fly_agent1_pot0"],
        "unknown_verb",
    ),
    "two words with goto, which stop the original": (["goto_agent0"], "word_count"),
    "an agent of too high a number, which stops the original": (
        ["goto_agent7_pot0"],
        "unknown_agent",
    ),
    "an agent of too high a number before an unknown verb": (
        ["goto_agent7_pot0", "fly_agent1_pot0"],
        "unknown_verb",
    ),
    "an agent of too high a number twice": (["goto_agent7_pot0", "noop_7"], "repeated_agent"),
    "an agent before the first, which is ours": (["goto_agent-3_pot0"], "unknown_agent"),
}


@pytest.mark.parametrize("case", LISTS)
def test_a_malformed_list_is_refused_whole_with_the_answer_to_its_first_fault(case: str) -> None:
    commands, answer = LISTS[case]
    state = start(TASK)
    after, step = play(TASK, state, commands)
    kinds = [each.kind for each in step.feedback]
    assert not any(step.ok)
    assert len(step.ok) == len(commands)
    assert kinds == [answer or FeedbackKind.TOO_MANY_WORDS]
    assert [kind for kind in kinds if kind not in SILENT] == ([answer] if answer else [])
    assert after.agents == state.agents
    slow = slow_copy(TASK, state)
    assert slow.step(list(commands)) == (list(step.ok), [answer] if answer else [])


@pytest.mark.parametrize(
    ("name", "moved"), [("agent0", 0), ("0", 0), ("1", 1), ("agent-1", 1), ("-2", 0)]
)
def test_an_agent_is_named_by_its_number(name: str, moved: int) -> None:
    state = start(TASK)
    after, step = play(TASK, state, [f"goto_{name}_pot0"])
    assert step.ok == (True,)
    assert [agent.at == "pot0" for agent in after.agents] == [moved == 0, moved == 1]
    slow = slow_copy(TASK, state)
    assert slow.step([f"goto_{name}_pot0"]) == ([True], [])
    assert [person["at"] for person in slow.people] == [agent.at for agent in after.agents]


@pytest.mark.parametrize(
    ("commands", "answers"),
    [
        (["noop_agent0", "noop_agent1"], ["all_idle"]),
        (["noop_agent1"], ["all_idle"]),
        (["noop_agent0_pot0", "noop_1"], ["all_idle"]),
        (["noop_agent0", GOOD.replace("0_", "1_")], []),
        ([], []),
    ],
)
def test_a_list_of_noops_has_an_answer_of_its_own(commands: list[str], answers: list[str]) -> None:
    state = start(TASK)
    _, step = play(TASK, state, commands)
    assert (list(step.ok), [each.kind for each in step.feedback]) == (
        [True] * len(commands),
        answers,
    )
    assert slow_copy(TASK, state).step(commands) == ([True] * len(commands), answers)
