"""Apart: what a person wrote runs in a process of its own, within limits, and can fail alone.

`child` is the side that asks, `host` the side in which it runs, `channel` the way between them;
`keeper` stands between the two, so that nothing outlives the run.
This guards against mistakes: it is no sandbox, since the process may read and write what the person
may who starts it.
"""
