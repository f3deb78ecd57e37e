"""Seats of people: `people` for people who play workers, `orchestrating` for a person as
orchestrator.
"""
