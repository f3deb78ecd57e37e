"""Planning without a model: a search over what all cooks can do together."""
