"""The worlds, and the domain protocol: scenarios, planners and judging in addition to rules."""
