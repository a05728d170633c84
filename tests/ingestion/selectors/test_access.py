"""Who may see a row: one rule for each kind, and every page and address of the API that shows it follows it."""

import ast
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse

from ingestion import selectors
from ingestion.models import Job, Rechunking, Source, SourceAddress
from ingestion.models.viewers import Viewer
from ingestion.services.rechunking import Wish, start_rechunking
from tests.ingestion.api.library import VISIBLE, Library, make_library
from tests.kept import Kept

SEES = VISIBLE | {"editor": VISIBLE["signed_in"], "inactive superuser": {"public"}, "inactive member": {"public"}}
each_viewer = pytest.mark.parametrize("name", SEES)
Rule = Callable[[Viewer], QuerySet[Any]]


def make_linked_library() -> Library:
    made = make_library()
    for collection in made.collections.values():
        slug = collection.slug
        source = Source.objects.create(collection=collection, kind="web", name=slug, location=slug)
        SourceAddress.objects.create(source=source, uri=f"https://{slug}.pl")
    for name in ("superuser", "member"):
        left = User.objects.get(pk=made.viewers[name].pk)
        left.is_active = False
        made.viewers[f"inactive {name}"] = left
    return made


@pytest.fixture(scope="module")
def kept_library(kept_rows: Kept) -> Library:
    return kept_rows.make(make_linked_library)


@pytest.fixture
def library(kept_library: Library, db: None) -> Library:
    return deepcopy(kept_library)


RULES: dict[str, tuple[Rule, str]] = {
    "collections": (selectors.visible_collections, "slug"),
    "documents": (selectors.visible_documents, "collection__slug"),
    "readable documents": (selectors.readable_documents, "collection__slug"),
    "open documents": (selectors.open_documents, "collection__slug"),
    "sources": (selectors.visible_sources, "collection__slug"),
    "jobs": (selectors.visible_jobs, "document__collection__slug"),
    "addresses": (
        lambda viewer: selectors.in_visible_collections(SourceAddress.objects.all(), viewer, path="source__collection"),
        "source__collection__slug",
    ),
}


@each_viewer
@pytest.mark.parametrize("kind", RULES)
def test_rows_are_those_of_the_collections_that_somebody_may_read(library: Library, kind: str, name: str) -> None:
    rule, slug = RULES[kind]
    assert set(rule(library.viewers[name]).values_list(slug, flat=True)) == SEES[name]


def test_readers_get_what_is_ready_and_editors_every_status(library: Library) -> None:
    for name in SEES:
        viewer = library.viewers[name]
        assert set(selectors.readable_documents(viewer).values_list("status", flat=True)) == {"ready"}
        expected = {"ready", "queued"} if name == "editor" else {"ready"}
        opened = set(selectors.open_documents(viewer).values_list("status", flat=True))
        assert opened == expected | ({"queued"} if name == "superuser" else set())


def test_readers_get_the_chunks_that_are_searched_and_editors_all(library: Library) -> None:
    document = library.ready["public"]
    document.chunks.update(enabled=False)
    seen = {name for name in SEES if selectors.open_chunks(library.viewers[name], document).exists()}
    assert seen == {"editor", "superuser"}


def test_a_job_of_no_collection_is_the_superusers(library: Library) -> None:
    job = library.waiting["public"].jobs.get()
    Job.objects.filter(pk=job.pk).update(document=None, collection=None)
    assert {name for name in SEES if selectors.visible_jobs(library.viewers[name]).filter(pk=job.pk)} == {"superuser"}


@pytest.mark.parametrize(
    ("slugs", "seen_by"),
    [
        (["public"], set(SEES)),
        (["public", "internal"], {"signed_in", "member", "editor", "superuser"}),
        (["public", "restricted"], {"member", "superuser"}),
    ],
)
def test_a_change_of_chunking_is_seen_by_those_who_may_read_all_that_it_names(
    library: Library, slugs: list[str], seen_by: set[str]
) -> None:
    collections = [library.collections[slug] for slug in slugs]
    made: Rechunking = start_rechunking(collections=collections, wish=Wish(chunk_size=64, overlap=0), queue=False)
    assert {
        name for name in SEES if selectors.visible_rechunkings(library.viewers[name]).filter(pk=made.pk).exists()
    } == seen_by


