"""The synonym and glossary pages: saved with lemmas, previewed against the index, within what the editor may read."""

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from ingestion.admin.synonyms.preview import preview_group
from ingestion.models import GlossaryEntry, LexiconPack, Synonym, SynonymGroup
from ingestion.services.lexicon.packs import read_pack
from ingestion.services.lexicon.upgrade import load_packs
from ingestion.services.synonyms import save_synonym
from tests.ingestion.api.library import Library, ready_document

LIST = "admin:ingestion_synonymgroup_changelist"


def make_group(*texts: str, **fields: Any) -> SynonymGroup:
    group = SynonymGroup.objects.create(name=texts[0], **fields)
    for position, text in enumerate(texts):
        save_synonym(synonym=Synonym(group=group, text=text, position=position))
    return group


def posted(*texts: str) -> dict[str, Any]:
    fields = {"name": texts[0], "direction": "two_way", "weight": "0.5", "enabled": "on", "collection": ""}
    for n, text in enumerate(texts):
        fields |= {f"synonyms-{n}-text": text, f"synonyms-{n}-position": str(n)}
    return fields | {"synonyms-TOTAL_FORMS": str(len(texts)), "synonyms-INITIAL_FORMS": "0"}


def gains(group: SynonymGroup, library: Library, viewer: str = "superuser") -> dict[str, int | None]:
    return {row.text: row.gained for row in preview_group(group, library.viewers[viewer])}


def test_saving_a_group_lemmatises_its_words(library: Library) -> None:
    address = reverse("admin:ingestion_synonymgroup_add")
    assert library.client("editor").post(address, posted("praca zdalna", "telepraca")).status_code == 302
    assert list(Synonym.objects.values_list("text", "phrase")) == [
        ("praca zdalna", "praca zdalny"),
        ("telepraca", "telepraca"),
    ]


@pytest.mark.parametrize("text", ["a więc", "bez pracy"])
def test_a_synonym_that_search_cannot_look_for_is_refused(library: Library, text: str) -> None:
    response = library.client("editor").post(reverse("admin:ingestion_synonymgroup_add"), posted(text, "telepraca"))
    assert response.status_code == 200
    assert not SynonymGroup.objects.exists()


@pytest.mark.parametrize("weight", ["0", "1", "2"])
def test_a_synonym_weighs_less_than_a_typed_word(library: Library, weight: str) -> None:
    fields = posted("praca zdalna", "telepraca") | {"weight": weight}
    assert library.client("editor").post(reverse("admin:ingestion_synonymgroup_add"), fields).status_code == 200
    assert not SynonymGroup.objects.exists()


def test_the_list_shows_the_thesaurus_only_on_request(library: Library) -> None:
    make_group("absencja", "nieobecność", source="thesaurus")
    make_group("kadry", "personel")
    client = library.client("editor")
    shown = {
        choice: client.get(reverse(LIST), {"source": choice} if choice else {}).content.decode()
        for choice in ("", "thesaurus", "all")
    }
    assert ["nieobecność" in shown[choice] for choice in shown] == [False, True, True]
    assert ["personel" in shown[choice] for choice in shown] == [True, False, True]


def test_chosen_groups_are_put_in_use_and_taken_out(library: Library) -> None:
    group = make_group("absencja", "nieobecność", source="thesaurus", enabled=False)
    client = library.client("editor")
    for action, enabled in (("put_in_use", True), ("take_out_of_use", False)):
        client.post(reverse(LIST) + "?source=all", {"action": action, "_selected_action": [group.pk]})
        group.refresh_from_db()
        assert group.enabled is enabled


def test_the_preview_lists_the_forms_in_the_index_with_their_chunks(library: Library) -> None:
    ready_document(library.collections["public"], "Wniosek trafia do kadr. Wnioski i wnioskami.", "a.txt")
    ready_document(library.collections["public"], "Składanie wniosków. Ludzie czekają.", "b.txt")
    rows = preview_group(make_group("wniosek", "człowiek"), library.viewers["superuser"])
    assert {found.form: found.chunks for found in rows[0].forms} == {
        "wniosek": 1, "wnioski": 1, "wnioskami": 1, "wniosków": 1,
    }  # fmt: skip
    assert [found.form for found in rows[1].forms] == ["ludzie"]
    assert [row.chunks for row in rows] == [2, 1]


def test_the_preview_counts_the_chunks_that_only_the_group_finds(library: Library) -> None:
    collection = library.collections["public"]
    ready_document(collection, "Telepraca wymaga zgody.", "a.txt")
    ready_document(collection, "Telepracę i pracę zdalną opisuje regulamin.", "b.txt")
    ready_document(collection, "Zdalna praca jest dobrowolna.", "c.txt")
    ready_document(collection, "Praca w biurze.", "d.txt")
    group = make_group("praca zdalna", "telepraca")
    assert gains(group, library) == {"praca zdalna": 1, "telepraca": 1}
    group.direction = "one_way"
    assert gains(group, library) == {"praca zdalna": 1, "telepraca": None}


