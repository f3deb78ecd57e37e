"""The base class of domains: what every world has in addition to its rules.

A domain connects a world with its scenarios, planners, evaluators and pictures. A member that a
domain does not override is how commands know what the world lacks; they say so in one line.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cookmas.episodes.base import World, overrides
from cookmas.episodes.checking_worlds import describe_valid
from cookmas.episodes.scenario import (
    DEFAULT_HORIZON,
    FileScenario,
    refuse_other,
)
from cookmas.files.errors import InputError, MissingError, UnsupportedError
from cookmas.files.naming import is_in_file, is_yaml, suggest_name
from cookmas.files.reading import FileModel, read_yaml, refuse_other_file, validate
from cookmas.sandbox.importing import import_named
from cookmas.worlds.base.settings import Settings, read_settings
from cookmas.worlds.base.solving import import_solving, is_there

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cookmas.episodes.messages import MessageForm
    from cookmas.episodes.scenario import Scenario
    from cookmas.episodes.trace import Header, Trace
    from cookmas.episodes.world import Json
    from cookmas.evals.judging import Judging
    from cookmas.evals.report import Details
    from cookmas.mailboxes.desk import Desk
    from cookmas.orchestrator.planner import Entry, Planner
    from cookmas.orchestrator.planners.naming import Placement, Schedules
    from cookmas.worlds.base.questions import Questioner
    from cookmas.worlds.base.script import Script
    from cookmas.worlds.base.training import Training
    from cookmas.worlds.base.viewing import Viewing

LLM_PLANNERS: Mapping[str, str] = MappingProxyType(
    {
        "llm": "cookmas.orchestrator.planners.llm:SchedulingPlanner",
        "llm-team": "cookmas.orchestrator.planners.llm:TalkingTeam",
    }
)
"""The planners that ask a model: one for all workers, or one for each."""

PLANNERS: Mapping[str, str] = MappingProxyType(
    {"random": "cookmas.worlds.base.planner:RandomPlanner", **LLM_PLANNERS}
)
"""The planners of every world."""

PARTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "voice_spec": ("voice", "VOICE"),
        "judging_spec": ("judging", "JUDGING"),
        "script_spec": ("script", "SCRIPT"),
        "viewing_spec": ("view", "VIEWING"),
        "training_spec": ("training", "TRAINING"),
        "questioner_spec": ("questions", "QUESTIONER"),
    }
)
"""The member of a domain for each part of a world, with the file and the name in it.

