"""What a model gets to read for the id of a passage: no more than its reader sees, and never without bounds."""

from copy import copy

import pytest
from django.contrib.auth.models import AnonymousUser, User

from ingestion.models import Chunk, Collection, Document
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.text.personal_data.masking import COVER
from rag.api.mcp.passage_texts import identifier, passage_text
from rag.errors import UnknownPassage
from rag.services.search import search_passages
from tests.conftest import index_text, make_public, make_restricted
from tests.kept import Kept

SHORT = "# Parking\n\nAbonament kosztuje 90 zł.\n\n## Wniosek\n\nWniosek przyjmuje sekretariat, tel. 601 234 567.\n"
FILLER = "Pracownik składa wniosek do przełożonego, który rozpatruje go w ciągu siedmiu dni roboczych. " * 40
LONG = "# Regulamin\n\n" + "\n\n".join(f"## Rozdział {n}\n\n{FILLER}\n\nOkres numer {n} jest ważny." for n in range(12))


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> dict[str, Document]:
    with kept_rows.writing():
        return {
            "short": index_text(make_public(), SHORT, name="parking.md"),
            "long": index_text(make_public(), LONG, name="regulamin.md"),
            "closed": index_text(make_restricted(), SHORT, name="poufne.md"),
        }


@pytest.fixture
def documents(kept_documents: dict[str, Document], db: None) -> dict[str, Document]:
    return copy(kept_documents)


def chunk_with(document: Document, words: str) -> Chunk:
    return Chunk.objects.filter(document=document, text__contains=words).latest("start")


def key_of(document: Document, words: str) -> str:
    return f"{document.pk}-{chunk_with(document, words).pk}"


def test_what_a_search_found_is_read(documents: dict[str, Document], anonymous: AnonymousUser) -> None:
    found = search_passages(query="Ile kosztuje abonament?", viewer=anonymous).passages[0]
    text = passage_text(anonymous, identifier(found))
    assert text.document.pk == found.document_id == documents["short"].pk
    assert text.found.chunk_id == found.chunk_id


def test_a_short_document_is_read_whole(documents: dict[str, Document], anonymous: AnonymousUser) -> None:
    text = passage_text(anonymous, key_of(documents["short"], "sekretariat"))
    assert (text.part, text.read.text.strip()) == ("document", SHORT.strip())


def test_of_a_long_one_the_section_is_read(documents: dict[str, Document], anonymous: AnonymousUser) -> None:
    text = passage_text(anonymous, key_of(documents["long"], "numer 7 "))
    assert text.part == "section"
    assert text.read.text.startswith("## Rozdział 7")
    assert "Okres numer 7 jest ważny." in text.read.text
    assert len(text.read.text) <= 8_000
    assert text.read.heading_path[-1] == "Rozdział 7"


def test_the_editors_text_is_read_and_nothing_that_was_switched_off(
    documents: dict[str, Document], anonymous: AnonymousUser
) -> None:
    edited = chunk_with(documents["long"], "numer 7 ")
    edit_chunk(chunk=edited, text="Okres numer siedem już nie obowiązuje.")
    text = passage_text(anonymous, f"{documents['long'].pk}-{edited.pk}")
    assert (text.part, text.read.text) == ("passage", "Okres numer siedem już nie obowiązuje.")

    neighbour = chunk_with(documents["long"], "numer 3 ")
    set_chunk_enabled(chunk=neighbour, enabled=False)
    beside = Chunk.objects.filter(document=documents["long"], end__lte=neighbour.start).latest("end")
    assert "numer 3 " not in passage_text(anonymous, f"{documents['long'].pk}-{beside.pk}").read.text


def test_a_document_that_was_split_anew_is_read_from_its_beginning(
    documents: dict[str, Document], anonymous: AnonymousUser
) -> None:
    text = passage_text(anonymous, f"{documents['long'].pk}-{chunk_with(documents['short'], 'sekretariat').pk}")
    assert text.read.start == 0
    assert text.read.text.startswith("# Regulamin")


@pytest.mark.parametrize("key", ["", "x", "12", "1-2-3", "-1-2", "0-0", "999999999-1", "٣-١"])
def test_what_is_no_id_is_said_to_be_none(db: None, anonymous: AnonymousUser, key: str) -> None:
    with pytest.raises(UnknownPassage):
        passage_text(anonymous, key)


def test_who_may_not_read_a_document_learns_nothing_of_it(
    documents: dict[str, Document], employee: User, superuser: User
) -> None:
    key = key_of(documents["closed"], "sekretariat")
    assert passage_text(superuser, key).part == "document"
    missing = f"{documents['closed'].pk + 1000}-1"
    with pytest.raises(UnknownPassage) as closed:
        passage_text(employee, key)
    with pytest.raises(UnknownPassage) as nowhere:
        passage_text(employee, missing)
    assert str(closed.value).replace(key, missing) == str(nowhere.value)


def test_personal_data_are_covered_for_whom_they_are(
    documents: dict[str, Document], anonymous: AnonymousUser, superuser: User
) -> None:
    Collection.objects.filter(pk=documents["short"].collection_id).update(mask_personal_data=True)
    key = key_of(documents["short"], "sekretariat")
    covered = passage_text(anonymous, key)
    assert COVER in covered.read.text
    assert COVER in covered.found.text
    assert "601 234 567" not in covered.read.text + covered.found.text
    assert "601 234 567" in passage_text(superuser, key).read.text
