"""What was asked and answered, for superusers."""

from rag.admin import conversations  # noqa: F401  (importing registers)
