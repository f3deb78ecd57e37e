"""What the original answers where its rules are odd, case by case, in both engines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.cuisineworld.recorded import SILENT
from cookmas.worlds.cuisineworld.rules.commands import FeedbackKind
from cookmas.worlds.cuisineworld.rules.engine import legal_commands, play, start
from cookmas.worlds.cuisineworld.rules.kitchen import Agent, CuisineState
from cookmas.worlds.cuisineworld.scenario import build_task
from tests.worlds.cuisineworld.slow_engine import slow_copy

TASK = build_task("level_3", "1.0", 2)
"""A kitchen with two pots, chopboards and mixers; salmonSushi and tunaSushi are its dishes."""


def answer(
    state: CuisineState, commands: Sequence[str]
) -> tuple[CuisineState, list[bool], list[str]]:
    """Return the state after commands, which were carried out, and the answers."""
    after, step = play(TASK, state, commands)
    return after, list(step.ok), [each.kind for each in step.feedback]


COMMANDS = """
a chopboard swallows a second tuna
  chopboard0 | tuna tuna | - | put_0 put_1 | + + | - | tuna; - -
a chopboard swallows a second product
  chopboard0 | tunaSashimi - | tunaSashimi | put_0 | + | - | tunaSashimi; - -
a mixer swallows a second product
  mixer0 | tunaSushi - | tunaSushi | put_0 | + | - | tunaSushi; - -
a pot swallows a second ingredient
  pot0 | rice - | rice | put_0 | + | - | rice; - -
the serving table keeps both
  servingtable0 | tunaSushi tunaSushi | - | put_0 put_1 | + + | - | tunaSushi tunaSushi; - -
an occupied tool swallows nothing
  pot0 busy | cookedRice - | cookedRice | put_0 | x | occupied
the serving table takes dishes of the level alone
  servingtable0 | tuna - | - | put_0 | x | not_a_dish
a wrong item into an occupied tool is waste alone
  pot0 busy | tuna - | cookedRice | put_0 | x | no_recipe
a wrong item into a full chopboard is waste alone
  chopboard0 | salmon - | tuna | put_0 | x | no_recipe
getting from a tool with nothing finished asks neither hands nor occupation
  pot0 | tuna - | rice | get_0 | x | not_to_take
getting from the serving table asks nothing more
  servingtable0 | tuna - | - | get_0 | x | not_to_take
full hands get from an empty chopboard
  chopboard0 | tuna - | - | get_0 | x | hands_full
full hands ask storage for nothing
  storage0 | tuna - | - | get_0 | x | hands_full
storage is asked for nothing
  storage0 | - - | - | get_0 | x | no_ingredient
an item named at a tool is ignored
  chopboard0 | - - | tuna | get_0_salmon | + | - | -; tuna -
an item named in a put is ignored
  pot0 | rice - | - | put_0_tuna | + | - | rice; - -
a later agent takes what a mixer has made
  mixer0 | - - | tunaSashimi cookedRice | activate_0 get_1 | + + | - | -; - tunaSushi
empty hands at an occupied tool
  pot0 busy | - - | cookedRice | put_0 | x | hands_empty occupied
empty hands at a full chopboard
  chopboard0 | - - | tuna | put_0 | x | hands_empty no_room
empty hands at an occupied chopboard
  chopboard0 | - - | tuna | activate_0 put_1 | + x | hands_empty occupied no_room | tunaSashimi; - -
full hands get from an occupied tool
  pot0 busy | tuna - | cookedRice | get_0 | x | hands_full occupied
full hands activate an occupied tool
  pot0 busy | tuna - | cookedRice | activate_0 | x | hands_full occupied
full hands activate an empty tool
  pot0 | tuna - | - | activate_0 | x | hands_full nothing_inside
full hands activate what no recipe has
  mixer0 | tuna - | cookedRice | activate_0 | x | hands_full
what no recipe has is activated
  mixer0 | - - | cookedRice | activate_0 | x | no_recipe
