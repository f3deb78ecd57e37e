"""The common basis of all worlds: the world protocol, events, triggers, trace and replay."""
