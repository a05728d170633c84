import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.text.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Urlop trwa 26 dni. Wniosek składa się wcześniej.", 2),
        ("Zgodnie z art. 5 ust. 2 ustawy z dnia 5 maja 2024 r. wniosek rozpatruje prof. dr hab. Jan Nowak.", 1),
        ("Umowę podpisano 3 maja 2024 r. Weszła w życie po 14 dniach.", 2),
        ("Mieszka przy ul. Św. Jana 5 w Lipowie. Tel. 12 345 67 89.", 2),
        ("J. Kowalski i A. B. Nowak, m.in. w spółce z o.o. Alfa, pracują tu od lat.", 1),
        ("Czy to prawda? Tak! Na pewno… Chyba.", 4),
        ("„Proszę czekać.” Tak powiedział.", 2),
        ("Opłata wynosi 1.234,50 zł. Termin: 14 dni.", 2),
        ("Stawka to 100 zł. 5 osób nie płaci jej.", 1),  # "zł" may be the end or not: only a capital tells
        ("Zarządzenie z 2024 r. § 5 stosuje się odpowiednio.", 1),
        ("Używaj np. VPN, tj. tunelu, itp. narzędzi.", 1),
    ],
)
def test_abbreviations_do_not_end_a_sentence(text: str, expected: int) -> None:
    assert len(sentences(text)) == expected, sentences(text)


def test_headings_items_and_rows_are_sentences_of_their_own() -> None:
    text = "# Urlopy\nZasady są proste:\n1. Pierwsza zasada.\n2. Druga zasada\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert sentences(text) == [
        "# Urlopy",
        "Zasady są proste:",
        "1. Pierwsza zasada.",
        "2. Druga zasada",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
    ]


@given(st.text(alphabet=st.sampled_from("aZ ą.!?\n#|-1)„”"), max_size=200))
def test_every_letter_lies_in_exactly_one_sentence(text: str) -> None:
    spans = sentence_spans(text)
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
    outside = text
    for start, end in reversed(spans):
        outside = outside[:start] + outside[end:]
    assert not outside.strip()
