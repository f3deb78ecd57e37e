"""Every kind of file that people bring, as other programs save it: read, or told in one line."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

import cookmas
from cookmas.commands.cli import app
from cookmas.scenarios.kitchens import kitchen_path
from cookmas.scenarios.menu import SHIPPED_MENU
from cookmas.scenarios.scenario import scenario_path
from cookmas.worlds.questions.domain import SUITES

SUITE = "title: Café\nworld: corridor\nscenarios: [one]\narms: [{planner: embedded}]\n"
COLUMNS = 'Game,Question,Answer\nHanabi,"Café?\n(A) red\n(B) blue",(b)\n'
LAYOUT = "{'grid': '''XXPXX\nO  2O\nX1  X\nXDXSX''', 'x': 'é'}"


def scenario() -> str:
    data = yaml.safe_load(scenario_path("level1/01").read_text(encoding="utf-8"))
    return yaml.safe_dump({**data, "title": "Café"}, allow_unicode=True)


def make_menu(folder: Path) -> str:
    shutil.copytree(SHIPPED_MENU, folder / "menu")
    recipe = folder / "menu" / "recipes" / "Apple Crumble.txt"
    return f"{recipe.read_text(encoding='utf-8')}Café.\n"


def make_run(folder: Path, name: str) -> str:
    """Play into `run` and return the text of one of its files, with a field that is not ASCII."""
    cookmas.play("corridor/one", folder=folder / "run")
    text = (folder / "run" / name).read_text(encoding="utf-8")
    return text.replace('"walker_1"', '"walker_é"', 1) if "walker_1" in text else text


def make_sweep(folder: Path, name: str) -> str:
    (folder / "suite.yaml").write_text(SUITE, encoding="utf-8")
    said = CliRunner().invoke(app, ["bench", "suite.yaml", "--folder", "sweep"])
    assert said.exit_code == 0, said.output
    return (folder / "sweep" / name).read_text(encoding="utf-8")


def make_questions(_folder: Path) -> str:
    """Return a suite of one question, with a name that is not ASCII."""
    lines = (SUITES / "small.jsonl").read_text(encoding="utf-8").splitlines()
    return "\n".join(lines[:2]).replace('"small"', '"café"') + "\n"


Kind = tuple[str, Callable[[Path], str], list[str]]
"""A file, what makes its text in a folder, and a command that reads it."""

KINDS: Mapping[str, Kind] = {
    "scenario": ("own.yaml", lambda _: scenario(), ["check", "own.yaml"]),
    "kitchen": (
        "own.yaml",
        lambda _: f"# Café\n{kitchen_path('small').read_text(encoding='utf-8')}",
        ["check", "own.yaml"],
    ),
    "schedule": (
        "own.yaml",
        lambda _: "# Café\nscenario: level1/01\nschedule:\n- {worker_1: wait}\n",
        ["check", "own.yaml"],
    ),
    "recipe": (
        "menu/recipes/Apple Crumble.txt",
        make_menu,
        ["read", "menu/recipes/Apple Crumble.txt"],
    ),
    "suite": ("own.yaml", lambda _: SUITE, ["bench", "own.yaml"]),
    "prompt": (
        "hints/hints.md",
        lambda _: "Café\n",
        ["prompt", "corridor/one", "--prompts", "hints"],
    ),
    "questions": (
        "q.jsonl",
        make_questions,
        ["ask", "q.jsonl", "--planner", "random", "--trials", "1"],
    ),
    "published": ("own.csv", lambda _: COLUMNS, ["questions", "o.jsonl", "--published", "own.csv"]),
    "cassette": (
        "k.jsonl",
        lambda _: '{"x": "é"}\n',
        ["run", "corridor/one", "-p", "llm", "--replay", "k.jsonl"],
    ),
    "layout": ("own.layout", lambda _: LAYOUT, ["check", "own.layout", "--world", "overcooked"]),
    "original": ("own.json", lambda _: '{"é": 1}', ["check", "own.json", "--world", "robotouille"]),
    "run": ("run/run.json", lambda f: make_run(f, "run.json"), ["resume", "run"]),
    "trace": ("run/trace.jsonl", lambda f: make_run(f, "trace.jsonl"), ["resume", "run"]),
    "results": (
        "sweep/results.jsonl",
        lambda f: make_sweep(f, "results.jsonl"),
        ["report", "sweep"],
    ),
    "measured": (
        "sweep/measurements.jsonl",
        lambda f: make_sweep(f, "measurements.jsonl"),
        ["report", "sweep"],
    ),
    "sweep": ("sweep/sweep.json", lambda f: make_sweep(f, "sweep.json"), ["report", "sweep"]),
}

DAMAGES: Mapping[str, Callable[[str], bytes | None]] = {
    "Windows line ends": lambda text: text.replace("\n", "\r\n").encode(),
    "a mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "Latin-1": lambda text: text.encode("latin-1", "replace"),
    "nothing": lambda _: b"",
    "a folder": lambda _: None,
}

READ = {"scenario", "kitchen", "schedule", "recipe", "suite", "prompt", "questions", "layout"}
"""Kinds of text that people write, which are read with Windows line ends and with a mark."""

MARKED = {"run", "results", "measured", "sweep"}
"""Kinds that CookMAS writes, which are read if another program has put a mark before them."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_as_another_program_saves_it_is_read_or_told(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, make, command = KINDS[kind]
    text = make(tmp_path)
    for damage, save in DAMAGES.items():
        path, data = tmp_path / name, save(text)
        shutil.rmtree(tmp_path / "sweeps", ignore_errors=True)
        if path.exists():
            path.unlink()
        path.parent.mkdir(exist_ok=True)
        path.mkdir() if data is None else path.write_bytes(data)
        said = CliRunner().invoke(app, command)
        told = f"{kind}, {damage}: {said.output}"
        assert said.exception is None or isinstance(said.exception, SystemExit), told
        assert said.exit_code in (0, 1, 2), told
        if kind in MARKED and damage == "a mark":
            assert "mark" not in said.stderr, told
            assert said.exit_code == 0, told
        if kind == "sweep":
            assert (damage in ("a folder", "nothing", "UTF-16")) == (said.exit_code == 2), told
            assert "Error" not in said.stderr, told
        if kind in READ and damage in ("Windows line ends", "a mark"):
            assert said.exit_code == 0, told
        if said.exit_code:
            lines = said.stderr.splitlines()
            assert len(lines) == 1, told
            assert lines[0].startswith("cookmas: "), told
            assert "codec" not in lines[0], told
            assert path.name in lines[0] or path.parent.name in lines[0], told
        if damage in ("UTF-16", "Latin-1") and kind in READ:
            assert "save it as UTF-8" in said.stderr, told
