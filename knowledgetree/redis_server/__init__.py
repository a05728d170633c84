"""What processes of several hosts may share beside the database, and faster: kept values, counts of rates, the queue.

Nothing lies here alone that could not be done without. While the server is away the database counts and queues, and
what was kept is worked out anew ([ADR 48](../../docs/adr/0048-several-hosts.md)).
"""
