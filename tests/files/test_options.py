"""Options are declared once: the models and the checks of bounds follow the declaration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from cookmas.files.errors import InputError
from cookmas.files.option_models import Options, field_in
from cookmas.files.options import option, options_of, refuse_options


@dataclass(frozen=True, kw_only=True)
class Oven:
    """The options of an oven."""

    heat: int = option(200, "Degrees Celsius.", least=50, most=250)
    minutes: float | None = option(None, "Minutes until it stops.", least=0.5)
    fan: bool = option(False, "Turn on the fan.")
    mode: Literal["bake", "grill"] = option("bake", "Where the heat comes from.")
    note: str = ""

    def __post_init__(self) -> None:
        refuse_options(self)


class Tray(Options, Oven, frozen=True):
    """A model with the options of an oven, and an option of its own."""

    width: int = 30


class Wish(Options, Oven, frozen=True, partial=True):
    """A model in which each option of an oven may be left out."""


class Order(Options, frozen=True):
    """A model with an option of an oven at a place of its own."""

    cake: str
    degrees: int = field_in(Oven, "heat")


class Kept(Tray, frozen=True):
    """A model that narrows an option which it inherits."""

    minutes: float = 3.0


def test_the_options_are_the_declared_fields() -> None:
    assert list(options_of(Oven)) == ["heat", "minutes", "fan", "mode"]
    assert options_of(Oven)["heat"].about == "Degrees Celsius."
    assert options_of(Oven)["heat"].flags == "--heat"
    assert Oven().heat == 200


@pytest.mark.parametrize(
    "given", [{"heat": 50}, {"heat": 250}, {"minutes": 0.5}, {"mode": "grill"}]
)
def test_the_bounds_are_admitted(given: dict[str, Any]) -> None:
    assert Oven(**given)
    assert Tray(**given).model_dump(exclude={"note"}) == {**_values(Oven()), **given, "width": 30}
    assert Kept(**given).minutes == given.get("minutes", 3.0)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"heat": 49}, "heat: expected 50 to 250, not 49"),
        ({"heat": 251}, "heat: expected 50 to 250, not 251"),
        ({"minutes": 0.4}, "minutes: expected at least 0.5, not 0.4"),
        ({"mode": "fry"}, "mode: expected one of bake, grill"),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_all(given: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        Oven(**given)
    with pytest.raises(InputError, match=f"--{next(iter(given))}: expected "):
        Tray(**given)
    with pytest.raises(InputError, match=f"--{next(iter(given))}: expected "):
        Wish(**given)


def test_each_option_of_a_partial_model_may_be_left_out() -> None:
    given: dict[str, Any] = {"heat": None, "fan": True}
    wrong: dict[str, Any] = {"minutes": "inf"}
    assert Wish().model_dump(exclude={"note"}) == dict.fromkeys(options_of(Oven))
    assert Wish(**given).model_dump(exclude_none=True, exclude={"note"}) == {"fan": True}
    with pytest.raises(InputError, match="--minutes: expected a finite number"):
        Wish(**wrong)


def test_an_option_at_a_place_of_its_own_keeps_its_default_and_bounds() -> None:
    assert Order(cake="plum").degrees == 200
    with pytest.raises(InputError, match="--degrees: expected at most 250"):
        Order(cake="plum", degrees=251)
    assert Order.model_fields["degrees"].description == "Degrees Celsius."


def test_a_model_tells_the_meaning_of_each_option() -> None:
    for name, each in options_of(Oven).items():
        assert Tray.model_fields[name].description == each.about
    assert list(Tray.model_fields) == ["heat", "minutes", "fan", "mode", "note", "width"]


def _values(oven: Oven) -> dict[str, Any]:
    return {name: getattr(oven, name) for name in options_of(Oven)}
