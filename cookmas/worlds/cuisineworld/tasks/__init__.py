"""The book of CuisineWorld, with its levels and recipes."""
