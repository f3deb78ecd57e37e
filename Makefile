# `make run` and `make test` need nothing but Python 3.11, git and make; they set up .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TESTING := $(VENV)/.testing
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

# All processes of a run share the bytecode that the first of them writes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup run test check style types collected pythons conformance bench faults every-fault fuzz sweep local-model langgraph-versions audit lock

help:
	@echo "make run     set up, then play one scenario of each level"
	@echo "make test    set up, then run all checks and tests"
	@echo "make pythons set up, then check the types for the Python versions that the tests do not run (minutes)"
	@echo "make conformance  set up, then play all cases of which the tests play a sample, then faults (long)"
	@echo "make bench   set up, then run the benchmarks (minutes)"
	@echo "make faults  set up, then kill and pause open kitchens 50 times in each way, and simulate 10,000 (long)"
	@echo "make every-fault  set up, then let each kind of call fail, and lose power after each change (60 minutes)"
	@echo "make fuzz    set up, then read damaged messages, traces, checkpoints and requests (CPU minutes)"
	@echo "make sweep   set up, then play every planner and preset against the model server (long)"
	@echo "make local-model  set up, then test CookMAS against llama.cpp with a small model (120 MB, minutes)"
	@echo "make langgraph-versions  resume runs of the newest LangGraph with the oldest, and the reverse (minutes)"
	@echo "make audit   ask PyPI or OSV for known weaknesses of the pinned versions (minutes)"
	@echo "make lock    update the lock files from pyproject.toml"

setup: $(READY)

