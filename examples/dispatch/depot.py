"""The depot: a device behind HTTP. It takes jobs, and drives a subprocess for each delivery.

`POST /jobs` with an address and seconds sends an order to the open dispatch. `POST /act` is the
contract of workers behind HTTP: the depot answers at once that a delivery runs, is done, or has
failed. It knows deliveries by the ids of their assignments, so it does none twice, whatever happens
to the orchestrator. `GET /deliveries` lists them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
import zlib
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cookmas.client import Client
from cookmas.files.errors import CookMASError

DRIVE = "import sys, time; time.sleep(float(sys.argv[1])); sys.exit(int(sys.argv[2]))"
"""What a van runs: it takes some seconds, and has a flat tyre or not."""


@dataclass
class Delivery:
    """A delivery, which runs in a subprocess."""

    van: str
    job: str
    process: subprocess.Popen[bytes]
    began: float
    took: float | None = None

    def report(self) -> dict[str, Any]:
        """Return the report on the delivery."""
        code = self.process.poll()
        if code is None:
            return {"status": "running"}
        if self.took is None:
            self.took = round(time.monotonic() - self.began, 1)
        if code:
            return {"status": "failed", "why": f"{self.van} has a flat tyre."}
        return {"status": "done", "result": {"took": self.took}}


class Depot:
    """The deliveries by the ids of their assignments."""

    def __init__(self, at: str) -> None:
        self._at = at
        self._lock = threading.Lock()
        self.deliveries: dict[str, Delivery] = {}

    def act(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Begin a delivery, unless it is known, or stop it; return the report on it."""
        action: str = asked["action"]
        if not action.startswith("deliver("):
            return {"status": "done"}
        key, job, order = asked["id"], action[len("deliver(") : -1], asked["payload"]
        with self._lock:
            if key not in self.deliveries:
                flat = zlib.crc32(key.encode()) % 5 == 0
                arguments = (str(order["seconds"]), str(int(flat)))
                process = subprocess.Popen([sys.executable, "-c", DRIVE, *arguments])
                self.deliveries[key] = Delivery(asked["worker"], job, process, time.monotonic())
            if asked.get("stop"):
                self.deliveries[key].process.terminate()
                self.deliveries[key].process.wait()
            return self.deliveries[key].report()

    def order(self, job: dict[str, Any]) -> dict[str, Any]:
        """Send a job to the open dispatch; return its answer."""
        with Client(self._at, sender=None, world="examples.dispatch:DOMAIN") as client:
            seconds = str(job["seconds"])
            answer = client.say("order", address=str(job["address"]), seconds=seconds)
        assert answer is not None
        return {"status": answer.status, "job": answer.about, "why": answer.why}

    def list_deliveries(self) -> list[dict[str, Any]]:
        """Return the deliveries with their reports."""
        found = self.deliveries.items()
        return [{"id": key, "job": each.job, **each.report()} for key, each in found]


def handler_of(depot: Depot) -> type[BaseHTTPRequestHandler]:
    """Return the handler of the depot's requests."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                self._answer(200, depot.act(asked) if self.path == "/act" else depot.order(asked))
            except (CookMASError, KeyError) as error:
                self._answer(400, {"status": "refused", "why": str(error)})

        def do_GET(self) -> None:
            self._answer(200, depot.list_deliveries())

        def do_HEAD(self) -> None:
            self.send_response(200)
            self.end_headers()

        def _answer(self, status: int, said: Any) -> None:
            body = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    return Handler


def main() -> None:
    """Serve the depot until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--at", default="runs/open", help="The folder of the open dispatch.")
    given = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", given.port), handler_of(Depot(given.at)))
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
