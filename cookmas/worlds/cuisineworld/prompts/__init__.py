"""The prompt adapter of CuisineWorld."""
