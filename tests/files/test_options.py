"""Options are declared once: the models and the checks of bounds follow the declaration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from cookmas.files.errors import InputError
from cookmas.files.option_models import model_of
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
    assert model_of(Oven)(**given).model_dump() == {**_values(Oven()), **given}


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
        model_of(Oven)(**given)
    with pytest.raises(InputError, match=f"--{next(iter(given))}: expected "):
        model_of(Oven, partial=True)(**given)


def test_each_option_of_a_partial_model_may_be_left_out() -> None:
    partial = model_of(Oven, partial=True)
    assert partial().model_dump() == dict.fromkeys(options_of(Oven))
    assert partial(heat=None, fan=True).model_dump(exclude_none=True) == {"fan": True}
    with pytest.raises(InputError, match="--minutes: expected a finite number"):
        partial(minutes="inf")


def _values(oven: Oven) -> dict[str, Any]:
    return {name: getattr(oven, name) for name in options_of(Oven)}
