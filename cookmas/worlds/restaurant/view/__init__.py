"""The display of the restaurant for people: in text, and on the web page of a run."""
