"""The reference says what the code says."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer
from pydantic import BaseModel

from cookmas.commands.cli import app
from cookmas.commands.options.fields import panel_of
from cookmas.kitchen.events import AddLine, CancelOrder, ChangeLine, Fault, NewOrder, RemoveLine
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.runs.folder import CHECKPOINTS, MEASUREMENTS, RUN, TRACE
from cookmas.orchestrator.runs.lease import LOCK
from cookmas.scenarios.kitchens import KitchenFile, StationEntry
from cookmas.scenarios.scenario import ScenarioFile
from cookmas.scenarios.schedule import ScheduleFile
from docs.command_line import commands_of
from docs.modules import find_files
from docs.pages import in_cell

DOCS = Path(__file__).parents[2] / "docs"
PAGES: dict[str, Callable[[], str]] = runpy.run_path(str(DOCS / "generate.py"))["PAGES"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_made_from_the_code_is_up_to_date(name: str) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert page == PAGES[name](), "run: .venv/bin/python docs/generate.py"


def test_every_command_in_the_text_of_a_page_exists() -> None:
    known = re.findall(r"^### ([a-z-]+)", PAGES["reference/cli.md"](), re.MULTILINE)
    pages = {path.name: path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    named = {
        f"{name}: cookmas {word}"
        for name, text in pages.items()
        for word in re.findall(r"`cookmas ([a-z][a-z-]*)", text)
        if word not in known
    }
    assert not named


def test_every_option_of_a_command_is_told_with_its_help() -> None:
    """In the section of the command, or in the shared group that the section names."""
    page = PAGES["reference/cli.md"]()
    sections = dict(re.findall(r"^### (.+)\n((?:(?!###? ).*\n)*)", page, re.MULTILINE))
    for name, command in commands_of(typer.main.get_command(app)):
        for parameter in command.params:
            told = sections[name]
            group = panel_of(parameter)
            row = rf"^\| .*`{parameter.opts[0]}`.*\| {re.escape(in_cell(parameter.help or ''))} \|$"
            if parameter.param_type_name == "argument" or parameter.name == "help":
                continue
            if not re.search(row, told, re.MULTILINE):
                assert f"[{group}](#" in " ".join(told.split()), (name, parameter.name)
                told = sections[group]
            assert re.search(row, told, re.MULTILINE), (name, parameter.name)


def test_a_file_is_found_by_words() -> None:
    assert [line.partition(":")[0] for line in find_files("policy", "chop")] == [
        "cookmas/solving/hanabi/conventional.py"
    ]


GENERATED = [name for name in PAGES if name.startswith("reference/")]
ANNOTATIONS = ("Annotated", "FieldInfo", "Literal[", "Optional[", "typing.", "PydanticUndefined")


@pytest.mark.parametrize("name", GENERATED)
def test_types_are_written_plainly(name: str) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert [word for word in ANNOTATIONS if word in page] == []


@pytest.mark.parametrize("name", GENERATED)
def test_every_row_has_a_meaning(name: str) -> None:
    assert list(_rows_without_meaning((DOCS / name).read_text(encoding="utf-8"))) == []


def _rows_without_meaning(page: str) -> Iterator[str]:
    """Yield the rows with an empty last cell, in tables whose last column is the meaning."""
    for table in re.findall(r"^\|.*\| meaning \|\n\| ---.*\n((?:\|.*\n)*)", page, re.MULTILINE):
        yield from (row for row in table.splitlines() if re.search(r"\|\s*\|$", row))


def test_a_row_without_meaning_is_found() -> None:
    table = "| field | meaning |\n| --- | --- |\n| `a` | its name |\n| `b` |  |\n"
    assert list(_rows_without_meaning(table)) == ["| `b` |  |"]


@pytest.mark.parametrize(
    "model",
    [
        ScenarioFile,
        NewOrder,
        AddLine,
        RemoveLine,
        ChangeLine,
        CancelOrder,
        Fault,
        KitchenFile,
        StationEntry,
        ScheduleFile,
    ],
)
def test_every_field_of_a_file_is_in_the_reference(model: type[BaseModel]) -> None:
    page = (DOCS / "reference" / "file-formats.md").read_text(encoding="utf-8")
    fields = list(model.model_fields)
    assert [field for field in fields if f"`{field}`" not in page] == []


def test_every_file_of_a_run_is_explained() -> None:
    page = (DOCS / "how-to" / "resume-and-replay.md").read_text(encoding="utf-8")
    files = [TRACE, RUN, CHECKPOINTS, MEASUREMENTS, LOCK]
    assert [file for file in files if f"| `{file}` |" not in page] == []


def test_the_drawing_of_the_graph_is_up_to_date() -> None:
    page = (DOCS / "explanation" / "architecture.md").read_text(encoding="utf-8")
    assert build_graph().get_graph().draw_mermaid().rstrip() in page


def test_every_decision_says_why_and_what_it_costs() -> None:
    page = (DOCS / "explanation" / "decisions.md").read_text(encoding="utf-8")
    decisions = page.split("\n## ")[1:]
    assert len(decisions) >= 15
    assert [d for d in decisions if not ("*Why:*" in d and "*Cost:*" in d)] == []
