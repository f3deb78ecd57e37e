"""Mistakes in Robotouille: FAILs by what was not known, and what was built against the goal."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.evals.evidence import Evidence
from cookmas.evals.mistakes import GAVE_UP, RULES, gave_up, list_mistakes, occasion_of
from cookmas.evals.verdict import Check
from cookmas.worlds.robotouille.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld

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
    reached = evidence.end.termination == "won"
    at = evidence.end.timestep
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
