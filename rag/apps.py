from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RagConfig(AppConfig):
    name = "rag"
    verbose_name = _("Questions and answers")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from ingestion.models.erasures import document_erased
        from ingestion.models.jobs import document_indexed
        from rag.insight.amendments.chore import read_anew
        from rag.services.erasure import erase
        from rag.services.handing_over import give_session_questions

        user_logged_in.connect(give_session_questions, dispatch_uid="rag.services.handing_over")
        document_erased.connect(erase, dispatch_uid="rag.services.erasure")
        document_indexed.connect(read_anew, dispatch_uid="rag.insight.amendments")
