"""An index of a release with other dictionary forms: counted, and brought up to date."""

import pytest

from ingestion.models import Collection, Job, Term
from ingestion.services.lemmas import outdated_lemmas, renew_lemmas
from tests.conftest import index_text


@pytest.mark.django_db
def test_words_under_other_lemmas_are_counted_and_their_documents_indexed_again() -> None:
    document = index_text(Collection.objects.create(name="Pomoc"), "Pliki zapisuje się na dysku wspólnym działu.")
    assert not outdated_lemmas()

    Term.objects.filter(text="pliki").update(lemma="plika")
    Term.objects.filter(text="działu").update(lemma="działo")
    assert outdated_lemmas() == {"pliki": "plik", "działu": "dział"}

    assert renew_lemmas() == 1
    assert not outdated_lemmas()
    assert [job.document for job in Job.objects.filter(status=Job.Status.QUEUED)] == [document]
