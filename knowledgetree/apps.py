from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate


class KnowledgeTreeConfig(AppConfig):
    name = "knowledgetree"
    verbose_name = "KnowledgeTree"

    def ready(self) -> None:
        from knowledgetree import checks  # noqa: F401  (registers the system checks)
        from knowledgetree.audit.receivers import connect
        from knowledgetree.identity import checks as checks_of_sign_in  # noqa: F401  (the same)
        from knowledgetree.identity import receivers  # noqa: F401  (connects to the events of sign-in)
        from knowledgetree.schedules import enter_schedules
        from knowledgetree.tracing.statements import trace_statements

        post_migrate.connect(enter_schedules, sender=self, dispatch_uid="knowledgetree.schedules")
        connect()
        if settings.TRACING and settings.TRACING.statements:
            connection_created.connect(trace_statements, dispatch_uid="knowledgetree.tracing")
