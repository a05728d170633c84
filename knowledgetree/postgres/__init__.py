"""Django's PostgreSQL backend, which also starts the embedded server and refuses servers that are too old."""
