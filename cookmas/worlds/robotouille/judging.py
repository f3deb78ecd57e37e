"""The judging of Robotouille: an episode succeeds if its goal is reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cookmas.episodes.trace import Trace
from cookmas.evals.columns import (
    CALLS,
    MEASURES,
    OPTIMALITY,
    SUCCESS,
    SUMMARY,
    Measure,
    column_of_passes,
    column_of_values,
)
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import COMMON, Judging, group_of_name, only_goal
from cookmas.evals.mistakes import GAVE_UP, RULES, gave_up, list_mistakes, occasion_of
from cookmas.evals.optimality import Optimum, Reached, optimality
from cookmas.evals.rows import Measured, MeasureTable, of_episode, row
from cookmas.evals.verdict import Check, Goal
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld
from cookmas.worlds.shipped import import_world, solved


def certificate_of(evidence: Evidence) -> Any:
    """Return the certificate of the scenario that was played; None if there is none."""
    header = evidence.trace.header
    return import_world("robotouille").certificate(header.scenario_name, header.scenario_digest)


def find_optimum(evidence: Evidence) -> Optimum | None:
    """Return the fewest timesteps for the scenario, or a bound, and those that are known."""
    known = certificate_of(evidence)
    if known is None or evidence.altered:
        return None
    what = "optimum" if known.proven else "bound"
    return Optimum(known.bound, what, "less", known=known.value)


def find_reached(evidence: Evidence) -> Reached:
    """Return the timesteps until the goal, or how many are left by the search."""
    if is_reached(evidence):
        return Reached(evidence.end.timestep)
    world = evidence.world
    assert isinstance(world, RobotouilleWorld)
    left = solved("robotouille", "search:find_schedule")(world, evidence.final, quick=True)
    return Reached(None, None if left is None else len(left))


def is_reached(evidence: Evidence) -> bool:
    """Return whether the goal was reached."""
    return evidence.end.termination == "won"


def _judge_times(evidence: Evidence, what: str, timesteps: float | None) -> Measured | None:
    """Return whether the goal was reached within one and a half times a number of timesteps.

    None if the number, which the words `what` name, is unknown.
    """
    if not timesteps:
        return None
    at, reached = evidence.end.timestep, is_reached(evidence)
    told = f"reached after {at} timesteps" if reached else "not reached"
    reason = f"{told}, against 1.5 times the {what} of {timesteps}"
    return Measured(reached and 2 * at <= 3 * timesteps, reason)


def _judge_published(evidence: Evidence) -> Measured | None:
    published = evidence.trace.header.scenario.get("published")
    return _judge_times(evidence, "published number", published)


def _judge_optimum(evidence: Evidence) -> Measured | None:
    best = find_optimum(evidence)
    if best is None:
        return None
    what = best.what if best.what == "optimum" else "known schedule"
    return _judge_times(evidence, what, best.known)


def _count_repeated(evidence: Evidence) -> Measured:
    """Return the number of timesteps after which everything was as at an earlier timestep."""
    states = [frame.before for frame in evidence.frames] + [evidence.final]
    keys = [str(evidence.world.progress_key(state)) for state in states]
    return Measured(len(keys) - len(set(keys)))


times = MeasureTable(
    of_episode(row("within_published", _judge_published), row("within_optimum", _judge_optimum))
)
"""Whether the goal was reached early enough."""

repeated = MeasureTable(
    of_episode(row("repeated_states", _count_repeated, measured_in="timesteps"))
)


STATE, GOAL = "state misjudged", "goal misread"


def mistakes(evidence: Evidence) -> Iterator[Check]:
    """Yield the checks `mistake` of four kinds.

    A FAIL is a misjudged state if the predicate that did not hold can change, else a rule
    violation. The goal was misread if an episode without success ends with something that was built
    against it. The fourth kind is giving up.
    """
    world = evidence.world
    assert isinstance(world, RobotouilleWorld)
    failed = [act for act in evidence.acts if not act.outcome.done]
    state = [act for act in failed if act.outcome.fail in world.domain.changing]
    rules = [act for act in failed if act.outcome.fail not in world.domain.changing]
    reached, at = is_reached(evidence), evidence.end.timestep
    yield from list_mistakes(
        {
            RULES: list(map(occasion_of, rules)),
            STATE: list(map(occasion_of, state)),
            GOAL: []
            if reached
            else [f"{at}: {each}" for each in list_misread(world, evidence.final)],
            GAVE_UP: gave_up(evidence),
        }
    )


def list_misread(world: RobotouilleWorld, final: FactState) -> Iterator[str]:
    """Yield what lies in a state against the goal, and did not lie so at first.

    - A wrong ingredient: an object whose kind the goal does not name, on or in one that it names.
    - A bad start: an object at the bottom of a stack, where the goal wants others.
    - A wrong order: two objects the other way round than the goal wants them.
    """
    kinds = world.engine.kinds
    wanted: dict[str, set[tuple[str, ...]]] = {}
    for literal in world.goal.literals:
        kinds_of = tuple(arg.rpartition("_")[0] for arg in literal.args)
        wanted.setdefault(literal.predicate, set()).add(kinds_of)
    named = {kind for pairs in wanted.values() for each in pairs for kind in each}
    rests = world.domain.rests
    lying = [x for x in world.engine.literals(final.true) if x.predicate in rests]
    loaded = {x.args[1 - rests[x.predicate]] for x in lying}
    first = set(world.engine.literals(world.start().true))
    for literal in lying:
        at = rests[literal.predicate]
        it, place = literal.args[at], literal.args[1 - at]
        pair = tuple(kinds[arg] for arg in literal.args)
        if literal in first or literal.predicate not in wanted:
            continue
        if _type_of(world, place) in world.engine.moving:
            if kinds[it] not in named and kinds[place] in named:
                yield f"wrong ingredient: {literal}"
            elif pair not in wanted[literal.predicate] and pair[::-1] in wanted[literal.predicate]:
                yield f"wrong order: {literal}"
        elif it in loaded and pair not in wanted[literal.predicate]:
            places = {each[1 - at] for each in wanted[literal.predicate]}
            if kinds[place] in places and kinds[it] in named:
                yield f"bad start: {literal}"


def _type_of(world: RobotouilleWorld, name: str) -> str:
    return world.domain.entries.kinds[world.engine.kinds[name]].type


class RobotouilleJudging(Judging):
    """The judging of Robotouille, in which the wish is the only goal."""

    version = "3"
    evaluators: Mapping[str, Evaluator] = {
        "times": times,
        "optimality": optimality(find_optimum, find_reached),
        "repeated": repeated,
        **COMMON,
        "mistakes": mistakes,
    }
    summary = SUMMARY
    columns = (
        SUCCESS,
        replace(column_of_passes("within_published", "in time", "within_published"), optional=True),
        replace(
            column_of_passes("within_optimum", "near the optimum", "within_optimum"), optional=True
        ),
        *OPTIMALITY,
        column_of_values("repeated_states", "repeated states", better="less"),
        *CALLS,
    )
    measures = (
        *times.rows,
        Measure(name="optimality_rate"),
        Measure(name="rate_of_best_known", measured_in="ratio"),
        Measure(name="steps_to_go", measured_in="ratio"),
        *repeated.rows,
        *MEASURES,
    )

    def group(self, trace: Trace) -> str | None:
        """Return the group in the scenario's name, such as `synchronous`."""
        return group_of_name(trace)

    def goals(self, evidence: Evidence) -> Sequence[Goal]:
        """Return the wish."""
        world = evidence.world
        assert isinstance(world, RobotouilleWorld)
        reached = "reached" if is_reached(evidence) else None
        return [only_goal("wish", "goal", reached, evidence.end.timestep, world.level.wish)]


JUDGING = RobotouilleJudging()