@pytest.mark.parametrize("name", ["editor", "superuser"])
@pytest.mark.parametrize("kind", ["document", "source", "job"])
def test_the_page_and_the_api_list_the_same_rows(library: Library, kind: str, name: str) -> None:
    client = library.client(name)
    page = client.get(reverse(f"admin:ingestion_{kind}_changelist"))
    assert page.status_code == 200
    listed = {str(row.pk) for row in page.context["cl"].queryset}
    answer = client.get(f"/api/{kind}s").json()
    assert {str(row["id"]) for row in answer["results"]} == listed
    assert listed


@pytest.mark.parametrize("name", ["anonymous", "signed_in", "member"])
@pytest.mark.parametrize("kind", ["collection", "document", "chunk", "source", "job", "rechunking", "sourceaddress"])
def test_readers_do_not_come_into_the_admin(library: Library, kind: str, name: str) -> None:
    address = reverse(f"admin:ingestion_{kind}_changelist")
    assert library.client(name).get(address).status_code == 302


ROOT = Path(__file__).parents[3]
_RULE = re.compile(
    r'__in(?:=|": )visible_collections|getattr\([\w.]+, "is_superuser"|\("ingestion\.see_personal_data"\)'
)


def test_no_rule_is_written_beside_the_selectors() -> None:
    """Which rows a viewer sees is asked of a selector, what a viewer is of `ingestion.models.viewers`."""
    at_home = {"ingestion/selectors/access.py", "ingestion/models/viewers.py"}
    product = [path for app in ("ingestion", "rag", "knowledgetree") for path in (ROOT / app).rglob("*.py")]
    written = {str(path.relative_to(ROOT)) for path in product if _RULE.search(path.read_text())}
    assert {name for name in written if not name.startswith("rag/selectors/")} == at_home


_TABLES = re.compile(r"\b(?:FROM|JOIN) ingestion_(?:chunk|document|extraction|posting)\b")
_ROWS = re.compile(
    r"\b(?:Chunk|Document|Extraction)\.(?:objects|of_all_times|earlier_ones)\b(?!\.none)|\.documents\.(?:filter|count|all|values)\b"
)
_ASKED = re.compile(r"\{(?:condition|readable|documents|where)\}")
_READING = ("rag", "ingestion/admin", "ingestion/api", "ingestion/library", "ingestion/selectors", "knowledgetree")

OF_WHAT_WAS_OPENED = {
    "rag/selectors/consolidated.py": "a document that was opened, and readable ones that change it",
    "ingestion/admin/chunks/chunks.py": "the chunk that the editor has open",
    "ingestion/admin/chunks/columns.py": "chunks beside one that is open, for its readers",
    "ingestion/admin/documents/documents.py": "documents that the editor chose from the list",
    "ingestion/selectors/access.py": "chunks of a document that is open",
    "ingestion/selectors/chunk_readers.py": "keys and counts by set of readers; `Opening` says which are open",
    "ingestion/library/privacy.py": "places in passages that were found",
    "rag/answering/cache/answers.py": "_KEEP and _FORGET show nothing to anybody",
    "rag/search/retrieval/lexical.py": "scores; the best of them meet the condition",
    "rag/search/retrieval/packed_bm25.py": "scores; the best of them meet the condition",
    "ingestion/selectors/postings.py": "keys and counts; whoever asks looks for the chunks in what may be read",
    "rag/search/related/documents.py": "documents that the condition let through",
    "rag/search/related/nearness.py": "chunks that the condition let through",
    "rag/search/surroundings.py": "chunks of the same text as one that was found",
    "rag/selectors/amendments.py": "chunks of a document that is open (`ShownDocument`) or readable",
    "rag/selectors/evaluation.py": "judgements of what is there and not readable",
    "rag/selectors/headings.py": "the text around a citation",
    "rag/selectors/wordings.py": "earlier versions of documents that are cited, whose readers they have",
    "rag/selectors/texts.py": "texts of a document that is open (`ShownDocument`)",
    "rag/api/mcp/passage_texts.py": "texts of a document that is open (`ShownDocument`)",
    "rag/services/keeping.py": "documents of an answer, whether they are there still",
    "rag/admin/hit_testing/columns.py": "addresses of passages that were found",
    "rag/answering/research/tools.py": "asked by `Clearance.opens`",
}
SHOWS_NO_TEXT = {
    "ingestion/admin/collections/collections.py": "how many documents a collection has, for who may delete it",
    "ingestion/admin/sources/panel.py": "how many documents a source has brought, for who runs it",
    "knowledgetree/privacy/register.py": "numbers for the register of personal data",
    "ingestion/admin/synonyms/preview.py": "how many chunks have a word, for who writes synonyms",
    "rag/selectors/languages.py": "which language most documents are in",
    "rag/evaluation/optimization/tried_chunking.py": "how many documents there are of those split on trial",
    "knowledgetree/diagnosis.py": "numbers for operators",
    "knowledgetree/metrics/state.py": "numbers for operators",
    "knowledgetree/guides.py": "whether the program's own guides are there, and as they were loaded",
}
NO_READER = {
    "rag/admin/evaluation/action.py": "questions made from documents of the editor's list",
    "rag/evaluation/datasets/dataset_storage.py": "corpora of evaluation sets",
    "rag/evaluation/load.py": "questions of a load test, for operators",
    "rag/insight/communities/building.py": "groups of documents that were read for all readers",
    "rag/insight/communities/centres.py": "titles of documents that were read for all readers",
    "rag/insight/analytics/word_proposals.py": "proposals, which `visible_documents` filters",
    "ingestion/library/validity/proposals.py": "the words of proposals, which `visible_documents` filters",
    "rag/insight/amendments/chore.py": "acts that are read for amendments; `amendments_of` filters",
    "rag/insight/amendments/ends.py": "acts that end others; `open_proposals` filters",
    "rag/insight/conflicts/comparing.py": "documents that are compared; `visible_conflicts` filters",
    "rag/insight/conflicts/pairs.py": "statements that are compared; `visible_conflicts` filters",
    "rag/insight/conflicts/storage.py": "statements whose chunk is gone",
    "rag/services/erasure.py": "what is erased",
    "knowledgetree/backups/drill.py": "how many documents changed, for operators at the terminal",
    "knowledgetree/privacy/retention.py": "documents whose term is over, whoever reads them",
    "knowledgetree/privacy/traces.py": "for superusers alone, who read everything",
}


