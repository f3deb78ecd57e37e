"""The sandbox: user-supplied code runs in its own process, within limits, and can fail alone.

`child` is the calling side, `host` the side that runs the code, and `channel` connects them.
`keeper` is a process between the two that kills everything the code has started. `environment`
selects the variables that the process gets. `hiding` keeps it from reading other processes. The
process can still reach the files and the network that its user can reach.
"""
