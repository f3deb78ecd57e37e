"""Functions are verbs, and a public class name stands in one file.

A function may have the noun of what it returns (`header_of`, `columns`). Properties and fields are
values and have nouns or adjectives.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.folders import CODE

ROOT = Path(__file__).parents[1]

VERBS = {"embed", "exceed", "feed", "heed", "need", "proceed", "seed", "speed"}
"""Verbs that end as participles do."""

PARTICIPLES = {
    *("begun", "bound_to", "broken", "brought", "built", "caught", "chosen", "done", "drawn"),
    *("felt", "forgotten", "found", "frozen", "given", "gone", "heard", "held", "hidden", "kept"),
    *("known", "laid", "led", "left", "lent", "lost", "made", "meant", "mistaken", "paid"),
    *("redrawn", "rewound", "said", "seen", "sent", "shown", "sold", "sought", "spent", "spoken"),
    *("stood", "stuck", "taken", "taught", "thought", "thrown", "told", "torn", "understood"),
    *("withdrawn", "withheld", "won", "worn", "wound", "written"),
}
"""Irregular participles."""

GERUNDS = {
    *("acting", "asking", "coming", "conforming", "cooking", "declining", "differing", "doing"),
    *("emptying", "gathering", "going", "incoming", "lasting", "leading", "leaving", "listening"),
    *("missing", "playing", "renewing", "replacing", "ringing", "rolling", "running", "serving"),
    *("standing", "waiting", "watching", "welcoming", "writing"),
}
"""Forms in -ing that are no noun for a value, such as `ending` or `setting`."""

ADJECTIVES = {
    *("alike", "astray", "bare", "busy", "own", "plain", "quiet", "raw", "ready", "same", "silent"),
    *("simple", "simpler", "strange", "strictly", "underway", "unlike", "unusual", "usual"),
    *("visible", "whole", "wrong"),
}
"""Adjectives and adverbs."""

RIDDLES = {
    *("about", "after", "again", "always", "anew", "anything", "apart", "around", "away", "back"),
    *("before", "behind", "beside", "each", "every", "here", "inside", "last", "least", "near"),
    *("nothing", "now", "once", "others", "ours", "out", "outside", "over", "rest", "since"),
    *("then", "together", "until", "when", "where", "why", "with", "within", "without"),
}
"""Prepositions, adverbs and pronouns that say nothing alone; `of`, `at` and `by` are factories."""

WHEN = {"apart", "deaf", "first", "going_on", "house", "past", "said", "trial"}
"""Words that say when something is or how it came about; no class, constant or module is one."""

VALUES = {"cooking_minutes", "cooking_time", "missing_error", "plain_text", "waiting_answer"}
"""Nouns of several words that begin with one of these forms."""

STATES = {"done", "failed", "running"}
"""What a worker's report says; a factory of each is named by it."""

RULES = "two worlds share the dispatching rules, each with a planner of its own"

CLASSES = {
    "DispatchingPlanner": RULES,
    "FirstComePlanner": RULES,
    "MostUrgentPlanner": RULES,
    "MostWorkPlanner": RULES,
    "OptimalPlanner": "rooms have optimal play, the restaurant asks the solver",
    "ShortestFirstPlanner": RULES,
    "EmbeddedPlanner": "each world has its own planner that needs no model",
    "Happened": "each kitchen on a grid has its own timesteps",
    "RandomPlanner": "each world draws actions that are legal there",
    "Scene": "each kitchen on a grid has its own scene",
    "ScenarioFile": "each world has its own content of a scenario's file",
}
"""Public class names that stand in several files, with the reason."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_VALUES = ("property", "cached_property", "setter")


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for package in (*CODE, "benchmarks", "docs"):
        for path in sorted((ROOT / package).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def _is_value(function: _Function) -> bool:
    return any(ast.unparse(each).rpartition(".")[2] in _VALUES for each in function.decorator_list)


def _is_no_verb(name: str) -> bool:
    whole = name.strip("_")
    first = whole.partition("_")[0]
    if name.startswith("__") or whole in VALUES | STATES:
        return False
    if first.endswith("ed") and first not in VERBS and not whole.endswith("_error"):
        return True
    return first in PARTICIPLES | GERUNDS | ADJECTIVES or whole in RIDDLES


def _functions_without_a_verb(tree: ast.Module) -> list[str]:
    functions = [each for each in ast.walk(tree) if isinstance(each, _Function)]
    return [each.name for each in functions if _is_no_verb(each.name) and not _is_value(each)]


def test_functions_are_verbs() -> None:
    found = {path: names for path, tree in _modules() if (names := _functions_without_a_verb(tree))}
    assert not found, f"name them by a verb, or by the noun of what they return: {found}"


def _things(path: str, tree: ast.Module) -> Iterator[str]:
    """Yield the names of a module, its classes and its constants."""
    yield Path(path).stem
    yield from (each.name for each in ast.walk(tree) if isinstance(each, ast.ClassDef))
    for each in tree.body:
        named = each.targets if isinstance(each, ast.Assign) else [getattr(each, "target", None)]
        yield from (name.id for name in named if isinstance(name, ast.Name))


def test_things_are_named_by_what_they_are() -> None:
    riddles = [
        f"{path}: {name}"
        for path, tree in _modules()
        for name in _things(path, tree)
        if name.strip("_").lower() in WHEN
    ]
    assert riddles == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def told(): ...", ["told"]),
        ("async def _judged_once(): ...", ["_judged_once"]),
        ("class A:\n def standing(self): ...", ["standing"]),
        ("class A:\n @property\n def standing(self): ...", []),
        ("class A:\n standing: int", []),
        ("def without(x): ...\ndef without_secrets(x): ...", ["without"]),
        ("def is_told(): ...\ndef judge(): ...\ndef header_of(): ...\ndef need(): ...", []),
    ],
)
def test_names_are_told_apart(source: str, found: list[str]) -> None:
    assert _functions_without_a_verb(ast.parse(source)) == found


def test_a_public_class_name_stands_in_one_file() -> None:
    files: dict[str, set[str]] = defaultdict(set)
    for path, tree in _modules():
        for each in ast.walk(tree):
            if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
                files[each.name].add(path)
    several = {name: sorted(paths) for name, paths in files.items() if len(paths) > 1}
    assert several.keys() == CLASSES.keys(), f"rename the less public one: {several}"
