"""A domain file is checked as a whole, and each mistake is one clear line."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from cookmas.files.errors import InputError, TraceError
from cookmas.files.reading import validate
from cookmas.worlds.robotouille.rules import domain_file
from cookmas.worlds.robotouille.rules.domain_file import DomainEntries, check_domain, read_shipped
from cookmas.worlds.robotouille.world import RobotouilleWorld
from tests.worlds.robotouille.opened import world_of

KITCHEN = yaml.safe_load(
    (Path(domain_file.__file__).parents[1] / "domains/kitchen.yaml").read_text()
)

MISTAKES: list[tuple[str, Any, str]] = [
    ("title", None, "title: is missing"),
    ("rules", 1, "rules: there is no such field"),
    ("worker", "cook", "worker: there is no type 'cook'"),
    ("predicates.loc.of", ["player", "shelf"], "predicates.loc: there is no type 'shelf'"),
    ("predicates.loc.words", "at {2}", "predicates.loc.words: there is no variable '2'"),
    ("kinds.table.has", ["isnice"], "kinds.table.has: there is no predicate 'isnice'"),
    ("kinds.table.has", ["iscut"], "kinds.table.has: iscut: expected a predicate of one station"),
    ("kinds.water.has", [], "kinds.water.has: name what is true of an object that is made"),
    ("kinds.water.most", "jug", "kinds.water.most: there is no type 'jug'"),
    ("rests", "iscut(it)", "rests: iscut(it): expected it and place as its two arguments"),
    (
        *("actions.move.of", {"s1": "station"}),
        "actions.move.of: the first variable, and no other, is of type player",
    ),
    ("actions.move.of.s2", "shelf", "actions.move.of: there is no type 'shelf'"),
    (
        *("actions.move.needs", "loc p1"),
        "actions.move.needs: expected literals such as loc(p1, s1), not vacant(s1); 'loc p1'",
    ),
    (
        *("actions.move.needs", "near(p1, s1)"),
        "actions.move.needs: near(p1, s1): there is no predicate 'near'",
    ),
    ("actions.move.needs", "loc(p1)", "actions.move.needs: loc(p1): expected 2 arguments"),
    (
        *("actions.move.makes", "loc(p1, s3)"),
        "actions.move.makes: loc(p1, s3): expected one of p1, s1, s2, not 's3'",
    ),
    (
        *("actions.move.makes", "loc(s1, p1)"),
        "actions.move.makes: loc(s1, p1): s1 is of type station, expected player",
    ),
    (
        *("actions.move.makes", "loc(p1, s1), not loc(p1, s1)"),
        "actions.move.makes: names loc(p1, s1) twice",
    ),
    (
        *("actions.add-to.needs", "has_item(p1, i1), not addedto(i1, m1)"),
        "actions.add-to.needs: m1 may not exist yet",
    ),
    (
        *("actions.cook.timers.0.times", 3),
        "actions.cook.timers.0: expected either steps or times",
    ),
    (
        *("actions.cook.timers.0.about", "x"),
        "actions.cook.timers.0.about: there is no variable 'x'",
    ),
    (
        *("actions.fill-pot.timers.0.creates", {"m1": "bread"}),
        "actions.fill-pot.timers.0.creates.m1: there is no kind with the field `most` 'bread'",
    ),
    (
        *("actions.fill-pot.timers.0.creates.m2", "water"),
        "actions.fill-pot.timers.0.creates: a timer creates one object",
    ),
    (
        *("actions.fill-pot.timers.0.creates", {"c1": "water"}),
        "actions.fill-pot.timers.0.creates: c1 is a variable of the action",
    ),
    (
        *("puts.0.of", {"p1": "player"}),
        "puts.0.of: expected a variable of the object and one of the place",
    ),
    (
        *("puts.1.timers", [{"about": "i1", "steps": 1, "makes": "iscut(i1)"}]),
        "puts.1.timers: a layout starts no timer",
    ),
]
"""A field of the domain, what stands there (None for nothing), and what is said."""


@pytest.mark.parametrize(("field", "value", "problem"), MISTAKES)
def test_a_mistake_is_one_line_that_names_its_place(field: str, value: Any, problem: str) -> None:
    data = copy.deepcopy(KITCHEN)
    *path, last = field.split(".")
    at: Any = data
    for part in path:
        at = at[int(part)] if part.isdigit() else at[part]
    at[last] = value
    if value is None:
        del at[last]
    with pytest.raises(InputError) as raised:
        check_domain(validate(DomainEntries, data, "my.yaml"), "my.yaml")
    said = str(raised.value)
    assert said.startswith("my.yaml")
    assert problem in said
    assert "\n" not in said


def test_an_unknown_domain_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"kitchen.* or a file that ends in .yaml, not 'garage'"):
        read_shipped("garage")


def test_the_setup_has_the_digest_of_the_domain_and_another_is_refused() -> None:
    world = world_of("synchronous/0")
    assert world.setup()["digest"] == read_shipped("kitchen").digest
    with pytest.raises(TraceError, match="is for the domain 0000, but the domain is"):
        RobotouilleWorld.of_setup({**world.setup(), "digest": "0000"})


LAYOUTS: dict[str, tuple[dict[str, Any], str]] = {
    "no place": ({"bread1": ["bread"]}, "objects.bread1: expected a kind and a place"),
    "unknown kind": ({"rat1": ["rat", "-"]}, "objects.rat1: there is no kind 'rat'"),
    "unknown place": (
        {"bread1": ["bread", "table1"]},
        "objects.bread1: expected the place 'table1' before the object",
    ),
    "unknown predicate": (
        {"bread1": ["bread", "-", "vacant"]},
        "objects.bread1: 'vacant' is no predicate of one item",
    ),
    "nobody": ({"table1": ["table", "-"]}, "objects: expected a player"),
    "taken": (
        {
            "table1": ["table", "-"],
            "robot1": ["robot", "table1"],
            "pot1": ["pot", "table1"],
            "bread1": ["bread", "table1"],
        },
        "objects.bread1: the rules of the domain put it at no table1, or table1 is taken",
    ),
}


@pytest.mark.parametrize("mistake", LAYOUTS)
def test_a_mistake_in_a_layout_is_one_line(mistake: str) -> None:
    objects, problem = LAYOUTS[mistake]
    with pytest.raises(InputError) as raised:
        world_of("synchronous/0", objects=objects)
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    ("goal", "problem"),
    [
        ("item_on(bread1, table_2)", "bread1: expected a kind and a name, such as bread_1"),
        ("item_on(bread_1)", "item_on(bread_1): expected 2 arguments"),
        ("item_on(table_1, bread_2)", "table_1 is of type station, expected item"),
        ("tasty(bread_1)", "there is no predicate 'tasty'"),
    ],
)
def test_a_mistake_in_a_goal_is_one_line(goal: str, problem: str) -> None:
    with pytest.raises(InputError) as raised:
        world_of("synchronous/0", goal=goal)
    assert problem in str(raised.value)


def test_another_wording_is_the_same_domain_and_another_rule_is_not() -> None:
    data = copy.deepcopy(KITCHEN)
    known = read_shipped("kitchen").digest
    data["about"], data["actions"]["cut"]["words"] = "- Cook.", "{p1} cuts {i1} at {s1}."
    data["predicates"]["iscut"]["words"] = "{0} is in pieces"
    del data["example"]
    assert check_domain(DomainEntries.model_validate(data), "mine").digest == known
    data["actions"]["cut"]["timers"][0]["times"] = 4
    assert check_domain(DomainEntries.model_validate(data), "mine").digest != known


@pytest.mark.parametrize(
    ("name", "former"),
    [("synchronous/0", "9e8dda90e2f2fcd6"), ("bench/0", "4e9cb0759f3b8037")],
)
def test_a_trace_that_names_a_shipped_domain_by_its_former_digest_is_read(
    name: str, former: str
) -> None:
    world = world_of(name)
    again = RobotouilleWorld.of_setup({**world.setup(), "digest": former})
    assert again.setup() == world.setup()
    other = world_of("bench/0" if name != "bench/0" else "synchronous/0")
    with pytest.raises(TraceError, match="the level is for the domain"):
        RobotouilleWorld.of_setup({**other.setup(), "digest": former})
