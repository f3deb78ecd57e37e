"""Evaluation: the judging of an episode from its trace and the truth alone."""
