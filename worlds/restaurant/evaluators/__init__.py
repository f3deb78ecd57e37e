"""The restaurant's evaluators: they see a trace simulated again, and the truth."""
