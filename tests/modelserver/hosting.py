"""The model server in a thread of the tests, where its process is not what is tested."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cookmas.modelserver.answers import Scripted
from cookmas.modelserver.app import AnswerFile, Endpoint, Timing
from cookmas.modelserver.faults import Faults
from cookmas.modelserver.listening import PromptServer, listen
from cookmas.modelserver.scripts import Scripts
from cookmas.modelserver.serve import configure
from tests.cookmas.commands.calling import cookmas


class Hosted:
    """A server with the options of `cookmas model-server`, which plans in one thread.

    It has the connections of the command, and starts in a few milliseconds.
    """

    url: str

    def __init__(self, *options: str) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("cookmas.modelserver.serve.serve", self._begin)
            done = cookmas("model-server", "--port", "0", *options)
        assert done.exit_code == 0, done.output

    def _begin(
        self,
        *,
        worlds: Mapping[str, str],
        host: str,
        port: int,
        faults: Faults,
        timing: Timing,
        answers: Path | None,
        **_: Any,
    ) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1)
        self._recorded = AnswerFile(answers, faults) if answers else None
        scripted = Scripted(Scripts(worlds), faults, self._pool)
        endpoint = Endpoint(scripted, faults, timing, self._recorded)
        self._server = PromptServer(configure(endpoint.app()))
        listener = listen(host, port)
        self.url = f"http://{host}:{listener.getsockname()[1]}/v1"
        serving = self._server.serve(sockets=[listener])
        self._thread = threading.Thread(target=asyncio.run, args=[serving], daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._pool.shutdown()
        if self._recorded:
            self._recorded.close()
