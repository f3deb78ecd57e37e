"""The mailbox of an open episode in a SQLite file, shared by processes of one machine."""
