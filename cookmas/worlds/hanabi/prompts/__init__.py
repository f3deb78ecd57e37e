"""What a model is told of Hanabi."""
