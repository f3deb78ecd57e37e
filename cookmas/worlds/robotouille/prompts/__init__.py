"""The prompts of Robotouille."""
