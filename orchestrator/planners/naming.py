"""How a name becomes a planner: a name of the world, code, a schedule file, or a line-up of seats.

A line-up is a text such as `alice=llm,bob=greedy`, with which a user assigns planners to seats.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict

from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import digest
from cookmas.files.errors import InputError
from cookmas.files.lines import clean
from cookmas.files.naming import is_code, is_yaml, suggest_name
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.dialogue.voice import SHARED_PROMPTS, Voice
from cookmas.orchestrator.member import Policy, Team, common_class
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.models.options import ModelOptions, Models
from cookmas.orchestrator.planner import Entry, Observation, Plan, Planner
from cookmas.orchestrator.planners.seats import (
    PEOPLE,
    PERSON,
    PERSON_RECORD,
    PlannedSeat,
    Unadvised,
    in_order,
    refuse_unknown,
    seat_of,
    seat_policy,
    team_of_seats,
)
from cookmas.sandbox.importing import construct, import_named

LONGEST_NAME = 200
"""Greatest length of a planner's name in characters."""

MOST_ROUNDS = 1000
"""Greatest number of turns that a team may give each agent at a timestep."""

RATE_MARK = "@"
"""Mark between the name of a planner and its rate, as in `erring@0.3`."""

QUICK = ("embedded", "greedy", "naive", "random")
"""The planners of worlds that need no model, the best one first."""

LLM = "llm"
"""Name of the planner of a world that asks a model."""

_RATE = re.compile(r"[01](\.[0-9]{1,9})?")

Schedules = Callable[[Path], Sequence[Entry]]
"""A function that reads a schedule file. It raises InputError or MissingError."""

AGILE = "agile"
"""Name of the preset in which a quick planner answers at once, until a slow one has answered."""

MAX_SEED = 2**31

