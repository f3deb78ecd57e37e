"""The SQL by which both databases forget old checkpoints, and prune, copy and delete threads.

Retention: a trigger deletes old checkpoints in the transaction that writes a new one. Therefore a
process with an outdated fencing number deletes nothing, and a killed process leaves either both
changes or neither. The trigger acts at every hundredth checkpoint, which limits the deletions in a
transaction. The database holds at most `keep` + 99 checkpoints of a thread.

Whole threads are pruned, copied and deleted by LangGraph's contract for checkpointers.

The last checkpoints are those that were written last, as everywhere here, whatever the clock in
their ids said.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

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

Strategy = Literal["keep_latest", "delete"]
"""What pruning leaves of a thread: the latest checkpoint of each namespace, or nothing."""


class ThreadStatements(NamedTuple):
    """The SQL statements of one database, each with the names of its parameters."""

    prune: tuple[str, ...]
    """They leave the latest checkpoint of each namespace of a `thread`."""
    delete: tuple[str, ...]
    """They delete a `thread`."""
    copy: tuple[str, ...]
    """They copy the thread `source` to the thread `target`."""
    forget: tuple[str, ...]
    """They delete the checkpoints of a `run`, by the metadata of LangGraph."""


def _orphans(writes: str) -> str:
    """Return the statement that deletes answers of nodes whose checkpoint is deleted."""
    return (
        f"DELETE FROM {writes} WHERE NOT EXISTS (SELECT 1 FROM checkpoints AS kept "
        f"WHERE kept.thread_id = {writes}.thread_id "
        f"AND kept.checkpoint_ns = {writes}.checkpoint_ns "
        f"AND kept.checkpoint_id = {writes}.checkpoint_id)"
    )


_COPIED_COLUMNS = {
    "checkpoints": "checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata",
    "writes": "checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value",
}

SQLITE = ThreadStatements(
    prune=(
        "DELETE FROM checkpoints WHERE thread_id = :thread AND rowid NOT IN "
        "(SELECT max(rowid) FROM checkpoints WHERE thread_id = :thread GROUP BY checkpoint_ns)",
        f"{_orphans('writes')} AND thread_id = :thread",
    ),
    delete=(
        "DELETE FROM writes WHERE thread_id = :thread",
        "DELETE FROM checkpoints WHERE thread_id = :thread",
    ),
    copy=tuple(
        f"INSERT OR REPLACE INTO {table} (thread_id, {columns}) "
        f"SELECT :target, {columns} FROM {table} WHERE thread_id = :source ORDER BY rowid"
        for table, columns in _COPIED_COLUMNS.items()
    ),
    forget=(
        "DELETE FROM checkpoints WHERE json_extract(CAST(metadata AS TEXT), '$.run_id') = :run",
        _orphans("writes"),
    ),
)

_UNUSED_BLOBS = (
    "DELETE FROM checkpoint_blobs WHERE NOT EXISTS (SELECT 1 FROM checkpoints AS kept, "
    "jsonb_each_text(kept.checkpoint->'channel_versions') AS used "
    "WHERE kept.thread_id = checkpoint_blobs.thread_id "
    "AND kept.checkpoint_ns = checkpoint_blobs.checkpoint_ns "
    "AND used.key = checkpoint_blobs.channel AND used.value = checkpoint_blobs.version)"
)
_POSTGRES_TABLES = ("checkpoint_blobs", "checkpoint_writes", "checkpoints")

POSTGRES = ThreadStatements(
    prune=(
        "DELETE FROM checkpoints WHERE thread_id = %(thread)s AND (checkpoint_ns, checkpoint_id) "
        "NOT IN (SELECT DISTINCT ON (checkpoint_ns) checkpoint_ns, checkpoint_id FROM checkpoints "
        "WHERE thread_id = %(thread)s ORDER BY checkpoint_ns, "
        "(metadata->>'step')::bigint DESC NULLS LAST, checkpoint_id DESC)",
        f"{_orphans('checkpoint_writes')} AND thread_id = %(thread)s",
        f"{_UNUSED_BLOBS} AND thread_id = %(thread)s",
    ),
    delete=tuple(f"DELETE FROM {table} WHERE thread_id = %(thread)s" for table in _POSTGRES_TABLES),
    copy=tuple(
        f"INSERT INTO {table} SELECT made.* FROM {table} AS read, LATERAL jsonb_populate_record("
        "read, jsonb_build_object('thread_id', %(target)s::text)) AS made "
        "WHERE read.thread_id = %(source)s ON CONFLICT DO NOTHING"
        for table in _POSTGRES_TABLES
    ),
    forget=(
        "WITH gone AS (DELETE FROM checkpoints WHERE metadata->>'run_id' = %(run)s "
        "RETURNING thread_id, checkpoint_ns, checkpoint_id) "
        "DELETE FROM checkpoint_writes USING gone "
        "WHERE checkpoint_writes.thread_id = gone.thread_id "
        "AND checkpoint_writes.checkpoint_ns = gone.checkpoint_ns "
        "AND checkpoint_writes.checkpoint_id = gone.checkpoint_id",
    ),
)
