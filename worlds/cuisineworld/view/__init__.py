"""CuisineWorld for people: its part of the page of a run."""