_SEAT = re.compile(r"\s*([\w .-]*\w)\s*=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The surroundings of a planner: its world, as far as the making of a planner needs it."""

    named: Mapping[str, str]
    """The class of each planner of the world, as `module:Class`, by name; imported on demand."""
    workers: Sequence[str]
    """Names of the workers, in the world's order."""
    voice_spec: str
    """The prompt adapter of the world, as `module:NAME`."""
    schedules: Schedules
    """The reader of schedule files of the scenario."""
    simulated: bool
    """True if what is observed can be simulated; otherwise the look-ahead is turned off."""
    listed: bool
    """True if legal actions can be listed; otherwise their list is turned off."""


class NamedPlayer(BaseModel):
    """A planner as a user asks for it, of all workers or of the seats of a line-up."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    planner: str
    """Its name, a `package.module:Class`, a schedule file, or a line-up."""
    model: ModelOptions = ModelOptions()
    """The model that it asks, and its budget."""
    asking: AskingOptions = AskingOptions()
    """How it asks its model."""
    seed: int | None = None
    """Seed of a planner that draws random numbers."""

    def in_seat(self, seat: str, planner: str) -> NamedPlayer:
        """Return the player with the planner of one seat, and a seed of its own."""
        seed = None if self.seed is None else seed_of(self.seed, seat)
        return self.model_copy(update={"planner": planner, "seed": seed})


def load_player(
    player: NamedPlayer, placement: Placement, models: Models, seat: str | None = None
) -> Planner | Team:
    """Return the planner or team of a player: by its name, its class, or from a schedule file.

    A policy becomes a team in which it has every seat. The name of a world's planner can have a
    rate after the mark RATE_MARK, which the constructor must take as its parameter `rate`.

    The constructor gets those of the following arguments that are among its parameters:

    - `model`, or `models` (one for each worker), which keep to the budgets in the options;
    - `name`, `prompting`, `templates` and `sampling`, from the options for asking;
    - `voice`: that of the class, or else the world's;
    - `workers`, and `seed` if it is given.

    `models` makes the models. For a `seat` the options of that seat apply. Budgets apply even if
    the constructor takes none. Raise InputError or MissingError if the planner is invalid or the
    user has set an option that it cannot use, FailedError if its own code fails.
    """
    spec, named, workers = player.planner, placement.named, placement.workers
    if spec == AGILE and spec not in named and seat is None:
        return _load_agile(player, placement, models)
    options, asking = player.model, player.asking
    where = f"planner {spec!r}"
    option_name = first_given_option(options, asking)
    if seat is not None:
        where = f"seat {seat!r}, {where}"
        option_name = first_given_option(options.seats.get(seat), asking.seats.get(seat))
        options, asking = options.of_seat(seat), asking.of_seat(seat)
    if is_yaml(spec):
        _refuse_model_option(option_name, where)
        return FixedPlanner(placement.schedules(Path(spec)), clean(Path(spec).stem))
    voice_spec, known = placement.voice_spec, {**PEOPLE, **named}
    if spec not in known and LLM in named and _names_preset(spec, voice_spec, where):
        spec, asking = LLM, _with_preset(asking, spec, where)
    spec, rate = _split_rate(spec, named, where)
    near = suggest_name(spec, [*named, *PRESETS])
    expected = f"{', '.join(named)}, package.module:Class or a schedule file (.yaml){near}"
    factory = import_named(known.get(spec, spec), where, expected)
    own = {"workers": tuple(workers), "seed": player.seed, "rate": rate}
    wanted = _parameters(factory)
    if rate is not None and "rate" not in wanted:
        raise InputError(where, f"has no rate: name it {spec!r}")
    given: dict[str, Any] = {
        name: value for name, value in own.items() if name in wanted and value is not None
    }
    if not wanted & {"model", "models"}:
        _refuse_model_option(option_name, where)
    else:
        _refuse_simulation(asking, placement, where)
        voice = voice_of(factory, voice_spec, where)
        asked = {"planner": spec, "model": options, "asking": asking}
        asked_player = player.model_copy(update=asked)
        given |= _arguments_of_model(factory, voice, asked_player, workers, seat, models, where)
        if "prompting" in given:
            given["prompting"] = given["prompting"].limit_to(
                simulated=placement.simulated, listed=placement.listed
            )
        if "name" in given:
            given["name"] = _report_name(spec, asking, _model_names(given), voice)
    return construct(factory, given, where, partial(_check, workers))


def _load_agile(player: NamedPlayer, placement: Placement, models: Models) -> Planner:
    name = next((name for name in QUICK if name in placement.named), LLM)
    slow = load_player(player.model_copy(update={"planner": LLM}), placement, models)
    without = NamedPlayer(planner=name, seed=player.seed)
    quick = load_player(without, placement, Models(without.model))
    if isinstance(slow, Team) or isinstance(quick, Team):
        raise InputError(f"planner {AGILE!r}", "needs a world in which one planner may plan")
    return AgilePlanner(slow, quick)


def _names_preset(spec: str, voice_spec: str, where: str) -> bool:
    """Return whether a text is the name of a preset, which may be the world's own."""
    if ":" in spec or RATE_MARK in spec:
        return False
    voice: Voice = import_named(voice_spec, where)
    return spec in {**PRESETS, **voice.presets}


def _with_preset(asking: AskingOptions, name: str, where: str) -> AskingOptions:
    """Return the options with a preset. Raise InputError if they name another one."""
    if asking.preset not in (None, name):
        raise InputError(where, f"is a preset itself: leave out --preset {asking.preset}")
    return asking.model_copy(update={"preset": name})


def _split_rate(spec: str, named: Mapping[str, str], where: str) -> tuple[str, float | None]:
    """Return a planner's name and its rate; None if it has no rate.

    Raise InputError if the rate is no number from 0 to 1.
    """
    name, mark, text = spec.partition(RATE_MARK)
    if not mark or name not in named:
        return spec, None
    if not _RATE.fullmatch(text) or float(text) > 1:
        expected = f"expected a number from 0 to 1, as in {name}{RATE_MARK}0.3"
        raise InputError(where, f"{text[:40]!r} is no rate: {expected}")
    return name, float(text)


def voice_of(factory: Any, voice_spec: str, where: str) -> Voice | None:
    """Return the voice of a planner's class, or else that of the world if the planner takes one.

    `voice_spec` names the world's voice as `module:NAME`, and `where` the planner. Return None if
    the planner has no voice. Raise InputError if the world's voice cannot be imported.
    """
    voice: Voice | None = getattr(factory, "voice", None)
    if voice is None and "voice" in _parameters(factory):
        voice = import_named(voice_spec, where)
    return voice


def _parameters(factory: Any) -> set[str]:
    """Return the names of a constructor's parameters."""
    try:
        return set(inspect.signature(factory).parameters)
    except (TypeError, ValueError):
        return set()


def _arguments_of_model(
    factory: Any,
    voice: Voice | None,
    player: NamedPlayer,
    workers: Sequence[str],
    seat: str | None,
    models: Models,
    where: str,
) -> dict[str, Any]:
    """Return the arguments for the constructor of a planner that asks a model."""
    options, asking = player.model, player.asking
    wanted = _parameters(factory)
    given: dict[str, Any] = {}
    if "model" in wanted:
        given["model"] = models.of(seat, options)
    else:
        given["models"] = _models(options, len(workers), seat, models)
    base = getattr(factory, "default_prompting", Prompting())
    if base is None and voice is not None:
        base = voice.default_prompting
    ways = getattr(factory, "ways", asking.ways())
    idle = asking.ways() - (ways if seat is None else getattr(factory, "ways_in_a_seat", ways))
    if idle:
        option = sorted(idle)[0].replace("_", "-")
        raise InputError(where, f"has no use for --{option}: leave it out")
    asked = {"name": "", **(asking.make_arguments(base, voice) if voice else {})}
    if asking.set_options() and not asked.keys() & set(wanted):
        option = next(iter(asking.set_options())).replace("_", "-")
        raise InputError(where, f"has no prompting options: leave out --{option}")
    if voice is not None:
        asked["voice"] = voice
    return given | {name: value for name, value in asked.items() if name in wanted}


def _models(options: ModelOptions, count: int, seat: str | None, models: Models) -> list[Model]:
    """Return a model for each member of a team.

    In a `seat`, where only one member will be asked, all get the model of the seat.
    """
    if seat is not None:
        return [models.of(seat, options)] * count
    return [models.of(None, each) for each in options.divide(count)]


def _report_name(spec: str, asking: AskingOptions, model: str, voice: Voice | None) -> str:
    """Return the name for the results: the planner, the options for asking, and the model."""
    label = asking.label(voice.prompts if voice else SHARED_PROMPTS)
    return f"{spec}:{label} ({model})" if label else f"{spec} ({model})"


def _model_names(given: Mapping[str, Any]) -> str:
    """Return the names of the models among a planner's arguments, each once."""
    models: Sequence[Model] = given.get("models", [given.get("model")])
    return ", ".join(dict.fromkeys(model.name for model in models))


def first_given_option(options: ModelOptions | None, asking: AskingOptions | None) -> str | None:
    """Return the name of the first option about models that the user has set, or None."""
    seen = {"base_url", "seats"}
    found = options.model_dump(exclude_defaults=True, exclude=seen) if options else {}
    option_name = next(iter([*found, *(asking.set_options() if asking else ())]), None)
    return option_name and option_name.replace("_", "-")


def _refuse_model_option(option_name: str | None, where: str) -> None:
    if option_name:
        raise InputError(where, f"calls no model: leave out --{option_name}")


def _refuse_simulation(asking: AskingOptions, placement: Placement, where: str) -> None:
    """Raise InputError if the user has set a prompting option that the world cannot serve."""
    can = {"look_ahead": placement.simulated, "legal_actions": placement.listed}
    for name, possible in can.items():
        if not possible and asking.set_options().get(name):
            option = name.replace("_", "-")
            raise InputError(
                where, f"nothing observed in this world can be simulated: leave out --{option}"
            )


def _check(workers: Sequence[str], planner: Any, where: str) -> Planner | Team:
    if isinstance(planner, Policy):
        planner = seat_policy(planner, workers)
    if isinstance(planner, Team):
        _check_team(planner, workers, where)
    elif not callable(getattr(planner, "plan", None)):
        raise InputError(where, "is not a planner: it has no method plan")
    name = getattr(planner, "name", None)
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        short = f"is not a planner: it has no name of 1 to {LONGEST_NAME} printable characters"
        raise InputError(where, short)
    classes = [each for each in get_args(PlannerClass) if each not in ("mixed", "unknown")]
    if getattr(planner, "planner_class", None) not in classes:
        raise InputError(where, f"is not a planner: expected a planner_class out of {classes}")
    checked: Planner | Team = planner
    return checked


def _check_team(team: Team, workers: Sequence[str], where: str) -> None:
    members: Any = team.members
    if not isinstance(members, Mapping) or not members or not set(members) <= set(workers):
        raise InputError(where, f"is not a team: expected members for {', '.join(workers)}")
    for name, member in members.items():
        if not callable(getattr(member, "turn", None)):
            raise InputError(where, f"is not a team: {name} has no method turn")
    if not isinstance(team.rounds, int) or not 0 <= team.rounds <= MOST_ROUNDS:
        raise InputError(where, f"is not a team: expected 0 to {MOST_ROUNDS} rounds")


class FixedPlanner:
    """A planner that always answers with the rest of a given schedule.

    It gives up if the schedule has ended and not everything is done. `schedule` has an entry for
    each timestep of the episode from 0 on. `name` is the name of the schedule file.
    """

    planner_class: PlannerClass = "fixed"

    def __init__(self, schedule: Sequence[Entry], name: str = "fixed") -> None:
        self.name = name
        self._schedule = schedule

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the schedule from the present timestep on."""
        rest = self._schedule[observation.timestep :]
        if not rest and not observation.world.is_finished(observation.state):
            return Plan(schedule=(), gave_up="the schedule is over and not everything is done")
        return Plan(
            schedule=rest, reasoning="; ".join(["as the schedule says", *observation.unread])
        )


class AgilePlanner:
    """A slow planner, and the quick one that answers until the answer of the slow takes effect.

    After the AgileThinker of RealtimeGym (Wen et al. 2025).
    """

    def __init__(self, slow: Planner, quick: Planner) -> None:
        self._slow = slow
        self.meanwhile = quick

    @property
    def name(self) -> str:
        """The names of both."""
        return f"{AGILE}: {self.meanwhile.name}, then {self._slow.name}"

    @property
    def planner_class(self) -> PlannerClass:
        """The class of the quick and of the slow planner, or `mixed` if they differ."""
        return common_class([self.meanwhile.planner_class, self._slow.planner_class])

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the answer of the slow planner."""
        return await self._slow.plan(observation)


def is_lineup(spec: str) -> bool:
    """Return whether a text assigns planners to seats, rather than naming one planner."""
    return _SEAT.fullmatch(spec) is not None


def parts_of(spec: str, where: str) -> dict[str, str]:
    """Return the planner of each seat that a line-up names.

    `where` names the line-up in errors. Raise InputError if the line-up names a seat twice, or a
    planner without a seat.
    """
    seats: dict[str, str] = {}
    for part in spec.split(","):
        found = _SEAT.fullmatch(part)
        if found is None or not found[2].strip():
            raise InputError(where, f"{part.strip()!r}: expected SEAT=PLANNER for each seat")
        if found[1] in seats:
            raise InputError(where, f"seat {found[1]!r} has two planners; give it one")
        seats[found[1]] = found[2].strip()
    return seats


def text_of(seats: Mapping[str, str]) -> str:
    """Return the text of a line-up, as a user would write it."""
    return ",".join(f"{seat}={planner}" for seat, planner in seats.items())


def planners_in(spec: str) -> list[str]:
    """Return the planners that a text names: those of a line-up, or the text as one planner."""
    return list(parts_of(spec, "planner").values()) if is_lineup(spec) else [spec]


def lineup(spec: str, workers: Sequence[str], people: Sequence[str] = ()) -> dict[str, str]:
    """Return the planner of each seat, in the order of the workers.

    The line-up may omit the seats of `people`: a person plays such a seat without suggestions.
    Raise InputError if any other seat is missing, or a seat is unknown.
    """
    where = f"planner {spec!r}"
    return in_order({**dict.fromkeys(people, PERSON), **parts_of(spec, where)}, workers, where)


def seed_of(seed: int, seat: str) -> int:
    """Return the seed of one seat, which differs from the seeds of the other seats."""
    return int(digest([seed, seat]), 16) % MAX_SEED


def load_lineup(
    player: NamedPlayer,
    workers: Sequence[str],
    people: Sequence[str],
    models: Models,
    load: Callable[[NamedPlayer, Models, str], Planner | Team],
) -> Team:
    """Return the team of a player whose planner is a line-up. Raises CookMASError.

    `load` makes the planner of one seat, with the `models` of all seats. The line-up may omit seats
    of `people`; those people get no suggestions.
    """
    by, asking = lineup(player.planner, workers, people), player.asking
    for seat in asking.seats:
        refuse_unknown(seat, workers, "asking")

    def take(seat: str, planner: str) -> PlannedSeat:
        if planner != PERSON:
            return seat_of(load(player.in_seat(seat, planner), models, seat), seat, workers)
        return PlannedSeat(PERSON_RECORD, Unadvised(), asking.of_seat(seat).talk)

    seats = {seat: take(seat, planner) for seat, planner in by.items()}
    if PERSON in by.values():
        asking = asking.model_copy(update={"talk": None})
    said = first_given_option(player.model, asking)
    if said and not models.asked and not any(map(is_code, by.values())):
        where = f"planner {player.planner!r}"
        raise InputError(where, f"calls no model in any seat: leave out --{said}")
    return team_of_seats(seats)
