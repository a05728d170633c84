"""The words of passages are the same, whether the forward index has them or their texts are read anew."""

import math
from copy import copy

import pytest

from ingestion.models import ChunkWords, Collection, Document
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import delete_document
from ingestion.text.index_format.word_sequences import WordsInOrder
from knowledgetree.conf import rag_settings
from rag.presets import preset
from rag.search.context import SearchContext
from rag.search.passage_words import SearchedWords
from rag.search.retriever import HybridRetriever
from rag.search.signals import SIGNALS, OtherWords, PassageWords, QuestionSignals, QuestionWord
from rag.search.signals.lexical import closeness, early, kinship, meant, names, title, wording
from rag.types import Filters, Passage
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

KEYS = {"umowy": 1, "umowa": 2, "najmu": 3, "najem": 4, "wynajęcie": 5, "Żory": 6, "a": 7}
QUESTIONS = (
    "Ile dni urlopu przysługuje pracownikom w Żorach?",
    "wynajem sali gimnastycznej",
    "urlop na zadanie",
    "Czy o urlopie decyduje art. 167 § 2?",
    "nieistniejące słowo xyzzy",
    "Ile wakacji mają zatrudnieni?",
)


def words(text: str) -> WordsInOrder:
    """`text` as `form/lemma` pairs; a word that nobody asks for has no key."""
    return WordsInOrder.of([tuple(pair.split("/")) for pair in text.split()], KEYS)  # type: ignore[misc]


