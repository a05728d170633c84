from copy import copy
from random import Random

import morfeusz2
import pytest

from ingestion.library.sample import MANIFEST
from ingestion.management.commands._indexing import index_waiting
from ingestion.models import Collection, TermStatistics
from ingestion.services.files.samples import load_manifest
from ingestion.text.analyser import analyser
from ingestion.text.diacritics import LONGEST, fold
from ingestion.text.guessing import MOST
from ingestion.text.morphology.lemmas import Lemmatiser
from rag.search.query.analysis import AnalysedQuery, analyse_query
from rag.search.query.repair import Repairer
from rag.search.query.terms import QueryTerm, TermReading
from rag.search.query.vocabulary import Vocabulary
from tests.conftest import index_text, make_public
from tests.kept import Kept

pytestmark = pytest.mark.django_db


class CountingLemmatiser(Lemmatiser):
    """The real one, with a note of what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.guesses: list[str] = []

    def in_dictionary(self, form: str) -> bool:
        self.guesses.append(form)
        return super().in_dictionary(form)


def analysed(text: str, *collections: Collection) -> AnalysedQuery:
    return analyse_query(text, [collection.pk for collection in collections])


def corrected(text: str, *collections: Collection) -> dict[str, str]:
    return {one.typed: one.searched for one in analysed(text, *collections).corrections}


def test_a_question_is_spelt_as_its_words_were_read() -> None:
    public = make_public()
    index_text(public, "Dostawca wystawia fakturę.")
    typed = "Kiedy dostawca wystawi fakture, a kiedy rachunek?"
    assert analysed(typed, public).spelt(typed) == "Kiedy dostawca wystawi fakturę, a kiedy rachunek?"


@pytest.fixture(scope="module")
def kept_suppliers(kept_rows: Kept) -> Collection:
    with kept_rows.writing():
        public = make_public()
        index_text(public, "Dostawca wystawia fakturę. Zapytaj o urlop, wakacje i dostawców.")
        return public


@pytest.fixture
def suppliers(kept_suppliers: Collection, db: None) -> Collection:
    return copy(kept_suppliers)


@pytest.mark.parametrize("question", ["Kiedy mozna dostawac", "Kiedy można dostawac", "dostawac"])
def test_a_form_that_becomes_a_word_by_adding_diacritics_is_never_replaced(
    question: str, suppliers: Collection
) -> None:
    found = analysed(question, suppliers)
    assert found.corrections == ()
    assert [reading.lemma for term in found.terms if term.typed == "dostawac" for reading in term.readings] == [
        "dostawać"
    ]


def test_function_words_without_their_diacritics_are_not_searched(suppliers: Collection) -> None:
    found = analysed("gdzie sie juz bedzie mozna zapytac o urlop, moga wiec zaplacic", suppliers)
    assert [term.typed for term in found.terms] == ["zapytac", "urlop", "zaplacic"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("zgubilem", "zgubić"),
        ("wyslalam", "wysłać"),
        ("zlozylismy", "złożyć"),
        ("zaplacilbys", "zapłacić"),
        ("odebralem", "odebrać"),
        ("zlodziejem", "złodziej"),
    ],
)
def test_what_somebody_did_is_a_verb_without_its_diacritics_too(typed: str, meant: str, suppliers: Collection) -> None:
    found = analysed(f"{typed} wczoraj wniosek", suppliers)
    assert [reading.lemma for term in found.terms if term.typed == typed for reading in term.readings] == [meant]
    assert found.corrections == ()


@pytest.mark.parametrize("question", ["ulrop", "Ile ulrop trwa", "Ile dostanę ulrop"])
def test_a_typing_error_is_still_undone(question: str, suppliers: Collection) -> None:
    assert corrected(question, suppliers) == {"ulrop": "urlop"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "meant"), [("wodomeirz", "wodomierz"), ("podglonda", "podgląda"), ("szypko", "szybko")]
)
def test_a_slip_is_undone_though_the_corpus_lacks_the_word(typed: str, meant: str, suppliers: Collection) -> None:
    assert corrected(f"Czy dostawca {typed}?", suppliers) == {typed: meant}


@pytest.mark.parametrize("name", ["syntex", "sieciowiec", "fortinet"])
def test_a_name_that_the_corpus_lacks_stays(name: str, suppliers: Collection) -> None:
    assert corrected(f"Czy dostawca ma {name}?", suppliers) == {}


def test_no_word_of_the_sample_is_replaced_for_lack_of_its_diacritics() -> None:
    index_waiting(list(load_manifest(path=MANIFEST, enqueue=False)), lambda *_args, **_options: None)
    keys = list(Collection.objects.values_list("pk", flat=True))
    stored = TermStatistics.objects.filter(form_chunks__gt=0).values_list("term__text", flat=True).distinct()
    vocabulary = {word for word in stored if word.isalpha()}
    plain = sorted({fold(word) for word in vocabulary if not word.isascii()})
    unseen = _inflected(vocabulary)
    assert len(plain) > 1000
    assert len(unseen) == 1000
    found = {word: analyse_query(word, keys) for word in [*plain, *unseen]}
    assert [word for word, query in found.items() if query.corrections] == []
    assert sum(_is_restored(word, found[word]) for word in unseen) >= 950


def _inflected(vocabulary: set[str]) -> list[str]:
    """1,000 forms, stripped of diacritics, of words of the sample; the sample has them in other forms alone."""
    generator, plain = morfeusz2.Morfeusz(analyse=False), {fold(word) for word in vocabulary}
    lemmas = sorted({analyser().lemmatiser.lemma(word) for word in vocabulary if not word.isascii()})
    forms = {str(form).lower() for lemma in lemmas for form, *_ in generator.generate(lemma)}
    words = {form for form in forms if not form.isascii() and analyser().lemmatiser.in_dictionary(form)}
    absent = sorted({fold(word) for word in words if word.isalpha()} - plain)
    return Random(15).sample(absent, 1000)


def _is_restored(word: str, query: AnalysedQuery) -> bool:
    """Whether it is read with diacritics, or is a word without them too."""
    readings = [reading for term in query.terms for reading in term.readings]
    return analyser().lemmatiser.knows(word) or any(not reading.form.isascii() for reading in readings)


def repair(words: list[str]) -> CountingLemmatiser:
    lemmatiser = CountingLemmatiser()
    terms = [QueryTerm(typed=word, readings=(TermReading(form=word, lemma=word),)) for word in words]
    Repairer(Vocabulary([]), lemmatiser, ascii_only=True).repair(terms, untouchable=set())
    return lemmatiser


def random_words(many: int, letters: int) -> list[str]:
    draw = Random(1)
    return ["".join(draw.choices("aceolnszz", k=letters)) for _ in range(many)]


@pytest.mark.parametrize(("many", "letters"), [(16, 60), (1, 1951), (280, 6), (215, 8), (90, 20)])
def test_a_question_costs_no_more_than_its_guesses(many: int, letters: int) -> None:
    lemmatiser = repair(random_words(many, letters))
    assert len(lemmatiser.guesses) <= MOST
    assert all(len(guess) <= LONGEST + 1 for guess in lemmatiser.guesses)


def test_what_may_not_be_looked_up_is_not_replaced_either(suppliers: Collection) -> None:
    question = " ".join([*random_words(90, 20), "ulrop"])
    assert corrected(question, suppliers) == {}


def test_a_question_of_unknown_words_asks_the_database_a_few_times(
    suppliers: Collection, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        analysed(" ".join(random_words(280, 6)), suppliers)


def test_a_short_word_without_diacritics_is_read_both_ways_where_its_form_stands_nowhere(suppliers: Collection) -> None:
    index_text(suppliers, "Na placu jest plac zabaw.")
    (term,) = [term for term in analysed("kto placi", suppliers).terms if term.typed == "placi"]
    assert [reading.lemma for reading in term.readings] == ["plac", "płacić"]
    (term,) = [term for term in analysed("kto płaci", suppliers).terms if term.typed == "płaci"]
    assert [reading.lemma for reading in term.readings] == ["płacić"]
