"""Whose changes are recorded field by field, by django-auditlog. Read with the settings, so it imports no model."""

from typing import Any
from urllib.parse import urlsplit

COVERED = "•••"

_COVER = "knowledgetree.audit.configuration.covered"


def covered(value: str) -> str:
    """Nothing of a secret; of an address the server alone: its path may be a secret, where things go is none."""
    parts = urlsplit(value)
    return f"{parts.scheme}://{parts.hostname}/{COVERED}" if parts.scheme and parts.hostname else COVERED


def _tracked(model: str, **options: Any) -> dict[str, Any]:
    return {"model": model, "mask_callable": _COVER, **options}


TRACKED = (
    _tracked(
        "auth.User",
        include_fields=["username", "password", "is_active", "is_staff", "is_superuser"],
        mask_fields=["password"],
        m2m_fields=["groups", "user_permissions"],
    ),
    _tracked("auth.Group", m2m_fields=["permissions"]),
    _tracked("ingestion.ApiKey", exclude_fields=["digest", "last_used"], m2m_fields=["collections"]),
    _tracked("ingestion.Collection", m2m_fields=["groups"]),
    _tracked(
        "ingestion.Source", exclude_fields=["last_synced", "last_result", "cursor"], mask_fields=["encrypted_secret"]
    ),
    _tracked("ingestion.GlossaryEntry", exclude_fields=["phrases", "modified"]),
    _tracked("ingestion.LexiconPack", include_fields=["name", "enabled"]),
    _tracked("ingestion.SynonymGroup", include_fields=["name", "collection", "direction", "weight", "enabled"]),
    _tracked("rag.Assistant", m2m_fields=["collections"]),
    _tracked("rag.EvaluationDataset", exclude_fields=["modified"]),
    _tracked("rag.LanguageModelServer", exclude_fields=["modified"], mask_fields=["encrypted_key"]),
    _tracked("rag.ModelPrice", exclude_fields=["modified"]),
    _tracked("rag.MonthlyBudget"),
    _tracked("rag.Widget"),
    _tracked("knowledgetree.AccessibilityStatement"),
    _tracked("knowledgetree.DirectoryGroup"),
    _tracked("knowledgetree.ProcessingRecord"),
    _tracked(
        "knowledgetree.Webhook",
        include_fields=["name", "url", "events", "active", "encrypted_secret"],
        mask_fields=["url", "encrypted_secret"],
    ),
)
