"""The questions that several worlds ask alike."""

from __future__ import annotations

import pytest

from cookmas.worlds.base.questions import ask_fact, ask_missing, ask_partner


@pytest.mark.parametrize(
    ("legal", "taken", "asked"),
    [
        (["go", "stay"], ["go"], True),
        (["go", "stay", "wait"], ["go", "stay"], True),
        (["go"], ["go"], False),
        (["go", "stay"], ["jump"], False),
        (["go", "stay"], ["go", "stay"], False),
    ],
)
def test_a_partner_is_asked_about_if_it_has_a_choice(
    legal: list[str], taken: list[str], asked: bool
) -> None:
    found = list(ask_partner("greedy partner", "What now?", legal, taken, "near", "far"))
    assert [(each.right, each.options) for each in found] == ([(taken, legal)] if asked else [])
    for each in found:
        assert each.proof == {x: "near" if x in taken else "far" for x in legal}
        assert (each.kind, each.actions) == ("mind", True)


@pytest.mark.parametrize(
    ("missing", "right"),
    [({"egg", "bun"}, ["bun", "egg"]), (set(), None), ({"egg", "bun", "ham"}, None)],
)
def test_what_is_missing_is_asked_unless_it_is_nothing_or_everything(
    missing: set[str], right: list[str] | None
) -> None:
    found = list(ask_missing("What?", missing, ["bun", "egg", "ham"], "it needs both"))
    assert [each.right for each in found] == ([] if right is None else [right])


def test_a_fact_proves_every_option() -> None:
    (found,) = ask_fact("ready", "When?", ["3", "4"], ["4"], "1 is left", depth=2, bare=True)
    assert found.proof == {"3": "1 is left", "4": "1 is left"}
    assert (found.kind, found.about, found.depth, found.bare) == ("comprehension", "ready", 2, True)


def test_a_fact_is_asked_with_the_state_unless_it_is_bare() -> None:
    (found,) = ask_fact("ready", "When?", ["3", "4"], ["4"], "1 is left")
    assert (found.bare, found.depth) == (False, 1)
