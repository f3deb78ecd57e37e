"""The words of Robotouille: rules, actions and state as the domain file words them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import ascii_uppercase

from cookmas.worlds.robotouille.rules.domain_file import ActionRule, DomainFile
from cookmas.worlds.robotouille.rules.engine import Engine, FactState
from cookmas.worlds.robotouille.rules.layout import GoalQuery
from cookmas.worlds.robotouille.rules.literals import write_atom


def tell_rules(domain: DomainFile, engine: Engine, goal: GoalQuery) -> str:
    """Return the rules of the domain, and what the names of objects mean."""
    lines = [domain.entries.about]
    for kind, (name, *_) in engine.created.items():
        lines.append(
            f"- The first {kind} that is made has the name `{name}`, a later one the next number."
        )
    for variable in [*goal.choices][-1:]:
        kind = variable.rpartition("_")[0]
        lines.append(
            f"- In the goal `{variable}` stands for any {kind}, and so do other names with a "
            "number behind `_`. Two such names never stand for the same object."
        )
    return "\n".join(lines)


def tell_actions(domain: DomainFile) -> Mapping[str, str]:
    """Return the effect of each form of action."""
    forms = {}
    for action in domain.actions.values():
        arguments = name_arguments(action)
        worker, *others = arguments
        words = action.words.format(**{**arguments, worker: "the worker"})
        forms[write_atom(action.name, [arguments[name] for name in others])] = words
    return forms


def tell_state(domain: DomainFile, engine: Engine, state: FactState) -> list[str]:
    """Return what is true, as the domain says it, and what the timers wait for."""
    told = [
        words.format(*literal.args)
        for literal in engine.literals(state.true)
        if (words := domain.entries.predicates[literal.predicate].words)
    ]
    for running in state.timers:
        timer = engine.timer(running.key)
        if timer.length > 1:
            what = running.key.partition(".")[0]
            pauses = "" if running.held or timer.counts_actions else ", and pauses"
            told.append(f"{timer.about}: {what} {running.counted} of {timer.length}{pauses}")
    return [f"{each[0].upper()}{each[1:]}." for each in told]


def name_arguments(action: ActionRule) -> dict[str, str]:
    """Return the argument of a form for each variable, such as STATION, or ITEM_A and ITEM_B."""
    types = list(action.types.values())
    seen: dict[str, int] = {}
    arguments = {}
    for name, kind in action.types.items():
        seen[kind] = seen.get(kind, 0) + 1
        letter = f"_{ascii_uppercase[seen[kind] - 1]}" if types.count(kind) > 1 else ""
        arguments[name] = re.sub(r"[^A-Z]", "_", kind.upper()) + letter
    return arguments
