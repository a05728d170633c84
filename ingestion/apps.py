from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IngestionConfig(AppConfig):
    name = "ingestion"
    verbose_name = _("Knowledge base")
