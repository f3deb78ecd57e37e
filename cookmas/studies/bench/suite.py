"""Suites: YAML files that name episodes, and the planners that play them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cookmas.episodes.scenario import Scenario
from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.lines import stays_text
from cookmas.files.naming import is_in_file, is_yaml, suggest_name
from cookmas.files.reading import FileModel, read_model, validate
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.planners.naming import is_lineup, text_of
from cookmas.studies.bench.arms import Arm, LineUpArm, Player, Scalar, Seated, pair_label
from cookmas.studies.bench.spec import EpisodeSpec, Probe, SeatSpec
from cookmas.world_names import ScenarioPlace, domain_of, locate_all

SHIPPED = Path(__file__).parent / "suites"
"""The folder of the suites that come with CookMAS."""

MAX_SEED = 2**31

MOST_EPISODES = 100_000
"""Maximum number of episodes of a suite."""


class Vary(FileModel):
    """An option that takes several values in every arm."""

    option: str
    """Path of the option, such as `settings.workers`."""
    values: Annotated[list[Scalar], Field(min_length=1)]
    """Values of the option."""


class Probing(FileModel):
    """Probes of single decisions in several states of each scenario."""

    states: Annotated[int, Field(ge=1)]
    """Number of states for each scenario."""
    by: str = "embedded"
    """Planner whose trace has the states."""


class Suite(FileModel):
    """The content of a suite's file."""

    title: str
    """Title for people."""
    world: str | None = None
    """World of the scenarios that do not name a world."""
    scenarios: Annotated[list[str], Field(min_length=1)]
    """Names, groups and files of scenarios; files are relative to the suite's folder."""
    settings: dict[str, Scalar | list[Scalar]] = Field(default_factory=dict)
    """Options of all scenarios. If an option has a list, each of its values makes a case."""
    repeats: Annotated[int, Field(ge=1)] = 1
    """Number of episodes for each case and arm."""
    seed: int = 0
    """Seed from which the seeds of all episodes are derived."""
    vary: Vary | None = None
    """The option that is varied; None if nothing is varied."""
    probe: Probing | None = None
    """Probes of single decisions; None for whole episodes."""
    arms: list[Arm] = Field(default_factory=list)
    """Arms with one planner for all workers."""
    seats: dict[str, dict[str, Seated]] = Field(default_factory=dict)
    """Line-ups by name, with a player for each seat."""
    cross: list[Seated] = Field(default_factory=list)
    """Players for cross-play: every ordered pair of them plays, and each plays with itself."""

    @property
    def all_arms(self) -> list[Arm]:
        """The arms, then the named line-ups, then all ordered pairs of `cross`."""
        named = [LineUpArm(name=name, seats=seats) for name, seats in self.seats.items()]
        pairs = [
            LineUpArm(name=pair_label(one.label, other.label), pair=(one, other))
            for one, other in product(self.cross, repeat=2)
        ]
        return [*self.arms, *named, *pairs]

    @property
    def data(self) -> dict[str, Any]:
        """The content as plain data."""
        return self.model_dump(mode="json", exclude_defaults=True)


def load_suite(name: str) -> tuple[Suite, Path]:
    """Return a suite and its file. `name` is the file, or the name of a suite that CookMAS ships.

    Raise InputError or MissingError if the file cannot be read.
    """
    path = Path(name)
    if not is_yaml(name):
        path = SHIPPED / f"{name}.yaml"
        if not path.is_file():
            raise MissingError(
                f"there is no suite {name!r}; expected {', '.join(_list_shipped())} or a YAML file"
                f"{suggest_name(name, _list_shipped())}"
            )
    return read_model(Suite, path), path


def _list_shipped() -> list[str]:
    return sorted(path.stem for path in SHIPPED.glob("*.yaml"))


def episodes_of(suite: Suite, path: Path) -> list[EpisodeSpec]:
    """Return every episode of a suite in order: by arm, varied value, case and repeat.

    Raise CookMASError if the suite is invalid.
    """
    if not suite.all_arms:
        raise InputError(str(path), "arms: expected at least one, or seats, cross, or --planner")
    _refuse_many(suite, path)
    _refuse_twice("cross", [player.label for player in suite.cross], path)
    _refuse_twice("arms", [arm.label for arm in suite.all_arms], path)
    for name in (each.label for each in (*suite.all_arms, *suite.cross)):
        if not stays_text(name):
            why = "readers of CSV take this name for a number, a formula or a missing value"
            raise InputError(str(path), f"{name!r}: {why}; give another name")
    specs: list[EpisodeSpec] = []
    for arm in suite.all_arms:
        for at, varied in _vary(arm, suite.vary, str(path)):
            specs += _of_arm(suite, varied, at, path)
    return specs


def _refuse_twice(field: str, names: Sequence[str], path: Path) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(str(path), f"{field}: {name!r} occurs twice; give each its own name")


