"""Finding personal data: the path that other programs import."""

from ingestion.text.personal_data.detection import PersonalDataSpan, find_personal_data

__all__ = ["PersonalDataSpan", "find_personal_data"]
