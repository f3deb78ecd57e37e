"""The tasks of CuisineWorld: levels, recipes and streams of orders."""
