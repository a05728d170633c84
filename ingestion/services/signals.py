"""What others may want to know of the knowledge base. `ingestion` knows nobody who listens."""

from django.dispatch import Signal

document_erased = Signal()
"""Sent with `document` (still there) and `counts` (a dict to add numbers to), inside the transaction that erases it."""