def test_the_preview_counts_only_what_the_editor_may_read(library: Library) -> None:
    for slug, collection in library.collections.items():
        ready_document(collection, "Wakacje tajne." if slug == "restricted" else "Wakacje.", "w.txt")
    group = make_group("urlop", "wakacje")
    assert gains(group, library, "superuser")["urlop"] == 3
    assert gains(group, library, "editor")["urlop"] == 2
    hidden = preview_group(make_group("tajny", "jawny"), library.viewers["editor"])
    assert (hidden[0].chunks, hidden[0].forms) == (0, ())


def test_the_preview_of_a_collections_group_counts_that_collection(library: Library) -> None:
    for collection in library.collections.values():
        ready_document(collection, "Wakacje.", "w.txt")
    group = make_group("urlop", "wakacje", collection=library.collections["internal"])
    assert gains(group, library)["urlop"] == 1


def test_the_change_page_shows_the_preview_without_scripts(library: Library) -> None:
    ready_document(library.collections["public"], "Wakacje. Po wakacjach.", "p.txt")
    group = make_group("urlop", "wakacje", enabled=False)
    address = reverse("admin:ingestion_synonymgroup_change", args=[group.pk])
    page = library.client("editor").get(address).content.decode()
    section = page[page.index('aria-labelledby="synonym-preview"') :]
    section = section[: section.index("</section>")]
    assert "wakacjach&nbsp;(1)" in section
    assert "<script" not in section


def test_a_glossary_entry_is_saved_with_the_lemmas_of_all_its_names(library: Library) -> None:
    client, address = library.client("editor"), reverse("admin:ingestion_glossaryentry_add")
    fields = {"term": "Karta Obiegowa", "kind": "form", "definition": "Przy odejściu.", "collection": ""}
    assert client.post(address, fields | {"aliases": "obiegówka\r\n\r\n karta zwolnienia \r\n"}).status_code == 302
    entry = GlossaryEntry.objects.get()
    assert entry.aliases == ["obiegówka", "karta zwolnienia"]
    assert len(entry.phrases) == 3
    assert client.post(address, fields | {"term": "Inna", "aliases": "a więc"}).status_code == 200
    page = client.get(reverse("admin:ingestion_glossaryentry_change", args=[entry.pk])).content.decode()
    assert "obiegówka\nkarta zwolnienia" in page


def test_glossary_entries_of_hidden_collections_do_not_exist_for_the_editor(library: Library) -> None:
    GlossaryEntry.objects.create(term="Tajny rejestr", collection=library.collections["restricted"])
    GlossaryEntry.objects.create(term="Jawny rejestr")
    page = library.client("editor").get(reverse("admin:ingestion_glossaryentry_changelist")).content.decode()
    assert "Jawny rejestr" in page
    assert "Tajny rejestr" not in page


@pytest.fixture
def pack(tmp_path: Path) -> LexiconPack:
    path = tmp_path / "kadry.txt"
    path.write_text("# Kadry\nkomp [laptop]; pecet > komputer\n", encoding="utf-8")
    load_packs([read_pack(path)])
    return LexiconPack.objects.get()


def test_a_pack_is_switched_off_and_on_by_an_editor(library: Library, pack: LexiconPack) -> None:
    client, address = library.client("editor"), reverse("admin:ingestion_lexiconpack_changelist")
    assert "Kadry" in client.get(address).content.decode()
    for action, enabled in (("take_out_of_use", False), ("put_in_use", True)):
        client.post(address, {"action": action, "_selected_action": [pack.pk]})
        pack.refresh_from_db()
        assert pack.enabled is enabled


def test_the_groups_of_a_pack_are_listed_with_what_they_lead_to(library: Library, pack: LexiconPack) -> None:
    page = library.client("editor").get(reverse(LIST), {"pack": pack.name}).content.decode()
    assert "komp (przy słowach: laptop), pecet → komputer" in page


def test_a_group_of_a_pack_is_switched_off_but_not_rewritten(library: Library, pack: LexiconPack) -> None:
    group = pack.groups.get()
    client, address = library.client("editor"), reverse("admin:ingestion_synonymgroup_change", args=[group.pk])
    page = client.get(address)
    (formset,) = [inline.formset for inline in page.context["inline_admin_formsets"]]
    sent = {f"synonyms-{name}": value for name, value in formset.management_form.initial.items()}
    sent |= {
        f"synonyms-{n}-{key}": form[key].value() for n, form in enumerate(formset.forms) for key in ("id", "group")
    }
    assert client.post(address, {"name": "inna", "weight": "0.1", **sent}).status_code == 302
    group.refresh_from_db()
    assert (group.name, group.enabled, group.weight > 0.1) == ("komp", False, True)
    assert client.get(reverse("admin:ingestion_synonymgroup_delete", args=[group.pk])).status_code == 403
