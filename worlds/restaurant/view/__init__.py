"""The restaurant for people: in text, and its part of the page of a run."""
