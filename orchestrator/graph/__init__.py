"""The graph in which an episode runs: its nodes, its state, and the trace that it writes."""
