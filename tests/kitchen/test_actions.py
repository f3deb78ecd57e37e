"""The notation of actions, and the library that describes them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.files.errors import InputError, NotationError
from cookmas.kitchen.actions import (
    LIBRARY,
    Action,
    Discard,
    Navigate,
    Pick,
    Place,
    Serve,
    Start,
    Wait,
    Work,
    parse_action,
)
from cookmas.kitchen.layout import WORK
from tests.sampling import examples

names = st.from_regex(r"[^\s(),]{1,6}( [^\s(),]{1,6})?", fullmatch=True).filter(
    lambda name: not name.startswith("slot")
)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Navigate, names),
    st.builds(Serve, names),
    st.builds(Pick, st.none() | names, st.none() | st.integers(1, 999)),
    st.sampled_from([Place(), Start(), Discard(), Wait(), *map(Work, WORK)]),
)


@settings(max_examples=examples(300, tests=100))
@given(action=actions)
def test_an_action_is_read_as_it_is_written(action: Action) -> None:
    assert parse_action(str(action)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("navigate(grill_1)", Navigate("grill_1")),
        ("pick", Pick()),
        ("pick(onion)", Pick("onion")),
        ("pick(beef patty)", Pick("beef patty")),
        ("pick(slot 2)", Pick(None, 2)),
        ("pick(onion, slot 2)", Pick("onion", 2)),
        ("pick(slot 999)", Pick(None, 999)),
        ("pick(egg+onion)", Pick("egg+onion")),
        ("place", Place()),
        ("chop", Work("chop")),
        ("assemble", Work("assemble")),
        ("start", Start()),
        ("serve(o1.2)", Serve("o1.2")),
        ("discard", Discard()),
        ("wait", Wait()),
    ],
)
def test_what_is_read_and_written(text: str, action: Action) -> None:
    assert parse_action(text) == action
    assert str(action) == text


ACTIONS = ", ".join(LIBRARY)
PICK = "pick is written pick or pick(food) or pick(slot N) or pick(food, slot N)"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", f"is no action; the actions are {ACTIONS}"),
        ("dance", f"is no action; the actions are {ACTIONS}"),
        ("Wait", f"is no action; the actions are {ACTIONS}"),
        ("fry", f"is no action; the actions are {ACTIONS}"),
        ("pick onion", PICK),
        (" serve o1.1", "serve is written serve(order line)"),
        ("pick(onion", PICK),
        ("pick((oil + egg))", PICK),
        ("wait, wait", "wait is written wait"),
        ("wait()", "wait is written wait"),
        (" wait", "wait is written wait"),
        ("wait\n", "wait is written wait"),
        ("chop(onion)", "chop is written chop"),
        ("wait(3)", "wait is written wait"),
        ("navigate", "navigate is written navigate(station)"),
        ("navigate( )", "navigate is written navigate(station)"),
        ("navigate(grill_1 )", "navigate is written navigate(station)"),
        ("navigate(the  grill)", "navigate is written navigate(station)"),
        ("serve", "serve is written serve(order line)"),
        ("pick()", PICK),
        ("pick(,)", PICK),
        ("pick(onion, egg)", PICK),
        ("pick(onion,slot 2)", PICK),
        ("pick(slot 2, onion)", PICK),
        ("pick(slot 1, slot 2)", PICK),
        ("pick(slot 0)", PICK),
        ("pick(slot 02)", PICK),
        ("pick(slot 1234)", PICK),
        ("pick(slot=2, egg)", PICK),
        ("pick(slot)", PICK),
        ("pick(slots)", PICK),
        ("pick(slot=2)", PICK),
        ("pick(slot \u0661)", PICK),
        ("pick(slot 1st)", PICK),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(text)
    assert str(caught.value) == f"{text!r}: {problem}"
    assert isinstance(caught.value, InputError)


@settings(max_examples=examples(300, tests=100))
@given(text=st.text(max_size=30) | st.text(alphabet="pickwaternosl()0129, ", max_size=20))
def test_any_text_is_an_action_or_one_line_of_error(text: str) -> None:
    line: str | None = None
    try:
        action = parse_action(text)
    except NotationError as error:
        line = str(error)
    if line is None:
        assert str(action) == text
    else:
        assert line.startswith(f"{text!r}: ")
        assert "\n" not in line


def test_the_library_describes_every_action_in_one_line() -> None:
    verbs = ["navigate", "pick", "place", *WORK, "start", "serve", "discard", "wait"]
    assert list(LIBRARY) == verbs
    for name, spec in LIBRARY.items():
        line = str(spec)
        assert line.startswith(f"{name}({spec.argument}): " if spec.argument else f"{name}: ")
        assert line.endswith(".")
        assert "\n" not in line


def test_the_library_says_where_each_work_is_done() -> None:
    assert {name: LIBRARY[name].where for name in WORK} == {
        **dict.fromkeys(("chop", "slice", "peel", "grate"), "a board"),
        **dict.fromkeys(("mix", "blend", "knead"), "a mixer"),
        "assemble": "a plating place",
    }


def test_actions_with_an_argument_need_it() -> None:
    for name, spec in LIBRARY.items():
        if spec.argument is None:
            assert str(parse_action(name)) == name
        elif name != "pick":
            with pytest.raises(NotationError):
                parse_action(name)
