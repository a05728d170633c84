"""A citation of a chunk that an editor changed opens the editor's text and the document's own, side by side."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Chunk, Collection, Document
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from rag.search.links import passage_url
from tests.conftest import AddDocument

QUOTE = "Pracownikowi przysługuje 26 dni urlopu."
CORRECTED = "Pracownikowi ze stażem 10 lat przysługuje 26 dni urlopu, a z krótszym 20 dni."
TEXT = f"# Regulamin\n\n## Urlop\n\n{QUOTE} Wniosek składa się w kadrach.\n\n## Praca\n\nPraca trwa osiem godzin.\n"
PHONE = "Kontakt: tel. 601 234 567."
EDITED, OWN = "Tekst zmieniony przez redaktora", "Tekst dokumentu"


def edited(document: Document, old: str = QUOTE, new: str = CORRECTED) -> Chunk:
    chunk = document.chunks.get(text__contains=old)
    edit_chunk(chunk=chunk, text=chunk.text.replace(old, new))
    return chunk


def link(chunk: Chunk, quote: str = CORRECTED) -> str:
    start = chunk.start + chunk.text.index(quote)
    return passage_url(chunk.document_id, start, start + len(quote), quote)


def opened(client: Client, url: str) -> str:
    response = client.get(url.partition("#")[0])
    assert response.status_code == 200
    return response.content.decode()


def side(page: str, title: str) -> str:
    match = re.search(rf"<h2>{title}</h2>(.*?)</section>", page, re.S)
    assert match
    return match[1]


def words(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


def test_both_texts_stand_side_by_side_with_the_cited_words_marked_in_the_editors(
    client: Client, public: Collection, index: AddDocument
) -> None:
    page = opened(client, link(edited(index(public, TEXT, name="r.md"))))
    assert f'<mark id="cytat" tabindex="-1">{CORRECTED}</mark>' in side(page, EDITED)
    assert QUOTE in words(side(page, OWN))
    assert "<mark" not in side(page, OWN)
    assert page.count('id="cytat"') == 1


def test_the_place_of_the_chunk_is_marked_in_the_document(
    client: Client, public: Collection, index: AddDocument
) -> None:
    text = TEXT + "\n".join(f"\nZdanie numer {n} o pracy w urzędzie i poza nim." for n in range(200))
    page = opened(client, link(edited(index(public, text, name="r.md"))))
    whole = page.rpartition("</section>")[2]
    marked = re.findall(r"<mark[^>]*>.*?</mark>", whole)
    assert marked[0].startswith('<mark class="place" id="miejsce"')
    assert f'<mark class="place">{QUOTE} Wniosek składa się w kadrach.</mark>' in marked
    assert "Zdanie numer 199" in whole
    assert "Zdanie numer 199" not in "".join(marked)
    assert 'href="#miejsce"' in page
    assert len(re.findall(r'id="(naglowek-\d+)"', page)) == len(set(re.findall(r'id="(naglowek-\d+)"', page)))


def test_a_whole_chunk_that_was_changed_opens_both_texts_too(
    client: Client, public: Collection, index: AddDocument
) -> None:
    """What a search found, or an answer had nearest, links the chunk's place with the editor's words."""
    chunk = edited(index(public, TEXT, name="r.md"))
    page = opened(client, passage_url(chunk.document_id, chunk.start, chunk.end, chunk.text))
    assert CORRECTED in words(side(page, EDITED))
    assert 'id="cytat"' in side(page, EDITED)


def test_words_far_behind_in_a_text_that_grew_are_found(client: Client, public: Collection, index: AddDocument) -> None:
    sections = "\n\n".join(f"## Część {n}\n\nZdanie numer {n} o pracy w urzędzie." for n in range(12))
    document = index(public, f"{TEXT}\n{sections}\n", name="r.md")
    grown = f"{'Długi wstęp redaktora. ' * 60}{CORRECTED}"
    assert CORRECTED in words(side(opened(client, link(edited(document, new=grown))), EDITED))


def test_what_the_editor_left_alone_opens_in_the_document(
    client: Client, public: Collection, index: AddDocument
) -> None:
    page = opened(client, link(edited(index(public, TEXT, name="r.md")), "Wniosek składa się w kadrach."))
    assert EDITED not in page
    assert '<mark id="cytat" tabindex="-1">Wniosek składa się w kadrach.</mark>' in page


def test_an_editors_text_is_as_closed_as_its_document(
    client: Client, restricted: Collection, index: AddDocument, employee: User, member: User
) -> None:
    chunk = edited(index(restricted, TEXT, name="r.md"))
    for address in (link(chunk), f"/documents/{chunk.document_id}/?chunk={chunk.pk}"):
        assert client.get(address).status_code == 404
        client.force_login(employee)
        assert client.get(address).status_code == 404
        client.force_login(member)
        assert EDITED in opened(client, address)
        client.logout()


@pytest.mark.parametrize("new", ["Kontakt w kadrach: tel. 601 234 567.", "Telefon: tel. 601 234 567."])
def test_personal_data_stay_covered_in_both_texts(
    client: Client, public: Collection, index: AddDocument, superuser: User, new: str
) -> None:
    chunk = edited(index(public, f"{TEXT}\n{PHONE}\n", name="r.md"), PHONE, new)
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    shown = {}
    for name in ("reader", "superuser"):
        if name == "superuser":
            client.force_login(superuser)
        asked = client.post("/ask/", {"question": "Jaki jest telefon do kontaktu w kadrach?"}, follow=True)
        cited = [url for url in re.findall(r'href="(/documents/[^"]+)"', asked.content.decode()) if "q=" in url]
        pages = [opened(client, url.replace("&amp;", "&")) for url in cited]
        pages.append(opened(client, f"/documents/{chunk.document_id}/?chunk={chunk.pk}"))
        shown[name] = next(page for page in pages if EDITED in page)
        assert any(EDITED in page for page in pages[:-1]), "the answer's own link opens both texts"
    assert "601 234" not in shown["reader"]
    assert "601" not in words(shown["reader"])  # an address may have such a key in it
    assert "•••" in side(shown["reader"], EDITED)
    assert "•••" in side(shown["reader"], OWN)
    assert "601" in words(side(shown["superuser"], EDITED))


def test_a_chunk_is_opened_by_its_number(client: Client, public: Collection, index: AddDocument) -> None:
    document = index(public, TEXT, name="r.md")
    chunk = edited(document)
    page = opened(client, f"/documents/{document.pk}/?chunk={chunk.pk}")
    assert CORRECTED in words(side(page, EDITED))
    assert '<mark class="place" id="miejsce"' in page


def test_an_unchanged_chunk_is_marked_in_the_document_alone(
    client: Client, public: Collection, index: AddDocument
) -> None:
    document = index(public, TEXT, name="r.md")
    page = opened(client, f"/documents/{document.pk}/?chunk={document.chunks.earliest('ordinal').pk}")
    assert EDITED not in page
    assert 'id="cytat"' in page


@pytest.mark.parametrize("number", ["0", "x", "9" * 30])
def test_a_number_of_no_chunk_marks_nothing(
    client: Client, public: Collection, index: AddDocument, number: str
) -> None:
    document, other = index(public, TEXT, name="r.md"), edited(index(public, TEXT + "!", name="inny.md"))
    for chunk in (number, str(other.pk)):
        assert "<mark" not in opened(client, f"/documents/{document.pk}/?chunk={chunk}")


def test_the_text_of_a_chunk_that_is_switched_off_is_not_shown(
    client: Client, public: Collection, index: AddDocument
) -> None:
    chunk = edited(index(public, TEXT, name="r.md"))
    set_chunk_enabled(chunk=chunk, enabled=False)
    assert CORRECTED not in opened(client, f"/documents/{chunk.document_id}/?chunk={chunk.pk}")
