"""The restaurant's evaluators, which receive the truth and a trace that was simulated again."""
