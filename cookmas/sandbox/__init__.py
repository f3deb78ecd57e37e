"""The sandbox: user-supplied code runs in a process of its own, with limits on time and memory.

A failure of this process, the child, does not affect the caller. `child` is the calling side,
`host` the side that runs the code, and `channel` connects them. `keeper` is a process between the
two that kills every process that the code has started. `environment` selects the environment
variables of the child. `hiding` prevents the child from reading other processes. The child can
still reach the files and the network that its user can reach.
"""
