"""The page of a run that is going on: what happens comes to it as it happens, and guests order."""
