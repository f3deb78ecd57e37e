"""What every world shares: the world protocol, events and triggers, the trace and its replay."""
