"""Assistants; and what was asked and answered, for superusers."""

from rag.admin import assistants, conversations, feedback  # noqa: F401  (importing registers)