def test_whatever_reads_documents_asks_who_reads() -> None:
    """A new way to documents asks for rights in its SQL (`Clearance`), starts at a selector, or says here why not."""
    excused = OF_WHAT_WAS_OPENED | SHOWS_NO_TEXT | NO_READER
    found = {
        str(path.relative_to(ROOT)): _unasked(path)
        for app in _READING
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts and "commands" not in path.parts
    }
    open_ways = {name: ways for name, ways in found.items() if ways}
    assert {name: ways for name, ways in open_ways.items() if name not in excused} == {}
    assert excused.keys() - open_ways.keys() == set()


def _unasked(path: Path) -> list[str]:
    """Texts of SQL and lines with rows of documents that do not say whose rights are asked."""
    source = path.read_text()
    texts = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    texts = [text for text in texts if isinstance(text, str) and _TABLES.search(text) and not _ASKED.search(text)]
    rows = [line.strip() for line in source.splitlines() if _ROWS.search(line) and "cleared(" not in line]
    return [*texts, *rows]


_OF_OTHER_TIMES = re.compile(r"\.(?:of_all_times|earlier_ones|with_archives)\b")
MAY_NAME_OTHER_TIMES = {
    "ingestion/renewal/trial_copies.py",  # copies on trial, which nobody reads
    "ingestion/services/chunking_trials.py",
    "rag/evaluation/optimization/copies.py",
    "ingestion/renewal/earlier_versions.py",  # writes them
    "ingestion/selectors/access.py",  # the rules themselves
    "ingestion/services/documents.py",  # deletes them with their document
    "ingestion/services/erasure.py",  # erases them with their document
    "ingestion/services/syncing/syncing.py",  # moves them with their document
    "ingestion/services/versions.py",  # says until when they held
    "rag/answering/research/tools.py",  # passages that were found
    "rag/selectors/conversations.py",  # documents behind a stored answer, which may be closed
    "rag/selectors/wordings.py",  # what a cited document said before
    "rag/services/keeping.py",  # documents that are cited
}


def test_what_documents_said_earlier_is_read_where_a_time_is_named_alone() -> None:
    """`Document.objects` and `Collection.objects` do not know it; a module that does is named here."""
    product = [path for app in ("ingestion", "rag", "knowledgetree") for path in (ROOT / app).rglob("*.py")]
    naming = {str(path.relative_to(ROOT)) for path in product if _OF_OTHER_TIMES.search(path.read_text())}
    assert naming == MAY_NAME_OTHER_TIMES
