"""Whether a pooler of transactions stands before PostgreSQL, said by nobody."""

from django.db import connection

_SERVED_BY = "SELECT pg_backend_pid()"


def shares_a_server() -> bool:
    """Whether two connections that are both open were served by one process of PostgreSQL.

    That is PgBouncer's transaction mode: locks of a session, and settings, then belong to somebody else a moment later.
    False may also mean that the pooler had a second process free for the second connection.
    """
    other = connection.copy()
    try:
        with connection.cursor() as one, other.cursor() as two:
            one.execute(_SERVED_BY)
            two.execute(_SERVED_BY)
            return bool(one.fetchone() == two.fetchone())
    finally:
        other.close()
