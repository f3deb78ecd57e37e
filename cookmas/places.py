"""The places of people that are no worker's."""

ORCHESTRATOR = "orchestrator"
"""Whoever sits there writes the schedule."""

SUPERVISOR = "supervisor"
"""Whoever sits there tells the orchestrator how."""
