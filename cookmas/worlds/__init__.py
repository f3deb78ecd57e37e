"""The worlds, and the protocols by which a world brings scenarios, planners and judging."""
