"""`manage.py search` in the terminal."""

from io import StringIO

from django.core.management import call_command

from ingestion.models import Collection
from tests.conftest import AddDocument


def printed(query: str, **options: bool) -> str:
    out = StringIO()
    call_command("search", query, stdout=out, **options)
    return out.getvalue()


def test_words_found_stand_out_where_the_terminal_has_colours(public: Collection, index: AddDocument) -> None:
    index(public, "Do wniosków dołącza się załączniki.")
    coloured = printed("wniosek", force_color=True)
    assert "Do \x1b[" in coloured
    assert "wniosków\x1b[0m dołącza" in coloured


def test_a_terminal_without_colours_gets_plain_text(public: Collection, index: AddDocument) -> None:
    index(public, "Do wniosków dołącza się załączniki.")
    assert "Do wniosków dołącza się załączniki." in printed("wniosek", no_color=True)
