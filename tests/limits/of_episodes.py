"""Limits of what is written, shown and sent about episodes: traces, pages, suites, reports."""

from __future__ import annotations

import io
import json
import os
import subprocess
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from starlette.requests import Request

from cookmas.bridges.inspect_ai import scorer
from cookmas.commands import play
from cookmas.display.live.app import Counter
from cookmas.display.page import comparing
from cookmas.episodes.answered import check_payload
from cookmas.episodes.checking_worlds import Difference
from cookmas.episodes.failure import failure_of
from cookmas.episodes.sessions import read_sessions
from cookmas.episodes.trace_file import iterate_whole_lines
from cookmas.evals.verdict import Check
from cookmas.files.errors import InputError
from cookmas.mailboxes.protocol import Answer
from cookmas.new import write_world
from cookmas.orchestrator.thinking import ThinkingPrice
from cookmas.people.orchestrating.page import PagePlace
from cookmas.people.working.page import PageSeat
from cookmas.sandbox import child
from cookmas.status import _read_termination
from cookmas.studies.bench.suite import episodes_of, load_suite
from cookmas.studies.report import results
from cookmas.workers.protocol import Report
from cookmas.workers.remote import RemoteWorker, Reported
from tests.evals.machine import price, work
from tests.limits.limit import Limit, text
from tests.warm import COOKMAS, ROOT, Warm

GOLDEN = Path(__file__).parents[1] / "traces" / "level1-01.jsonl"


def _print(size: int) -> bool:
    """Return whether a child's line of that many characters, with its end, is passed on."""
    said = io.StringIO()
    with redirect_stderr(said):
        child._relay(io.BytesIO(text(size - 1).encode() + b"\nmore\n"), {})
    return said.getvalue().splitlines()[0] == text(size - 1)


def _keep_traceback(size: int) -> bool:
    """Return whether a traceback of that many characters is kept whole."""
    told = failure_of(ValueError("x" * (size - len("ValueError: \n"))))
    return told.traceback.startswith("ValueError: ")


def _read_line(size: int) -> None:
    Path("trace").write_bytes(b"x" * size + b"\n")
    assert len(list(iterate_whole_lines(Path("trace")))) == 1


def _find_end(size: int) -> bool:
    """Return whether the end of a trace is found whose last line has that many bytes."""
    last = GOLDEN.read_text().splitlines()[-1]
    why = "Nothing" + "!" * (size - len(last) - 1)
    Path("trace.jsonl").write_text("{}\n" + last.replace("Nothing", why) + "\n")
    return _read_termination(Path()) == "finished"


def _read_sessions(size: int) -> None:
    data = '{"sessions": []}'
    Path("measurements.json").write_text(data + " " * (size - len(data)))
    read_sessions(Path("measurements.json"))


def _request(body: bytes) -> Request:
    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


async def _send(handle: Callable[[Request], Any], data: Any, size: int) -> None:
    """Send data to a page's handler in a body of that many bytes."""
    body = json.dumps(data).encode()
    response = await handle(_request(body + b" " * (size - len(body))))
    if response.status_code >= 300:
        raise InputError("request", json.loads(response.body)["why"])


async def _answer_seat(size: int) -> None:
    seat: Any = SimpleNamespace(worker="alice", answer=lambda number, said: None)
    _, take = PageSeat(seat).routes
    await _send(take.endpoint, {"number": 1, "said": ""}, size)


async def _write_schedule(size: int) -> None:
    _, take, *_ = PagePlace().routes
    try:
        await _send(take.endpoint, {"wanted": "1", "rows": []}, size)
    except InputError as error:
        if "it is too late" not in str(error):
            raise


class Taking:
    """A letterbox that takes everything, for the owner of an episode."""

    async def house_token(self) -> None:
        """Return no token."""

    async def post(self, envelope: Any) -> Any:
        return Answer(id=envelope.id, status="taken")


def _counter() -> Counter:
    return Counter(Taking(), (), house=True)  # type: ignore[arg-type]


async def _send_message(size: int) -> None:
    await _send(_counter().take, {"kind": "instruct", "words": "be quick"}, size)


def _fill_field(size: int) -> None:
    _counter()._event(json.dumps({"kind": "instruct", "words": "x" * size}).encode())


