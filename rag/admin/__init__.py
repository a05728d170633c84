"""Assistants; evaluation; and what was asked and answered, for superusers."""

from rag.admin import assistants, conversations, evaluation, evaluation_runs, feedback  # noqa: F401  (importing registers)
