"""Evaluation: judges an episode from its trace and the truth alone."""
