"""The graph in which an episode runs: its nodes and its state; and the trace of the episode."""
