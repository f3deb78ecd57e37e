"""The orchestrator: its graph, planners, models and checkpoints, and the runner of episodes."""

if __name__ != "cookmas.orchestrator":
    raise ImportError("import cookmas.orchestrator instead of orchestrator", name="orchestrator")
