"""The truth: the components of each dish and the meaning of each note.

It is for evaluators and authors of scenarios; no planner sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, RootModel

from cookmas.episodes.trace import EventRecord, Trace
from cookmas.files.errors import CookMASError, InputError, MissingError, NotationError
from cookmas.files.reading import FileModel, read_model, read_yaml, until_changed, validate
from cookmas.kitchen.components import Component, DonenessTable, parse_component
from cookmas.kitchen.customizations import (
    Customization,
    Done,
    Extra,
    Longer,
    Swap,
    Without,
    customise,
)
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.scenarios.menu import SHIPPED_MENU, Menu, load_menu
from cookmas.scenarios.scenario import KitchenScenario

Solve = Callable[
    [
        Kitchen,
        KitchenState,
        Mapping[str, Sequence[Component]],
        Sequence[Sequence[Mapping[str, str]]],
    ],
    tuple[int, int | None, str, str],
]
"""A function that takes a kitchen, its state, what each open line wants, and schedules that were
planned from this state on. It returns the fields of `cookmas.evals.disruptions.Continuation`: what
is known of the timesteps until all of it is served.
"""

SHIPPED_TRUTH = Path(__file__).parent
"""The folder of the truth of the shipped menu (`menu.yaml`) and scenarios (`level1/01.yaml`)."""


class _Done(FileModel):
    kind: Literal["done"]
    food: str
    level: str


class _Without(FileModel):
    kind: Literal["without"]
    food: str


class _Extra(FileModel):
    kind: Literal["extra"]
    food: str


class _Swap(FileModel):
    kind: Literal["swap"]
    food: str
    by: str


class _Longer(FileModel):
    kind: Literal["longer"]
    food: str
    process: str
    minutes: int


_Wish = Annotated[_Done | _Without | _Extra | _Swap | _Longer, Field(discriminator="kind")]

_TYPES: Mapping[str, type[Customization]] = {
    "done": Done,
    "without": Without,
    "extra": Extra,
    "swap": Swap,
    "longer": Longer,
}


def to_customization(wish: _Wish) -> Customization:
    """Return the customization that an entry of a truth file describes."""
    return _TYPES[wish.kind](**wish.model_dump(exclude={"kind"}))


class _Wishes(RootModel[list[_Wish]]):
    """The wishes that one note expresses, as a truth file lists them."""


def read_wishes(data: Any) -> tuple[Customization, ...]:
    """Return the customizations that plain data describe. Raises InputError."""
    wishes = validate(_Wishes, data, "meaning")
    return tuple(to_customization(wish) for wish in wishes.root)


def from_customization(customization: Customization) -> dict[str, str | int]:
    """Return a customization as an entry of a truth file."""
    kind = next(name for name, cls in _TYPES.items() if cls is type(customization))
    fields = type(customization).__dataclass_fields__
    return {"kind": kind, **{name: getattr(customization, name) for name in fields}}


class _MenuTruthFile(RootModel[dict[str, list[str]]]):
    """The components of each menu item, as texts such as `tomato > slice 1`."""


class _ScenarioTruthFile(FileModel):
    """The content of a truth file: the digest of its scenario, and the meaning of each note."""

    scenario: str
    notes: dict[str, dict[str, list[_Wish]]]


@dataclass(frozen=True, kw_only=True)
class ScenarioTruth:
    """The truth of a scenario: the components that every dish must have."""

    items: Mapping[str, tuple[Component, ...]]
    """The components of each menu item, as its recipe says."""
    notes: Mapping[tuple[str, str], tuple[Customization, ...]]
    """The customizations that a note asks for, by line and note."""
    doneness: DonenessTable
    """The minutes of each level of doneness."""
    references: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    """For each known schedule that serves everything, the steps of each worker
    (`cookmas.evals.trajectories`)."""
    best_known: int | None = None
    """The least number of timesteps until a known schedule has served everything; None if no
    schedule is known."""
    solve: Solve | None = None
    """A function that says how soon dishes can be served from a state; None if there is none."""
    least: int | None = None
    """A number of timesteps that every schedule needs, by the scenario's certificate; None if there
    is none, or if something becomes known only later."""

    def wishes(self, line: str, note: str) -> tuple[Customization, ...]:
        """Return the wishes that a line's note expresses.

        Raises KeyError if the truth has no meaning for the note.
        """
        return self.notes[line, note] if note else ()

    def dish(self, item: str, line: str, note: str) -> tuple[Component, ...]:
        """Return the components that the dish of a line must have.

        Raises KeyError if the truth does not know the item, or the meaning of the note.
        """
        return customise(self.items[item], self.wishes(line, note), self.doneness)


def load_menu_truth(menu: Menu) -> dict[str, tuple[Component, ...]]:
    """Load the components of each item of a menu, sorted.

    The truth of the shipped menu is in `scenarios/truth`. The truth of another menu is in the file
    `truth.yaml` of the menu's folder. Raises MissingError or InputError.
    """
    return dict(_load_items(menu.folder))


@until_changed
def _load_items(folder: Path) -> Mapping[str, tuple[Component, ...]]:
    menu = load_menu(folder)
    path = SHIPPED_TRUTH / "menu.yaml" if folder == SHIPPED_MENU else folder / "truth.yaml"
    truth: dict[str, tuple[Component, ...]] = {}
    for item, texts in read_model(_MenuTruthFile, path).root.items():
        try:
            components = [parse_component(text, menu.doneness) for text in texts]
        except NotationError as error:
            raise InputError(str(path), f"{item}: {error}") from None
        for food in {name for c in components for name in c.ingredients()} - set(menu.larder):
            raise InputError(str(path), f"{item}: {food!r} is no ingredient of the menu")
        truth[item] = tuple(sorted(components, key=str))
    return truth


def truth_path(scenario: KitchenScenario) -> Path:
    """Return the truth file of a scenario: `name.truth.yaml` beside it, or the shipped one."""
    if scenario.shipped:
        return SHIPPED_TRUTH / f"{scenario.name}.yaml"
    return scenario.path.with_suffix(".truth.yaml")


def load_truth(
    scenario: KitchenScenario, path: Path | None = None, *, stale: bool = False
) -> ScenarioTruth:
    """Load the truth of a scenario. A scenario without notes needs no truth file.

    `path` is the truth file, by default `truth_path`. If `stale`, the file may name an earlier
    version of the scenario. Raises InputError if the file is invalid or names another scenario, and
    MissingError if there is no truth of the menu or of the notes.
    """
    path = path or truth_path(scenario)
    items = load_menu_truth(scenario.menu)
    notes: dict[tuple[str, str], tuple[Customization, ...]] = {}
    if path.exists():
        expected = scenario.truth_digest
        data = read_yaml(path)
        if stale and isinstance(data, Mapping):
            data = {**data, "scenario": expected}
        file = validate(_ScenarioTruthFile, data, str(path))
        if file.scenario != expected:
            raise InputError(str(path), f"scenario: names {file.scenario}, expected {expected}")
        for line, meanings in file.notes.items():
            for note, wishes in meanings.items():
                notes[line, note] = tuple(to_customization(wish) for wish in wishes)
    elif _has_notes(scenario):
        raise MissingError(f"{path}: expected the truth of {scenario.name} (what the notes mean)")
    return ScenarioTruth(items=items, notes=notes, doneness=scenario.menu.doneness)


def _has_notes(scenario: KitchenScenario) -> bool:
    return any(
        getattr(event.event, "note", "") or any(x.note for x in getattr(event.event, "lines", ()))
        for event in scenario.file.events
    )


Meanings = Mapping[int, Mapping[str, Any]]
"""The wishes that senders state as plain data, by the number of the letter in the mailbox.

Within a letter, the key is the number of the order line as text, such as `"1"`.
"""


def with_meanings(truth: ScenarioTruth, trace: Trace, meanings: Meanings) -> ScenarioTruth:
    """Return the truth with the meanings that the senders stated.

    A meaning that cannot be read is left out, so the wishes of its line are unscored.
    """
    notes = dict(truth.notes)
    for record in trace.of(EventRecord):
        if record.number in meanings and not record.refused:
            notes |= dict(_notes(record.event, meanings[record.number]))
    return replace(truth, notes=notes)


def _notes(
    event: Mapping[str, Any], meaning: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, str], tuple[Customization, ...]]]:
    for number, line in enumerate(event.get("lines", [event]), start=1):
        name = event.get("line") or f"{event.get('order')}.{number}"
        try:
            wishes = read_wishes(meaning[str(number)])
        except (KeyError, CookMASError):
            continue
        yield (name, line.get("note", "")), wishes
