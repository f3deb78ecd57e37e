"""List the rules of the engines after an original that no recording of the original reaches.

    python -m benchmarks.unreached [--write] [ENGINE...]

Each engine plays its recordings with a probe at every condition: that of an `if`, of a conditional
expression and of a comprehension. A branch is a condition that is never true, or never false, or a
function that is never entered. `unreached.yaml` says for each branch which rule of the original it
is, or that it is none (`ours`): a rule of another mode, or code that no step needs. The exit code
is 1 if a branch is missing there, or if one there was entered. `--write` puts the rules into their
pages.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks.page import DOCS, fill
from benchmarks.recordings import archive_of
from cookmas.files.reading import read_yaml, validate

LISTED = Path(__file__).with_suffix(".yaml")
MARK = "unreached"
_WORLDS = "cookmas.worlds."
_PROBE = "__probe__"


class UnreachedEntry(BaseModel):
    """What is known of an engine, or of the engines that one command compares with recordings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: str
    """The page of the rules."""
    modules: list[str]
    """The modules with the rules, in `cookmas.worlds`."""
    rules: dict[str, list[str]]
    """The rules that no recording reaches, each with its branches."""
    ours: list[str]
    """The other branches, which the original does not have."""

    @property
    def branches(self) -> set[str]:
        """All branches that are listed."""
        return {*self.ours, *(branch for each in self.rules.values() for branch in each)}


def read_listed() -> dict[str, UnreachedEntry]:
    """Return what `unreached.yaml` says, by the folder of the recordings."""
    data: Any = read_yaml(LISTED)
    return {
        name: validate(UnreachedEntry, each, f"{LISTED}, {name}") for name, each in data.items()
    }


class Probes:
    """The conditions in some modules, and which values each had."""

    def __init__(self) -> None:
        self._known: list[tuple[str, str]] = []
        self._seen: list[set[bool]] = []

    def add(self, function: str, text: str) -> int:
        """Add a condition in a function; return its number."""
        self._known.append((function, text))
        self._seen.append(set())
        return len(self._known) - 1

    def __call__(self, number: int, value: Any) -> Any:
        """Note the value of a condition, and return it."""
        self._seen[number].add(bool(value))
        return value

    def take_entered(self) -> set[tuple[int, bool]]:
        """Return the branches that were entered, each a condition and its value; forget them."""
        entered = {(number, value) for number, seen in enumerate(self._seen) for value in seen}
        for seen in self._seen:
            seen.clear()
        return entered

    def find_unreached(self) -> Iterator[str]:
        """Yield the branches that were not entered."""
        entered = {name for (name, _), seen in zip(self._known, self._seen, strict=True) if seen}
        for (function, text), seen in zip(self._known, self._seen, strict=True):
            if function not in entered:
                yield f"{function} is never entered"
                entered.add(function)
            for value in {True, False} - seen if seen else ():
                yield f"{function}: {text} is never {str(value).lower()}"


def put_probes(node: ast.AST, within: tuple[str, ...], probes: Probes) -> None:
    """Put a probe around each condition below a node; `within` names where the node stands."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        within = (*within, node.name)

    def probe(test: ast.expr) -> ast.expr:
        number = ast.Constant(probes.add(".".join(within), ast.unparse(test)))
        call = ast.Call(ast.Name(_PROBE, ast.Load()), [number, test], [])
        return ast.copy_location(call, test)

    if isinstance(node, ast.If | ast.IfExp | ast.While):
        node.test = probe(node.test)
    if isinstance(node, ast.comprehension):
        node.ifs = [probe(test) for test in node.ifs]
    for child in ast.iter_child_nodes(node):
        put_probes(child, within, probes)


class _Loader(SourceFileLoader):
    """Loads a module with probes."""

    def __init__(self, name: str, path: str, probes: Probes) -> None:
        super().__init__(name, path)
        self._probes = probes

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(Path(self.path).read_bytes())
        put_probes(tree, (fullname.removeprefix(_WORLDS),), self._probes)
        code: CodeType = compile(ast.fix_missing_locations(tree), self.path, "exec")
        return code

    def exec_module(self, module: ModuleType) -> None:
        vars(module)[_PROBE] = self._probes
        super().exec_module(module)


def make_module(name: str, path: Path, probes: Probes) -> Any:
    """Return the module of a file, with probes."""
    spec = spec_from_loader(name, _Loader(name, str(path), probes))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Finder(MetaPathFinder):
    """Finds some modules, which are loaded with probes."""

    def __init__(self, names: Sequence[str], probes: Probes) -> None:
        self._names = names
        self._probes = probes

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname in self._names else None
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin, self._probes)
        return spec


def import_with_probes(command: str, entry: UnreachedEntry) -> tuple[Probes, Any]:
    """Import a command that plays an engine with probes; return the probes and the command.

    Raises RuntimeError if the engine was imported before, or if one of its modules is not there.
    """
    modules = [f"{_WORLDS}{module}" for module in entry.modules]
    if loaded := [module for module in modules if module in sys.modules]:
        raise RuntimeError(f"{loaded[0]} is loaded without probes")
    probes = Probes()
    sys.meta_path.insert(0, _Finder(modules, probes))
    made = importlib.import_module(command)
    if missing := [module for module in modules if module not in sys.modules]:
        raise RuntimeError(
            f"{missing[0]} is named in {LISTED.name}, but {command} does not load it"
        )
    return probes, made


def play_recordings(name: str, entry: UnreachedEntry) -> set[str]:
    """Return the branches that no recording of an engine enters.

    It must be called before anything imports the engine. Raises RuntimeError if an engine cannot be
    given probes (`import_with_probes`), or if it differs from a recording.
    """
    probes, command = import_with_probes(f"benchmarks.{name}.recorded", entry)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        if command.main([str(archive_of(name))]):
            raise RuntimeError(said.getvalue())
    return {*probes.find_unreached()}


def describe(rules: Sequence[str]) -> str:
    """Return the text about rules for a page."""
    told = [f"- {rule}" for rule in rules] or ["None: the recordings enter every branch."]
    return "\n".join(["", *told, ""])


def write(listed: Mapping[str, UnreachedEntry]) -> None:
    """Write the rules that no recording reaches into their pages."""
    for each in listed.values():
        fill(DOCS / each.page, MARK, describe([*each.rules]))


def main(arguments: Sequence[str]) -> int:
    """Compare what the recordings enter with what is listed; return 0 if it is the same."""
    listed = read_listed()
    parser = argparse.ArgumentParser(description="List the rules that no recording reaches.")
    parser.add_argument("engines", nargs="*", choices=[[], *listed], help="all by default")
    parser.add_argument("--write", action="store_true", help="write the rules into their pages")
    options = parser.parse_args(arguments)
    names = [name for name in listed if name in (options.engines or listed)]
    differs = False
    context = get_context("spawn")  # engines share modules, so each has a process of its own
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as pool:
        played = [*pool.map(play_recordings, names, [listed[name] for name in names])]
    for name, branches in zip(names, played, strict=True):
        known = listed[name].branches
        for branch in sorted(branches - known):
            print(f"{name}: not in {LISTED.name}: {branch}")
        for branch in sorted(known - branches):
            print(f"{name}: in {LISTED.name}, but a recording enters it: {branch}")
        differs |= branches != known
        for rule in listed[name].rules:
            print(f"{name}: no recording reaches: {rule}")
    if options.write:
        write(listed)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