""".strip().splitlines()
"""Each case with the place of both agents, what they hold, what is inside, their commands, which
are carried out, the answers, and what is then inside and held if that changes. A dash is nothing.
"""


def words(part: str) -> list[str]:
    return [word for word in part.split() if word != "-"]


def hands(part: str) -> list[str | None]:
    return [None if word == "-" else word for word in part.split()]


@pytest.mark.parametrize("case", COMMANDS[1::2], ids=COMMANDS[::2])
def test_a_command_is_answered_as_in_the_original(case: str) -> None:
    where, held, inside, said, done, answers, *left = case.split("|")
    at, *busy = words(where)
    parts = [each.split("_") for each in words(said)]
    commands = ["_".join([verb, f"agent{n}", *item, at]) for verb, n, *item in parts]
    ok, kinds = [each == "+" for each in words(done)], words(answers)
    state = start(TASK)._replace(
        agents=tuple(Agent(at, item) for item in hands(held)),
        inside={at: tuple(words(inside))} if words(inside) else {},
        busy={at: 2} if busy else {},
        orders=(),
    )
    slow = slow_copy(TASK, state)
    after, *found = answer(state, commands)
    assert found == [ok, kinds]
    assert slow.step(commands) == (ok, kinds)
    then_inside, then_held = left[0].split(";") if left else (inside, held)
    assert [*after.inside.get(at, ())] == words(then_inside)
    assert [agent.holding for agent in after.agents] == hands(then_held)
    for number in range(2):
        legal = legal_commands(TASK.kitchen, state, number)
        if len(commands) == 1 and f"_agent{number}_{at}" in commands[0]:
            assert (commands[0] in legal) == (ok == [True])


LISTS = """
word_count: goto
word_count: get_agent0_tuna_x_storage0
word_count: fly_agent0_x_x_pot0
unknown_verb: fly_x_pot0
unknown_verb: fly_agent0_x_pot0
unknown_agent: goto_agent_pot0
unknown_agent: goto_x_oven7
unknown_agent: goto_x_x_pot0
unknown_place: goto_agent0_oven7
unknown_place: get_agent0_tuna_oven7
unknown_place: noop_agent0_oven7
silence: goto_agent0_x_pot0
silence: noop_agent0_x_pot0
silence: activate_agent0_x_pot0
silence: goto_agent0_x_oven7
repeated_agent: goto_agent0_pot0 noop_agent0
repeated_agent: goto_agent0_pot0 noop_0
unknown_place: goto_agent0_pot0 goto_agent0_pot0 goto_agent1_oven7
silence: goto_agent0_x_pot0 fly_agent1_pot0
unknown_verb: fly_agent1_pot0 goto_agent0_x_pot0
unknown_verb: goto_agent0 fly_agent1_pot0
word_count: goto_agent0
unknown_agent: goto_agent7_pot0
unknown_verb: goto_agent7_pot0 fly_agent1_pot0
repeated_agent: goto_agent7_pot0 noop_7
unknown_agent: goto_agent-3_pot0
""".strip().splitlines()
"""The answer to a list, and the list.

Two words with goto, and an agent of too high a number, stop the original; an agent before the
first is ours.
"""


@pytest.mark.parametrize("case", LISTS)
def test_a_malformed_list_is_refused_whole_with_the_answer_to_its_first_fault(case: str) -> None:
    kind, commands = case.split(": ")
    said = [] if kind == "silence" else [kind]
    state = start(TASK)
    after, ok, told = answer(state, commands.split())
    assert ok == [False] * len(commands.split())
    assert told == (said or [FeedbackKind.TOO_MANY_WORDS])
    assert [kind for kind in told if kind not in SILENT] == said
    assert after.agents == state.agents
    assert slow_copy(TASK, state).step(commands.split()) == (ok, said)


@pytest.mark.parametrize(
    ("name", "moved"), [("agent0", 0), ("0", 0), ("1", 1), ("agent-1", 1), ("-2", 0)]
)
def test_an_agent_is_named_by_its_number(name: str, moved: int) -> None:
    state = start(TASK)
    after, ok, _ = answer(state, [f"goto_{name}_pot0"])
    assert ok == [True]
    assert [agent.at == "pot0" for agent in after.agents] == [moved == 0, moved == 1]
    slow = slow_copy(TASK, state)
    assert slow.step([f"goto_{name}_pot0"]) == ([True], [])
    assert [person["at"] for person in slow.people] == [agent.at for agent in after.agents]


@pytest.mark.parametrize(
    ("commands", "answers"),
    [
        ("noop_agent0 noop_agent1", ["all_idle"]),
        ("noop_agent1", ["all_idle"]),
        ("noop_agent0_pot0 noop_1", ["all_idle"]),
        ("noop_agent0 goto_agent1_pot0", []),
        ("", []),
    ],
)
def test_a_list_of_noops_has_an_answer_of_its_own(commands: str, answers: list[str]) -> None:
    listed = commands.split()
    expected = ([True] * len(listed), answers)
    assert answer(start(TASK), listed)[1:] == expected
    assert slow_copy(TASK, start(TASK)).step(listed) == expected
