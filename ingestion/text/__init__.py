"""The Polish language, used by the index and by the query alike."""
