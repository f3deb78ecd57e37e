"""Retention: a trigger deletes old checkpoints in the transaction that writes a new one.

Therefore a process with an outdated fencing number deletes nothing, and a killed process leaves
either both changes or neither. The trigger acts at every hundredth checkpoint, which limits the
deletions in a transaction. The database holds at most `keep` + 99 checkpoints of a thread. The last
checkpoints are those that were written last, whatever the clock in their ids said.
"""

from __future__ import annotations

EVERY = 100
"""Number of checkpoints from one deletion to the next."""

_SQLITE_KEPT = """
SELECT checkpoint_id FROM checkpoints
WHERE thread_id = NEW.thread_id AND checkpoint_ns = NEW.checkpoint_ns
ORDER BY rowid DESC LIMIT {keep}
"""


def build_sqlite_trigger(keep: int) -> str:
    """Return the SQL statement for a trigger that keeps only the last `keep` checkpoints."""
    old = (
        "thread_id = NEW.thread_id AND checkpoint_ns = NEW.checkpoint_ns "
        f"AND checkpoint_id NOT IN ({_SQLITE_KEPT.format(keep=keep)})"
    )
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
        oldest bigint;
    BEGIN
        SELECT (metadata->>'step')::bigint INTO oldest FROM checkpoints
            WHERE thread_id = NEW.thread_id AND checkpoint_ns = NEW.checkpoint_ns
            ORDER BY 1 DESC LIMIT 1 OFFSET keep - 1;
        IF keep IS NULL OR oldest IS NULL THEN RETURN NULL; END IF;
        WITH gone AS (
            DELETE FROM checkpoints WHERE thread_id = NEW.thread_id
                AND checkpoint_ns = NEW.checkpoint_ns AND (metadata->>'step')::bigint < oldest
                RETURNING checkpoint_id
        )
        DELETE FROM checkpoint_writes USING gone WHERE thread_id = NEW.thread_id
            AND checkpoint_ns = NEW.checkpoint_ns
            AND checkpoint_writes.checkpoint_id = gone.checkpoint_id;
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
