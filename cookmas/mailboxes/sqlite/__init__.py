"""The mailbox of an open episode in a SQLite file, which processes of one machine share."""
