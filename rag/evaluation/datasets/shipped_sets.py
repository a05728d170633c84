"""Question sets that come with the program, about its sample knowledge base and about the program itself, by the names
they are known under.
"""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from ingestion.models import Collection
from ingestion.selectors import readable_documents
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import read_questions
from rag.models import EvaluationDataset, Judgement
from rag.selectors.assistants import HELP

SHIPPED_SETS = {
    "codzienne": settings.FIXTURES_DIR / "codzienne/strojenie.jsonl",
    "codzienne-proba": settings.FIXTURES_DIR / "codzienne/proba.jsonl",
    "pomoc": settings.FIXTURES_DIR / "pomoc/strojenie.jsonl",
    "pomoc-proba": settings.FIXTURES_DIR / "pomoc/proba.jsonl",
    "urzad": settings.FIXTURES_DIR / "urzad/questions.jsonl",
}

GOLDEN_SET = "codzienne"
"""What a change of the index is judged by where nobody says otherwise."""


def store_shipped_set(name: str) -> EvaluationDataset:
    """The set `name` of SHIPPED_SETS as its file has it; unchanged, it costs one read of either.

    One of the program's guides is asked in their collection, where that is there.
    """
    collection = Collection.objects.filter(slug=HELP).first() if name.startswith(HELP) else None
    return store_dataset(name=name, questions=list(read_questions(SHIPPED_SETS[name])), collection=collection)


def documents_are_there(dataset: EvaluationDataset) -> bool:
    """Whether everyone may read at least half of the documents that its questions expect."""
    expected = set(Judgement.objects.filter(question__dataset=dataset).values_list("document", flat=True))
    known = readable_documents(AnonymousUser()).filter(uri__in=expected).values("uri").distinct().count()
    return bool(expected) and 2 * known >= len(expected)
