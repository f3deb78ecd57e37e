"""The modules that the commands import on demand."""

import importlib

import cookmas.api
import cookmas.client
import cookmas.commands.cli
import cookmas.commands.continuing
import cookmas.commands.kept_runs
import cookmas.display.live.serve
import cookmas.display.page.show
import cookmas.display.watch.board
import cookmas.display.watch.standing
import cookmas.evals.report
import cookmas.forking
import cookmas.modelserver.serve
import cookmas.orchestrator.checkpoints.postgres
import cookmas.orchestrator.runs.redis_runs
import cookmas.people.playing
import cookmas.scenarios.check
import cookmas.scenarios.scenario
import cookmas.solving.restaurant.checking
import cookmas.solving.restaurant.generating
import cookmas.solving.restaurant.planners.embedded
import cookmas.studies.bench.sweep
import cookmas.studies.previewing
import cookmas.workers.carrying_out
import cookmas.workers.own
import cookmas.workers.wires
import cookmas.worlds.corridor.domain
import cookmas.worlds.restaurant.domain
import cookmas.worlds.restaurant.judging.report
import cookmas.worlds.restaurant.view
import cookmas.worlds.restaurant.voice

for _command in cookmas.commands.cli.COMMANDS.values():
    importlib.import_module(_command.partition(":")[0])
