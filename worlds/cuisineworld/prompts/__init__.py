"""CuisineWorld in words for a model."""
