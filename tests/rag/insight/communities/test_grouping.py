"""Documents that are about the same come together, whatever the order in which they came."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from ingestion.models import Collection, Document
from rag.insight.communities.centres import centres_of, labels_of
from rag.insight.communities.grouping import LARGEST, groups_of
from rag.insight.communities.topic_words import read_corpus
from tests.conftest import AddDocument
from tests.rag.insight.communities.conftest import LEAVE, WASTE, fill


def grouped(collection: Collection) -> set[frozenset[str]]:
    corpus = read_corpus(collection.pk)
    names = dict(Document.objects.values_list("pk", "title"))
    return {frozenset(names[key].lower() for key in group) for group in groups_of(corpus.documents, corpus.together)}


@pytest.mark.parametrize("turned", [False, True])
def test_two_plain_subjects_fall_apart_in_any_order(public: Collection, index: AddDocument, turned: bool) -> None:
    fill(public, index, turned=turned)
    assert grouped(public) == {frozenset(LEAVE), frozenset(WASTE)}


def test_what_is_archived_expired_or_of_another_collection_is_in_no_group(
    public: Collection, internal: Collection, documents: dict[str, Document], index: AddDocument
) -> None:
    index(internal, LEAVE["urlop"] + " Urlop prezesa.", name="obcy.txt", title="Obcy")
    Document.objects.filter(pk=documents["ślub"].pk).update(status=Document.Status.ARCHIVED)
    Document.objects.filter(pk=documents["gruz"].pk).update(valid_to="2020-01-01")
    assert grouped(public) == {frozenset({"urlop", "zaległy"}), frozenset({"odpady", "bio"})}


def test_an_empty_collection_and_a_lonely_document_have_no_groups(public: Collection, index: AddDocument) -> None:
    assert grouped(public) == set()
    index(public, LEAVE["urlop"], name="urlop.txt", title="Urlop")
    assert grouped(public) == set()


def test_a_label_has_the_words_that_the_group_shares_and_the_others_lack(
    public: Collection, documents: dict[str, Document]
) -> None:
    corpus = read_corpus(public.pk)
    groups = groups_of(corpus.documents, corpus.together)
    first, second = labels_of(centres_of(corpus, groups), public.pk)
    leave, waste = (first, second) if "urlop" in first else (second, first)
    assert "urlop" in leave.split(", ")
    assert {"odpady", "pojemniki"} & set(waste.split(", "))
    assert not set(leave.split(", ")) & set(waste.split(", "))


def test_a_group_that_is_too_large_for_one_subject_is_grouped_within_itself() -> None:
    random = np.random.default_rng(1)
    centres = np.eye(8) + 0.35 * np.ones((8, 8))
    rows = np.repeat(centres, 25, axis=0) + 0.02 * random.random((200, 8))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    groups = groups_of(range(200), csr_array(rows))
    assert sum(map(len, groups)) == 200
    assert max(map(len, groups)) <= LARGEST
    assert all(len({document // 25 for document in group}) == 1 for group in groups)
