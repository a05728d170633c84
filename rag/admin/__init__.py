"""Assistants; and what was asked and answered, for superusers."""

from rag.admin import assistants, conversations  # noqa: F401  (importing registers)
