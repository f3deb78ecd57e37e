"""Seats of people: `people` is for people who play workers, `orchestrating` for a person who takes
the orchestrator's place.
"""