$(READY): requirements.lock pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "CookMAS needs Python 3.11 or later; use make PYTHON=python3.11"; exit 2; }
	@test -d cookmas/kitchen || { echo "cookmas/kitchen is no link; clone with git, or unpack a tar archive"; exit 2; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(MAKE) --no-print-directory venv-package
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# Further requirements of tests, type checks and benchmarks.
TESTED := $(foreach extra,dev report inspect pettingzoo dask solver,requirements/$(extra).lock)

$(TESTING): $(READY) $(TESTED)
	$(INSTALL) $(addprefix -r ,$(TESTED))
	@touch $@

# Debian has venv in a separate package.
.PHONY: venv-package
venv-package:
	@SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	$$SUDO apt-get update --quiet && $$SUDO apt-get install --quiet --yes --no-install-recommends python3-venv

run: $(READY)
	$(BIN)/cookmas run level1/03 level2/06 level3/08

# The tests of the page that shows runs need a browser; where there is none they say so.
.PHONY: browser
browser: | $(READY)
	@command -v chromium >/dev/null || ! command -v apt-get >/dev/null || { \
		SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$SUDO apt-get update --quiet && $$SUDO apt-get install --quiet --yes --no-install-recommends chromium; \
	} || echo "chromium could not be installed; its tests are skipped"

# The library that lets calls fail is compiled; where there is no compiler its tests say so. Only one
# process at a time can install packages.
.PHONY: compiler
compiler: browser
	@command -v cc >/dev/null || command -v gcc >/dev/null || ! command -v apt-get >/dev/null || { \
		SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$SUDO apt-get update --quiet && $$SUDO apt-get install --quiet --yes --no-install-recommends gcc libc6-dev; \
	} || echo "gcc could not be installed; the faults of single calls are skipped"

check: style types

style: $(TESTING)
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/lint-imports --no-logo

types: $(TESTING)
	$(BIN)/mypy

# Versions of Python for which nothing but the types is checked.
UNTESTED := 3.12 3.13 3.14

pythons: $(TESTING)
	for version in $(UNTESTED); do $(BIN)/mypy --python-version $$version || exit; done

# Many processes import the same modules.
unexport PYTHONDONTWRITEBYTECODE

# One process writes the bytecode of the tests; what it cannot import the tests themselves report.
collected: $(TESTING)
	@$(BIN)/python -m pytest --quiet --collect-only >/dev/null 2>&1 || true

# Tests wait for servers, browsers and leases too: two processes more than there are cores.
PROCESSES = $$($(BIN)/python -c 'import os; print(os.cpu_count() + 2)')

test:
	@$(MAKE) --no-print-directory --jobs 3 check browser compiler collected
	$(BIN)/python -m pytest --quiet -rs --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder

# Recordings of the original CuisineWorld: files of your own are named as RECORDINGS="FILE...".
RECORDINGS := tests/worlds/cuisineworld/recordings.tar.xz

# Recordings of the original Collab-Overcooked, which can be replaced likewise.
COLLAB_RECORDINGS := tests/worlds/collab_overcooked/recordings.tar.xz

# Recordings of the papers' engine of Overcooked-AI, which can be replaced likewise.
OVERCOOKED_RECORDINGS := tests/worlds/overcooked/recordings.tar.xz

# Recordings of the original Robotouille, which can be replaced likewise.
ROBOTOUILLE_RECORDINGS := tests/worlds/robotouille/recordings.tar.xz

# Recordings of the original Collab Capture and Collab Escape, which can be replaced likewise.
COLLAB_GAMES_RECORDINGS := tests/worlds/rooms/recordings.tar.xz

# Recordings of the Hanabi Learning Environment, which can be replaced likewise.
HANABI_RECORDINGS := tests/worlds/hanabi/recordings.tar.xz

conformance: $(TESTING)
	$(BIN)/python -m benchmarks.cuisineworld.recorded $(RECORDINGS)
	$(BIN)/python -m benchmarks.collab_overcooked.recorded $(COLLAB_RECORDINGS)
	$(BIN)/python -m benchmarks.overcooked_ai.recorded $(OVERCOOKED_RECORDINGS)
	$(BIN)/python -m benchmarks.robotouille.recorded $(ROBOTOUILLE_RECORDINGS)
	$(BIN)/python -m benchmarks.collab_games.recorded $(COLLAB_GAMES_RECORDINGS)
	$(BIN)/python -m benchmarks.hanabi.recorded $(HANABI_RECORDINGS)
	$(BIN)/python -m benchmarks.unreached
	$(BIN)/python -m benchmarks.hanabi.beside
	$(BIN)/cookmas check cookmas/solving/restaurant/certificates/*/*.yaml
	$(BIN)/cookmas check cookmas/solving/robotouille/certificates/*/*.yaml
	$(BIN)/python -m benchmarks.overcooked_ai.fork --plays 10
	COOKMAS_CONFORMANCE=1 $(BIN)/python -m pytest --quiet -rs --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder
	$(MAKE) --no-print-directory faults

bench: $(TESTING)
	$(BIN)/python -m benchmarks.scheduling
	$(BIN)/python -m benchmarks.rush
	$(BIN)/python -m benchmarks.simulator
	$(BIN)/python -m benchmarks.cuisineworld.speed
	$(BIN)/python -m benchmarks.robotouille.speed
	$(BIN)/python -m benchmarks.collab_games.speed
	$(BIN)/python -m benchmarks.hanabi.speed
	$(BIN)/python -m benchmarks.collab_overcooked.speed
	$(BIN)/python -m benchmarks.overcooked_ai.speed
	$(BIN)/python -m benchmarks.training
	$(BIN)/python -m benchmarks.starting
	$(BIN)/python -m benchmarks.checkpoints
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.graph
	$(BIN)/python -m benchmarks.throughput
	$(BIN)/python -m benchmarks.report
	$(BIN)/python -m benchmarks.coverage

faults: $(TESTING)
	COOKMAS_FAULTS=50 $(BIN)/python -m pytest --quiet --numprocesses $(PROCESSES) --dist load tests/live
	COOKMAS_SIMULATIONS=10000 $(BIN)/python -m pytest --quiet --numprocesses $(PROCESSES) --dist load \
		tests/simulation

fuzz: $(TESTING)
	COOKMAS_FUZZ=60 $(BIN)/python -m pytest --quiet --numprocesses $(PROCESSES) tests/fuzzing
	COOKMAS_FUZZ=1 $(BIN)/python -m pytest --quiet --numprocesses $(PROCESSES) -m hypothesis tests

# Minutes after which the rest of the faults is left out.
MINUTES := 60

every-fault: $(TESTING) compiler
	$(BIN)/python -m tests.every_fault --minutes $(MINUTES)

sweep: $(TESTING)
	$(BIN)/python -m benchmarks.sweep

LOCAL_MODEL := $(VENV)/.local-model

$(LOCAL_MODEL): $(TESTING) requirements/local-model.lock
	$(INSTALL) --no-deps -r requirements/local-model.lock
	@touch $@

local-model: $(LOCAL_MODEL)
	$(BIN)/python -m pytest --quiet -m local_model tests/local_model

# The locked packages, but for LangGraph the oldest and the newest that pyproject.toml allows.
VERSIONS := $(VENV)/langgraph

$(VERSIONS)/%/.ready: $(TESTING)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		-r requirements.lock
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade \
		$$($(BIN)/python -m tests.versions.bounds $*)
	@touch $@

langgraph-versions: $(VERSIONS)/oldest/.ready $(VERSIONS)/newest/.ready
	COOKMAS_VERSIONS=$(abspath $(VERSIONS)) $(BIN)/python -m pytest --quiet \
		-m langgraph_versions tests/versions

audit: $(TESTING)
	$(BIN)/python requirements/audit.py

COMPILED := --generate-hashes --no-emit-index-url --no-header --no-annotate --python-version 3.11 \
	--quiet --upgrade
COMPILE := $(BIN)/uv pip compile pyproject.toml $(COMPILED)

lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --extra build --extra server --extra postgres --extra redis --output-file requirements.lock
	$(COMPILE) --extra dev --extra studio --extra otel --constraint requirements.lock --output-file requirements/dev.lock
	$(COMPILE) --extra report --constraint requirements.lock --constraint requirements/dev.lock \
		--output-file requirements/report.lock
	$(COMPILE) --extra inspect --constraint requirements.lock --constraint requirements/dev.lock \
		--constraint requirements/report.lock --output-file requirements/inspect.lock
	$(COMPILE) --extra pettingzoo --constraint requirements.lock --constraint requirements/dev.lock \
		--constraint requirements/report.lock --output-file requirements/pettingzoo.lock
	$(COMPILE) --extra dask --constraint requirements.lock --constraint requirements/dev.lock \
		--constraint requirements/inspect.lock --output-file requirements/dask.lock
	$(COMPILE) --extra solver --constraint requirements.lock --constraint requirements/dev.lock \
		--constraint requirements/report.lock --output-file requirements/solver.lock
	$(COMPILE) --extra local-model --constraint requirements.lock --output-file requirements/local-model.lock
	$(BIN)/uv pip compile --group overcooked $(COMPILED) --output-file requirements/overcooked.lock
