"""Loading of planners: from a known name, from `package.module:Class`, or from a schedule file."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import InputError
from cookmas.files.lines import clean
from cookmas.files.naming import is_yaml
from cookmas.files.wording import suggest_name
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.dialogue.voice import SHARED_PROMPTS, Voice
from cookmas.orchestrator.member import Policy, Team
from cookmas.orchestrator.models.message import Model
from cookmas.orchestrator.models.options import MakeModel, ModelOptions, Models
from cookmas.orchestrator.planner import Entry, Planner
from cookmas.orchestrator.planners.agile import AGILE, AgilePlanner
from cookmas.orchestrator.planners.fixed import FixedPlanner
from cookmas.orchestrator.planners.person import PEOPLE
from cookmas.orchestrator.planners.seats import seat_policy
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

Named = Mapping[str, str]
"""The class of a planner, as `module:Class`, by the name that a user gives.

The class is imported only when it is needed.
"""

Schedules = Callable[[Path], Sequence[Entry]]
"""A function that reads a schedule file. It raises InputError or MissingError."""


def load_planner(
    spec: str,
    named: Named,
    schedules: Schedules,
    workers: Sequence[str],
    options: ModelOptions | None = None,
    asking: AskingOptions | None = None,
    seed: int | None = None,
    seat: str | None = None,
    models: Models | None = None,
    *,
    voice_spec: str,
    simulated: bool = True,
    listed: bool = True,
    make_model: MakeModel | None = None,
) -> Planner | Team:
    """Return the planner or team that `spec` names: one of `named`, a class, or a schedule file.

    A policy becomes a team in which it has every seat. A name in `named` can have a rate after the
    mark RATE_MARK, which the constructor must take as its parameter `rate`.

    The constructor gets those of the following arguments that are among its parameters:

    - `model`, or `models` (one for each worker), which keep to the budgets in `options`;
    - `name`, `prompting`, `templates` and `sampling`, from `asking`;
    - `voice`: that of the class, or else the world's, which `voice_spec` names as `module:NAME`;
    - `workers`, and `seed` if it is given.

    For a `seat` the options of that seat apply, and `models` constructs the models of all seats,
    or else `make_model`, if it is given.
    Budgets apply even if the constructor takes none. If nothing observed can be `simulated`, the
    look-ahead is turned off, and if no legal actions can be `listed`, their list is; if the user
    has set such an option, InputError is raised. Raise InputError or MissingError if the planner is
    invalid, FailedError if its own code fails.
    """
    options, asking = options or ModelOptions(), asking or AskingOptions()
    if spec == AGILE and spec not in named and seat is None:
        load = partial(
            load_planner,
            named=named,
            schedules=schedules,
            workers=workers,
            seed=seed,
            voice_spec=voice_spec,
            simulated=simulated,
            listed=listed,
            make_model=make_model,
        )
        slow = load(LLM, options=options, asking=asking, models=models)
        quick = load(next((name for name in QUICK if name in named), LLM))
        if isinstance(slow, Team) or isinstance(quick, Team):
            raise InputError(f"planner {spec!r}", "needs a world in which one planner may plan")
        return AgilePlanner(slow, quick)
    models = models or Models(options, workers if seat else (), make_model)
    where = f"planner {spec!r}"
    option_name = first_given_option(options, asking)
    if seat is not None:
        where = f"seat {seat!r}, {where}"
        option_name = first_given_option(options.seats.get(seat), asking.seats.get(seat))
        options, asking = options.of_seat(seat), asking.of_seat(seat)
    if is_yaml(spec):
        _refuse_model_option(option_name, where)
        return FixedPlanner(schedules(Path(spec)), clean(Path(spec).stem))
    if spec not in {**PEOPLE, **named} and LLM in named and _names_preset(spec, voice_spec, where):
        spec, asking = LLM, _with_preset(asking, spec, where)
    spec, rate = _split_rate(spec, named, where)
    near = suggest_name(spec, [*named, *PRESETS])
    expected = f"{', '.join(named)}, package.module:Class or a schedule file (.yaml){near}"
    factory = import_named({**PEOPLE, **named}.get(spec, spec), where, expected)
    own = {"workers": tuple(workers), "seed": seed, "rate": rate}
    wanted = _parameters(factory)
    if rate is not None and "rate" not in wanted:
        raise InputError(where, f"has no rate: name it {spec!r}")
    given: dict[str, Any] = {
        name: value for name, value in own.items() if name in wanted and value is not None
    }
    if not wanted & {"model", "models"}:
        _refuse_model_option(option_name, where)
    else:
        _refuse_simulation(asking, simulated, listed, where)
        voice = voice_of(factory, voice_spec, where)
        given |= _arguments_of_model(
            factory, wanted, voice, workers, options, asking, seat, models, where
        )
        if "prompting" in given:
            given["prompting"] = given["prompting"].limit_to(simulated=simulated, listed=listed)
        if "name" in given:
            given["name"] = _report_name(spec, asking, _model_names(given), voice)
    return construct(factory, given, where, partial(_check, workers))


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


def _split_rate(spec: str, named: Named, where: str) -> tuple[str, float | None]:
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
    wanted: Collection[str],
    voice: Voice | None,
    workers: Sequence[str],
    options: ModelOptions,
    asking: AskingOptions,
    seat: str | None,
    models: Models,
    where: str,
) -> dict[str, Any]:
    """Return the arguments for the constructor of a planner that asks a model."""
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


def _refuse_simulation(asking: AskingOptions, simulated: bool, listed: bool, where: str) -> None:
    """Raise InputError if the user has set a prompting option that the world cannot serve."""
    for name, possible in (("look_ahead", simulated), ("legal_actions", listed)):
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
