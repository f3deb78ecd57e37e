"""Play the tests that execute a mutant until the first fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from tests.mutants.changes import Mutant
from tests.mutants.copies import Copy

PATIENCE = 30
"""Seconds of a processor that a mutant's tests may need beyond four times their usual ones."""

WAITING = 5.0
"""Seconds from which a test may fail as the machine is busy: it is played unchanged too."""


Outcome = Literal["killed", "survived", "unreached", "equivalent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What tests said about a mutant.

    `by` is the test that failed; `beside` says that it lies in the room's own folder; `left_out` is
    the number of tests that were not played for time; and `asked_all` says whether all tests were
    asked, or those of the folder alone.
    """

    outcome: Outcome
    by: str = ""
    beside: bool = False
    tests: int = 0
    left_out: int = 0
    asked_all: bool = False


def try_mutant(
    copy: Copy, mutant: Mutant, seconds: Mapping[str, float], tests: Sequence[str], limit: float
) -> Tried:
    """Play tests, the quickest files first, that take no longer than the limit together."""
    if not tests:
        return Tried(outcome="unreached")
    ordered = _quickest_first(seconds, tests)
    until = accumulate(seconds.get(test, 0) for test in ordered)
    within = [test for test, total in zip(ordered, until, strict=True) if total <= limit]
    changed = {mutant.file: mutant.apply((copy.path / mutant.file).read_bytes())}
    played = 0
    for batch in _batches(seconds, within):
        left = batch
        while left:
            with copy.changed(changed):
                failed = _play(copy, seconds, left)
            if not failed:
                break
            if seconds.get(failed, WAITING) < WAITING or not _play(copy, seconds, [failed]):
                return Tried(outcome="killed", by=failed, tests=played + len(batch))
            left = [test for test in left if test != failed]
        played += len(batch)
    return Tried(outcome="survived", tests=played, left_out=len(tests) - len(within))


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def _quickest_first(seconds: Mapping[str, float], tests: Sequence[str]) -> list[str]:
    """Order tests by the time that their files take; those of a file keep their order."""
    of_file = Counter[str]()
    for test in tests:
        of_file[_file_of(test)] += round(1000 * seconds.get(test, 0))
    return sorted(tests, key=lambda test: (of_file[_file_of(test)], _file_of(test)))


def _batches(seconds: Mapping[str, float], tests: Sequence[str]) -> Iterator[list[str]]:
    """Yield the tests in parts that grow, as a few tests kill most mutants."""
    size, batch, files, total = 10, list[str](), set[str](), 0.0
    for test in tests:
        files.add(_file_of(test))
        total += seconds.get(test, 0)
        if batch and (len(files) > size or total > size):
            yield batch
            size, batch, files, total = size * 4, [], {_file_of(test)}, seconds.get(test, 0)
        batch.append(test)
    if batch:
        yield batch


def _play(copy: Copy, seconds: Mapping[str, float], tests: Sequence[str]) -> str:
    """Return the first test that fails, or does not end; empty if there is none."""
    files = dict.fromkeys(map(_file_of, tests))
    usual = sum(seconds.get(test, 0) for test in tests)
    code, ended = copy.play(
        [*files],
        "-x",
        tests=tests,
        processor=PATIENCE + int(4 * usual) + len(files),
        seconds=120 + 10 * usual + 4 * len(files),
    )
    if failed := [each.test for each in ended if each.outcome == "failed"]:
        return failed[0]
    if code in {0, 5}:
        return ""
    # It loops, or ends the process, or cannot even be imported.
    known = {each.test for each in ended}
    return next((test for test in tests if test not in known), tests[-1])
