"""The wheel, installed, runs where a user's own modules have the names of our folders."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.folders import LINKED
from tests.warm import ROOT

OWN = [
    "agents",
    "episodes",
    "evals",
    "files",
    "kitchen",
    "mailboxes",
    "modelserver",
    "orchestrator",
    "sandbox",
    "scenarios",
    "workers",
    "worlds",
]
"""The modules of the user, each of which has one fact."""

PLANNER = f"""
from dataclasses import replace
from cookmas.solving.corridor.planners import EmbeddedPlanner
import {", ".join(OWN)}

class Planner(EmbeddedPlanner):
    name = "mine"

    async def plan(self, observation):
        facts = [{", ".join(f"{name}.FACT" for name in OWN)}]
        return replace(await super().plan(observation), reasoning=" ".join(facts))
"""

FACTS = " ".join(f"my {name}" for name in OWN)

SCRIPT = """
import cookmas
import kitchen, mine
from cookmas.episodes.trace import PlanRecord

assert cookmas.play("level1/01").success
run = cookmas.play("corridor/one", mine.Planner())
assert run.success
print(next(run.trace.of(PlanRecord)).reasoning)
print(kitchen.__file__)
print(cookmas.__file__)
"""


def build(source: Path, target: str, out: Path) -> Path:
    """Build a wheel or an sdist of a folder, without a network; return its file."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", out],
        cwd=source,
        capture_output=True,
        check=True,
    )
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, and with the packages that it needs from ours."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = str(folder / "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    options = ("--quiet", "--no-deps", "--no-index", "--no-compile")
    subprocess.run([*pip, "install", *options, wheel], check=True)
    own = sysconfig.get_path("purelib", vars={"base": str(folder)})
    Path(own, "needed.pth").write_text(sysconfig.get_path("purelib"))
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of the user."""
    for name in OWN:
        (tmp_path / f"{name}.py").write_text(f"FACT = 'my {name}'\n")
    (tmp_path / "mine.py").write_text(PLANNER)
    (tmp_path / "script.py").write_text(SCRIPT)
    return tmp_path


def run(environment: Path, home: Path, program: str, *arguments: str) -> str:
    """Run a program of the environment in the user's folder; return what it printed."""
    done = subprocess.run(
        [environment / "bin" / program, *arguments],
        cwd=home,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_a_script_plays_beside_modules_of_these_names(environment: Path, home: Path) -> None:
    why, theirs, ours = run(environment, home, "python", "script.py").splitlines()
    assert why == FACTS
    assert theirs == str(home / "kitchen.py")
    assert Path(ours).is_relative_to(environment)


def test_the_command_plays_with_a_planner_in_its_own_process(environment: Path, home: Path) -> None:
    run(environment, home, "cookmas", "run", "corridor/one", "-p", "mine:Planner", "--quiet")
    assert FACTS in (home / "runs/corridor-one-mine/trace.jsonl").read_text()


def test_a_new_world_is_written_and_played(environment: Path, home: Path) -> None:
    run(environment, home, "cookmas", "new", "world", "pond")
    told = run(environment, home, "cookmas", "run", "one", "--world", "pond:DOMAIN", "--quiet")
    assert told.strip().startswith("SUCCESS")


def files_of(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_wheel_is_the_same_from_the_sdist_and_from_a_clone_without_links(
    wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(build(ROOT, "sdist", tmp_path / "sdist")) as archive:
        assert not [each.name for each in archive if each.issym()]
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Since Python 3.11.4.
        archive.extractall(tmp_path)
    (source,) = tmp_path.glob("cookmas-*")
    expected = files_of(wheel)
    assert files_of(build(source, "wheel", tmp_path / "from sdist")) == expected
    for name in LINKED:
        (source / "cookmas" / name).write_text(f"../{name}")
    assert files_of(build(source, "wheel", tmp_path / "links as text")) == expected


def test_the_wheel_has_one_package_with_every_module(wheel: Path) -> None:
    built = {name for name in files_of(wheel) if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in built} == {"cookmas"}
    here = [path for path in (ROOT / "cookmas").rglob("*.py") if not path.is_symlink()]
    modules = {str(path.relative_to(ROOT)) for path in here}
    linked = [path for name in LINKED for path in (ROOT / name).rglob("*.py")]
    modules |= {f"cookmas/{path.relative_to(ROOT)}" for path in linked}
    assert {name for name in built if name.endswith(".py")} == modules
    assert {"cookmas/py.typed", "cookmas/__init__.pyi"} <= built
