"""A device behind HTTP, for tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Device:
    """A device behind HTTP that keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.tokens: list[str | None] = []
        self.spans: list[str | None] = []
        self.answer: tuple[int, Any] = (200, {"status": "done"})
        self.present = 200
        device = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                device.asked.append(json.loads(self.rfile.read(size)))
                device.tokens.append(self.headers.get("Authorization"))
                device.spans.append(self.headers.get("traceparent"))
                status, said = device.answer
                body = json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_HEAD(self) -> None:
                self.send_response(device.present)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/act"


@contextmanager
def serving() -> Iterator[Device]:
    """Yield a device that answers within the block."""
    found = Device()
    thread = threading.Thread(target=found.server.serve_forever)
    thread.start()
    try:
        yield found
    finally:
        found.server.shutdown()
        found.server.server_close()
        thread.join()
