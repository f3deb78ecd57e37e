"""Retention: a trigger deletes old checkpoints in the transaction that writes a new one.

Therefore a process with an outdated fencing number deletes nothing, and a killed process leaves
either both changes or neither. The trigger acts at every hundredth checkpoint, which limits the
deletions in a transaction. The database holds at most `keep` + 99 checkpoints of a thread.
"""

from __future__ import annotations

EVERY = 100
"""Number of checkpoints from one deletion to the next."""

_SQLITE_OLD = """
thread_id = NEW.thread_id AND checkpoint_ns = NEW.checkpoint_ns AND checkpoint_id < (
    SELECT checkpoint_id FROM checkpoints
    WHERE thread_id = NEW.thread_id AND checkpoint_ns = NEW.checkpoint_ns
    ORDER BY checkpoint_id DESC LIMIT 1 OFFSET {keep} - 1
)
"""


def build_sqlite_trigger(keep: int) -> str:
    """Return the SQL statement for a trigger that keeps only the last `keep` checkpoints."""
    old = _SQLITE_OLD.format(keep=keep)
    return (
        f"CREATE TEMP TRIGGER retention AFTER INSERT ON main.checkpoints "
        f"WHEN NEW.rowid % {EVERY} = 0 BEGIN "
        f"DELETE FROM writes WHERE {old}; DELETE FROM checkpoints WHERE {old}; END"
    )


KEEP = "cookmas.keep"
"""The PostgreSQL setting with the number of checkpoints to keep; empty to keep all.

Each connection has its own value.
"""

POSTGRES_RETENTION = (
    f"""
    CREATE OR REPLACE FUNCTION cookmas_retention() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        keep bigint := nullif(current_setting('{KEEP}', true), '');
        oldest text;
    BEGIN
        SELECT checkpoint_id INTO oldest FROM checkpoints
            WHERE thread_id = NEW.thread_id AND checkpoint_ns = NEW.checkpoint_ns
            ORDER BY checkpoint_id DESC LIMIT 1 OFFSET keep - 1;
        IF keep IS NULL OR oldest IS NULL THEN RETURN NULL; END IF;
        DELETE FROM checkpoint_writes WHERE thread_id = NEW.thread_id
            AND checkpoint_ns = NEW.checkpoint_ns AND checkpoint_id < oldest;
        DELETE FROM checkpoints WHERE thread_id = NEW.thread_id
            AND checkpoint_ns = NEW.checkpoint_ns AND checkpoint_id < oldest;
        WITH used AS (
            SELECT DISTINCT key, value
            FROM checkpoints, jsonb_each_text(checkpoint->'channel_versions')
            WHERE thread_id = NEW.thread_id AND checkpoint_ns = NEW.checkpoint_ns
        )
        DELETE FROM checkpoint_blobs WHERE thread_id = NEW.thread_id
            AND checkpoint_ns = NEW.checkpoint_ns AND NOT EXISTS (
                SELECT FROM used WHERE key = channel AND value = version
            );
        RETURN NULL;
    END $$
    """,
    f"""
    CREATE OR REPLACE TRIGGER cookmas_retention AFTER INSERT ON checkpoints FOR EACH ROW
        WHEN ((NEW.metadata->>'step')::bigint % {EVERY} = 0)
        EXECUTE FUNCTION cookmas_retention()
    """,
)
"""The SQL statements for the trigger in PostgreSQL, which reads the setting KEEP."""
