"""Judging the stored traces of a sweep again, after an evaluator has changed."""

from __future__ import annotations

from pathlib import Path

from cookmas.bench.folder import RESULTS, locked, read_lines, write_whole
from cookmas.bench.probing import judged_once
from cookmas.bench.spec import Result
from cookmas.judging import judge
from cookmas.loading import load_scenario
from cookmas.worlds import domain_of
from episodes.errors import InputError, MissingError
from episodes.trace_file import read_trace
from worlds import capabilities


def rescore(folder: Path) -> tuple[int, int]:
    """Write the verdicts of a sweep anew; how many are other than before, and how many there are.

    The traces stay as they are. Raises CookMASError, and changes nothing then.
    """
    if not (folder / RESULTS).exists():
        raise MissingError(f"{folder}: there are no results here (no {RESULTS})")
    with locked(folder):
        before = read_lines(folder / RESULTS, Result)
        after = [_judged(result, folder) for result in before]
        write_whole(folder / RESULTS, "".join(f"{result.line()}\n" for result in after))
    changed = sum(one.verdict != other.verdict for one, other in zip(before, after, strict=True))
    return changed, len(after)


def _judged(result: Result, folder: Path) -> Result:
    spec = result.spec
    scenario = load_scenario(spec.scenario, spec.world, spec.settings)
    if scenario.digest != spec.scenario_digest:
        raise InputError(spec.case, "the scenario has been changed since it was played")
    try:
        truth = capabilities.truth(domain_of(spec.world), scenario)
    except MissingError as error:
        return result.model_copy(update={"verdict": None, "unjudged": str(error)})
    verdict = judge(read_trace(folder / result.trace), truth, spec.world)
    if result.asked_at is not None:
        verdict = judged_once(verdict, result.asked_at)
    return result.model_copy(update={"verdict": verdict, "unjudged": None})
