"""The places of people that are no worker's."""

ORCHESTRATOR = "orchestrator"
"""Whoever sits there writes the schedule."""

HEAD_CHEF = "head-chef"
"""Whoever sits there tells the orchestrator how."""
