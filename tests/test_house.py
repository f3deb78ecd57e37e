"""The house as a whole: its packages, its arrows, its commands."""

from __future__ import annotations

import configparser
import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from langgraph.graph.state import CompiledStateGraph

import cookmas
from cookmas.world_names import WORLDS, domain_of
from cookmas.worlds.base.domain import PLANNERS, Domain
from tests.folders import CODE, LINKED

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _files() -> list[Path]:
    """The text files that belong to the project."""
    hidden = {".git", ".venv", ".venv-overcooked", ".hypothesis", "__pycache__"}
    found: list[Path] = []
    for folder, inner, names in os.walk(ROOT):
        caches = {name for name in inner if name.endswith(("_cache", ".egg-info"))}
        made = {"runs", "sweeps", "logs"} if folder == str(ROOT) else set[str]()
        inner[:] = sorted({*inner} - hidden - caches - made)
        found += [Path(folder, name) for name in sorted({*names} - hidden)]
    return found


FILES = _files()


def test_the_package_is_imported_from_the_checkout() -> None:
    assert Path(cookmas.__file__).resolve() == ROOT / "cookmas/__init__.py"
    assert (ROOT / "cookmas/py.typed").is_file()


@pytest.mark.parametrize("name", LINKED)
def test_a_folder_at_the_top_is_imported_as_a_part_of_cookmas_alone(name: str) -> None:
    link = ROOT / "cookmas" / name
    assert link.is_symlink(), f"{link} is no link: clone with git, or unpack a tar archive"
    assert link.readlink() == Path("..", name)
    assert importlib.import_module(f"cookmas.{name}").__file__ == str(link / "__init__.py")
    with pytest.raises(ImportError, match=f"import cookmas.{name} instead"):
        importlib.import_module(name)


def test_every_folder_is_built_checked_and_has_its_arrows() -> None:
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders == {*CODE, "benchmarks"}
    build = PROJECT["tool"]["hatch"]["build"]
    assert build["exclude"] == [f"/cookmas/{name}" for name in LINKED]
    assert build["targets"]["wheel"]["packages"] == [*CODE]
    assert build["targets"]["wheel"]["sources"] == {name: f"cookmas/{name}" for name in LINKED}
    assert PROJECT["tool"]["mypy"]["files"] == ["."]
    assert f"^({'|'.join(LINKED)})/" in PROJECT["tool"]["mypy"]["exclude"]
    linter = configparser.ConfigParser()
    linter.read(ROOT / ".importlinter")
    assert linter["importlinter"]["root_packages"].split() == ["cookmas"]


def test_every_module_is_linted() -> None:
    linted = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {str(path) for path in FILES if path.suffix == ".py"} <= set(linted.stdout.splitlines())


def test_every_folder_of_worlds_is_a_world_or_shared_by_worlds() -> None:
    worlds = {spec.partition(":")[0].split(".")[2] for spec in WORLDS.values()}
    folders = {path.parent.name for path in (ROOT / "cookmas/worlds").glob("*/__init__.py")}
    assert folders == {*worlds, "base", "grids", "rooms"}


LINT = "from importlinter.cli import lint_imports_command as main; main()"


def test_the_contracts_of_the_imports_hold() -> None:
    linted = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert re.search(r"[1-9]\d* kept, 0 broken", linted.stdout)


def test_no_file_names_a_registry() -> None:
    hosts = [
        b"pypi" + b".org",
        b"python" + b"hosted.org",
        b"registry." + b"npmjs",
        b"conda" + b".anaconda.org",
    ]
    named = [
        str(path.relative_to(ROOT))
        for path in FILES
        if any(host in path.read_bytes().lower() for host in hosts)
    ]
    assert named == []


def _is_there(name: str) -> bool:
    """Whether a name of the package is that of a module, or begins with something in a module."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:length])
        files = (path.with_suffix(".py"), path / "__init__.py", path / "__init__.pyi")
        if texts := [file.read_text(encoding="utf-8") for file in files if file.is_file()]:
            inside = (
                rf"^\s*(\w+ )*{part}\b|import {part} as" for part in parts[length : length + 1]
            )
            return all(re.search(each, "\n".join(texts), re.MULTILINE) for each in inside)
    return False


def test_what_texts_name_of_the_package_is_there() -> None:
    observers = "".join(path.read_text() for path in ROOT.glob("orchestrator/observers/*.py"))
    told = [path for path in FILES if path.suffix in (".py", ".md") and path.name != "CHANGELOG.md"]
    texts = [path.read_text(encoding="utf-8") for path in told]
    names = {name for text in texts for name in re.findall(r"`(cookmas(?:\.\w+)+)`", text)}
    attributes = {*re.findall(r'"(cookmas\.\w+)"', observers)}
    assert len(names) > 100
    assert [name for name in sorted(names - attributes) if not _is_there(name)] == []


def test_the_commands_of_the_readme_are_in_the_makefile() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", readme, flags=re.DOTALL | re.MULTILINE)
    assert blocks == ["make run\nmake test\n"]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    named = {
        word
        for page in pages
        for word in re.findall(r"(?:`|^ {4}|^)make ([a-z]+)(?:`|$)", page.read_text(), re.MULTILINE)
    }
    assert {"run", "test"} <= named <= set(targets)


def test_the_paths_and_modules_of_the_makefile_exist() -> None:
    text = (ROOT / "Makefile").read_text()
    paths = re.findall(r"tests/[\w/.]+", text)
    modules = re.findall(r"-m ((?:benchmarks|cookmas)[\w.]+)", text)
    assert len(paths) > 4
    assert len(modules) > 4
    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []


def test_packages_of_the_system_come_without_those_that_they_recommend() -> None:
    installed = re.findall(r"apt-get install.*", (ROOT / "Makefile").read_text())
    assert len(installed) > 1
    assert [line for line in installed if "--no-install-recommends" not in line] == []


def test_langgraph_json_names_a_graph() -> None:
    for named in json.loads((ROOT / "langgraph.json").read_text())["graphs"].values():
        file, _, variable = named.partition(":")
        spec = importlib.util.spec_from_file_location("named_by_langgraph_json", ROOT / file)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        assert isinstance(getattr(module, variable), CompiledStateGraph)


def test_the_licence_is_the_one_that_is_named() -> None:
    assert (
        "Apache License\n                           Version 2.0" in (ROOT / "LICENSE").read_text()
    )
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert "license: Apache-2.0" in (ROOT / "CITATION.cff").read_text()
    assert f"version: {PROJECT['project']['version']}" in (ROOT / "CITATION.cff").read_text()


SMALL = {"cookmas/worlds/cuisineworld/words.py": "each world with words has them in this file"}
"""Modules of fewer than 31 lines, and why they are no part of a neighbour.

A module that a world's domain names, such as that of a planner, needs no reason.
"""


def _modules_that_domains_name() -> set[str]:
    """The files of planners and other parts, which domains name as `module:Class`."""
    domains = [domain_of(world) for world in WORLDS]
    specs = [spec for domain in domains for spec in {**PLANNERS, **domain.planners}.values()]
    parts = [name for name in vars(Domain) if name.endswith("_spec")]
    specs += [getattr(domain, part) for domain in domains for part in parts]
    return {spec.partition(":")[0].replace(".", "/") + ".py" for spec in specs}


def test_a_small_module_has_a_reason() -> None:
    small = {
        path.relative_to(ROOT).as_posix()
        for package in (*CODE, "benchmarks")
        for path in (ROOT / package).rglob("*.py")
        if not path.name.startswith("__") and len(path.read_text().splitlines()) < 31
    }
    assert small - _modules_that_domains_name() == set(SMALL)