def _refuse_many(suite: Suite, path: Path) -> None:
    """Raise InputError if a suite has too many episodes. Count them without making them."""
    lists = [values for values in suite.settings.values() if isinstance(values, list)]
    count = len(list(_iter_scenarios(suite, path))) * len(suite.all_arms) * suite.repeats
    count *= math.prod(map(len, lists))
    count *= len(suite.vary.values) if suite.vary else 1
    count *= suite.probe.states if suite.probe else 1
    if count > MOST_EPISODES:
        raise InputError(str(path), f"has {count} episodes; expected at most {MOST_EPISODES}")


def _vary(arm: Arm, vary: Vary | None, where: str) -> Iterator[tuple[Scalar | None, Arm]]:
    if vary is None:
        yield None, arm
        return
    section, _, option = vary.option.rpartition(".")
    if isinstance(arm, LineUpArm) and section != "settings":
        raise InputError(where, f"vary.option: a line-up varies settings only, not {vary.option!r}")
    for value in vary.values:
        data = arm.model_dump(exclude_defaults=True) | {"name": arm.label}
        within = data.setdefault(section, {}) if section else data
        if not isinstance(within, dict):
            raise InputError(where, f"vary.option: there is no {vary.option!r}")
        within[option] = value
        yield value, validate(type(arm), data, f"{where}, vary {vary.option}")


def _of_arm(suite: Suite, arm: Arm, at: Scalar | None, path: Path) -> Iterator[EpisodeSpec]:
    _check(arm, path)
    for place, shared in _cases(suite, path):
        domain = domain_of(place.world)
        settings = {key: str(value) for key, value in {**shared, **arm.settings}.items()}
        scenario = domain.scenario(place.name, settings)
        domain.vet(scenario)
        seats = _seats(arm, scenario, f"{path}, arm {arm.label}, {place.shown}")
        whole = " ".join([place.shown, *(f"{key}={value}" for key, value in shared.items())])
        for (case, probe), repeat in product(
            _probes(whole, suite.probe), range(1, suite.repeats + 1)
        ):
            seed = int(digest([suite.seed, whole, repeat]), 16) % MAX_SEED
            yield EpisodeSpec(
                case=case,
                probe=probe,
                arm=arm.label,
                at=at,
                repeat=repeat,
                seed=seed,
                world=place.world,
                scenario=place.name,
                settings=settings,
                scenario_digest=scenario.digest,
                planner=text_of({s: e.planner for s, e in seats.items()}) if seats else arm.planner,
                seats={s: _in_seat(each, seed) for s, each in seats.items()} if seats else None,
                model=arm.model,
                scripted=arm.scripted,
                asking=_with_model_seed(arm.asking, seed),
            )


def _seats(arm: Arm, scenario: Scenario, where: str) -> dict[str, Player] | None:
    if not isinstance(arm, LineUpArm):
        return None
    return arm.players(scenario.world().workers, where)


def _in_seat(player: Player, seed: int) -> SeatSpec:
    return SeatSpec(
        label=player.label,
        planner=player.planner,
        model=player.model,
        scripted=player.scripted,
        asking=_with_model_seed(player.asking, seed),
    )


def _probes(case: str, probing: Probing | None) -> Iterator[tuple[str, Probe | None]]:
    """Yield the names of a case's probed states with their probes, or the case without a probe."""
    if probing is None:
        yield case, None
        return
    for state in range(1, probing.states + 1):
        probe = Probe(by=probing.by, state=state, states=probing.states)
        yield f"{case} state {state}", probe


def _check(arm: Arm, path: Path) -> None:
    where = f"{path}, arm {arm.label}"
    for player in arm.all_players:
        if player.model and player.scripted is not None:
            raise InputError(where, "expected model or scripted, not both")
        if player.model and player.model.record:
            raise InputError(where, "model.record: a sweep records answers itself; leave it out")
        if player is not arm and is_lineup(player.planner):
            raise InputError(where, f"{player.planner!r} names seats; expected one planner")


def _with_model_seed(asking: AskingOptions | None, seed: int) -> AskingOptions | None:
    """Return the options; if they set a model seed, mix the seed of the episode into it."""
    if asking is None or asking.model_seed is None:
        return asking
    own = int(digest([asking.model_seed, seed]), 16) % MAX_SEED
    return asking.model_copy(update={"model_seed": own})


def _cases(suite: Suite, path: Path) -> Iterator[tuple[ScenarioPlace, Mapping[str, Scalar]]]:
    """Yield the scenario's place and the shared settings of every case."""
    lists = {k: v if isinstance(v, list) else [v] for k, v in suite.settings.items()}
    for place in _iter_scenarios(suite, path):
        for values in product(*lists.values()):
            yield place, dict(zip(lists, values, strict=True))


def _iter_scenarios(suite: Suite, path: Path) -> Iterator[ScenarioPlace]:
    for given in suite.scenarios:
        beside = (path.parent / given).resolve()
        yield from locate_all(str(beside) if is_in_file(given) else given, suite.world)
