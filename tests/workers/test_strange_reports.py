"""Whatever a device says, its report can be stored, and the episode goes on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from cookmas.episodes.level import Level
from cookmas.episodes.parts import ReportRecord
from cookmas.episodes.trace import EventRecord, StepRecord, to_line
from cookmas.episodes.trace_file import read_record
from cookmas.files.errors import InputError
from cookmas.files.plain import pack_to_store
from cookmas.files.unpacking import TooLargeError
from cookmas.mailboxes.protocol import read_envelope
from cookmas.orchestrator.checkpoints.serializer import PlainSerializer
from cookmas.orchestrator.graph.underway import Jobs
from cookmas.orchestrator.library import Library
from cookmas.workers.http_worker import HttpWorker
from cookmas.workers.own import OwnWorker
from cookmas.workers.protocol import MOST_ACTION, MOST_REPORT, Assigned, Report, Worker
from cookmas.workers.remote import RemoteWorker, WireChannel
from cookmas.workers.wires import wire_at
from tests.workers.elsewhere import Where
from tests.workers.incubator import Incubator, Written, play
from tests.workers.strange import SAID, readable

LONG = Assigned("bake", "worker_2", 1, "bakery", timesteps=9)

Said = Callable[[str], Awaitable[None]]
"""A function that lets the device say a text next."""

STORE = PlainSerializer("the test")


def assert_can_be_stored(report: Report) -> None:
    assert len(report.why) <= MOST_ACTION
    record = ReportRecord.model_validate(report.data())
    event = EventRecord(timestep=1, event={"kind": "report", **report.data()}, injected=True)
    assert read_record(to_line(event), "the test") == event
    plain = record.model_dump(exclude_none=True)
    assert STORE.loads_typed(STORE.dumps_typed({"reports": plain})) == {"reports": plain}


async def assert_every_report_can_be_stored(worker: Worker, say: Said) -> None:
    jobs = Jobs({"worker_2": worker})
    for text in SAID:
        await say(text)
        report = await asyncio.wait_for(jobs.report(1, "worker_2", LONG, 60), 60)
        assert_can_be_stored(report)
        assert report.status == "done" or report.why or '"why":' in text, text
    await jobs.close()


async def test_over_a_wire(where: Where) -> None:
    ours, theirs = (wire_at(where, "worker_2", 60) for _ in range(2))
    worker = RemoteWorker(WireChannel(ours), 60)
    next_said: list[str] = []

    async def answer() -> None:
        seen = "0"
        while True:
            for entry, _ in await theirs.wait("work", seen, 2):
                seen = entry
                said = {"assignment": entry, "action": "", "report": next_said[-1] or "?"}
                await theirs.report(said)

    async def say(text: str) -> None:
        next_said.append(text.replace("\x00", "\x01"))

    answering = asyncio.create_task(answer())
    await assert_every_report_can_be_stored(worker, say)
    answering.cancel()
    await asyncio.gather(answering, return_exceptions=True)
    for wire in (ours, theirs):
        await wire.close()


@asynccontextmanager
async def _device(answer: Callable[[BaseHTTPRequestHandler], None]) -> AsyncIterator[HttpWorker]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            with contextlib.suppress(ConnectionError):
                answer(self)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield HttpWorker(f"http://127.0.0.1:{server.server_port}/act")
    await asyncio.to_thread(server.shutdown)
    server.server_close()
    thread.join()


async def test_over_http() -> None:
    said: list[str] = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(said[-1].encode())))
        request.end_headers()
        request.wfile.write(said[-1].encode())

    async def say(text: str) -> None:
        said.append(text)

    async with _device(answer) as worker:
        await assert_every_report_can_be_stored(worker, say)


class Speaker:
    """A worker that answers with what it read last."""

    def __init__(self) -> None:
        self.says: Any = None

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Any:
        return self.says


async def test_from_an_object() -> None:
    speaker = Speaker()

    async def say(text: str) -> None:
        with contextlib.suppress(ValueError, RecursionError, TypeError):
            speaker.says = _report_in(json.loads(text))

    await assert_every_report_can_be_stored(speaker, say)


async def test_from_a_class_in_a_subprocess(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "speakers.py").write_text(
        "import json\n"
        "from pathlib import Path\n"
        "from cookmas.workers.protocol import Report\n"
        "class Speaker:\n"
        "    async def act(self, timestep, worker, assignment):\n"
        "        said = json.loads(Path('said').read_text())\n"
        "        return Report(**{'action': None, 'why': '', **said})\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    async def say(text: str) -> None:
        Path("said").write_text(text)

    with contextlib.closing(OwnWorker("speakers:Speaker")) as worker:
        await assert_every_report_can_be_stored(worker, say)


async def test_an_episode_goes_on_whatever_its_worker_says() -> None:
    said = [each for each in readable() if isinstance(each, dict) and each.get("status") == "done"]
    speaker = _OneAfterAnother(said)
    world = Incubator(Level())
    world.wanted = 1_000
    rows = [{"left": "stir"}] * len(said)
    trace = await play(Written(*rows), world, workers={"left": speaker}, horizon=len(said))
    steps = [*trace.of(StepRecord)]
    assert len(steps) == len(said)
    assert all(fail.why for step in steps for fail in step.fails.values())


class _OneAfterAnother:
    """A worker that answers with one report after another."""

    def __init__(self, said: list[Any]) -> None:
        self._said = iter(said)

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        return _report_in(next(self._said))


def _report_in(data: Any) -> Report:
    return Report(**{"action": None, "why": "", **data})


def test_an_event_can_be_stored_or_is_refused_in_one_line() -> None:
    refused: list[str] = []
    for said in readable():
        try:
            envelope = read_envelope({"id": "1", "sender": "anna", "event": {"kind": said}})
        except InputError as error:
            refused.append(str(error))
        else:
            assert json.loads(pack_to_store(envelope.event)) == envelope.event
    assert all(len(each.splitlines()) == 1 for each in refused)
    assert any("integers of at most 64 bits" in each for each in refused)


async def test_a_text_that_is_looked_up_can_be_stored() -> None:
    async def fetch(key: str) -> str:
        return SAID[int(key)].encode().decode("unicode_escape", "replace")

    texts = await Library(fetch).look_up(str(number) for number in range(len(SAID)))
    for text in texts.values():
        assert json.loads(pack_to_store(text)) == text


@pytest.mark.parametrize("status", [200, 500])
async def test_a_body_is_not_read_beyond_its_limit(status: int) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(bytes(2**20)) for _ in range(30)) + packer.flush()

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Encoding", "gzip")
        request.send_header("Content-Length", str(len(bomb)))
        request.end_headers()
        request.wfile.write(bomb)

    async with _device(answer) as worker:
        with pytest.raises(TooLargeError, match="more than 262144 bytes"):
            await worker.act(1, "worker_2", LONG)
        tracemalloc.start()
        report = await Jobs({"worker_2": worker}).report(1, "worker_2", LONG, 60)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert report.why.startswith("TooLargeError: the body has more than")
    assert peak < 8 * MOST_REPORT


@pytest.mark.parametrize(("packed", "fits"), [("gzip", True), ("deflate", True), ("br", False)])
async def test_a_body_may_be_packed_as_was_asked_for(packed: str, fits: bool) -> None:
    packer = zlib.compressobj(wbits=31 if packed == "gzip" else 15)
    body = packer.compress(b'{"status": "done", "result": 7}') + packer.flush()

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Encoding", packed)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    async with _device(answer) as worker:
        if fits:
            assert await worker.act(1, "worker_2", LONG) == Report.done(result=7)
        else:
            with pytest.raises(TooLargeError, match="packed by 'br'; expected gzip"):
                await worker.act(1, "worker_2", LONG)
