"""The scripted model server: an OpenAI-compatible endpoint whose answers need no model."""