@pytest.fixture(scope="module")
def kept_library(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        public = make_public()
        index_text(public, "Pracownikowi przysługuje 26 dni urlopu w roku, także w Żorach.", title="Urlop wypoczynkowy")
        index_text(
            public, "# Wynajęcie sali\n\nSalę gimnastyczną wynajmuje sekretariat; wynajem jest płatny.", name="sala.md"
        )
        return index_text(
            public, "Urlopu na żądanie udziela się do czterech dni (art. 167 § 2 k.p.).", title="Na żądanie"
        )


@pytest.fixture
def library(kept_library: Document, db: None) -> Document:
    return copy(kept_library)


def searched(question: str, collection: Collection) -> tuple[SearchContext, list[Passage]]:
    retriever = HybridRetriever(preset=preset("offline"), lexical=rag_settings().lexical)
    return retriever.candidates(question, collections=[collection], filters=Filters())


class TestBothWays:
    @pytest.mark.parametrize("question", QUESTIONS)
    def test_signals_and_asked_words_agree(self, question: str, public: Collection, library: Document) -> None:
        search, passages = searched(question, public)
        assert set(search.indexed) == {passage.chunk_id for passage in passages}
        by_text = SearchedWords(search.query, search.statistics, {})
        for indexed, read in zip(search.words.signals(passages), by_text.signals(passages), strict=True):
            assert indexed == pytest.approx(read)
        known = {text for term in search.query.terms for reading in term.readings for text in (reading.lemma,)}
        for (ours, length), (theirs, same) in zip(search.words.asked(passages), by_text.asked(passages), strict=True):
            assert length == same
            assert [form for form, _ in ours] == [form for form, _ in theirs]
            assert [lemma for _, lemma in ours if lemma in known] == [lemma for _, lemma in theirs if lemma in known]

    def test_both_kinds_can_be_mixed(self, public: Collection, library: Document) -> None:
        search, passages = searched("urlop w Żorach", public)
        some = dict(list(search.indexed.items())[:1])
        mixed = SearchedWords(search.query, search.statistics, some)
        for one, other in zip(mixed.signals(passages), search.words.signals(passages), strict=True):
            assert one == pytest.approx(other)

    def test_what_is_covered_is_read_as_it_is_shown(self, public: Collection, index: AddDocument) -> None:
        index(public, "Zgłoszenia przyjmuje Jan pod adresem jan@example.com, PESEL 44051401359.")
        Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
        public.refresh_from_db()
        search, passages = searched("zgłoszenia PESEL 44051401359", public)
        assert passages
        assert not search.indexed
        ((found, _),) = search.words.asked(passages)
        assert "44051401359" not in {form for form, _ in found}


class TestTheForwardIndex:
    def test_an_edited_chunk_has_its_new_words(self, library: Document, public: Collection) -> None:
        chunk = library.chunks.get()
        before = ChunkWords.objects.get(chunk=chunk).terms
        edit_chunk(chunk=chunk, text="Urlop na telefon.")
        assert len(WordsInOrder.unpacked(ChunkWords.objects.get(chunk=chunk).terms).forms) == 5  # two of the title
        assert before != ChunkWords.objects.get(chunk=chunk).terms

    def test_a_chunk_that_is_switched_off_has_none(self, library: Document) -> None:
        set_chunk_enabled(chunk=library.chunks.get(), enabled=False)
        assert not ChunkWords.objects.filter(chunk__document=library).exists()

    def test_a_deleted_document_leaves_none(self, library: Document) -> None:
        chunks = list(library.chunks.values_list("pk", flat=True))
        delete_document(document=library)
        assert not ChunkWords.objects.filter(pk__in=chunks).exists()

    def test_words_come_back_as_they_were_packed(self) -> None:
        given = words("umowy/umowa najmu/najem obca/obca")
        back = WordsInOrder.unpacked(given.packed())
        assert [row.tolist() for row in back] == [row.tolist() for row in given]
        assert back.forms.tolist() == [1, 3, 0]


class TestSignals:
    """Two passages: "umowy najmu" at once, and "wynajęcie" after eight other words."""

    passages = PassageWords([words("umowy/umowa najmu/najem"), words("x/x " * 8 + "wynajęcie/wynajęcie")], KEYS)

    @staticmethod
    def asking(*asked: QuestionWord, pairs: tuple[tuple[tuple[str, str], float], ...] = ()) -> QuestionSignals:
        return QuestionSignals(words=asked, pairs=pairs)

    def test_early_halves_on_its_way_back(self) -> None:
        question = self.asking(
            QuestionWord(forms=frozenset({"umowa"}), lemmas=frozenset({"umowa"}), idf=3.0),
            QuestionWord(forms=frozenset({"wynajęcie"}), lemmas=frozenset({"wynajęcie"}), idf=1.0),
        )
        assert early(question, self.passages).tolist() == pytest.approx([3 / 4, 1 / math.log2(3) / 4])

    def test_kinship_is_the_longest_common_beginning(self) -> None:
        question = self.asking(QuestionWord(forms=frozenset({"wynajem"}), lemmas=frozenset({"wynajem"}), idf=2.0))
        assert kinship(question, self.passages).tolist() == pytest.approx([0.0, 2 * 5 / (7 + 9)])

    def test_a_short_word_is_found_exactly_or_not_at_all(self) -> None:
        question = self.asking(QuestionWord(forms=frozenset({"a"}), lemmas=frozenset({"a"}), idf=1.0))
        passages = PassageWords([words("a/a"), words("ab/ab")], KEYS)
        assert kinship(question, passages).tolist() == [1.0, 0.0]

    def test_neighbours_of_two_passages_are_no_neighbours(self) -> None:
        question = self.asking(pairs=((("umowa", "najem"), 1.0), (("najem", "wynajęcie"), 3.0)))
        passages = PassageWords([words("umowy/umowa najmu/najem"), words("wynajęcie/wynajęcie")], KEYS)
        assert wording(question, passages).tolist() == [0.25, 0.0]

    def test_words_that_stand_together_are_close(self) -> None:
        question = self.asking(
            QuestionWord(forms=frozenset({"umowa"}), lemmas=frozenset({"umowa"}), idf=3.0),
            QuestionWord(forms=frozenset({"najem"}), lemmas=frozenset({"najem"}), idf=1.0),
        )
        apart = "umowy/umowa " + "x/x " * 20 + "najmu/najem"
        passages = PassageWords([words("umowy/umowa x/x najmu/najem"), words(apart), words("najmu/najem")], KEYS)
        assert closeness(question, passages).tolist() == [1.0, 0.75, 0.25]

    def test_a_title_is_the_first_words_of_its_passage(self) -> None:
        lease = QuestionWord(forms=frozenset({"najem"}), lemmas=frozenset({"najem"}), idf=2.0)
        passages = PassageWords([words("umowy/umowa najmu/najem"), words("najmu/najem umowy/umowa")], KEYS, [1, 1])
        assert title(self.asking(lease), passages).tolist() == [0.0, 1.0]

    def test_another_phrase_counts_by_its_worth_where_its_words_stand_together(self) -> None:
        other = OtherWords(lemmas=("umowa", "najem"), worth=0.6)
        lease = QuestionWord(forms=frozenset({"czynsz"}), lemmas=frozenset({"czynsz"}), idf=2.0, others=(other,))
        apart = "umowy/umowa " + "x/x " * 20 + "najmu/najem"
        passages = PassageWords([words("umowy/umowa najmu/najem"), words(apart), words("x/x")], KEYS)
        assert early(self.asking(lease), passages).tolist() == pytest.approx([0.6, 0.0, 0.0])
        assert kinship(self.asking(lease), passages).tolist() == pytest.approx([0.6, 0.0, 0.0])
        assert closeness(self.asking(lease), passages).tolist() == pytest.approx([0.6, 0.0, 0.0])

    def test_a_word_of_like_meaning_counts_by_its_cosine_and_the_word_itself_whole(self) -> None:
        rent = QuestionWord(
            forms=frozenset({"czynsz"}), lemmas=frozenset({"czynsz"}), idf=2.0, near={"najem": 0.5, "umowa": 0.4}
        )
        lease = QuestionWord(forms=frozenset({"najem"}), lemmas=frozenset({"najem"}), idf=2.0, near={"umowa": 0.9})
        passages = PassageWords([words("umowy/umowa najmu/najem"), words("umowy/umowa"), words("x/x")], KEYS)
        assert meant(self.asking(rent), passages).tolist() == pytest.approx([0.5, 0.4, 0.0])
        assert meant(self.asking(lease), passages).tolist() == pytest.approx([1.0, 0.9, 0.0])

    def test_words_of_like_meaning_are_close_by_their_cosines(self) -> None:
        question = self.asking(
            QuestionWord(forms=frozenset({"czynsz"}), lemmas=frozenset({"czynsz"}), idf=1.0, near={"umowa": 0.6}),
            QuestionWord(forms=frozenset({"lokal"}), lemmas=frozenset({"lokal"}), idf=3.0, near={"najem": 0.4}),
        )
        at_most = "umowy/umowa " + "x/x " * 11 + "najmu/najem"
        too_far = "umowy/umowa " + "x/x " * 12 + "najmu/najem"
        passages = PassageWords([words(at_most), words(too_far), words("umowy/umowa")], KEYS)
        assert closeness(question, passages).tolist() == pytest.approx([(0.6 + 3 * 0.4) / 4, 3 * 0.4 / 4, 0.6 / 4])

    def test_names_are_counted_alone(self) -> None:
        question = self.asking(
            QuestionWord(forms=frozenset({"umowa"}), lemmas=frozenset({"umowa"}), idf=1.0, name=True),
            QuestionWord(forms=frozenset({"najem"}), lemmas=frozenset({"najem"}), idf=1.0),
        )
        assert names(question, self.passages).tolist() == [0.5, 0.0]

    def test_a_question_without_words_has_no_signals(self) -> None:
        for signal in SIGNALS.values():
            assert signal(self.asking(), self.passages).tolist() == [0.0, 0.0]
