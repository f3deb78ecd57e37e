"""Runs in folders: which process plays a run, how it resumes, and how another run branches off."""
