"""Sweeps: suites of episodes, played by whatever executes them, with results that can be gone on.

`suite` reads what is to be played, `play` plays one episode, an `executor` has many played,
`sweep` keeps the results in a folder. Another executor is a class with the two members of
`Executor`.
"""
