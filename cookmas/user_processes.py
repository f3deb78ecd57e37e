"""User-supplied planners and evaluators in their own processes."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any

from cookmas.episodes.failure import FailedError
from cookmas.evals.judging import check_of_failure
from cookmas.evals.verdict import Check, Verdict
from cookmas.files.naming import is_code
from cookmas.orchestrator.planners.calling import load_own_planner
from cookmas.sandbox.child import Child, Limits

if TYPE_CHECKING:
    from cookmas.orchestrator.member import Team
    from cookmas.orchestrator.planner import Planner
    from cookmas.orchestrator.planners.naming import NamedPlayer


def is_own(spec: str, named: Mapping[str, str]) -> bool:
    """Return whether a planner is user-supplied: its name is a `module:Class`, and not one of
    `named`.
    """
    return is_code(spec) and spec not in named


class UserProcesses:
    """The processes in which user-supplied code runs.

    Use it in a `with` block, at whose end the processes end. Until a process fails, it is reused
    for all episodes of a suite. `home` names the class that makes a planner inside the planner's
    process, and `told` is plain data for it.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        home: str = "cookmas.hosted:HostedPlanner",
        told: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        limits = limits or Limits()
        self._home = home
        self._told = told
        self._limits = limits
        self._planners: dict[str | None, Child] = {}
        self._evaluators = Child("cookmas.hosted_evaluators", limits)

    def __enter__(self) -> UserProcesses:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes at once."""
        for child in self._planners.values():
            child.close()
        self._evaluators.close()

    def planner(
        self,
        player: NamedPlayer,
        world: Mapping[str, Any],
        seat: str | None = None,
    ) -> Planner | Team:
        """Return a user-supplied planner or team, named as `module:Class`. Raises InputError.

        `world` has the name of the `world` and the world's `setup`. Each `seat` has its own
        process.
        """
        model, asking = player.model, player.asking
        asked = {
            **self._told,
            "model": model.model_dump(mode="json") if model else None,
            "asking": asking.model_dump(mode="json") if asking else None,
            "seed": player.seed,
            "seat": seat,
        }
        if seat not in self._planners:
            self._planners[seat] = Child(self._home, self._limits)
        return load_own_planner(self._planners[seat], player.planner, world, asked)

    def check_evaluators(self, specs: Sequence[str]) -> None:
        """Raise InputError if an evaluator does not exist."""
        for spec in specs:
            with contextlib.suppress(FailedError):
                self._evaluators.ask("find", spec)

    def judge(
        self,
        verdict: Verdict,
        specs: Sequence[str],
        trace: Path,
        truth: Path | None = None,
        world: str | None = None,
    ) -> Verdict:
        """Return `verdict` with the checks of user-supplied evaluators on the trace in the file
        `trace`.

        `specs` names the evaluators as `module:function`. `truth` is the file of the truth, None
        for that of the scenario. If an evaluator fails, its only check reports the failure.
        """
        paths = {"trace": str(trace), "truth": str(truth) if truth else None, "world": world}
        own: list[Check] = []
        for spec in specs:
            try:
                checks = self._evaluators.ask("judge", {"spec": spec, **paths})
                own += [Check.model_validate(check) for check in checks]
            except FailedError as error:
                own.append(check_of_failure(spec, error))
        return verdict.model_copy(update={"own": tuple(own)})
