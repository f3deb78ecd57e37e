"""The restaurant as a domain: levels 1 to 3, recipes in prose, dishes judged as they are served.

It is imported wherever the command line says what commands there are, so it imports late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from files.errors import InputError, MissingError

if TYPE_CHECKING:
    from episodes.trace import Header, Trace
    from episodes.world import Json
    from evals.judge import Judging
    from evals.report import Details
    from kitchen.components import Component
    from kitchen.state import KitchenState, OrderLine
    from kitchen.world import Restaurant
    from orchestrator.planner import Entry, Planner
    from scenarios.scenario import Scenario
    from scenarios.truth.truth import ScenarioTruth
    from worlds.capabilities import Shown
    from worlds.domain import Settings
    from worlds.messages import Message
    from worlds.restaurant.desk import RestaurantDesk
    from worlds.script import Script
    from worlds.training import Training
    from worlds.viewing import Viewing

LEVELS = ("1", "2", "3")
ADVERSARIAL = "adversarial"


class RestaurantDomain:
    """The kitchen, its scenarios, its planners and its evaluators."""

    name = "restaurant"
    planners: Mapping[str, str] = {
        "embedded": "worlds.restaurant.planners.embedded:EmbeddedPlanner",
        "embedded-strict": "worlds.restaurant.planners.embedded:StrictPlanner",
        "naive": "worlds.restaurant.planners.embedded:NaivePlanner",
        "random": "worlds.restaurant.planners.random:RandomPlanner",
        "llm": "worlds.restaurant.planners.llm:LLMPlanner",
        "hybrid": "worlds.restaurant.planners.hybrid:HybridPlanner",
    }
    commands: Mapping[str, str] = {
        "read": "worlds.restaurant.commands.read:read",
        "recipes": "worlds.restaurant.commands.recipes:app",
    }

    def names(self, group: str | None = None) -> list[str]:
        """All scenarios, or those of `level1`, `level2`, `level3` or `adversarial`.

        In the last ones guests say what only a planner that obeys them would do.
        """
        from scenarios.scenario import names_in, scenario_names

        if group is None:
            return [*scenario_names(), *names_in(ADVERSARIAL)]
        if group == ADVERSARIAL:
            return names_in(ADVERSARIAL)
        number = group.removeprefix("level")
        if number not in LEVELS:
            raise MissingError(
                f"level: expected level1, level2, level3 or {ADVERSARIAL}, not {group!r}"
            )
        return scenario_names(int(number))

    def scenario(self, name: str, settings: Settings) -> Scenario:
        """The scenario of a name or a file, or a variant with other `workers` or `interval`.

        An `open` kitchen takes `kitchen`, `menu` and `workers`.
        """
        from scenarios.open import OPEN, open_kitchen
        from scenarios.scenario import load_scenario
        from scenarios.variants import varied
        from worlds.settings import number, whole_number

        numbers = {"workers": whole_number, "seed": whole_number, "interval": number}
        said = {key: numbers.get(key, _as_said)(key, x) for key, x in settings.items()}
        if name == OPEN:
            return open_kitchen(said)
        scenario = load_scenario(name)
        for option in said:
            if option not in ("workers", "interval"):
                raise InputError(f"--{option}", "the restaurant has no such option")
        return varied(scenario, said) if said else scenario

    def oracle(self, scenario: Scenario) -> Planner:
        """A planner that is handed the truth of a scenario, to measure scheduling by itself.

        Where the truth does not say what a guest's words mean it knows of nothing to make.
        """
        from scenarios.truth.truth import load_truth
        from worlds.restaurant.planners.oracle import OraclePlanner

        truth = load_truth(scenario)

        def wanted(name: str, line: OrderLine) -> tuple[Component, ...]:
            try:
                return truth.dish(line.item, name, line.note)
            except KeyError:
                return ()

        return OraclePlanner(wanted)

    def rebuild(self, header: Header, path: Path) -> Scenario:
        """The scenario that stands in the header; menu and kitchen are looked for beside `path`."""
        from scenarios.open import OPEN, open_kitchen
        from scenarios.scenario import build_scenario, load_scenario

        if header.scenario_name == OPEN:
            return open_kitchen(header.scenario)
        if header.scenario_name in self.names():
            return load_scenario(header.scenario_name)
        return build_scenario(header.scenario_name, path, header.scenario)

    def world(self, setup: Json) -> Restaurant:
        """The restaurant that `setup` describes."""
        from kitchen.world import Restaurant

        return Restaurant.of_setup(setup)

    def training(self, world: Restaurant) -> Training:
        """A kitchen in numbers."""
        from worlds.restaurant.training import KitchenTraining

        return KitchenTraining(world)

    def horizon(self, scenario: Scenario) -> int:
        """Ten times the lower bound of the makespan of everything that will be ordered.

        The customers' words are left aside. A constant where the menu has no truth.
        """
        from episodes.scenario import DEFAULT_HORIZON
        from scenarios.truth.truth import load_menu_truth
        from worlds.restaurant.orders import least_makespan

        try:
            items = load_menu_truth(scenario.menu)
        except MissingError:
            return DEFAULT_HORIZON
        return 10 * least_makespan(scenario, items)

    def schedule(self, path: Path, scenario: Scenario) -> Sequence[Entry]:
        """Load a schedule for the scenario's workers and stations."""
        from scenarios.schedule import load_schedule

        return load_schedule(path, scenario)

    def truth(self, scenario: Scenario, path: Path | None = None) -> ScenarioTruth:
        """What the dishes are, and what the customers' words mean."""
        from dataclasses import replace

        from scenarios.truth.truth import load_truth
        from worlds.restaurant.references import references_of

        truth, known = load_truth(scenario, path), references_of(scenario)
        return replace(truth, references=known.trajectories, best_known=known.shortest)

    def desk(self, scenario: Scenario) -> RestaurantDesk:
        """Who receives the guests while it is open."""
        from worlds.restaurant.desk import RestaurantDesk

        events = (event for _, event in scenario.events())
        known = {event["order"] for event in events if event["kind"] == "new_order"}
        return RestaurantDesk(scenario.kitchen, known)

    def messages(self, world: Restaurant | None = None) -> Sequence[Message]:
        """Orders in words, and what is said of them later."""
        from worlds.restaurant.messages import messages

        return messages(world)

    async def pulled(self, address: str, folder: Path) -> Settings:
        """The menu with its recipes, if the kitchen has them in Redis."""
        from worlds.restaurant.stored import pull_menu

        menu = await pull_menu(address, folder)
        return {"menu": str(menu.resolve())} if menu else {}

    def heard(
        self, truth: ScenarioTruth, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]
    ) -> ScenarioTruth:
        """The truth with what the guests of an open kitchen meant, where they said so."""
        from worlds.restaurant.evaluators.meanings import with_meanings

        return with_meanings(truth, trace, meanings)

    def alter(self, world: Restaurant, state: KitchenState, kitchen: str) -> tuple[Restaurant, str]:
        """The restaurant with the stations of another kitchen, by name or file."""
        from worlds.restaurant.rebuilding import rebuilt

        return rebuilt(world, state, kitchen)

    @property
    def judging(self) -> Judging:
        """The evaluators."""
        from worlds.restaurant.evaluators.judging import JUDGING

        return JUDGING

    @property
    def details(self) -> Details:
        """The dishes and the wishes."""
        from worlds.restaurant.evaluators.report import details

        return details

    @property
    def script(self) -> Script:
        """Answers of the embedded planner."""
        from worlds.restaurant.script import SCRIPT

        return SCRIPT

    def row(self, scenario: Scenario) -> dict[str, Any]:
        """What a list says of a scenario."""
        from worlds.restaurant.orders import ordered

        return {
            "name": scenario.name,
            "title": scenario.file.title,
            "level": scenario.file.level,
            "kitchen": scenario.file.kitchen,
            "lines": len(ordered(scenario)),
            "events": len(scenario.file.events),
        }

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """A scenario; 'kitchen NAME'; 'recipe ITEM...'; 'actions'; without words, what there is."""
        from worlds.restaurant.show import show

        return show(what)

    @property
    def viewing(self) -> Viewing:
        """Its part of the page of a run."""
        from worlds.restaurant.view.page import VIEWING

        return VIEWING

    def vet(self, scenario: Scenario) -> list[str]:
        """Its menu, and what its truth says of the words of the guests.

        The shipped menu, which the tests cook, is not cooked again for each episode.
        """
        from scenarios.check import vet
        from scenarios.menu import SHIPPED_MENU

        if scenario.menu.folder == SHIPPED_MENU:
            return vet(scenario)
        from worlds.restaurant.checking import cook

        return vet(scenario, cook=cook)

    def check(self, path: Path) -> list[str]:
        """Return whether a file is sound, how a menu is read, and whether a scenario is solved."""
        from worlds.restaurant.checking import checked

        return checked(_file(path))

    def mend(self, path: Path) -> list[str]:
        """Let the truth of a scenario name it as it is now."""
        from worlds.restaurant.checking import checked

        return checked(_file(path), fix=True)

    def keep(self, scenario: Scenario, trace: Trace) -> Path:
        """Write what was done in a trace down as the schedule that solves the scenario."""
        from worlds.restaurant.proof import keep

        return keep(scenario, trace)

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path, Path]:
        """A scenario of a level with so many order lines, and its truth."""
        from scenarios.generator import generate
        from scenarios.writing import write

        wanted = {1: 1, 2: 4, 3: 6}.get(level, 1) if size is None else size
        scenario, truth = generate(level, wanted, seed)
        return write(path.parent, path.stem, scenario, truth)


def _as_said(option: str, text: str) -> str:
    return text


def _file(path: Path) -> Path:
    """A file, or that of a scenario by its name."""
    from scenarios.scenario import SHIPPED_SCENARIOS

    named = SHIPPED_SCENARIOS / f"{path}.yaml"
    return named if named.is_file() else path


DOMAIN = RestaurantDomain()
