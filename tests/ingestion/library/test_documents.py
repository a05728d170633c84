from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from ingestion.library.documents import Narrowing, Order, documents_of
from tests.conftest import make_public

TODAY = Narrowing(today=date(2026, 11, 28))


@pytest.mark.django_db
@pytest.mark.parametrize(("order", "index"), [("title", "document_by_title"), ("newest", "document_newest")])
def test_a_page_of_a_large_collection_is_read_in_its_order(order: Order, index: str) -> None:
    """Where the table is so large that it is not read as a whole; then sorting it would take as long as reading it."""
    page = documents_of(AnonymousUser(), make_public(), TODAY, order)[:50]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    plan = page.explain()
    assert f"Index Scan using {index}" in plan
    assert "Sort" not in plan
