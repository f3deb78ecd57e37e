"""Rescoring: judge the stored traces of a sweep again, after an evaluator has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import model_validator

from cookmas.episodes.scenario import is_drawn, redraw
from cookmas.episodes.trace import split_line
from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError, MissingError
from cookmas.files.writing import write_whole
from cookmas.loading import load_scenario
from cookmas.replaying import judge
from cookmas.studies.bench.folder import RESULTS, lock, read_lines
from cookmas.studies.bench.probing import judge_once
from cookmas.studies.bench.spec import EpisodeResult, is_of_older_version
from cookmas.world_names import domain_of


class StoredResult(EpisodeResult):
    """A stored result. A verdict of an older version is replaced by None."""

    @model_validator(mode="before")
    @classmethod
    def refuse_older_verdict(cls, data: Any) -> Any:
        """Return the data, with None in place of a verdict that this version cannot read."""
        return {**data, "verdict": None} if is_of_older_version(data) else data


def rescore(folder: Path) -> tuple[int, int]:
    """Judge all episodes of a sweep again. Return the number of changed verdicts and of all.

    The traces are not changed. If an episode cannot be judged again, raise CookMASError and change
    no result.
    """
    if not (folder / RESULTS).exists():
        raise MissingError(f"{folder}: there are no results here (no {RESULTS})")
    with lock(folder):
        before: list[EpisodeResult] = list(read_lines(folder / RESULTS, StoredResult))
        after = [_judge(result, folder) for result in before]
        write_whole(folder / RESULTS, "".join(f"{result.line()}\n" for result in after))
    changed = sum(one.verdict != other.verdict for one, other in zip(before, after, strict=True))
    return changed, len(after)


def _judge(result: EpisodeResult, folder: Path) -> EpisodeResult:
    spec = result.spec
    scenario = load_scenario(spec.scenario, spec.world, spec.settings)
    if scenario.digest != spec.scenario_digest:
        raise InputError(spec.case, "the scenario has been changed since it was played")
    drawn = is_drawn(scenario)
    scenario = redraw(scenario, spec.seed)
    try:
        truth = domain_of(spec.world).truth(scenario)
    except MissingError as error:
        return result.model_copy(update={"verdict": None, "unjudged": str(error)})
    trace = read_trace(folder / result.trace)
    verdict = judge(trace, truth, spec.world)
    if result.asked_at is not None:
        verdict = judge_once(verdict, result.asked_at)
    *_, last = trace.lines()
    return result.model_copy(
        update={
            "verdict": verdict,
            "unjudged": None,
            "digest": split_line(last)[1],
            "drawn": drawn,
        }
    )
