"""What is played in CuisineWorld: levels, recipes and streams of orders."""
