from datetime import date

import pytest

from ingestion.models import Chunk, Collection, ValidityProposal
from rag.search.reasons import exact_reasons
from rag.types import SearchResult
from tests.conftest import AddDocument
from tests.rag.search.conftest import Search

RULE = (
    "Wniosek o urlop wypoczynkowy składa się przełożonemu najpóźniej trzy dni przed jego rozpoczęciem. Przełożony "
    "rozpatruje wniosek niezwłocznie, a o odmowie zawiadamia pracownika na piśmie i podaje jej powód."
)


def titles(result: SearchResult) -> list[str]:
    return [passage.title for passage in result.passages]


def test_a_copy_stands_under_the_better_passage_and_is_named(
    public: Collection, index: AddDocument, searching: Search
) -> None:
    index(public, RULE, name="a.txt", title="Urlop wypoczynkowy, wniosek")
    copy = index(public, RULE, name="b.txt", title="Kopia")
    assert len(searching("wniosek o urlop wypoczynkowy").passages) == 2
    result = searching("wniosek o urlop wypoczynkowy", alike_above=0.9)
    assert titles(result) == ["Urlop wypoczynkowy, wniosek"]
    explanation = result.passages[0].explanation
    assert explanation.alike == (Chunk.objects.get(document=copy).pk,)
    assert [entry.applied for entry in result.trace if entry.stage == "deduplication"] == [True]
    assert any("1" in sentence for sentence in exact_reasons(explanation)[-1:])


def test_what_is_in_force_stands_for_its_copy_that_is_not(
    public: Collection, index: AddDocument, searching: Search
) -> None:
    ended = index(public, RULE, name="a.txt", title="Urlop wypoczynkowy, wniosek")
    index(public, RULE, name="b.txt", title="Kopia")
    ValidityProposal.objects.create(
        document=ended, stated_by=ended, field="valid_to", day=date(2020, 1, 1), start=0, end=5
    )
    assert titles(searching("wniosek o urlop wypoczynkowy", alike_above=0.9)) == ["Kopia"]


def test_whoever_stands_for_others_gets_the_bonus(public: Collection, index: AddDocument, searching: Search) -> None:
    index(public, RULE, name="a.txt", title="Urlop")
    index(public, RULE, name="b.txt", title="Urlop")
    index(public, "Wniosek o urlop.", name="c.txt", title="Inny")
    boosts = {p.title: p.explanation.boosts for p in searching("wniosek o urlop", alike_above=0.9).passages}
    assert [(boost.name, boost.value) for boost in boosts["Urlop"]] == [("alike", 0.05)]
    assert boosts["Inny"] == ()


@pytest.mark.parametrize(
    "other",
    [
        RULE.replace("trzy dni", "3 dni").replace("piśmie", "piśmie, w ciągu 7 dni,"),
        RULE.replace("składa się", "nie składa się"),
        RULE.replace("o odmowie zawiadamia", "o zgodzie powiadamia").replace("najpóźniej", "zawsze"),
    ],
    ids=["another number", "a negation", "other words"],
)
def test_what_says_something_else_stays_beside_it(
    public: Collection, index: AddDocument, searching: Search, other: str
) -> None:
    index(public, RULE, name="a.txt", title="Urlop")
    index(public, other, name="b.txt", title="Urlop")
    assert len(searching("wniosek o urlop wypoczynkowy", alike_above=0.8).passages) == 2


def test_the_same_few_words_under_other_headings_are_two_rules(
    public: Collection, index: AddDocument, searching: Search
) -> None:
    index(public, "Termin wynosi 14 dni.", name="a.txt", title="Odwołanie od decyzji")
    index(public, "Termin wynosi 14 dni.", name="b.txt", title="Skarga na bezczynność")
    assert len(searching("termin 14 dni", alike_above=0.9).passages) == 2


def test_neighbouring_chunks_that_overlap_are_not_alike(
    public: Collection, index: AddDocument, searching: Search
) -> None:
    sentences = (f"Zasada {word} dotyczy urlopu w dziale {word}." for word in map(word_of, range(300)))
    document = index(public, " ".join(sentences), name="a.txt", title="Zasady")
    assert document.chunk_count > 3
    result = searching("zasada urlopu w dziale", alike_above=0.9)
    assert len(result.passages) == document.chunk_count


def word_of(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03d}") + "ski"
