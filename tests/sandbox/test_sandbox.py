"""What code of somebody else's learns of our environment, and what of it is written."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.api import create
from cookmas.commands.cli import app
from cookmas.episodes.failure import FailedError
from cookmas.episodes.secrets import SHORTEST, hide, secrets_of
from cookmas.files.errors import InputError
from cookmas.loading import load_scenario
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.sandbox.child import Child, Limits, environment
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.play import play as play_job
from cookmas.studies.bench.spec import EpisodeJob, EpisodeSpec, Probe
from cookmas.workers.own import OwnWorker
from cookmas.workers.protocol import Assigned

SCENARIO = "corridor/one"
KEY = "sk-prowl-1a2b3c4d5e6f"
PASSED = "sk-passed-9z8y7x6w5v"

PROWLERS = '''
import json, os, sys
from pathlib import Path
from cookmas.evals.verdict import Check
from cookmas.orchestrator.planner import Plan
from cookmas.workers.protocol import Report

def read(path):
    try:
        return Path(path).read_text(errors="replace")
    except OSError as error:
        return type(error).__name__

def seen():
    """All that can be learned of environments: the own one, and those of all processes."""
    ours = {str(pid): read(f"/proc/{pid}/environ") for pid in os.listdir("/proc") if pid.isdigit()}
    ours.pop(str(os.getpid()))
    parent = ours[str(os.getppid())]
    return {"own": dict(os.environ), "parent": parent, "others": list(ours.values())}

class Prowler:
    name, planner_class = "prowler", "assisted"
    async def plan(self, observation):
        return Plan(schedule=(), gave_up=json.dumps(seen()), memory=seen())

class Blurter:
    name, planner_class = "blurter", "assisted"
    async def plan(self, observation):
        print("on the wire:", os.environ["PASSED_TOKEN"])
        raise ValueError(f"401: Bearer {os.environ['PASSED_TOKEN']} is not welcome")

class Leader:
    name, planner_class = "leader", "assisted"
    async def plan(self, observation):
        Path(__file__).with_name("leader.json").write_text(json.dumps(seen()))
        return Plan(schedule=(), gave_up="seen")

class Worker:
    async def act(self, timestep, worker, assignment):
        return Report.done(result=seen())

def evaluator(evidence):
    yield Check(name="seen", subject="all", value=0, reason=json.dumps(seen()))
'''


@pytest.fixture(autouse=True)
def prowlers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody else's code, in a folder in which nothing else is, and secrets around it."""
    (tmp_path / "prowlers.py").write_text(PROWLERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("DATABASE_URL", f"postgresql://kitchen:{KEY}@localhost/kitchen")
    monkeypatch.setenv("PASSED_TOKEN", PASSED)
    return tmp_path


def asked(home: str, method: str, data: Any, *names: str) -> Any:
    child = Child(home, Limits(seconds=60, environment=names))
    try:
        return child.ask(method, data)
    finally:
        child.close()


def test_a_planner_puts_no_secret_into_a_trace(tmp_path: Path) -> None:
    run = cookmas.play(SCENARIO, "prowlers:Prowler", tmp_path / "run")
    assert run.trace.end
    seen = json.loads(run.trace.end.why)
    assert seen["own"]["PATH"] == os.environ["PATH"]
    assert {"OPENAI_API_KEY", "DATABASE_URL", "PASSED_TOKEN"}.isdisjoint(seen["own"])
    written = b"".join(each.read_bytes() for each in (tmp_path / "run").iterdir())
    assert KEY.encode() not in written
    assert PASSED.encode() not in written


@pytest.mark.skipif(
    subprocess.run(["unshare", "--user", "true"], capture_output=True, check=False).returncode != 0,
    reason="the system allows no user namespaces",
)
def test_no_process_outside_can_be_read() -> None:
    waiting = ["sh", "-c", "echo ready; read end"]
    asking = ["prowlers:Worker", 1, "w", Assigned("a").data()]
    with subprocess.Popen(waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"ready\n"
        control = Path(f"/proc/{other.pid}/environ").read_text()
        looked = asked("cookmas.workers.own", "act", asking)
        other.communicate()
    seen = looked["result"]
    assert KEY in control
    assert seen["parent"] == "PermissionError"
    assert len(seen["others"]) > 1
    assert set(seen["others"]) <= {"PermissionError", "FileNotFoundError", "ProcessLookupError", ""}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_a_hidden_process_is_unreadable_for_its_own_user(tmp_path: Path) -> None:
    """In a process of `nobody`, whose child then looks at it: before it is hidden, and after."""
    script = """
import ctypes, os
from pathlib import Path
from cookmas.sandbox.kernel import hide_this_process

def looks(parent):
    if not (child := os.fork()):
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
        try:
            os._exit(0 if b"OPENAI_API_KEY" in Path(f"/proc/{parent}/environ").read_bytes() else 2)
        except PermissionError:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

os.setgroups([])
os.setresgid(65534, 65534, 65534)
os.setresuid(65534, 65534, 65534)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
before = looks(os.getpid())
hide_this_process()
print(before, looks(os.getpid()))
"""
    path = os.pathsep.join(each or os.getcwd() for each in sys.path)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["0", "1"]


def test_who_starts_a_child_is_hidden() -> None:
    script = (
        "import ctypes; from cookmas.sandbox.child import Child, Limits; "
        "child = Child('cookmas.workers.own', Limits()); "
        "print(ctypes.CDLL(None).prctl(3)); child.ask('load', 'prowlers:Worker'); "
        "print(ctypes.CDLL(None).prctl(3)); child.close()"
    )
    path = os.pathsep.join(each or os.getcwd() for each in sys.path)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1", "0"]


def test_a_variable_is_passed_by_name_and_its_value_is_hidden(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ["run", SCENARIO, "-p", "prowlers:Blurter", "--pass-env", "PASSED_TOKEN"]
    done = CliRunner().invoke(app, [*arguments, "--json"])
    told = json.loads(done.stdout)
    assert "401: Bearer [PASSED_TOKEN] is not welcome" in told["verdict"]["why"]
    assert "on the wire: [PASSED_TOKEN]" in done.stderr
    folder = Path(told["folder"])
    written = b"".join(each.read_bytes() for each in folder.iterdir())
    assert PASSED.encode() not in written
    assert b"[PASSED_TOKEN]" in (folder / "traceback.txt").read_bytes()
    assert json.loads((folder / "run.json").read_text())["limits"]["environment"] == [
        "PASSED_TOKEN"
    ]


def test_a_run_gets_the_value_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(environment=("PASSED_TOKEN",))
    create(
        tmp_path / "run", RunRequest(scenario=SCENARIO, planner="prowlers:Blurter", limits=limits)
    )
    monkeypatch.delenv("PASSED_TOKEN")
    done = CliRunner().invoke(app, ["resume", str(tmp_path / "run")])
    assert done.exit_code == 2
    assert "cookmas: --pass-env PASSED_TOKEN: is not set in the environment\n" in done.stderr
    monkeypatch.setenv("PASSED_TOKEN", "another value")
    done = CliRunner().invoke(app, ["resume", str(tmp_path / "run"), "--json"])
    assert "Bearer [PASSED_TOKEN] is" in json.loads(done.stdout)["verdict"]["why"]


@pytest.mark.parametrize("said", [f"OPENAI_API_KEY={KEY}", "", "A B", "A\0"])
def test_what_is_no_name_is_refused_and_not_repeated(said: str) -> None:
    arguments = ["run", SCENARIO, "-p", "prowlers:Prowler", "--pass-env", said]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    expected = "expected a name such as OPENAI_API_KEY, without its value"
    assert done.stderr == f"cookmas: --pass-env: {expected}\n"


async def test_evaluators_and_workers_get_what_is_passed_to_them() -> None:
    await cookmas.aplay(SCENARIO, folder="run")
    arguments = ["eval", "run", "--evaluator", "prowlers:evaluator", "--json"]
    for more, shown in ((), None), (("--pass-env", "PASSED_TOKEN"), "[PASSED_TOKEN]"):
        done = CliRunner().invoke(app, [*arguments, *more])
        (check,) = json.loads(done.stdout)["own"]
        own = json.loads(check["reason"])["own"]
        assert own.get("PASSED_TOKEN") == shown
        assert "OPENAI_API_KEY" not in own
    with contextlib.closing(OwnWorker("prowlers:Worker", ("PASSED_TOKEN",))) as worker:
        own = (await worker.act(1, "worker_1", Assigned("wait"))).result["own"]
    assert own["PASSED_TOKEN"] == "[PASSED_TOKEN]"
    assert "OPENAI_API_KEY" not in own


@pytest.mark.parametrize(
    "command",
    [
        ["run", SCENARIO, "-p", "prowlers:Prowler"],
        ["serve", "-p", "prowlers:Prowler"],
        ["live", "level1/01", "-p", "prowlers:Prowler"],
        ["bench", "suite.yaml", "-p", "prowlers:Prowler"],
        ["eval", "run", "--evaluator", "prowlers:evaluator"],
        ["worker", "worker_1", "--redis", "redis://localhost:1/0#x", "--by", "prowlers:Worker"],
    ],
    ids=lambda command: command[0],
)
def test_whoever_starts_code_of_somebody_elses_passes_variables_by_name(
    command: list[str], tmp_path: Path
) -> None:
    (tmp_path / "suite.yaml").write_text(f"title: One\nscenarios: [{SCENARIO}]\n")
    done = CliRunner().invoke(app, [*command, "--pass-env", "NOWHERE"])
    assert done.exit_code == 2
    assert done.stderr == "cookmas: --pass-env NOWHERE: is not set in the environment\n"


async def test_the_planner_that_leads_to_a_probe_runs_apart_too(tmp_path: Path) -> None:
    spec = EpisodeSpec(
        case="one state 1", arm="embedded", repeat=1, seed=1, world="corridor", scenario="one",
        scenario_digest=load_scenario(SCENARIO).digest, planner="embedded",
        probe=Probe(by="prowlers:Leader", state=1, states=1),
    )  # fmt: skip
    limits = SweepLimits(planner=Limits(environment=("PASSED_TOKEN",)))
    played = await play_job(EpisodeJob(spec=spec, limits=limits))
    assert played.trace
    own = json.loads((tmp_path / "leader.json").read_text())["own"]
    assert own["PASSED_TOKEN"] == PASSED
    assert "OPENAI_API_KEY" not in own


def test_only_what_every_program_needs_goes_to_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHON_KEYRING_SECRET", "HTTPS_PROXY", "LC_SECRET_1", "LANG_TOKEN", "SSL_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("LC_TIME", "C")
    passed = environment(["PASSED_TOKEN"])
    assert KEY not in "".join(passed.values())
    assert passed["LC_TIME"] == "C"
    assert passed["PASSED_TOKEN"] == PASSED
    with pytest.raises(InputError, match="NOWHERE: is not set"):
        environment(["NOWHERE"])


def test_which_values_are_secret() -> None:
    long = "x" * SHORTEST
    names = "OPENAI_API_KEY GITHUB_TOKEN AWS_SECRET_ACCESS_KEY PGPASSWORD SECRET_KEY_BASE MY_KEYS"
    for name in names.split():
        assert secrets_of({name: long}) == {long: f"[{name}]"}
    for name in ("TOKENIZERS_PARALLELISM", "KEYBOARD", "PATH"):
        assert not secrets_of({name: long})
    assert not secrets_of({"OPENAI_API_KEY": long[1:]})
    assert secrets_of({"DATABASE": f"postgresql://me:{long}@here/x"}) == {long: "[DATABASE]"}
    both = secrets_of({"A_KEY": long, "B_KEY": f"{long}-{long}", "C_KEY": f"BEGIN\n{long}yz\nEND"})
    assert hide(f"{long}-{long} {long} {long}yz", both) == "[B_KEY] [A_KEY] [C_KEY]"
    assert hide('a%2Fb%22c%3Dde a\\/b"c=de a/b\\"c=de', secrets_of({"A_KEY": 'a/b"c=de'})) == (
        "[A_KEY] [A_KEY] [A_KEY]"
    )


ASKED_TOO_LATE = """
import os, signal
from cookmas.sandbox.kernel import keep

set_handler = signal.signal

def ask_and_set(number, handler):
    if handler is signal.SIG_IGN:
        os.kill(os.getpid(), signal.SIGTERM)
    return set_handler(number, handler)

signal.signal = ask_and_set
keep(os.getppid(), os.dup(1))
os._exit(3)
"""
"""A keeper that is asked to end when its child has just ended with exit code 3."""


def test_a_keeper_that_is_asked_to_end_too_late_ends_as_its_child() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ASKED_TOO_LATE], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (3, "")


STARVING = """
import os

async def starve(data):
    raise MemoryError

async def fail(data):
    raise ValueError

async def number(data):
    return os.getpid()
"""


def test_a_child_that_is_out_of_memory_serves_no_further_call(tmp_path: Path) -> None:
    (tmp_path / "starving.py").write_text(STARVING)
    child = Child("starving", Limits(seconds=60))
    with contextlib.closing(child):
        numbers = [child.ask("number", None)]
        for method in ("fail", "starve"):
            with pytest.raises(FailedError):
                child.ask(method, None)
            numbers.append(child.ask("number", None))
    first, after_failure, after_starving = numbers
    assert after_failure == first
    assert after_starving != first


def test_a_child_that_sends_what_is_no_reply_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd.py").write_text("import os\nasync def number(data):\n    return os.getpid()\n")
    child = Child("odd", Limits(seconds=60))
    with contextlib.closing(child):
        first = child.ask("number", None)
        with monkeypatch.context() as patched:
            patched.setattr("cookmas.sandbox.child.receive", lambda *_: "done")
            with pytest.raises(FailedError, match="its process sent a message of an unknown kind"):
                child.ask("number", None)
        assert child.ask("number", None) != first
