"""Who may see personal data, on every way to a passage; and that covering them moves nothing."""

import re
from copy import copy
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ingestion.api.serializers import CandidateSerializer, ChunkSerializer, DocumentSerializer
from ingestion.library.seen_documents import seen_chunks, seen_documents
from ingestion.models import Chunk, Collection, Document, PersonalData
from ingestion.models.viewers import Viewer
from ingestion.services.chunks import edit_chunk
from ingestion.text.personal_data.masking import COVER
from rag.models import Conversation, ExchangeCitation
from rag.search.links import passage_url
from rag.selectors import shown_exchanges
from rag.services.ask import answer_question, ask
from rag.services.ask_request import AskRequest
from rag.services.search import search_passages
from rag.types import Answer
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept
from tests.messages_server import MessagesServer, Turn

PESEL, PHONE = "44051401359", "601 234 567"
TEXT = (
    "# Wnioskodawcy\n\n## Jan Nowak\n\nWniosek o zasiłek złożył Jan Nowak, PESEL 44051401359, telefon 601 234 567.\n\n"
    "## Termin\n\nZasiłek wypłaca się do końca miesiąca.\n"
)
QUESTION = "Kto złożył wniosek o zasiłek?"


@pytest.fixture(scope="module")
def kept_document(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        public = make_public()
        public.mask_personal_data = True
        public.save()
        return index_text(public, TEXT, name="wnioski.md", title="Wnioski, tel. 601 234 567")


@pytest.fixture
def document(kept_document: Document, db: None) -> Document:
    return copy(kept_document)


@pytest.fixture
def clerk(employee: User) -> User:
    employee.user_permissions.add(Permission.objects.get(codename="see_personal_data"))
    return User.objects.get(pk=employee.pk)


def says(value: Any) -> bool:
    return any(number in repr(value) for number in (PESEL, PHONE))


def test_what_was_found_is_counted_by_kind_and_its_place_is_exact(document: Document) -> None:
    text = document.extractions.get().text
    found = {row.kind: text[row.start : row.end] for row in PersonalData.objects.filter(document=document)}
    assert found == {"pesel": PESEL, "phone": PHONE, "person": "Jan Nowak"}


def test_passages_are_covered_for_readers_and_shown_to_those_with_the_permission(
    document: Document, clerk: User, anonymous: Viewer
) -> None:
    open_ones = search_passages(query=QUESTION, viewer=clerk).passages
    covered = search_passages(query=QUESTION, viewer=anonymous).passages
    assert says(open_ones)
    assert not says(covered)
    assert [(p.chunk_id, p.start, p.end, len(p.text)) for p in covered] == [
        (p.chunk_id, p.start, p.end, len(p.text)) for p in open_ones
    ]
    assert COVER in covered[0].text
    assert COVER in covered[0].title


def test_a_collection_that_does_not_ask_for_it_covers_nothing(
    document: Document, public: Collection, anonymous: Viewer
) -> None:
    public.mask_personal_data = False
    public.save()
    assert says(search_passages(query=QUESTION, viewer=anonymous).passages)


def test_an_edited_chunk_is_covered_too(document: Document, anonymous: Viewer) -> None:
    chunk = document.chunks.filter(text__contains=PESEL).get()
    edit_chunk(chunk=chunk, text=f"Dopisek. {chunk.text} NIP 526-104-08-28")
    assert chunk.edited
    passages = search_passages(query=QUESTION, viewer=anonymous).passages
    assert not says(passages)
    assert "526-104-08-28" not in repr(passages)


def test_a_number_is_covered_where_the_word_that_says_what_it_is_stands_in_another_chunk(
    public: Collection, index: AddDocument, anonymous: Viewer, settings: Any
) -> None:
    public.mask_personal_data = True
    public.save()
    settings.RAG = {**settings.RAG, "ingestion": {"chunking": {"chunk_size": 12, "overlap": 0}}}
    document = index(public, "Firma z Krakowa podaje swój REGON:\n\n012100784 wpisano do rejestru firm.\n")
    assert not document.chunks.filter(text__contains="REGON", end__gt=40).filter(text__contains="012100784").exists()
    assert "012100784" not in repr(search_passages(query="co wpisano do rejestru firm", viewer=anonymous).passages)


def test_a_number_is_covered_in_the_sentences_around_a_passage_where_the_word_that_tells_it_is_farther_away(
    public: Collection, index: AddDocument, anonymous: Viewer, settings: Any
) -> None:
    public.mask_personal_data = True
    public.save()
    settings.RAG = {**settings.RAG, "ingestion": {"chunking": {"chunk_size": 12, "overlap": 0}}}
    numbers = "012100784 wpisano do rejestru. Wpis jest jawny."
    index(public, f"Firma z Krakowa podaje swój REGON:\n\n{numbers}\n\nOpłatę pobrano w kasie.\n")
    (after,) = search_passages(query="pobranie opłaty w kasie", viewer=anonymous).passages
    assert "wpisano do rejestru" in after.context_before
    assert "REGON" not in after.context_before
    assert "012100784" not in after.context_before
    (before,) = search_passages(query="firma z Krakowa", viewer=anonymous).passages
    assert "wpisano do rejestru" in before.context_after
    assert "012100784" not in before.context_after


def test_neighbours_are_covered_too(document: Document, anonymous: Viewer, settings: Any) -> None:
    settings.RAG = {**settings.RAG, "presets": {"szeroki": {"neighbours": 2}}}
    passages = search_passages(query="do kiedy wypłaca się zasiłek", viewer=anonymous, preset="szeroki").passages
    assert not says(passages)


def test_the_language_model_gets_no_personal_data_for_a_reader(document: Document, settings: Any) -> None:
    with MessagesServer(Turn(pieces=("Jan Nowak [1].",))) as server:
        settings.RAG = {**settings.RAG, "llm": {"api_key": "klucz", "base_url": server.url}, "preset": "balanced"}
        answer_question(QUESTION, viewer=AnonymousUser())
        assert server.requests
        assert not says([request.body for request in server.requests])


def test_the_language_model_gets_no_personal_data_for_a_clerk_whose_answer_has_them(
    document: Document, clerk: User, settings: Any
) -> None:
    with MessagesServer(
        Turn(
            pieces=(
                "Wniosek złożył(a) [oso",
                "ba 1], tel. [telefon 1] [1].",
            )
        )
    ) as server:
        settings.RAG = {**settings.RAG, "llm": {"api_key": "klucz", "base_url": server.url}, "preset": "balanced"}
        answer = answer_question(f"{QUESTION} Czy to był Nowak?", viewer=clerk)
    sent = repr([request.body for request in server.requests])
    assert "[osoba 1]" in sent
    assert not re.search(f"Nowak|{PESEL}|{PHONE}", sent)
    assert answer.text.startswith("Wniosek złożył(a) Jan Nowak, tel. 601 234 567")
    assert [citation.document_id for citation in answer.citations] == [document.pk]


def test_a_model_may_be_told_personal_data_where_the_settings_say_so(
    document: Document, clerk: User, settings: Any
) -> None:
    with MessagesServer(Turn(pieces=("Jan Nowak [1].",))) as server:
        llm = {"api_key": "klucz", "base_url": server.url, "mask_personal_data": False}
        settings.RAG = {**settings.RAG, "llm": llm, "preset": "balanced"}
        answer_question(QUESTION, viewer=clerk)
    assert says([request.body for request in server.requests])


def test_an_answer_kept_for_a_clerk_is_not_given_to_a_reader(
    document: Document, clerk: User, anonymous: Viewer
) -> None:
    def asked(viewer: Viewer) -> Answer:
        return answer_question(QUESTION, viewer=viewer, save=False)

    assert says(asked(clerk))
    assert asked(clerk).metrics.cache == "answers"
    answer = asked(anonymous)
    assert answer.metrics.cache == ""
    assert not says(answer)
    assert not says(asked(anonymous))


def test_a_citation_opens_the_covered_place(document: Document, clerk: User, anonymous: Viewer) -> None:
    for viewer in (anonymous, clerk):
        citation = answer_question("O co złożono wniosek?", viewer=viewer, save=False).citations[0]
        for reader in (None, clerk):
            client = Client()
            if reader:
                client.force_login(reader)
            page = client.get(citation.url).content.decode()
            assert 'id="cytat"' in page
            assert says(page) == (reader is not None)


def test_a_reader_cannot_try_out_what_a_covered_number_is(document: Document) -> None:
    """A link has a fingerprint of the words it cites: no page may tell a right guess from a wrong one."""
    text = document.extractions.get().text
    start = text.index(PESEL)
    for place in (start, 0):
        links = [passage_url(document.pk, place, place + len(PESEL), guess) for guess in (PESEL, PESEL[::-1])]
        right, wrong = (Client().get(link.replace("#cytat", "&fragment=1")).content.decode() for link in links)
        assert without_fingerprint(right) == without_fingerprint(wrong)


def without_fingerprint(page: str) -> str:
    return re.sub(r"q=[0-9a-f]{8}", "", page)


def test_the_original_is_not_given_to_those_who_see_covered_texts(document: Document, clerk: User) -> None:
    client = Client()
    address = f"/documents/{document.pk}/original/"
    assert client.get(address).status_code == 403
    assert address not in client.get(f"/documents/{document.pk}/").content.decode()
    client.force_login(clerk)
    assert client.get(address).status_code == 200


def test_the_api_covers_chunks_and_titles(document: Document, clerk: User) -> None:
    client = Client()
    addresses = (f"/api/documents/{document.pk}/chunks", f"/api/documents/{document.pk}", "/api/documents")
    for address in addresses:
        response = client.get(address)
        assert response.status_code == 200, address
        assert not says(response.json())
    client.force_login(clerk)
    assert says(client.get(addresses[0]).json())


def test_what_the_api_writes_of_documents_cannot_be_a_row(document: Document) -> None:
    """So a new address cannot forget who asks."""
    for serializer, row in (
        (DocumentSerializer, document),
        (CandidateSerializer, document),
        (ChunkSerializer, Chunk()),
    ):
        with pytest.raises(TypeError, match="never a row"):
            _ = serializer(row).data


def test_the_api_covers_every_text_of_a_document_and_of_a_chunk(
    document: Document, clerk: User, anonymous: Viewer
) -> None:
    texts = {"title", "file_name", "uri", "category"}
    for name in texts:
        setattr(document, name, f"PESEL {PESEL}")
    document.uri = f"wnioski/{PESEL}"
    document.tags, document.edited, document.warnings = [PESEL], [PESEL], [{"code": PESEL}]
    document.metadata = {"wniosek": {"numer": [PESEL]}}
    chunk = document.chunks.first()
    assert chunk is not None
    chunk.heading_path = [PESEL]
    chunk.text = chunk.context_before = chunk.context_after = f"tel. {PHONE}"
    for viewer, shown in ((clerk, True), (anonymous, False)):
        (seen,) = seen_documents(viewer, [document])
        (piece,) = seen_chunks(viewer, document, [chunk])
        names = [*texts, "tags", "edited", "warnings", "metadata"]
        assert {name for name in names if says(getattr(seen, name))} == (set(names) if shown else set())
        names = ["heading_path", "text", "context_before", "context_after"]
        assert {name for name in names if says(getattr(piece, name))} == (set(names) if shown else set())


def test_the_api_covers_a_number_of_a_chunk_that_only_its_document_tells(
    public: Collection, index: AddDocument, anonymous: Viewer
) -> None:
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    document = index(public, "# Wnioskodawca\n\nREGON 123456785, Gdańsk.\n")
    document.refresh_from_db()
    chunk = document.chunks.get()
    chunk.text = chunk.context_before = chunk.context_after = "Numer 123456785"
    (piece,) = seen_chunks(anonymous, document, [chunk])
    assert {piece.text, piece.context_before, piece.context_after} == {f"Numer {9 * COVER}"}


def test_what_is_answered_to_an_upload_is_covered_for_its_editor(document: Document, employee: User) -> None:
    """Once as a new document, once as what it may be a new version of. The message repeats what was sent."""
    employee.user_permissions.add(*Permission.objects.filter(codename__in=["add_document", "view_document"]))
    User.objects.filter(pk=employee.pk).update(is_staff=True)
    client = Client()
    client.force_login(employee)
    for content, told in ((b"Pierwszy.", "document"), (b"Drugi.", "candidates")):
        file = SimpleUploadedFile(f"{PESEL}.txt", content, "text/plain")
        shown = client.post("/api/documents", {"file": file, "collection": document.collection.slug}).json()[told]
        assert COVER in repr(shown)
        assert not says(shown)


def test_a_stored_answer_is_covered_once_the_permission_is_gone(document: Document, clerk: User) -> None:
    list(ask(AskRequest(question=QUESTION, viewer=clerk)))
    conversation = Conversation.objects.get()
    assert says(shown_exchanges(conversation, clerk)[0].exchange.answer)
    clerk.user_permissions.clear()
    shown = shown_exchanges(conversation, User.objects.get(pk=clerk.pk))[0]
    assert not says([shown.exchange.answer, shown.citations])


def test_the_address_and_the_headings_of_a_stored_source_are_covered_too(
    document: Document, clerk: User, anonymous: Viewer
) -> None:
    """A file or a section may be named for a person."""
    list(ask(AskRequest(question=QUESTION, viewer=clerk)))
    conversation = Conversation.objects.get()
    ExchangeCitation.objects.update(uri=f"wnioski/{PESEL}.md", heading_path=["Wnioskodawcy", f"Jan Nowak, {PESEL}"])
    assert says(shown_exchanges(conversation, clerk)[0].citations)
    assert not says(shown_exchanges(conversation, anonymous)[0].citations)


def test_a_number_that_names_a_file_is_covered_in_the_address_of_a_passage(
    public: Collection, index: AddDocument, anonymous: Viewer
) -> None:
    public.mask_personal_data = True
    public.save()
    document = index(public, TEXT, name="wniosek.md", uri=f"wnioski/{PESEL}/wniosek.md")
    (passage, *_) = search_passages(query=QUESTION, viewer=anonymous).passages
    assert passage.uri == "wnioski/•••••••••••/wniosek.md"
    client = Client()
    for address in ("/api/documents", f"/api/documents/{document.pk}"):
        assert not says(client.get(address).json())
