"""The restaurant as a domain: scenarios of levels 1 to 3, with recipes in prose.

Dishes are judged as they were when they were served.

Its functions import what they need only when they are called, because a run needs few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.episodes.scenario import DEFAULT_HORIZON
from cookmas.files.errors import InputError, MissingError
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.scenario import (
    OPEN,
    SHIPPED_SCENARIOS,
    VARIED,
    KitchenScenario,
    OpenFile,
    ScenarioFile,
    open_kitchen,
)
from cookmas.worlds.base.domain import DISPATCHING, LLM_PLANNERS, Domain
from cookmas.worlds.base.settings import read_settings
from cookmas.worlds.base.solving import is_there

if TYPE_CHECKING:
    from cookmas.episodes.trace import Header, Trace
    from cookmas.kitchen.components import Component
    from cookmas.kitchen.layout import Kitchen
    from cookmas.kitchen.state import KitchenState, OrderLine
    from cookmas.orchestrator.planner import Entry, Planner
    from cookmas.scenarios.truth import ScenarioTruth
    from cookmas.worlds.base.domain import Shown
    from cookmas.worlds.base.settings import Settings
    from cookmas.worlds.restaurant.desk import RestaurantDesk

ADVERSARIAL = "adversarial"
"""The group of scenarios whose notes contain instructions that a planner must not obey."""

OPEN_OPTIONS = ("title", "kitchen", "menu", "workers", "seed")
"""The fields of an open kitchen that users can set by options."""


class RestaurantDomain(Domain):
    """The domain of the restaurant: its scenarios, planners and evaluators."""

    world_type = Restaurant
    file_type = ScenarioFile
    scenario_type = KitchenScenario
    options = VARIED
    folder = SHIPPED_SCENARIOS
    solving = "cookmas.solving.restaurant"
    reference = "oracle"
    planners: Mapping[str, str] = {
        "embedded": "cookmas.solving.restaurant.planners:EmbeddedPlanner",
        "embedded-strict": "cookmas.solving.restaurant.planners:StrictPlanner",
        "optimal": "cookmas.solving.restaurant.planners:OptimalPlanner",
        "naive": "cookmas.solving.restaurant.planners:NaivePlanner",
        "random": "cookmas.worlds.base.planner:FAR",
        "llm": LLM_PLANNERS["llm"],
        "hybrid": "cookmas.solving.restaurant.asking:HybridPlanner",
        **{
            rule: f"cookmas.solving.restaurant.planners:{planner}"
            for rule, planner in DISPATCHING.items()
        },
    }
    details_spec = "cookmas.worlds.restaurant.judging.report:details"

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the scenarios of each level, and then of the adversarial ones."""
        groups = dict(super().groups())
        adversarial = groups.pop(ADVERSARIAL)
        return {**groups, ADVERSARIAL: adversarial}

    def names(self, group: str | None = None) -> Sequence[str]:
        """Return the names of the scenarios, or of those in a group; `3` stands for `level3`."""
        return super().names(f"level{group}" if group and group.isdecimal() else group)

    def scenario(self, name: str, settings: Settings) -> KitchenScenario:
        """Return the scenario that has this name, or that is in this file.

        The settings `VARIED` make a variant of it. The scenario `open` is an open kitchen, which
        takes `OPEN_OPTIONS`. Raises InputError or MissingError.
        """
        if name == OPEN:
            return open_kitchen(read_settings(OpenFile, settings, OPEN_OPTIONS, self.name))
        found: Any = super().scenario(name, settings)
        scenario: KitchenScenario = found
        return scenario

    def rebuild(self, header: Header, path: Path) -> Any:
        """Return the scenario that the header of a trace describes."""
        if header.scenario_name == OPEN:
            return open_kitchen(header.scenario)
        return super().rebuild(header, path)

    def oracle(self, scenario: KitchenScenario) -> Planner:
        """Return a planner that knows the truth of a scenario.

        Its episodes measure the scheduler alone, without the reader. If the truth does not say what
        the customer's words mean, the planner makes nothing for that line.
        """
        from cookmas.scenarios.truth import load_truth

        truth = load_truth(scenario)

        def find_wanted(name: str, line: OrderLine) -> tuple[Component, ...]:
            try:
                return truth.dish(line.item, name, line.note)
            except KeyError:
                return ()

        planner: Planner = self.solved("planners:OraclePlanner")(find_wanted)
        return planner

    def horizon(self, scenario: KitchenScenario) -> int:
        """Return ten times the lower bound of the makespan of all orders of a scenario.

        The bound ignores the customers' notes. If the menu has no truth, or the solving is not
        there, the horizon is `DEFAULT_HORIZON`.
        """
        from cookmas.scenarios.truth import load_menu_truth

        try:
            items = load_menu_truth(scenario.menu)
            return 10 * _least_makespan(scenario, items)
        except MissingError:
            return DEFAULT_HORIZON

    def schedule(self, path: Path, scenario: Any) -> Sequence[Entry]:
        """Load a schedule file and check it against the scenario.

        Raises InputError or MissingError.
        """
        from cookmas.scenarios.schedule import load_schedule

        return load_schedule(path, scenario)

    def truth(self, scenario: KitchenScenario, path: Path | None = None) -> ScenarioTruth:
        """Return the components of the dishes, the meanings of the notes, and the known schedules.

        The truth also has a function that looks for the best schedule from any state. Without the
        solving it has neither known schedules nor this function. Raises
        InputError or MissingError.
        """
        from dataclasses import replace

        from cookmas.scenarios.truth import load_truth

        truth = load_truth(scenario, path)
        if not is_there(self.solving):
            return truth
        known = self.solved("proof:references_of")(scenario)
        certificate = self.certificate(scenario.name, scenario.digest)
        shortest = [known.shortest, certificate.value if certificate else None]
        at_once = all(at == 0 for at, _ in scenario.events())
        return replace(
            truth,
            references=known.trajectories,
            best_known=min((each for each in shortest if each is not None), default=None),
            least=certificate.bound if certificate and at_once else None,
            solve=_solve,
        )

    def opening(self, names: Sequence[str], settings: Settings) -> tuple[str, Settings]:
        """Return an open kitchen: its name or file, its menu's folder and its workers."""
        if len(names) > 1:
            raise InputError("serve", "expected one kitchen")
        given = {"kitchen": next(iter(names), "standard"), **settings}
        if menu := settings.get("menu"):
            given["menu"] = str(Path(menu).resolve())
        return OPEN, given

    def desk(self, scenario: KitchenScenario) -> RestaurantDesk:
        """Return the ingress adapter, which accepts messages while the kitchen is open."""
        from cookmas.mailboxes.desk import list_known_things
        from cookmas.worlds.restaurant.desk import RestaurantDesk

        return RestaurantDesk(scenario.world(), list_known_things(scenario))

    async def pull(self, address: str, folder: Path) -> Settings:
        """Copy the menu of a kitchen in Redis, with its recipes, into a folder.

        Returns the folder as the setting `menu`, or no setting if Redis has no menu.
        """
        from cookmas.scenarios.redis_recipes import pull_menu

        menu = await pull_menu(address, folder)
        return {"menu": str(menu.resolve())} if menu else {}

    def add_meanings(
        self, truth: ScenarioTruth, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]
    ) -> ScenarioTruth:
        """Return the truth, with the meanings that senders of orders gave to the customers' words.

        `meanings` has them by the number of the letter in the mailbox.
        """
        from cookmas.scenarios.truth import with_meanings

        return with_meanings(truth, trace, meanings)

    def alter(self, world: Restaurant, state: KitchenState, kitchen: str) -> tuple[Restaurant, str]:
        """Return the restaurant with another kitchen's stations, and the changes in words.

        `kitchen` is the name of a shipped kitchen or a file. Raises InputError or MissingError.
        """
        from cookmas.scenarios.kitchens import replace_stations

        return replace_stations(world, state, kitchen)

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

    def vet(self, scenario: KitchenScenario) -> list[str]:
        """Validate a scenario with its menu and its truth; return one sentence for each finding.

        The items of a user's own menu are cooked too. The items of the shipped menu are not,
        because the tests cook them. Raises InputError.
        """
        from cookmas.scenarios.check import vet
        from cookmas.scenarios.menu import SHIPPED_MENU

        if scenario.menu.folder == SHIPPED_MENU:
            return vet(scenario)
        return vet(scenario, cook=self.solved("checking:cook"))

    def check(self, path: Path) -> list[str]:
        """Validate a scenario, kitchen, menu or schedule file; return one sentence per finding.

        For a menu, the embedded reader also reads the recipes. For a scenario, its schedule is also
        played. Raises InputError.
        """
        lines: list[str] = self.solved("checking:check_file")(_file(path))
        return lines

    def mend(self, path: Path) -> list[str]:
        """Update the digest in the truth of a scenario. Return and raise the same as `check`."""
        lines: list[str] = self.solved("checking:check_file")(_file(path), fix=True)
        return lines

    def keep(self, scenario: KitchenScenario, trace: Trace) -> Path:
        """Write a trace's actions as the schedule that solves the scenario; return its file."""
        path: Path = self.solved("proof:keep")(scenario, trace)
        return path

    def certify(self, scenario: KitchenScenario, units: float, told: Callable[[str], None]) -> Any:
        """Return the best schedule that CP-SAT finds, and the bounds that it proves.

        Raises InputError if the scenario's truth or a schedule is invalid, and MissingError if
        OR-Tools is not installed.
        """
        return self.solved("certifying:certify")(scenario, self.truth(scenario), units, told)

    def prove_again(self, scenario: KitchenScenario, certificate: Any, units: float) -> int:
        """Return the bound under the simulator's rules that CP-SAT proves, in timesteps."""
        return int(
            self.solved("certifying:prove_again")(
                scenario, self.truth(scenario), certificate, units
            )
        )

    def bound_without_solver(self, scenario: KitchenScenario) -> int:
        """Return the bound without CP-SAT, for work from the beginning on."""
        return int(
            self.solved("certifying:find_own_bound")(
                scenario, self.solved("certifying:find_standing")(scenario, self.truth(scenario))
            )
        )

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> tuple[Path, Path]:
        """Generate a scenario of a level with `size` order lines; write it and its truth.

        If `size` is None, there are 1, 4 or 6 order lines at level 1, 2 or 3. Returns both files.
        Raises InputError.
        """
        wanted = {1: 1, 2: 4, 3: 6}.get(level, 1) if size is None else size
        scenario, truth = self.solved("generating:generate")(level, wanted, seed)
        files: tuple[Path, Path] = self.solved("generating:write")(
            path.parent, path.stem, scenario, truth
        )
        return files


def _solve(
    kitchen: Kitchen,
    state: KitchenState,
    wanted: Mapping[str, Sequence[Component]],
    planned: Sequence[Sequence[Mapping[str, str]]],
) -> tuple[int, int | None, str, str]:
    """Return what `find_continuation` does, which is imported only when an episode needs it."""
    find = DOMAIN.solved("continuing:find_continuation")
    found: tuple[int, int | None, str, str] = find(kitchen, state, wanted, planned)
    return found


def _least_makespan(scenario: KitchenScenario, items: Mapping[str, tuple[Component, ...]]) -> int:
    """Return a lower bound of the makespan of all orders without their notes, in timesteps."""
    lines = scenario.list_incoming_lines()
    demands = [
        DOMAIN.solved("bound:Demand")(release=at, components=items[item]) for at, item in lines
    ]
    return int(DOMAIN.solved("bound:makespan_bound")(scenario.kitchen, demands).value)


def _file(path: Path) -> Path:
    """Return a file, or the file of a shipped scenario if `path` is its name."""
    named = SHIPPED_SCENARIOS / f"{path}.yaml"
    return named if named.is_file() else path


DOMAIN = RestaurantDomain()
