from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RagConfig(AppConfig):
    name = "rag"
    verbose_name = _("Questions and answers")

    def ready(self) -> None:
        from ingestion.models.erasures import document_erased
        from rag.services.erasure import erase

        document_erased.connect(erase, dispatch_uid="rag.services.erasure")
