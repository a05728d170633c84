"""Addresses under which readers open what an answer cites."""

import hashlib
from dataclasses import replace
from urllib.parse import urlencode

from django.urls import reverse

from rag.types import Citation, Passage


def passage_url(document_id: int, start: int, end: int, quote: str) -> str:
    """The document's page with `quote` marked and scrolled to: characters [start, end), while they still say it."""
    return f"{document_url(document_id)}?{passage_query(start, end, fingerprint(quote))}#cytat"


def document_url(document_id: int) -> str:
    """The document's page, from its beginning."""
    return reverse("chat:document", args=[document_id])


def address_of(passage: Passage) -> str:
    """Where a reader opens `passage`: its document with its text marked; a page of the web is its own address."""
    if passage.origin == "web":
        return passage.uri
    return passage_url(passage.document_id, passage.start, passage.end, passage.text)


def passage_query(start: int, end: int, wanted: str) -> str:
    """The parameters that name a passage; `wanted` is the fingerprint of its quote, "" where none is known."""
    return urlencode({"start": start, "end": end} | ({"q": wanted} if wanted else {}))


def fingerprint(quote: str) -> str:
    """Eight hexadecimal digits by which the page knows whether characters are those that were cited."""
    return hashlib.sha256(quote.encode()).hexdigest()[:8]


def with_url(citation: Citation) -> Citation:
    """The page of its document with the quote marked; a page of the web is its own address."""
    if citation.origin == "web":
        return replace(citation, url=citation.uri)
    url = passage_url(citation.document_id, citation.start, citation.end, citation.quote)
    return replace(citation, url=url)
