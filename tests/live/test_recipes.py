"""Recipes in Redis, edited while a kitchen is open."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.client import Client
from cookmas.commands.cli import app
from cookmas.episodes.trace import Lookup
from cookmas.scenarios.menu import SHIPPED_MENU, load_menu
from cookmas.scenarios.redis_recipes import with_recipes

if TYPE_CHECKING:
    from tests.live.conftest import RedisRun

TOAST = "Buttered Toast"


def recipes(run: RedisRun, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["recipes", *arguments, "--redis", run.where])
    assert result.exit_code == 0, result.output
    return result.output


def test_an_edited_recipe_is_used_from_the_next_look_up_on(
    redis_run: RedisRun, tmp_path: Path
) -> None:
    recipes(redis_run, "push")
    mine = tmp_path / "menu"
    shutil.copytree(SHIPPED_MENU, mine)
    toast = mine / "recipes" / f"{TOAST}.txt"
    before = toast.read_text()
    toast.write_text(before + "\nServe it with a smile.\n")
    redis_run.wait_until_taken_up(redis_run.play())
    with Client(redis_run.where, "anna", patience=60) as kitchen:
        assert kitchen.order(f"1 {TOAST}")
        while (status := kitchen.status()) is None or not status["asleep"]:
            time.sleep(0.05)
        recipes(redis_run, "push", TOAST, "--menu", str(mine))
        assert kitchen.order(f"1 {TOAST}")
        kitchen.close()
    redis_run.processes[-1].communicate(timeout=120)
    trace = cookmas.read_trace(redis_run.folder / "trace.jsonl")
    assert [record.text for record in trace.of(Lookup)] == [before, toast.read_text()]
    assert [frame.timestep for frame in cookmas.replay(trace) if not frame.equal] == []


def test_a_menu_goes_there_and_back(redis_run: RedisRun, tmp_path: Path) -> None:
    recipes(redis_run, "push")
    assert TOAST in recipes(redis_run, "list")
    recipes(redis_run, "pull", str(tmp_path / "pulled"))
    pulled, shipped = load_menu(tmp_path / "pulled"), load_menu(SHIPPED_MENU)
    assert pulled.items == shipped.items
    assert pulled.larder == shipped.larder
    for item in shipped.items:
        assert pulled.recipe_file(item).read_text() == shipped.recipe_file(item).read_text()


@pytest.mark.parametrize("name", ["../outside", "a/b", ".hidden", "bell\a"])
def test_a_recipe_whose_name_could_be_no_files_is_not_written(
    redis_run: RedisRun, tmp_path: Path, name: str
) -> None:
    asyncio.run(with_recipes(redis_run.where, lambda store: store.push({name: "Do it."}, "menu")))
    result = CliRunner().invoke(
        app, ["recipes", "pull", str(tmp_path / "pulled"), "--redis", redis_run.where]
    )
    assert result.exit_code == 2
    assert "could be no file's name" in result.output
    assert not (tmp_path / "pulled").exists()
