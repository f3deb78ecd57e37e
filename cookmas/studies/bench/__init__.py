"""Sweeps: an executor plays the episodes of a suite. A sweep that was stopped can be resumed.

`suite` reads the episodes, `play` plays one of them, an `executor` plays many, and `sweep` stores
the results in a folder. A new executor is a class with the members of `Executor`.
"""
