"""What a search inside a document finds, and what it never shows."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Collection
from rag.chat.reading.finding import find
from rag.chat.reading.windows import WHOLE_UP_TO
from tests.conftest import AddDocument

pytestmark = pytest.mark.django_db

CONTRACT = """# Umowa najmu

Umowę najmu zawiera się na piśmie. Stroną umowy jest najemca.

## § 2. Czynsz

Czynsz za lokal płaci najemca do 10 dnia miesiąca, zgodnie z art. 5 ustawy. Umów nie przedłuża się milcząco.

Podwyżki czynszu ogłasza się 12 marca 2024. Sąd właściwy: sąd w Lipowie. Sad jest wspólny.
"""


def found(query: str, text: str = CONTRACT) -> list[str]:
    return [text[start:end] for start, end in find(text, query).hits]


def test_a_word_is_found_in_every_inflection() -> None:
    assert found("umowa") == ["Umowa", "Umowę", "umowy", "Umów"]
    assert found("czynszem") == ["Czynsz", "Czynsz", "czynszu"]


def test_forms_that_share_no_letter_are_found() -> None:
    assert found("człowiek", "Ludzie przyszli. Mówił o ludziach i o człowieku.") == ["Ludzie", "ludziach", "człowieku"]


def test_words_that_no_dictionary_has_are_found() -> None:
    assert found("endpoint", "Endpointy i API. Z endpointów korzysta JWT-a.") == ["Endpointy", "endpointów"]
    assert found("jwt", "Bez JWT-a ani rusz.") == ["JWT-a"]
    assert found("e-faktura", "Każda e-faktura i faktura.") == ["e-faktura"]


def test_a_word_typed_without_diacritics_is_found_with_them() -> None:
    assert found("podwyzka") == ["Podwyżki"]
    assert found("umowe")[:2] == ["Umowa", "Umowę"]


def test_a_word_written_without_diacritics_is_found_by_the_right_spelling() -> None:
    assert found("podwyżka", "Podwyzki oglasza sie w marcu.") == ["Podwyzki"]


def test_another_word_that_differs_by_diacritics_alone_is_not_found() -> None:
    assert found("sąd") == ["Sąd", "sąd"]


def test_quoted_words_are_found_as_they_stand() -> None:
    assert found('"umowa najmu"') == ["Umowa najmu"]
    assert found("„umowę najmu”") == ["Umowę najmu"]
    assert found('"umowa czynszu"') == []


def test_several_words_are_found_where_they_stand_together() -> None:
    hits = find(CONTRACT, "umowa najem")
    assert not hits.apart
    assert [CONTRACT[start:end] for start, end in hits.hits] == ["Umowa najmu", "Umowę najmu"]


def test_words_that_never_stand_together_are_found_each_by_itself() -> None:
    finding = find(CONTRACT, "umowa podwyżka")
    assert finding.apart
    assert [CONTRACT[start:end] for start, end in finding.hits] == ["Umowa", "Umowę", "umowy", "Umów", "Podwyżki"]


@pytest.mark.parametrize(("query", "hit"), [("art. 5", "art. 5"), ("2024-03-12", "12 marca 2024"), ("§ 2", "§ 2")])
def test_provisions_and_dates_are_found_however_they_are_written(query: str, hit: str) -> None:
    assert found(query) == [hit]


def test_function_words_do_not_count_beside_others() -> None:
    assert found("czynsz za lokal") == ["Czynsz za lokal"]


@pytest.mark.parametrize("query", ["", "  ", '""', "!?", "\x00", "jednorożec"])
def test_nothing_is_found_for_nothing(query: str) -> None:
    assert found(query) == []


def test_what_a_reader_does_not_see_is_no_hit() -> None:
    assert found("umowa", "Patrz [tutaj](https://przyklad.pl/umowa).\n\nUmowa.") == ["Umowa"]


def shown(client: Client, pk: int, **query: object) -> str:
    response = client.get(f"/documents/{pk}/", query)
    assert response.status_code == 200
    return response.content.decode()


def marks(page: str) -> list[str]:
    return re.findall(r'<mark class="found" id="trafienie-\d+" tabindex="-1">([^<]+)</mark>', page)


def test_all_hits_are_marked_and_listed_under_their_heading(
    client: Client, public: Collection, index: AddDocument
) -> None:
    page = shown(client, index(public, CONTRACT, name="u.md").pk, find="umowa")
    assert marks(page) == ["Umowa", "Umowę", "umowy", "Umów"]
    assert page.count('class="find-hit"') == 4
    assert "§ 2. Czynsz" in re.findall(r"<h3[^>]*>([^<]+)</h3>", page.partition('class="find-list"')[2])[-1]


def test_a_hit_inside_the_cited_passage_is_marked_too(client: Client, public: Collection, index: AddDocument) -> None:
    start = CONTRACT.index("Stroną umowy")
    page = shown(client, index(public, CONTRACT, name="u.md").pk, find="umowa", start=start, end=start + 25)
    assert len(re.findall(r'id="trafienie-\d"', page)) == 4
    assert page.count('id="cytat"') == 1


def test_a_hit_in_another_part_of_a_long_text_is_a_link_to_it(
    client: Client, public: Collection, index: AddDocument
) -> None:
    filler = "Akapit o zieleni miejskiej i ławkach.\n\n" * (WHOLE_UP_TO // 30)
    document = index(public, f"Umowa pierwsza.\n\n{filler}Druga umowa.\n", name="d.txt")
    page = shown(client, document.pk, find="umowa")
    assert marks(page) == ["Umowa"]
    assert "find=umowa&amp;hit=2#trafienie-2" in page
    assert marks(shown(client, document.pk, find="umowa", hit=2)) == ["umowa"]
    assert 'id="trafienie-2"' in shown(client, document.pk, find="umowa", hit=2)


@pytest.mark.parametrize("hit", ["0", "-1", "99", "x", "9" * 30])
def test_a_hit_that_is_not_there_is_no_error(client: Client, public: Collection, index: AddDocument, hit: str) -> None:
    assert marks(shown(client, index(public, CONTRACT, name="u.md").pk, find="umowa", hit=hit))


PERSONAL = "Wniosek złożył Jan Nowak, PESEL 44051401359, e-mail jan.nowak@lipowo.pl.\n"


@pytest.mark.parametrize("query", ["44051401359", '"44051401359"', "lipowo", '"jan.nowak@lipowo.pl"'])
def test_covered_personal_data_are_not_found(
    client: Client, public: Collection, index: AddDocument, superuser: User, query: str
) -> None:
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    public.refresh_from_db()
    document = index(public, PERSONAL)
    assert 'class="find-hit"' not in shown(client, document.pk, find=query)
    client.force_login(superuser)
    assert 'class="find-hit"' in shown(client, document.pk, find=query)


def test_what_is_looked_for_is_escaped(client: Client, public: Collection, index: AddDocument) -> None:
    assert "<script>alert" not in shown(client, index(public, CONTRACT).pk, find='"><script>alert(1)</script>')
