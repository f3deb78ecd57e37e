"""Sweeps: suites of episodes that an executor plays, with results from which they can be resumed.

`suite` reads the episodes to play, `play` plays one of them, an `executor` has many played, `sweep`
stores the results in a folder. A new executor is a class with the members of `Executor`.
"""
