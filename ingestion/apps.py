from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class IngestionConfig(AppConfig):
    name = "ingestion"
    verbose_name = _("Knowledge base")

    def ready(self) -> None:
        from ingestion.text.morphology.dictionaries import DICTIONARIES

        DICTIONARIES.folder = settings.VAR_DIR / "cache"
