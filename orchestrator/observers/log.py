"""The log of an episode: one line for each trigger, plan, FAIL, report and end.

The lines go to the logger LOGGER at the level INFO, which Python does not show unless the process
configures its logging.
"""

from __future__ import annotations

import logging

from cookmas.episodes.trace import AnyRecord, End, Header, PlanRecord, StepRecord, TriggerRecord
from cookmas.files.lines import one_line
from cookmas.orchestrator.models.message import CallMeasurements

LOGGER = "cookmas.episode"
"""Name of the logger."""

_log = logging.getLogger(LOGGER)


class RecordLog:
    """The observer that logs. Texts of models and of other people are put on one line."""

    def begin(self, header: Header, idle: str) -> None:
        _log.info("%s: %s plans", one_line(header.scenario_name), one_line(header.planner))

    def note(self, record: AnyRecord, measured: CallMeasurements | None) -> None:
        if not _log.isEnabledFor(logging.INFO):
            return
        match record:
            case TriggerRecord():
                self._tell(record.timestep, "trigger %s: %s", record.trigger, record.cause)
            case PlanRecord():
                who = record.agent or "planner"
                if record.refused or record.gave_up:
                    why = record.refused or record.gave_up
                    how = "refused" if record.refused else "gave up"
                    self._tell(record.timestep, "plan of %s, %s: %s", who, how, why)
                else:
                    length = len(record.schedule)
                    self._tell(record.timestep, "plan of %s, %s timesteps", who, length)
            case StepRecord():
                actions = dict(record.commands)
                for worker, fail in record.fails.items():
                    action = actions.get(worker, "no action")
                    found = (worker, action, fail.fail, fail.why)
                    self._tell(record.timestep, "FAIL of %s, %s: %s, %s", *found)
                for worker, report in (record.reports or {}).items():
                    action = report.action or actions.get(worker, "no action")
                    why = f": {report.why}" if report.why else ""
                    told = (worker, action, f"{report.status}{why}")
                    self._tell(record.timestep, "report of %s, %s: %s", *told)
            case End():
                self._tell(record.timestep, "end, %s: %s", record.termination, record.why)

    def _tell(self, timestep: int, form: str, *parts: object) -> None:
        _log.info(f"timestep %d: {form}", timestep, *map(one_line, parts))

    def end(self) -> None:
        """Do nothing."""
