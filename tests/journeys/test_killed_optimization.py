"""A search for another way to split documents is killed outright: its copies are gone on with, or cleaned away."""

import signal
from pathlib import Path

import pytest

from tests.installation import Installation, installation, wait_until
from tests.journeys.reembedding import WORDS

DOCUMENTS = 12
_FURNISH = """
from ingestion.models import Collection
from ingestion.services.corpora import CorpusEntry, index_corpus
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
W = {words!r}
collection = Collection.objects.create(slug="zbior", name="Zbiór", visibility="public")
texts = [" ".join(W[(n * 7 + k * k + k * n) % len(W)] + "." * (k % 9 == 8) for k in range(500)) for n in range({n})]
entries = [CorpusEntry(uri=f"d{{n}}", title=f"Dokument {{n}}", text=t) for n, t in enumerate(texts)]
index_corpus(collection=collection, entries=entries)
asked = [(n, n % {n}, texts[n % {n}].split()[100 + n : 104 + n]) for n in range(24)]
questions = [
    LabelledQuestion(id=f"p{{n}}", question=" ".join(words), expected_documents=(f"d{{document}}",))
    for n, document, words in asked
]
store_dataset(name="zestaw", questions=questions, collection=collection)
"""
_SEARCH = (
    "manage.py",
    "optimize",
    "--dataset",
    "zestaw",
    "--try",
    "chunking",
    "--measure",
    "nDCG@10",
    "--preset",
    "offline",
)
_COPIES = "SELECT count(*) FROM ingestion_document WHERE trial_of_id IS NOT NULL"
_LEFT = """
SELECT (SELECT count(*) FROM ingestion_collection WHERE trial_of_id IS NOT NULL),
    (SELECT count(*) FROM ingestion_posting p WHERE NOT EXISTS (SELECT FROM ingestion_chunk c WHERE c.id = p.chunk_id)),
    (SELECT count(*) FROM ingestion_chunk)
"""


def copies(site: Installation) -> int:
    return int(str(site.sql(_COPIES)[0][0]))


@pytest.mark.slow
def test_a_killed_search_leaves_nothing_once_it_is_cleaned_or_went_on(tmp_path: Path) -> None:
    with installation(tmp_path / "var", "kt_killed_optimization") as site:
        site.manage("shell", "-c", _FURNISH.format(words=WORDS, n=DOCUMENTS))
        (before,) = site.sql(_LEFT)
        kill_among_copies(site)
        assert "kopie: 0" not in site.manage("optimize", "--clean").stdout
        assert site.sql(_LEFT) == [before]
        kill_among_copies(site)
        went_on = site.manage(*_SEARCH[1:]).stdout
        assert "Dalszy ciąg szukania nr" in went_on, went_on
        assert site.sql(_LEFT) == [before]
        assert site.sql("SELECT count(*) FROM rag_optimization WHERE result <> '{}'") == [(1,)]


def kill_among_copies(site: Installation) -> None:
    command = site.start(*_SEARCH)
    wait_until(lambda: copies(site) > 0)
    assert "kopie: 0" in site.manage("optimize", "--clean").stdout, "those of a search under way stay"
    wait_until(lambda: copies(site) > 0)
    assert command.poll() is None, "the search was too quick to be killed on the way"
    site.end(command, signal.SIGKILL)
