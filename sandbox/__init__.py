"""The sandbox: what a person wrote runs in a process of its own, within limits, and can fail alone.

`child` is the side that asks, `host` the side in which it runs, `channel` the way between them.
`keeper` stands between the two, so that nothing outlives the run. `environment` says which
variables the process gets, and `hiding` keeps it from reading other processes. The process still
reaches the files and the network that the user who starts it reaches.
"""
