"""The corridor for people: its part of the page of a run."""
