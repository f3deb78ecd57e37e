"""LangSmith, to which LangChain sends orders, prompts and plans only if an option asks for it.

LangChain itself decides by environment variables of the process, and passes its callbacks on to
whatever is run inside. Neither reaches into `langsmith_context`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cookmas.files.errors import MachineError

OLD_VARIABLES = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
"""The variables of LangChain's first tracer."""


@contextmanager
def langsmith_context(*, enabled: bool | None = None) -> Iterator[None]:
    """Run a block of which LangSmith gets everything if `enabled`, otherwise nothing.

    If `enabled` is None, an enclosing block decides; without one, LangSmith gets nothing. The block
    does not inherit the configuration of a chain or graph that calls it. In LangSmith it is part of
    the caller's run all the same.

    Raise MachineError if LangChain would refuse to run, by a variable of a tracer that is gone.
    """
    from langchain_core.runnables.config import var_child_runnable_config
    from langchain_core.utils.env import env_var_is_set
    from langsmith.run_helpers import get_tracing_context, tracing_context

    around = get_tracing_context()
    decided = (around["enabled"] or False) if enabled is None else enabled
    for name in OLD_VARIABLES:
        if env_var_is_set(name) and not decided:
            raise MachineError(name, "LangChain runs no graph while this variable is set; unset it")
    inherited = var_child_runnable_config.set(None)
    try:
        with tracing_context(**{**around, "enabled": decided}):
            yield
    finally:
        var_child_runnable_config.reset(inherited)
