"""The restaurant as a domain: scenarios of levels 1 to 3, with recipes in prose.

Dishes are judged as they were when they were served.

Its functions import what they need only when they are called, because a run needs few of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.files.errors import InputError, MissingError
from cookmas.worlds.base.domain import Domain

if TYPE_CHECKING:
    from cookmas.episodes.trace import Header, Trace
    from cookmas.episodes.world import Json
    from cookmas.evals.judging import Judging
    from cookmas.evals.report import Details
    from cookmas.kitchen.components import Component
    from cookmas.kitchen.state import KitchenState, OrderLine
    from cookmas.kitchen.world import Restaurant
    from cookmas.orchestrator.planner import Entry, Planner
    from cookmas.scenarios.scenario import KitchenScenario
    from cookmas.scenarios.truth.truth import ScenarioTruth
    from cookmas.worlds.base.any_domain import Settings
    from cookmas.worlds.base.domain import Shown
    from cookmas.worlds.base.messages import MessageForm
    from cookmas.worlds.base.script import Script
    from cookmas.worlds.base.training import Training
    from cookmas.worlds.base.viewing import Viewing
    from cookmas.worlds.restaurant.desk import RestaurantDesk

LEVELS = ("1", "2", "3")
ADVERSARIAL = "adversarial"


class RestaurantDomain(Domain):
    """The domain of the restaurant: its scenarios, planners and evaluators."""

    name = "restaurant"
    planners: Mapping[str, str] = {
        "embedded": "cookmas.worlds.restaurant.planners.embedded:EmbeddedPlanner",
        "embedded-strict": "cookmas.worlds.restaurant.planners.embedded:StrictPlanner",
        "naive": "cookmas.worlds.restaurant.planners.embedded:NaivePlanner",
        "random": "cookmas.worlds.restaurant.planners.random:RandomPlanner",
        "llm": "cookmas.worlds.restaurant.planners.llm:LLMPlanner",
        "hybrid": "cookmas.worlds.restaurant.planners.hybrid:HybridPlanner",
    }

    def names(self, group: str | None = None) -> list[str]:
        """Return the names of all scenarios or of a group: `level1` to `level3`, or `adversarial`.

        In the adversarial ones, customers' notes contain instructions that a planner must not obey.
        Raises MissingError for an unknown group.
        """
        from cookmas.scenarios.scenario import names_in, scenario_names

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

    def scenario(self, name: str, settings: Settings) -> KitchenScenario:
        """Return the scenario that has this name, or that is in this file.

        The settings `workers` and `interval` make a variant of it. The scenario `open` is an open
        kitchen, which takes `kitchen`, `menu`, `workers` and the other fields of a scenario file.
        Raises InputError or MissingError.
        """
        from cookmas.scenarios.scenario import OPEN, load_scenario, open_kitchen, vary_scenario
        from cookmas.worlds.base.settings import number, parse_whole_number

        numbers = {"workers": parse_whole_number, "seed": parse_whole_number, "interval": number}
        values = {key: numbers.get(key, _keep)(key, x) for key, x in settings.items()}
        if name == OPEN:
            return open_kitchen(values)
        scenario = load_scenario(name)
        for option in values:
            if option not in ("workers", "interval"):
                raise InputError(f"--{option}", "the restaurant has no such option")
        return vary_scenario(scenario, values) if values else scenario

    def oracle(self, scenario: KitchenScenario) -> Planner:
        """Return a planner that knows the truth of a scenario.

        Its episodes measure the scheduler alone, without the reader. If the truth does not say what
        the customer's words mean, the planner makes nothing for that line.
        """
        from cookmas.scenarios.truth.truth import load_truth
        from cookmas.worlds.restaurant.planners.oracle import OraclePlanner

        truth = load_truth(scenario)

        def find_wanted(name: str, line: OrderLine) -> tuple[Component, ...]:
            try:
                return truth.dish(line.item, name, line.note)
            except KeyError:
                return ()

        return OraclePlanner(find_wanted)

    def rebuild(self, header: Header, path: Path) -> KitchenScenario:
        """Return the scenario that the header of a trace describes.

        If it is a user's own scenario, the paths of its menu and kitchen start from the folder of
        `path`.
        """
        from cookmas.scenarios.scenario import OPEN, build_scenario, load_scenario, open_kitchen

        if header.scenario_name == OPEN:
            return open_kitchen(header.scenario)
        if header.scenario_name in self.names():
            return load_scenario(header.scenario_name)
        return build_scenario(header.scenario_name, path, header.scenario)

    def world(self, setup: Json) -> Restaurant:
        """Return the restaurant that `setup` describes. Raises TraceError if it describes none."""
        from cookmas.kitchen.world import Restaurant

        return Restaurant.of_setup(setup)

    def training(self, world: Restaurant) -> Training:
        """Return the adapter that describes this kitchen in numbers, for the training of agents."""
        from cookmas.worlds.restaurant.training import KitchenTraining

        return KitchenTraining(world)

    def horizon(self, scenario: KitchenScenario) -> int:
        """Return ten times the lower bound of the makespan of all orders of a scenario.

        The bound ignores the customers' notes. If the menu has no truth, the horizon is
        `DEFAULT_HORIZON`.
        """
        from cookmas.episodes.scenario import DEFAULT_HORIZON
        from cookmas.scenarios.truth.truth import load_menu_truth

        try:
            items = load_menu_truth(scenario.menu)
        except MissingError:
            return DEFAULT_HORIZON
        return 10 * _least_makespan(scenario, items)

    def schedule(self, path: Path, scenario: Any) -> Sequence[Entry]:
        """Load a schedule file and check it against the scenario.

        Raises InputError or MissingError.
        """
        from cookmas.scenarios.schedule import load_schedule

        return load_schedule(path, scenario)

    def truth(self, scenario: KitchenScenario, path: Path | None = None) -> ScenarioTruth:
        """Return the components of the dishes, the meanings of the notes, and the known schedules.

        Raises InputError or MissingError.
        """
        from dataclasses import replace

        from cookmas.scenarios.truth.truth import load_truth
        from cookmas.worlds.restaurant.references import references_of

        truth, known = load_truth(scenario, path), references_of(scenario)
        return replace(truth, references=known.trajectories, best_known=known.shortest)

    def desk(self, scenario: KitchenScenario) -> RestaurantDesk:
        """Return the ingress adapter, which accepts messages while the kitchen is open."""
        from cookmas.worlds.restaurant.desk import RestaurantDesk

        events = (event for _, event in scenario.events())
        known = {event["order"] for event in events if event["kind"] == "new_order"}
        return RestaurantDesk(scenario.kitchen, known)

    def messages(self, world: Restaurant | None = None) -> Sequence[MessageForm]:
        """Return the forms of messages to an open kitchen: orders, and changes to earlier ones.

        If `world` is given, the order form offers the menu of its kitchen.
        """
        from cookmas.worlds.restaurant.messages import messages

        return messages(world)

    async def pull(self, address: str, folder: Path) -> Settings:
        """Copy the menu of a kitchen in Redis, with its recipes, into a folder.

        Returns the folder as the setting `menu`, or no setting if Redis has no menu.
        """
        from cookmas.worlds.restaurant.stored import pull_menu

        menu = await pull_menu(address, folder)
        return {"menu": str(menu.resolve())} if menu else {}

    def add_meanings(
        self, truth: ScenarioTruth, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]
    ) -> ScenarioTruth:
        """Return the truth, with the meanings that senders of orders gave to the customers' words.

        `meanings` has them by the number of the letter in the mailbox.
        """
        from cookmas.worlds.restaurant.evaluators.meanings import with_meanings

        return with_meanings(truth, trace, meanings)

    def alter(self, world: Restaurant, state: KitchenState, kitchen: str) -> tuple[Restaurant, str]:
        """Return the restaurant with another kitchen's stations, and the changes in words.

        `kitchen` is the name of a shipped kitchen or a file. Raises InputError or MissingError.
        """
        from cookmas.worlds.restaurant.rebuilding import replace_stations

        return replace_stations(world, state, kitchen)

    @property
    def judging(self) -> Judging:
        """The evaluators of the restaurant."""
        from cookmas.worlds.restaurant.evaluators.judging import JUDGING

        return JUDGING

    @property
    def details(self) -> Details:
        """The tables of dishes and wishes in a report."""
        from cookmas.worlds.restaurant.evaluators.report import details

        return details

    @property
    def script(self) -> Script:
        """The scripted model's answers, which come from the embedded planner."""
        from cookmas.worlds.restaurant.script import RestaurantScript

        return RestaurantScript(self)

    def row(self, scenario: KitchenScenario) -> dict[str, Any]:
        """Return the row of a scenario in a list of scenarios."""
        return {
            "name": scenario.name,
            "title": scenario.file.title,
            "level": scenario.file.level,
            "kitchen": scenario.file.kitchen,
            "lines": len(scenario.list_incoming_lines()),
            "events": len(scenario.file.events),
        }

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """Show a scenario, 'kitchen NAME', 'recipe ITEM...' or 'actions'; by default, an overview.

        Raises InputError or MissingError.
        """
        from cookmas.worlds.restaurant.show import show

        return show(what)

    @property
    def viewing(self) -> Viewing:
        """The restaurant's part of the web page that shows a run."""
        from cookmas.worlds.restaurant.view.page import VIEWING

        return VIEWING

    def vet(self, scenario: KitchenScenario) -> list[str]:
        """Validate a scenario with its menu and its truth; return one sentence for each finding.

        The items of a user's own menu are cooked too. The items of the shipped menu are not,
        because the tests cook them. Raises InputError.
        """
        from cookmas.scenarios.check import vet
        from cookmas.scenarios.menu import SHIPPED_MENU

        if scenario.menu.folder == SHIPPED_MENU:
            return vet(scenario)
        from cookmas.worlds.restaurant.checking import cook

        return vet(scenario, cook=cook)

    def check(self, path: Path) -> list[str]:
        """Validate a scenario, kitchen, menu or schedule file; return one sentence per finding.

        For a menu, the embedded reader also reads the recipes. For a scenario, its schedule is also
        played. Raises InputError.
        """
        from cookmas.worlds.restaurant.checking import check_file

        return check_file(_file(path))

    def mend(self, path: Path) -> list[str]:
        """Update the digest in the truth of a scenario. Return and raise the same as `check`."""
        from cookmas.worlds.restaurant.checking import check_file

        return check_file(_file(path), fix=True)

    def keep(self, scenario: KitchenScenario, trace: Trace) -> Path:
        """Write a trace's actions as the schedule that solves the scenario; return its file."""
        from cookmas.worlds.restaurant.proof import keep

        return keep(scenario, trace)

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path, Path]:
        """Generate a scenario of a level with `size` order lines; write it and its truth.

        If `size` is None, there are 1, 4 or 6 order lines at level 1, 2 or 3. Returns both files.
        Raises InputError.
        """
        from cookmas.scenarios.generator import generate, write

        wanted = {1: 1, 2: 4, 3: 6}.get(level, 1) if size is None else size
        scenario, truth = generate(level, wanted, seed)
        return write(path.parent, path.stem, scenario, truth)


def _least_makespan(scenario: KitchenScenario, items: Mapping[str, tuple[Component, ...]]) -> int:
    """Return a lower bound of the makespan of all orders without their notes, in timesteps."""
    from cookmas.kitchen.bounds import Demand, makespan_bound

    lines = scenario.list_incoming_lines()
    demands = [Demand(release=at, components=items[item]) for at, item in lines]
    return makespan_bound(scenario.kitchen, demands).value


def _keep(option: str, text: str) -> str:
    return text


def _file(path: Path) -> Path:
    """Return a file, or the file of a shipped scenario if `path` is its name."""
    from cookmas.scenarios.scenario import SHIPPED_SCENARIOS

    named = SHIPPED_SCENARIOS / f"{path}.yaml"
    return named if named.is_file() else path


DOMAIN = RestaurantDomain()
