"""Addresses under which readers open what an answer cites."""

from urllib.parse import urlencode

from django.urls import reverse


def passage_url(document_id: int, start: int, end: int) -> str:
    """The document's page with characters [start, end) marked and scrolled to."""
    query = urlencode({"start": start, "end": end})
    return f"{reverse('chat:document', args=[document_id])}?{query}#cytat"