A part stands beside `domain.py`.
"""

DISPATCHING: Mapping[str, str] = MappingProxyType(
    {
        "first-come": "FIRST_COME",
        "shortest-first": "SHORTEST_FIRST",
        "most-work": "MOST_WORK",
        "most-urgent": "MOST_URGENT",
    }
)
"""The planners that dispatch by a rule, and their rows in the module of each world that has them.
"""

NO_TRUTH: Mapping[str, Any] = MappingProxyType({})
"""The truth of a world whose rules decide everything that is judged."""

MOST_LISTED = 8
"""Greatest number of scenarios that an error message lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Something that a user asked to see."""

    picture: RenderableType
    """The picture for people."""
    data: Any


class Domain:
    """A world with its scenarios, planners and judging.

    A member that ends in `_spec` names a part as `module:NAME`; it is imported when it is needed.
    Beside a `domain.py` the parts are found by the names in `PARTS`, unless the domain names them.
    """

    # What a domain overrides. The first member has no default.

    world_type: type[World]
    """Class of the world."""
    file_type: type[FileModel] | None = None
    """Class of a scenario file's content; None: the `level_type` of the world."""
    scenario_type: type[FileScenario] = FileScenario
    """Class of the scenarios."""
    options: Sequence[str] = ()
    """The fields of a scenario's file that users can also set by options, such as `--agents 2`."""
    originals: Mapping[str, str] = MappingProxyType({})
    """What files of other programs for this world are, by regular expressions that find them."""
    planners: Mapping[str, str] = PLANNERS
    """The maker of each planner, by the planner's name: a class or function, `module:NAME`."""
    voice_spec: str = "cookmas.worlds.base.voice:VOICE"
    """The prompt adapter of the planners that ask a model."""
    judging_spec: str = "cookmas.evals.judging:JUDGING"
    """The rules of judging."""
    script_spec: str = "cookmas.worlds.base.script:Script"
    """Class of the script by which the scripted model answers."""
    viewing_spec: str = "cookmas.worlds.base.viewing:VIEWING"
    """The words and the drawing, for the page and the terminal."""
    training_spec: str = "cookmas.worlds.base.training:Training"
    """Class of the representation in numbers, for training."""
    solving: str = ""
    """Package with its planners and proofs, such as `cookmas.solving.hanabi`; "": there is none."""
    reference: str = "embedded"
    """The planner against which decisions are measured, such as `oracle`."""
    questioner_spec: str = "cookmas.worlds.base.questions:QUESTIONER"
    """The questions about states, whose answers the world computes."""
    details_spec: str = "cookmas.worlds.base.tables:table_of_goals"
    """Function that makes the tables of a verdict."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        package, _, module = cls.__module__.rpartition(".")
        for member, (part, constant) in PARTS.items() if module == "domain" else ():
            if member not in cls.__dict__ and find_spec(f"{package}.{part}") is not None:
                setattr(cls, member, f"{package}.{part}:{constant}")

    @property
    def name(self) -> str:
        """Name of the world."""
        return self.world_type.name

    @property
    def folder(self) -> Path:
        """Folder of the scenarios; by default the folder `levels` beside the world's module."""
        return Path(inspect.getfile(self.world_type)).parent / "levels"

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the scenarios of each group; those in no group have the name "".

        By default each folder in `folder` is a group.
        """
        flat = [path.stem for path in sorted(self.folder.glob("*.yaml"))]
        groups = {"": flat} if flat else {}
        for path in sorted(self.folder.glob("*/*.yaml")):
            groups.setdefault(path.parent.name, []).append(f"{path.parent.name}/{path.stem}")
        return groups

    def horizon(self, scenario: Any) -> int:
        """Return the horizon, in timesteps, of a scenario whose file names none."""
        return DEFAULT_HORIZON

    def truth(self, scenario: Any, path: Path | None = None) -> Any:
        """Return what judging needs to know besides the rules; by default nothing.

        It comes from the file `path`, or from where the domain keeps it. Raise InputError if it
        belongs to another scenario, MissingError if there is none.
        """
        if path is not None:
            why = f"the world {self.name} judges by its rules alone; name no truth"
            raise InputError(str(path), why)
        return NO_TRUTH

    def oracle(self, scenario: Any) -> Planner:
        """Return a planner of the class `oracle`, which knows the truth of a scenario.

        Such a planner measures scheduling alone. By default raise UnsupportedError.
        """
        raise UnsupportedError("oracle", f"the world {self.name} has no planner that knows a truth")

    def row(self, scenario: Any) -> Mapping[str, Any]:
        """Return the row of a scenario in a list: by default its name and its title."""
        return {"name": scenario.name, "title": str(scenario.data().get("title", ""))}

    def show_scenario(self, scenario: Any) -> Shown:
        """Return a scenario as users see it; by default its fields."""
        from cookmas.worlds.base.tables import fields_of

        data = scenario.data()
        return Shown(picture=fields_of(data), data=data)

    def show(self, what: Sequence[str], settings: Settings) -> Shown:
        """Return what a user asks to see; by default a scenario, or the list of all.

        Raise InputError if the names in `what` are invalid, MissingError if nothing has such a
        name.
        """
        from cookmas.worlds.base.tables import table_of_rows

        if not what:
            rows = [dict(self.row(self.scenario(name, {}))) for name in self.names()]
            return Shown(picture=table_of_rows(rows), data=rows)
        if len(what) != 1:
            raise InputError("show", f"the world {self.name} shows one scenario at a time")
        return self.show_scenario(self.scenario(what[0], settings))

    def alter(self, world: Any, state: Any, name: str) -> tuple[Any, str]:
        """Return the world in another place, such as a larger one, and the changes in words.

        `name` is the name or the file of the place. Raise InputError if something in `state` does
        not fit into it, MissingError if there is no such place, UnsupportedError by default.
        """
        raise UnsupportedError("--kitchen", f"the world {self.name} cannot be altered")

    def opening(self, names: Sequence[str], settings: Settings) -> tuple[str, Settings]:
        """Return the scenario that `cookmas serve` opens, and its settings.

        `names` and `settings` are those of the command line. By default it is the scenario that
        `names` has, else the one with the name `open`, else the first. Raise InputError if there
        are several names.
        """
        if len(names) > 1:
            raise InputError("serve", f"the world {self.name} opens one scenario at a time")
        shipped = self.names()
        usual = "open" if "open" in shipped or not shipped else shipped[0]
        return next(iter(names), usual), settings

    def desk(self, scenario: Any) -> Desk:
        """Return the desk, which receives the messages of senders to an open episode.

        By default it takes the messages that the world declares.
        """
        from cookmas.mailboxes.desk import Desk, list_known_things

        return Desk(scenario.world(), list_known_things(scenario))

    def messages(self, world: Any | None = None) -> Sequence[MessageForm]:
        """Return the kinds of message that senders may send, which the world declares.

        `world` is the world that is played, if the caller knows it. The choices of a field may
        depend on it.
        """
        declared = getattr(world or getattr(self, "world_type", None), "messages", ())
        return [form.in_world(world) for form in declared]

    def add_meanings(
        self, truth: Any, trace: Trace, meanings: Mapping[int, Mapping[str, Any]]
    ) -> Any:
        """Return the truth, completed with the meanings that senders gave for their words.

        `meanings` maps the number of a message to its meaning. A meaning that cannot be read is
        left out.
        """
        return truth

    async def pull(self, address: str, folder: Path) -> Settings:
        """Copy the data at an address in Redis into a folder; return settings that name the copy.

        By default nothing is there to copy.
        """
        return {}

    def check(self, path: Path) -> Sequence[str]:
        """Return the remarks on a file, a sentence each. Raise InputError if it is invalid."""
        return self.vet(self.scenario(str(path), {}))

    def vet(self, scenario: Any) -> Sequence[str]:
        """Return the remarks on a scenario, a sentence each.

        Raise InputError if a file that belongs to the scenario, such as its truth, does not fit.
        """
        lines = describe_valid(scenario, self.facts(scenario), self.remarks(scenario))
        if not overrides(self, "truth", Domain):
            return lines
        try:
            self.truth(scenario)
        except MissingError as error:
            return [*lines, f"it cannot be judged: {error}"]
        return [*lines, "its truth: sound"]

    def facts(self, scenario: Any) -> Sequence[str]:
        """Return what a check says of every valid scenario, such as sizes; by default nothing."""
        return ()

    def remarks(self, scenario: Any) -> Sequence[str]:
        """Return what may not be meant so in a valid scenario, a sentence each; by default none."""
        return ()

    def mend(self, path: Path) -> Sequence[str]:
        """Repair the files that belong to a scenario; return one sentence for each repair.

        Raise InputError before any change if something is invalid that cannot be repaired, and
        UnsupportedError by default.
        """
        raise UnsupportedError("--fix", f"the world {self.name} repairs nothing; leave it out")

    def keep(self, scenario: Any, trace: Trace) -> Path:
        """Write the commands of a trace as the scenario's schedule; return the schedule's file.

        A domain whose scenarios have no schedules does not override it.
        """
        raise NotImplementedError(f"scenarios of {self.name} have no schedules")

    def certify(self, scenario: Any, units: float, told: Callable[[str], None]) -> Any:
        """Return a `Certificate`: the best schedule that a solver finds, and what it proves.

        `units` limits its effort, the same on every machine. `told` is told of progress. Raise
        MissingError if the solver is not installed, UnsupportedError by default.
        """
        raise UnsupportedError("solve", f"the world {self.name} has no solver")

    def prove_again(self, scenario: Any, certificate: Any, units: float) -> int:
        """Return the bound that a solver proves for a certificate's scenario, in timesteps.

        Raise MissingError if the solver is not installed, UnsupportedError by default.
        """
        raise UnsupportedError("--verify", f"the world {self.name} has no solver")

    def bound_without_solver(self, scenario: Any) -> int | None:
        """Return the bound that the world computes without a solver, in timesteps; None if none."""
        return None

    def generate(self, level: int, size: int | None, seed: int, path: Path) -> Sequence[Path]:
        """Write a new scenario to `path`, and the files that belong to it; return all files.

        `level` and `size` have the world's own meaning; without a `size` the world chooses one.
        Raise InputError if an argument is invalid, UnsupportedError by default.
        """
        why = f"the world {self.name} generates no scenarios; write one"
        raise UnsupportedError("generate", why)

    # The machinery.

    @property
    def judging(self) -> Judging:
        """The rules by which episodes are judged."""
        part: Judging = self._part(self.judging_spec)
        return part

    @property
    def script(self) -> Script:
        """The script by which the scripted model answers."""
        part: Script = self._part(self.script_spec)(self)
        return part

    @property
    def viewing(self) -> Viewing:
        """The words and the drawing of the world, for the page and the terminal."""
        part: Viewing = self._part(self.viewing_spec)
        return part

    @property
    def details(self) -> Details:
        """The function that makes the tables of a verdict."""
        part: Details = self._part(self.details_spec)
        return part

    @property
    def questioner(self) -> Questioner:
        """The questions about states, whose answers the world computes."""
        part: Questioner = self._part(self.questioner_spec)
        return part

    def solved(self, name: str) -> Any:
        """Return what the solving of the world has by a name, such as `search:find_best`.

        Raise MissingError if it is not there.
        """
        return import_solving(self.solving, name)

    @property
    def certificates(self) -> Path | None:
        """Folder of the certificates of the scenarios that come with the world; None: none."""
        spec = find_spec(self.solving) if is_there(self.solving) else None
        beside = Path(spec.origin).parent / "certificates" if spec and spec.origin else None
        return beside if beside and beside.is_dir() else None

    def certificate(self, name: str, digest: str) -> Any:
        """Return the `Certificate` of a scenario by its name and digest; None if there is none."""
        if (folder := self.certificates) is None:
            return None
        return self._part("cookmas.solving.certificates:read_certificate")(folder, name, digest)

    def training(self, world: Any) -> Training:
        """Return a world in numbers. Raise InputError if its actions cannot be numbered."""
        part: Training = self._part(self.training_spec)(world)
        return part

    def _part(self, spec: str) -> Any:
        return import_named(spec, f"world {self.name}")

    def names(self, group: str | None = None) -> Sequence[str]:
        """Return the names of the scenarios that come with the world, in order."""
        groups = self.groups()
        if group is None:
            return [name for names in groups.values() for name in names]
        if group and group in groups:
            return groups[group]
        present = ", ".join(sorted(filter(None, groups)))
        what = (
            f"the groups are {present}" if present else f"scenarios of {self.name} have no groups"
        )
        raise MissingError(f"there is no group {group!r}; {what}")

    def scenario(self, name: str, settings: Settings) -> Scenario:
        """Return a scenario by its name or its file. Raise InputError or MissingError."""
        path = Path(name)
        if is_yaml(path):
            return self.build(self._name_of(path), path, read_yaml(path), settings)
        path = self.find_shipped(name)
        return self.build(name, path, read_yaml(path), settings)

    def _name_of(self, path: Path) -> str:
        """Return the name of the scenario in a file: of one in `folder`, its path from there."""
        whole, folder = path.resolve(), self.folder.resolve()
        if whole.is_relative_to(folder):
            return whole.relative_to(folder).with_suffix("").as_posix()
        return path.stem

    def find_shipped(self, name: str) -> Path:
        """Return the file of a scenario that comes with the world. Raise MissingError."""
        path = self.folder / f"{name}.yaml"
        inside = path.is_relative_to(self.folder) and ".." not in path.parts
        if inside and os.path.isfile(path):
            return path
        shipped = self.names()
        if name not in shipped:
            expected = f"a scenario of {self.name}, a .yaml file"
            refuse_other_file(Path(name), expected, self.originals)
            few = 0 < len(shipped) <= MOST_LISTED
            others = f", only {', '.join(shipped)}" if few else "; 'cookmas list' names all"
            near = suggest_name(name, shipped)
            raise MissingError(f"there is no scenario {name!r} of {self.name}{others}{near}")
        return path

    def rebuild(self, header: Header, path: Path) -> Scenario:
        """Return the scenario in the header of a trace."""
        shipped = self.folder / f"{header.scenario_name}.yaml"
        where = shipped if shipped.exists() else path
        return self.build(header.scenario_name, where, header.scenario, {})

    def build(self, name: str, path: Path, data: Any, settings: Settings) -> Scenario:
        """Return the scenario of a file's content and a user's settings.

        Raise InputError, which names `path` or the option, if something is invalid.
        """
        named = data.get("world") if isinstance(data, Mapping) else None
        if isinstance(named, str) and named != self.name:
            raise InputError(
                str(path), f"world: is a file of {named!r}, not of {self.name}; use --world {named}"
            )
        file = validate(self._file_type, data, str(path))
        file = file.model_copy(update=self.read_settings(settings))
        scenario = self.scenario_type(name=name, path=path, file=file, world_type=self.world_type)
        try:
            scenario.check()
        except (InputError, MissingError) as error:
            if str(path) in str(error):
                raise
            if isinstance(error, InputError):
                raise InputError(str(path), str(error)) from None
            raise MissingError(f"{path}: {error}") from None
        return scenario

    @property
    def _file_type(self) -> type[FileModel]:
        return self.file_type or self.world_type.level_type

    def read_settings(self, settings: Settings) -> dict[str, Any]:
        """Return a user's settings as fields of a file. Raise InputError if one is invalid."""
        drawn = ("seed",) if self.world_type.drawn else ()
        return read_settings(self._file_type, settings, (*self.options, *drawn), self.name)

    def place(self, world: World, schedules: Schedules) -> Placement:
        """Return what a planner of a world is placed into; `schedules` reads schedule files."""
        from cookmas.episodes.possible import is_listable, is_simulable
        from cookmas.orchestrator.planners.naming import Placement

        return Placement(
            named=self.planners,
            workers=world.workers,
            voice_spec=self.voice_spec,
            schedules=schedules,
            simulated=is_simulable(world),
            listed=is_listable(world),
        )

    def world(self, setup: Json) -> World:
        """Return the world that a trace's header describes. Raise TraceError if there is none."""
        return self.world_type.of_setup(setup)

    def schedule(self, path: Path, scenario: Any) -> Sequence[Entry]:
        """Return the schedule in a YAML file: a list of timesteps, each with workers' actions.

        The list is the whole file, or the field `schedule` of the file. Raise InputError if the
        file is invalid or its field `scenario` names another scenario, MissingError if there is
        none.
        """
        from cookmas.orchestrator.planner import check_schedule

        data = read_yaml(path)
        rows = data.get("schedule") if isinstance(data, Mapping) else data
        if isinstance(data, Mapping) and (name := data.get("scenario")) is not None:
            if not isinstance(name, str):
                raise InputError(str(path), "scenario: expected a name or a file")
            beside, named = str(path.parent / name), name.removeprefix(f"{self.name}/")
            name = beside if is_in_file(name) else named
            refuse_other(str(path), self.scenario(name, {}), scenario)
        if not isinstance(rows, list) or not rows:
            raise InputError(str(path), "expected a schedule: a list of timesteps")
        _, problems = check_schedule(rows, scenario.world())
        if problems:
            raise InputError(str(path), problems[0])
        return rows
