"""The restaurant kitchen: the domain and its simulator, pure and deterministic."""
