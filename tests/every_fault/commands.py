"""The commands in which calls fail: what each needs, and what must hold after it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cookmas.episodes.trace import split_line
from cookmas.orchestrator.runs.folder import is_finished
from cookmas.scenarios.scenario import load_scenario
from cookmas.scenarios.truth import SHIPPED_TRUTH
from tests.every_fault import dispatch, kitchens
from tests.every_fault.calls import watch
from tests.every_fault.kitchens import MENU, SENDERS, rows
from tests.warm import QUICKLY, Warm

RUN = Path("runs", "open")

SHIPPED, STALE = "level1/02", 16 * "0"
"""A shipped scenario with a truth, and a digest that no scenario has."""


def nothing(_: Path) -> None:
    """Assert nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that is tried."""

    arguments: tuple[str, ...]
    prepare: Callable[[Path], object]
    """Make what the command needs, in a folder."""
    said: Callable[[Path], None]
    """Assert that the command has done what it said, right after it ended with the code 0."""
    finish: Callable[[Path], None]
    """Go on with what is there after the command, and assert what was promised."""
    beside: tuple[str, ...] = ()
    """A script with its arguments that runs beside the command, until the command ends."""
    lasts: Callable[[Path], None] = nothing
    """Assert that what was accepted before is still there, though the command is refused."""
    over: Callable[[Path], bool] = lambda _: False
    """Whether the command, though it failed, has done everything, so that it is not repeated."""
    refusals: tuple[str, ...] = ()
    """What the command may say when it is repeated, since it has done everything before."""


def is_over(folder: Path) -> bool:
    return (folder / RUN / "run.json").exists() and is_finished(folder / RUN)


def has_order(folder: Path) -> None:
    assert "anna" in rows(folder / RUN)


def make_played(folder: Path) -> None:
    """Make a kitchen that was killed while it played an order, and in which another waits."""
    run = kitchens.make_kitchen(folder, SENDERS[:1], closed=False)
    fault = "write\t*/checkpoints.sqlite-wal\t60\tkill"
    arguments = (QUICKLY, "resume", str(run), "--quiet")
    with Warm[str](arguments, cwd=folder, env=watch(folder, fault=fault)) as process:
        assert process.wait(120) == -9
    kitchens.send(run, SENDERS[1])


def is_ordered(folder: Path) -> None:
    assert rows(folder / RUN) == {"anna": None}


def is_withdrawn(folder: Path) -> None:
    assert rows(folder / RUN) == {"anna": "withdrawn", "bert": None}


def play_withdrawn(folder: Path) -> None:
    is_withdrawn(folder)
    kitchens.finish(folder / RUN, ["bert"])


def is_copied(folder: Path) -> None:
    assert not (folder / "copy.new").exists()
    assert (folder / "copy" / "run.json").exists()


def play_copy(folder: Path) -> None:
    is_copied(folder)
    kitchens.finish(folder / "copy", SENDERS)


SUITE = {
    "title": "two corridors",
    "scenarios": ["corridor/one", "corridor/two"],
    "arms": [{"planner": "embedded"}],
}


def make_suite(folder: Path) -> None:
    (folder / "suite.yaml").write_text(json.dumps(SUITE))


def is_swept(folder: Path) -> None:
    lines = (folder / "made" / "results.jsonl").read_text().splitlines()
    results = [json.loads(line) for line in lines]
    assert [result["spec"]["case"] for result in results] == SUITE["scenarios"]
    for result in results:
        trace = (folder / "made" / result["trace"]).read_text().splitlines()
        assert split_line(trace[-1])[1] == result["digest"]


SCENARIO, TRUTH = "mine.yaml", "mine.truth.yaml"


def truth_of(folder: Path, digest: str) -> str:
    """Return the truth of a shipped scenario, as that of a version with this digest."""
    kept = (SHIPPED_TRUTH / f"{SHIPPED}.yaml").read_text().splitlines(keepends=True)
    return "".join(
        f'scenario: "{digest}"\n' if line.startswith("scenario:") else line for line in kept
    )


def make_stale(folder: Path) -> None:
    """Make a scenario whose truth names an earlier version of it."""
    shutil.copy(load_scenario(SHIPPED).path, folder / SCENARIO)
    (folder / TRUTH).write_text(truth_of(folder, STALE))


def is_fixed(folder: Path) -> None:
    scenario = load_scenario(str(folder / SCENARIO))
    assert (folder / TRUTH).read_text() == truth_of(folder, scenario.truth_digest)


COMMANDS: Mapping[str, Command] = {
    "serve": Command(
        arguments=("serve", "small"),
        prepare=lambda folder: kitchens.make_kitchen(folder, SENDERS[:1], closed=True),
        said=nothing,
        finish=lambda folder: kitchens.verify_end(folder / RUN, SENDERS[:1]),
        lasts=has_order,
        over=is_over,
    ),
    "serve-anew": Command(
        arguments=("serve", "small", "--menu", MENU, "--pace", "0.01s"),
        prepare=kitchens.make_menu,
        said=nothing,
        finish=lambda folder: kitchens.verify_end(folder / RUN, SENDERS[:1]),
        over=is_over,
        beside=(kitchens.SENDER, str(RUN), kitchens.WORDS, kitchens.ACKNOWLEDGED),
    ),
    "serve-long": Command(
        arguments=("serve", "--world", dispatch.WORLD),
        prepare=lambda folder: dispatch.make_dispatch(folder, SENDERS),
        said=nothing,
        finish=lambda folder: dispatch.verify_delivered(folder, SENDERS),
        over=is_over,
    ),
    "serve-remote": Command(
        arguments=("serve", "--world", dispatch.WORLD),
        prepare=lambda folder: dispatch.make_dispatch(folder, SENDERS, remote=True),
        said=nothing,
        finish=lambda folder: dispatch.verify_delivered(folder, SENDERS),
        over=is_over,
        beside=(dispatch.WORKER, str(RUN)),
    ),
    "order": Command(
        arguments=(
            *("order", kitchens.WORDS, "--at", str(RUN)),
            *("--sender", "anna", "--id", "anna", "--patience", "0"),
        ),
        prepare=lambda folder: kitchens.make_kitchen(folder, (), closed=False),
        said=is_ordered,
        finish=lambda folder: kitchens.finish(folder / RUN, SENDERS[:1]),
    ),
    "withdraw": Command(
        arguments=("withdraw", "--sender", "anna", "--at", str(RUN)),
        prepare=lambda folder: kitchens.make_kitchen(folder, SENDERS, closed=True),
        said=is_withdrawn,
        finish=play_withdrawn,
    ),
    "close": Command(
        arguments=("close", "--at", str(RUN)),
        prepare=lambda folder: kitchens.make_kitchen(folder, SENDERS[:1], closed=False),
        said=nothing,
        finish=lambda folder: kitchens.finish(folder / RUN, SENDERS[:1]),
    ),
    "backup": Command(
        arguments=("backup", "copy", "--at", str(RUN)),
        prepare=make_played,
        said=is_copied,
        finish=play_copy,
        refusals=("exists already",),
    ),
    "bench": Command(
        arguments=("bench", "suite.yaml", "--folder", "made"),
        prepare=make_suite,
        said=is_swept,
        finish=is_swept,
    ),
    "check": Command(
        arguments=("check", "--fix", SCENARIO),
        prepare=make_stale,
        said=is_fixed,
        finish=is_fixed,
    ),
}
