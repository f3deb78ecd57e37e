"""A device behind HTTP that takes some time, and counts what it does by the ids of assignments."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any


class Device:
    """A device that begins the work of an id once, and answers each request when it has ended.

    The seconds of each work, at most `longest`, are drawn by its id. The work goes on though the
    request is given up. `begun` has the action of each id, `asked` the number of its requests.
    """

    def __init__(self, longest: float) -> None:
        self.begun: dict[str, str] = {}
        self.asked: Counter[str] = Counter()
        self._longest = longest
        self._ends: dict[str, float] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Where it takes assignments."""
        return f"http://127.0.0.1:{self._server.server_port}/act"

    def act(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Work until the work of an assignment has ended; return the report."""
        key, action = asked["id"], asked["action"]
        if action == "wait":
            return {"status": "done"}
        seconds = self._longest * Random(key).random()
        with self._lock:
            self.asked[key] += 1
            self._ends.setdefault(key, time.monotonic() + seconds)
            assert self.begun.setdefault(key, action) == action
        time.sleep(max(0.0, self._ends[key] - time.monotonic()))
        return {"status": "done", "result": {"took": round(seconds, 1)}}

    def close(self) -> None:
        """Take no more requests."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        device = self

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                self.send_response(200)
                self.end_headers()

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                body = json.dumps(device.act(asked)).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:  # Its worker was killed, and asks again.
                    self.close_connection = True

            def log_message(self, *said: object) -> None:
                """Say nothing."""

        return Handler
