"""The restaurant as people see it: in text, and on the page of a run."""
