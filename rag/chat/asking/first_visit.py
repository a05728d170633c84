"""What the chat page offers whoever has not asked yet: questions to begin with, and the way on."""

from collections.abc import Sequence

from django.utils.translation import gettext

from ingestion.library.sample import is_only_sample
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents
from rag.selectors.documents import shown_documents

SHOWN = 4

# Of the sample knowledge base; the document that answers each is its key, so that none is shown in vain.
_OF_THE_SAMPLE = {
    "urlop-wypoczynkowy.md": "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?",
    "polityka-hasel-2025.md": "Jak długie musi być hasło i jak często je zmieniać?",
    "limity-zapytan-v2.md": "Jaki limit zapytań obowiązuje w API e-Lipowo?",
    "rodo-naruszenia.md": "W jakim czasie zgłosić naruszenie ochrony danych?",
    "praca-zdalna-2025.md": "Ile dni w tygodniu można pracować zdalnie?",
}


def example_questions(viewer: Viewer, collections: Sequence[str] = ()) -> list[str]:
    """Up to four questions about documents that `viewer` may read, of `collections` where some are chosen; none where
    there are no documents.
    """
    documents = readable_documents(viewer)
    if collections:
        documents = documents.filter(collection__slug__in=collections)
    else:
        documents = documents.filter(collection__only_when_chosen=False)
    names = set(documents.filter(file_name__in=_OF_THE_SAMPLE).values_list("file_name", flat=True))
    if names:
        return [question for name, question in _OF_THE_SAMPLE.items() if name in names][:SHOWN]
    shown = shown_documents(viewer, documents.exclude(title="")[:SHOWN])
    return [gettext("What does “%(title)s” say?") % {"title": document.title} for document in shown]


def sees_only_sample(viewer: Viewer) -> bool:
    """Whether all that `viewer` may read are the documents of the fictional office."""
    return is_only_sample(readable_documents(viewer))
