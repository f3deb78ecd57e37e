"""The modules that the commands import on demand."""

# ruff: noqa: F401

import cookmas.api
import cookmas.client
import cookmas.commands.cli
import cookmas.commands.watching
import cookmas.display.live.serve
import cookmas.display.page.show
import cookmas.display.watch.board
import cookmas.display.watch.standing
import cookmas.first
import cookmas.forking
import cookmas.kept_runs
import cookmas.seats.orchestrating.playing
import cookmas.seats.people.playing
import cookmas.studies.bench.sweep
import evals.report
import modelserver.serve
import orchestrator.checkpoints.postgres
import orchestrator.runs.redis_runs
import scenarios.check
import scenarios.generator
import scenarios.open
import scenarios.variants
import workers.own
import workers.redis_channel
import worlds.corridor.domain
import worlds.restaurant.checking
import worlds.restaurant.domain
import worlds.restaurant.evaluators.report
import worlds.restaurant.planners.embedded
import worlds.restaurant.planners.llm
import worlds.restaurant.view.page
