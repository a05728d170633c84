"""The graph of names stands and falls with the chunks."""

import pytest

from ingestion.jobs import renew_names
from ingestion.models import Collection, Document, Entity, EntityMention, GlossaryEntry
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.corpora import CorpusEntry, index_corpus
from ingestion.services.documents import delete_document
from ingestion.services.entities import outdated_documents, refresh_entities
from ingestion.services.synonyms import save_glossary_entry
from tests.conftest import AddDocument


def graph(collection: Collection) -> dict[str, int]:
    """By name, in how many chunks it is counted; the counts must be those of the mentions."""
    rows = {entity.pk: entity for entity in Entity.objects.filter(collection=collection)}
    for pk, entity in rows.items():
        assert entity.chunks == EntityMention.objects.filter(entity_id=pk).count()
    return {entity.name: entity.chunks for entity in rows.values() if entity.chunks}


def test_a_document_brings_its_names_and_takes_them_with_it(public: Collection, index: AddDocument) -> None:
    index(public, "W Urzędzie Miasta pracuje Jan Kowalski.", name="a.txt", title="Praca")
    second = index(public, "Skarga na Urząd Miasta.", name="b.txt", title="Skarga")
    assert graph(public) == {"Urząd Miasta": 2, "Jan Kowalski": 1}
    delete_document(document=second)
    assert graph(public) == {"Urząd Miasta": 1, "Jan Kowalski": 1}


def test_a_new_version_replaces_the_names(public: Collection, index: AddDocument) -> None:
    index(public, "Pracuje tu Jan Kowalski.", name="a.txt", title="Praca")
    index(public, "Pracuje tu Anna Nowak.", name="a.txt", title="Praca")
    assert graph(public) == {"Anna Nowak": 1}


def test_a_chunk_that_is_switched_off_names_nothing(public: Collection, index: AddDocument) -> None:
    chunk = index(public, "Pracuje tu Jan Kowalski.", title="Praca").chunks.get()
    set_chunk_enabled(chunk=chunk, enabled=False)
    assert graph(public) == {}
    set_chunk_enabled(chunk=chunk, enabled=True)
    assert graph(public) == {"Jan Kowalski": 1}
    edit_chunk(chunk=chunk, text="Pracuje tu Anna Nowak.")
    assert graph(public) == {"Anna Nowak": 1}


def test_a_corpus_has_the_same_graph_as_its_documents(
    public: Collection, internal: Collection, index: AddDocument
) -> None:
    texts = ["Jan Kowalski i Anna Nowak z Krakowa.", "W Krakowie jest Sąd Rejonowy.", "Zwykły tekst bez nazw."]
    for number, text in enumerate(texts):
        index(public, text, name=f"{number}.txt", title="Pismo")
    entries = [CorpusEntry(uri=str(number), title="Pismo", text=text) for number, text in enumerate(texts)]
    index_corpus(collection=internal, entries=entries, vectors=False)
    assert graph(public) == graph(internal) != {}


def test_a_glossary_entry_joins_its_aliases(public: Collection, index: AddDocument) -> None:
    save_glossary_entry(entry=GlossaryEntry(term="Wydział Komunikacji", aliases=["WK"], kind="unit"))
    index(public, "Wniosek złóż w wydziale komunikacji.", name="a.txt", title="Wniosek")
    index(public, "Pismo z WK dotarło.", name="b.txt", title="Pismo")
    assert graph(public) == {"Wydział Komunikacji": 2}
    assert Entity.objects.get(collection=public, chunks=2).kind == "unit"


def test_the_glossary_of_another_collection_is_not_recognised(
    public: Collection, restricted: Collection, index: AddDocument
) -> None:
    save_glossary_entry(entry=GlossaryEntry(term="kryptonim", collection=restricted))
    index(public, "To jest tylko kryptonim.", title="Pismo")
    assert graph(public) == {}


@pytest.mark.parametrize("missing_only", [True, False])
def test_refreshing_builds_what_indexing_builds(public: Collection, index: AddDocument, missing_only: bool) -> None:
    index(public, "W Urzędzie Miasta pracuje Jan Kowalski.", name="a.txt", title="Praca")
    disabled = index(public, "Pracuje tu Anna Nowak.", name="b.txt", title="Kadry").chunks.get()
    set_chunk_enabled(chunk=disabled, enabled=False)
    built = graph(public)
    EntityMention.objects.all().delete()
    Document.objects.update(names_version=0)
    assert refresh_entities(missing_only=missing_only) == 2
    assert graph(public) == built


def test_refreshing_what_is_missing_leaves_the_rest_alone(public: Collection, index: AddDocument) -> None:
    index(public, "Pracuje tu Jan Kowalski.", title="Praca")
    assert refresh_entities() == 0


def test_refreshing_all_takes_up_a_new_glossary(public: Collection, index: AddDocument) -> None:
    index(public, "Wniosek o urlop jest prosty.", title="Wniosek")
    save_glossary_entry(entry=GlossaryEntry(term="wniosek o urlop"))
    refresh_entities(missing_only=False)
    assert graph(public) == {"wniosek o urlop": 1}


def test_what_an_older_release_indexed_is_read_again_at_night_and_once(public: Collection, index: AddDocument) -> None:
    old = index(public, "Pracuje tu Jan Kowalski.", name="a.txt", title="Praca")
    index(public, "Pracuje tu Anna Nowak.", name="b.txt", title="Kadry")
    built = graph(public)
    EntityMention.objects.filter(chunk__document=old).delete()
    Document.objects.filter(pk=old.pk).update(names_version=0)
    assert [document.pk for document in outdated_documents()] == [old.pk]
    assert renew_names() == 1
    assert graph(public) == built
    assert renew_names() == 0


def test_reading_again_stops_when_its_time_is_over_and_goes_on_later(public: Collection, index: AddDocument) -> None:
    index(public, "Pracuje tu Jan Kowalski.", title="Praca")
    Document.objects.update(names_version=0)
    assert refresh_entities(stopped=lambda: True) == 0
    assert outdated_documents().count() == 1
