"""The words of the index under the dictionary forms of this release."""

from collections.abc import Mapping

from django.db import transaction

from ingestion.index.terms import rewrite_lemmas
from ingestion.models import Document, Term
from ingestion.services.indexing import queue_indexing
from ingestion.services.lexicon.packs import shipped_packs
from ingestion.services.lexicon.upgrade import load_packs
from ingestion.services.synonyms import refresh_phrases
from ingestion.text.analyser import analyser
from ingestion.types import Progress, no_progress


def outdated_lemmas() -> Mapping[str, str]:
    """The lemma of this release by form, of those that an older release has in the index under another one."""
    lemma = analyser().lemmatiser.lemma
    kept = Term.objects.exclude(lemma="").values_list("text", "lemma").iterator()
    return {form: now for form, before in kept if (now := lemma(form)) != before}


@transaction.atomic
def renew_lemmas(*, progress: Progress = no_progress) -> int:
    """Queue every document for indexing, and look for synonyms under the new lemmas at once; how many documents.

    Until a worker is done with a document it is found by its forms and by the words whose lemma has not changed.
    """
    rewrite_lemmas(outdated_lemmas())
    refresh_phrases()
    load_packs(shipped_packs(), anew=True)
    waiting = list(Document.objects.filter(status=Document.Status.READY).order_by("pk"))
    for done, document in enumerate(waiting, 1):
        queue_indexing(document)
        progress(done, len(waiting))
    return len(waiting)
