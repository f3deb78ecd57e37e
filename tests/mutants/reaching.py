"""Find the tests that execute mutants: a copy of the tree is played that says who is where.

Where a mutant stands, `_reached(NUMBER)` is written into the copy. It notes the test by the
variable that pytest sets and child processes inherit: so it works in all processes, and costs
hardly anything. What runs when a file is imported, as constants and defaults do, is noted where it
is read.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from tests.mutants.changes import Mutant, starts_of
from tests.mutants.copies import Copy, Ended

PROBE = """
import os
seen = set()
def _reached(number):
    test = os.environ._data.get(b"PYTEST_CURRENT_TEST", b"")
    if (number, test) not in seen:
        seen.add((number, test))
        try:
            file = os.open({notes!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        except OSError:
            return
        os.write(file, b"%d %s\\n" % (number, test.replace(b"\\n", b" ")))
        os.close(file)
"""


NO_TESTS = 5
"""The exit code of pytest if there is nothing to play."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How many seconds each test took that passed, and which of them execute each mutant."""

    seconds: Mapping[str, float]
    reached: Sequence[Sequence[str]]


def measure(
    copy: Copy, code: Sequence[str], mutants: Sequence[Mutant], paths: Sequence[str], processes: int
) -> Measured:
    """Play files or folders of tests with probes."""
    notes = copy.path / ".reached"
    notes.unlink(missing_ok=True)
    header = PROBE.format(notes=str(notes))
    probed = {
        file: _insert((copy.path / file).read_bytes(), probes, header)
        for file, probes in _place_probes(copy.path, code, mutants).items()
    }
    many = ("-n", str(processes), "--dist", "loadfile", "--no-loadscope-reorder")
    with copy.changed(probed):
        code_of_exit, ended = copy.play(paths, *(many if processes > 1 else ()))
    if not any(each.outcome == "passed" for each in ended) and code_of_exit != NO_TESTS:
        sys.exit(f"no test passes in a copy:\n{copy.read_output()[-2000:]}")
    return _read_measured(notes, ended, len(mutants))


def _read_measured(notes: Path, ended: Sequence[Ended], number: int) -> Measured:
    seconds = {each.test: each.seconds for each in ended if each.outcome == "passed"}
    of_file = defaultdict[str, list[str]](list)
    for test in seconds:
        of_file[test.partition("::")[0]].append(test)
    reached: list[set[str]] = [set() for _ in range(number)]
    text = notes.read_text("utf-8", "replace") if notes.exists() else ""
    for line in text.splitlines():
        mutant, _, where = line.partition(" ")
        test, _, phase = where.rpartition(" ")
        # What a fixture or an import computes, all tests of the file may see.
        seen = [test] if phase == "(call)" else of_file[test.partition("::")[0]]
        reached[int(mutant)].update(each for each in seen if each in seconds)
    return Measured(seconds, [[test for test in seconds if test in each] for each in reached])


Insertion = tuple[int, int, int, str]


def _place_probes(
    copy: Path, code: Sequence[str], mutants: Sequence[Mutant]
) -> dict[str, list[Insertion]]:
    """Return for each file what is inserted: the offset, two numbers that order, and the text."""
    probes = defaultdict[str, list[Insertion]](list)
    readers = _Readers(copy, code)
    for number, mutant in enumerate(mutants):
        call = f"_reached({number})"
        if mutant.reads is not None:
            for file, offset, before, after in readers.of(mutant):
                probes[file].append((offset, 1, 0, f"{before}{call}{after}"))
        elif mutant.is_statement:
            probes[mutant.file].append((mutant.start, 1, 0, f"{call}; "))
        else:
            probes[mutant.file] += [
                (mutant.start, 2, -mutant.end, f"({call} or ("),
                (mutant.end, 0, 0, "))"),
            ]
    return probes


class _Readers:
    """The functions of the product by the names that they mention."""

    def __init__(self, copy: Path, code: Sequence[str]) -> None:
        self._by_name = defaultdict[str, list[tuple[str, int, str, str]]](list)
        self._by_line: dict[tuple[str, int], tuple[str, int, str, str]] = {}
        for path in chain.from_iterable(sorted((copy / each).rglob("*.py")) for each in code):
            file, source = str(path.relative_to(copy)), path.read_bytes()
            starts = starts_of(source)
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    place = (file, *_beginning(node, starts))
                    self._by_line[file, node.lineno] = place
                    for name in _names_in(node):
                        self._by_name[name].append(place)

    def of(self, mutant: Mutant) -> list[tuple[str, int, str, str]]:
        """Return where functions begin that see a mutant: file, offset, and text around a probe."""
        if isinstance(mutant.reads, int):
            return [self._by_line[mutant.file, mutant.reads]]
        of_file = [place for place in self._by_line.values() if place[0] == mutant.file]
        return self._by_name.get(mutant.reads or "", of_file)


def _names_in(node: ast.AST) -> set[str]:
    fields = ("id", "attr", "arg")
    return {
        name for each in ast.walk(node) for field in fields if (name := getattr(each, field, None))
    }


def _beginning(
    node: ast.FunctionDef | ast.AsyncFunctionDef, starts: Sequence[int]
) -> tuple[int, str, str]:
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        assert first.end_lineno is not None
        assert first.end_col_offset is not None
        return starts[first.end_lineno - 1] + first.end_col_offset, "; ", ""
    line, column = _first_line(first), first.col_offset
    after = f"\n{' ' * column}" if hasattr(first, "body") or hasattr(first, "cases") else "; "
    return starts[line - 1] + column, "", after


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _insert(source: bytes, probes: Sequence[Insertion], header: str) -> bytes:
    """Insert the probes into a file, and what they call before its first import."""
    code = f"_reached = (lambda names: (exec({header!r}, names), names['_reached'])[1])({{}})\n"
    offset = len(source)
    for node in ast.parse(source).body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not is_text and not is_future:
            offset = starts_of(source)[_first_line(node) - 1]
            break
    for place, _, _, text in sorted([*probes, (offset, 0, 0, code)], reverse=True):
        source = source[:place] + text.encode() + source[place:]
    return source
