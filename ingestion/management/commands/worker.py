import gc
import logging
import time
from typing import Any

from django.core.management.base import CommandError
from django.db import connection
from django.db.utils import InterfaceError, OperationalError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django_q.cluster import Cluster

from ingestion.jobs import recover_jobs
from ingestion.jobs.clock import mend_times
from ingestion.jobs.guard import make_guarded_cluster
from ingestion.jobs.queue import release_messages
from knowledgetree import console
from knowledgetree.database import is_pooled
from knowledgetree.postgres.connections import borrowed_connections, leave_database
from knowledgetree.postgres.pooling import shares_a_server
from knowledgetree.supervision.lifeline import INTERVAL, end_forks_with_their_parents, orphaned

log = logging.getLogger("knowledgetree.jobs")

_LOOK_SECONDS = 60.0


class Command(console.Command):
    help = gettext_noop("Run the background worker. What a killed worker left behind is taken up first.")

    def handle(self, **options: Any) -> None:
        if is_pooled(connection.settings_dict) or _is_pooled_unsaid():
            raise CommandError(
                _(
                    "A worker needs locks of sessions, which PgBouncer does not give in its transaction mode. "
                    "Give it a DATABASE_URL that leads straight to PostgreSQL."
                )
            )
        with borrowed_connections():  # a fork that closes its copy of one ends it for us too
            release_messages()
            recovered = recover_jobs()
        if recovered:
            self.say(_("Interrupted jobs taken up again: %(n)d.") % {"n": recovered})
        end_forks_with_their_parents()
        gc.collect()
        gc.freeze()  # or each fork would write to all that it has in common with us, and have it for itself
        cluster = make_guarded_cluster()
        cluster.start()
        next_look = 0.0
        while cluster.sentinel.is_alive() and not orphaned():
            cluster.sentinel.join(INTERVAL)
            if time.monotonic() >= next_look:
                next_look = time.monotonic() + _LOOK_SECONDS
                _look_at_the_clock()
        if cluster.has_stopped:  # by a signal
            return
        if orphaned():
            _end_everything(cluster)
            raise CommandError(_("The process that started this one ended; the database and the queue end with it."))
        raise CommandError(
            _("The queue's guard ended by itself. The next one takes up the interrupted jobs: knowledgetree worker")
        )


@borrowed_connections()
def _is_pooled_unsaid() -> bool:
    return shares_a_server()


@borrowed_connections()
def _look_at_the_clock() -> None:
    """Here, because nothing that is scheduled runs where the clock was set back."""
    try:
        if mended := mend_times():
            log.warning("the clock was set back; what was planned for later runs now", extra={"fields": {"n": mended}})
    except (OperationalError, InterfaceError):
        log.warning("the database does not answer; the worker waits for it")


def _end_everything(cluster: Cluster) -> None:
    """Whoever started us was killed, so nobody else will stop the embedded database."""
    cluster.sentinel.kill()
    cluster.sentinel.join()
    leave_database(patience=20.0)  # the web server may still be saying its last words
