"""The parts that all worlds share: the world protocol, triggers, the trace and its replay."""