def _explain(count: int) -> list[int]:
    checks = [
        Check(name="served", subject=str(n), value=0, passed=False, reason="no")
        for n in range(count)
    ]
    found: Any = SimpleNamespace(success=False, why="not served", checks=checks)
    return [int(line.split()[1][:-1]) for line in scorer._explain(found).splitlines()[1:]]


def _describe_mistake(size: int) -> str:
    return results._mistake(
        Check(name="mistake", subject="x", value=1, evidence=text(size))
    ).example


def _list_episodes(count: int) -> None:
    Path("suite.yaml").write_text(
        f"title: Many\nscenarios: [corridor/one]\nrepeats: {count}\narms: [{{planner: embedded}}]\n"
    )
    assert len(episodes_of(*load_suite("suite.yaml"))) == count


async def _report(report: Reported) -> None:
    class Channel:
        async def assign(self, timestep: int, assignment: str) -> str:
            return "1"

        async def reports(self, seconds: float) -> list[Reported]:
            return [report]

    await RemoteWorker(Channel(), 5.0).act(0, "worker_1", "wait")  # type: ignore[arg-type]


def _go_on(calls: int) -> bool:
    """Return whether a person is asked again after so many schedules that lead nowhere."""
    code = f"from cookmas.commands import play\nplay.MOST_CALLS = {play.MOST_CALLS}\n{COOKMAS}"
    folder = Path(f"{calls} calls").absolute()
    folder.mkdir()
    process = Warm[str](
        (code, "play", "corridor/one"),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "dumb"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said, errors = process.answered("1: stay\ndo\n" * calls)
    assert process.returncode in (1, 2), said + errors
    return process.returncode == 2


LIMITS = [
    Limit(name="sandbox.child:MOST_PRINTED", reach=_print, above="left out", patched=50),
    Limit(name="episodes.failure:LONGEST_TRACEBACK", reach=_keep_traceback, above="left out"),
    Limit(name="episodes.trace_file:LONGEST_LINE", reach=_read_line, patched=1000),
    Limit(name="status:LONGEST_END", reach=_find_end, above="left out"),
    Limit(name="episodes.sessions:MOST_OF_SESSIONS", reach=_read_sessions, patched=100),
    Limit(
        name="episodes.checking_worlds:LONGEST",
        reach=lambda n: str(Difference("w", "view", text(n), "")).split()[-2],
        above="cut",
    ),
    Limit(name="people.working.page:LONGEST", reach=_answer_seat),
    Limit(name="people.orchestrating.page:LONGEST", reach=_write_schedule),
    Limit(name="display.live.app:LONGEST", reach=_send_message),
    Limit(name="display.live.app:LONGEST_FIELD", reach=_fill_field),
    Limit(
        name="display.page.comparing:LONGEST",
        reach=lambda n: comparing._value([text(n)]),
        above="cut",
    ),
    Limit(name="bridges.inspect_ai.scorer:MOST", reach=_explain, above="cut"),
    Limit(name="studies.report.results:LONGEST", reach=_describe_mistake, above="shortened"),
    Limit(name="studies.bench.suite:MOST_EPISODES", reach=_list_episodes, patched=5),
    Limit(
        name="workers.protocol:MOST_ACTION",
        reach=lambda n: _report({"assignment": "1", "action": "x" * n}),
    ),
    Limit(
        name="workers.protocol:MOST_REPORT",
        reach=lambda n: _report({"assignment": "1", "report": '{"status":"done"}'.ljust(n)}),
    ),
    Limit(
        name="workers.protocol:MOST_RESULT",
        reach=lambda n: Report.of_data({"status": "done", "result": text(n - 2)}).result,
    ),
    Limit(
        name="episodes.answered:MOST_PAYLOAD",
        reach=lambda n: check_payload(SimpleNamespace(name="w"), text(n - 2), "bake"),
    ),
    Limit(
        name="orchestrator.thinking:MOST_PRICE", reach=lambda n: ThinkingPrice.parse(f"{n} tokens")
    ),
    Limit(
        name="evals.disruptions:MOST_DISRUPTIONS",
        reach=lambda n: price(work(dict.fromkeys(range(n), 1), [True] * n))[-1].scored,
        above="left out",
        patched=4,
    ),
    Limit(name="commands.play:MOST_CALLS", reach=_go_on, above="left out", patched=3),
    Limit(name="new:LONGEST", reach=lambda n: write_world(text(n), Path())),
]
