"""An erasure takes words that nobody needs; a writer that needs them after all gets them back."""

from collections.abc import Iterator

from ingestion.index.vocabulary import forget_unused_words
from ingestion.index.writing import writing
from ingestion.models import Erasure, Term
from ingestion.text.analyser import Word


def test_a_writer_that_looked_up_its_words_before_an_erasure_looks_them_up_again(db: None) -> None:
    lookups: list[int] = []

    def words() -> Iterator[Word]:
        lookups.append(Term.objects.count())
        yield "opłaty", "opłata"
        if len(lookups) == 1:  # the lookup has begun; somebody else erases before it is used
            Erasure.objects.create(document_number=1)

    with writing(words) as terms:
        assert len(lookups) == 2
        assert set(Term.objects.filter(pk__in=terms.values()).values_list("text", flat=True)) == {"opłaty", "opłata"}


def test_without_an_erasure_words_are_looked_up_once(db: None) -> None:
    lookups = []
    with writing(lambda: lookups.append(1) or iter([("opłaty", "opłata")])):  # type: ignore[func-returns-value]
        assert lookups == [1]


def test_words_that_stand_nowhere_are_forgotten(db: None) -> None:
    with writing(lambda: [("opłaty", "opłata")]):
        pass
    assert forget_unused_words() == 2
    assert not Term.objects.exists()
