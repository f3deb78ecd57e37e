"""Seats of people: `people` is for people who play workers, `orchestrating` for a person who plans
for all workers.
"""
