"""What holds for a domain that says only what its world is and where its scenarios are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

import cookmas
from cookmas.commands.cli import app
from cookmas.display.watch.board import Board
from cookmas.episodes.scenario import DEFAULT_HORIZON
from cookmas.files.errors import InputError
from cookmas.worlds.base.viewing import Viewing
from tests.worlds.base.dealt import SPEC as DEALT_SPEC
from tests.worlds.base.dice import DOMAIN as DICE

SPEC = "tests.worlds.base.dice:DOMAIN"
SIX = DICE.scenario("six", {})


def test_what_it_lacks_is_as_usual(tmp_path: Path) -> None:
    assert DICE.horizon(SIX) == DEFAULT_HORIZON
    assert DICE.truth(SIX) == {}
    assert DICE.row(SIX) == {"name": "six", "title": "Six sides"}
    assert DICE.vet(SIX) == ["scenario six: sound"]
    assert isinstance(DICE.viewing, Viewing)
    assert DICE.show(["six"], {}).data == {"title": "Six sides"}
    assert [row["name"] for row in DICE.show([], {}).data] == ["six", "two"]
    path = tmp_path / "own.yaml"
    path.write_text("sides: none\n")
    with pytest.raises(InputError, match="sides: expected a whole number"):
        DICE.check(path)
    path.write_text("sides: 3\n")
    assert DICE.check(path) == ["scenario own: sound"]


@pytest.mark.parametrize("option", ["--fix", "--solve"])
def test_what_a_file_is_asked_and_its_world_does_not_have_is_misuse(
    option: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("sides: 3\n")
    done = CliRunner().invoke(app, ["check", option, "--world", SPEC, str(path)])
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1), done.output
    assert done.stderr.startswith(f"cookmas: {option}: ")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda path: DICE.mend(path), "--fix: the world dice repairs nothing"),
        (lambda path: DICE.generate(1, None, 0, path), "dice generates no scenarios"),
        (lambda path: DICE.truth(SIX, path), "dice judges by its rules alone"),
        (
            lambda path: DICE.desk(SIX).admit({"kind": "bet"}, {}),
            "this world takes no messages but instructions",
        ),
    ],
)
def test_what_it_cannot_do_is_one_line(ask: Callable[[Path], Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        ask(Path("own.yaml"))
    assert "\n" not in str(caught.value)


def test_its_schedules_are_lists_of_timesteps(tmp_path: Path) -> None:
    path = tmp_path / "schedule.yaml"
    path.write_text("scenario: dice/six\nschedule:\n  - {ann: say(3)}\n  - {bob: more(ann)}\n")
    rows = DICE.schedule(path, SIX)
    assert rows == [{"ann": "say(3)"}, {"bob": "more(ann)"}]
    path.write_text("scenario: two\nschedule:\n  - {ann: say(3)}\n")
    with pytest.raises(InputError, match="scenario: is for two"):
        DICE.schedule(path, SIX)
    path.write_text("- {ann: sing}\n")
    with pytest.raises(InputError, match="'sing' is no action"):
        DICE.schedule(path, SIX)
    path.write_text("[]\n")
    with pytest.raises(InputError, match="expected a schedule: a list of timesteps"):
        DICE.schedule(path, SIX)


def test_it_is_played_and_judged() -> None:
    run = cookmas.play("six", "random", world=SPEC)
    assert run.verdict
    assert run.verdict.judged
    assert list(DICE.details(run.verdict)) == []


@pytest.mark.parametrize(("spec", "there"), [(SPEC, False), (DEALT_SPEC, True)])
def test_the_board_has_the_words_of_the_world(spec: str, there: bool) -> None:
    board, console = Board(spec), Console(width=80, height=60, record=True, file=None)
    for record in cookmas.play("six", "random", world=spec).trace.records:
        board.hear(record)
    with console.capture() as shown:
        console.print(board)
    told = ["bets", "won, 0 open", "on the table", "dealer", "at the bar"]
    assert all((word in shown.get()) is there for word in told), shown.get()
    assert ("state" in shown.get()) is not there
