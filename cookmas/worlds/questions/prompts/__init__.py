"""What a model is told that is asked a question."""
