"""Commands that worlds bring: they are listed and called like all others, and cost no start."""

from __future__ import annotations

from typer.testing import CliRunner

from cookmas.commands.cli import app
from tests.loaded import loaded


def test_they_are_listed_and_called_like_all_others() -> None:
    listed = CliRunner().invoke(app, ["--help"]).stdout
    assert "Show how a recipe is read" in listed
    assert "The recipes of a kitchen in Redis." in listed
    assert CliRunner().invoke(app, ["recipes", "push", "--help"]).exit_code == 0
    unknown = CliRunner().invoke(app, ["bake"])
    assert unknown.exit_code == 2
    assert "No such command 'bake'" in unknown.stderr


def test_to_list_them_imports_no_world_and_no_models_of_data() -> None:
    script = "from cookmas.commands.cli import app; from typer.testing import CliRunner"
    script += "; assert 'read' in CliRunner().invoke(app, ['--help']).stdout"
    heavy = ("pydantic", "yaml", "langgraph", "cookmas.kitchen.world", "cookmas.scenarios.menu")
    assert loaded(script, *heavy) == []
