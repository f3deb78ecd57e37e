"""An option is carried by few records: each that declares its name again is another relay."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cookmas.files.options import options_of
from cookmas.orchestrator.options import (
    CheckpointFields,
    CostFields,
    EndpointFields,
    OpenFields,
    RunFields,
    WorkFields,
)

ROOT = Path(__file__).parents[2]

FOLDERS = ("cookmas", "orchestrator", "evals", "workers")

MOST_RECORDS = 3

OTHER_THINGS = {
    "world": "a world is named, or is an object, in records of every room",
    "worker": "the worker of an action, in records of every room",
    "seed": "traces, scenarios and seats have seeds too",
    "model": "an answer, a player and a seat have a model too",
    "extra": "a message and an answer have further fields too",
    "SearchRecord.fallback": "whether a search has fallen back",
}
"""Names, and fields of records, that stand for other things than the option."""


def declared_by() -> Iterator[tuple[str, str]]:
    """Yield each field of a class outside the worlds, with the class."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not {"worlds", "solving"} & {*path.relative_to(ROOT).parts}:
                for owner in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                    if isinstance(owner, ast.ClassDef):
                        for field in owner.body:
                            if isinstance(field, ast.AnnAssign):
                                yield ast.unparse(field.target), owner.name


@pytest.fixture(scope="module")
def carriers() -> Mapping[str, set[str]]:
    """Return the classes that declare each field, by its name."""
    found: dict[str, set[str]] = {}
    for name, owner in declared_by():
        if f"{owner}.{name}" not in OTHER_THINGS:
            found.setdefault(name, set()).add(owner)
    return found


def test_at_most_three_records_declare_an_option(carriers: Mapping[str, set[str]]) -> None:
    records = (RunFields, WorkFields, OpenFields, CheckpointFields, EndpointFields, CostFields)
    names = {name for record in records for name in options_of(record)} - OTHER_THINGS.keys()
    assert {n: carriers[n] for n in names if len(carriers[n]) > MOST_RECORDS} == {}


@pytest.mark.parametrize(
    ("option", "records"),
    [
        ("max_stalled", {"RunFields", "Context"}),
        ("thinking", {"WorkFields", "Context", "State"}),
        ("pace", {"OpenFields", "RunRequest", "Context"}),
        ("worker_deadline", {"OpenFields", "RunRequest"}),
        ("budget_money", {"CostFields"}),
    ],
)
def test_the_way_of_an_option(
    carriers: Mapping[str, set[str]], option: str, records: set[str]
) -> None:
    assert carriers[option] == records
