"""The graph: its state, its nodes, who is asked, and what they write into the trace."""
