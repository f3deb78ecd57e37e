"""The truth about dishes and notes, for evaluators and authors of scenarios only."""
