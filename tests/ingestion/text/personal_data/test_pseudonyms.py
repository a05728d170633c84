"""Stand-ins for personal data, and back."""

import pytest

from ingestion.text.personal_data.pseudonyms import Pseudonyms, Restoring

LETTER = (
    "Wniosek Jana Kowalskiego, zam. ul. Kwiatowa 5/3, 00-950 Warszawa, PESEL 44051401359. "
    "Kowalskiemu przyznano 500 zł. Decyzję podpisała Anna Nowak, tel. 601 234 567."
)


@pytest.fixture
def pseudonyms() -> Pseudonyms:
    return Pseudonyms()


def masked(pseudonyms: Pseudonyms, *texts: str) -> list[str]:
    return pseudonyms.mask(texts)


def test_a_person_has_one_stand_in_in_every_case_and_in_all_texts(pseudonyms: Pseudonyms) -> None:
    question, letter = masked(pseudonyms, "Ile dostał Kowalski?", LETTER)
    assert question == "Ile dostał [osoba 1]?"
    assert letter == (
        "Wniosek [osoba 1], zam. [adres 1], PESEL [PESEL 1]. [osoba 1] przyznano 500 zł. "
        "Decyzję podpisała [osoba 2], tel. [telefon 1]."
    )


def test_a_later_text_of_the_same_question_goes_on_where_the_first_one_ended(pseudonyms: Pseudonyms) -> None:
    masked(pseudonyms, LETTER)
    assert masked(pseudonyms, "Pisz do Piotra Zielińskiego i Anny Nowak.") == ["Pisz do [osoba 3] i [osoba 2]."]


def test_surname_before_given_name_is_the_same_person(pseudonyms: Pseudonyms) -> None:
    assert masked(pseudonyms, "Anna Nowak", "to sprawa Nowak Anny") == ["[osoba 1]", "to sprawa [osoba 1]"]


def test_bearers_of_one_surname_are_told_apart_and_the_surname_alone_is_nobodys(pseudonyms: Pseudonyms) -> None:
    (text,) = masked(pseudonyms, "Jan Kowalski i Piotr Kowalski. Podpisano: Kowalski")
    assert text == "[osoba 1] i [osoba 1b]. Podpisano: [osoba 1?]"
    assert pseudonyms.restore(text) == "Jan Kowalski i Piotr Kowalski. Podpisano: Kowalski"


def test_a_number_is_masked_where_no_word_says_what_it_is(pseudonyms: Pseudonyms) -> None:
    assert masked(pseudonyms, "REGON: 012100784", "Wpisano 012100784.") == ["REGON: [REGON 1]", "Wpisano [REGON 1]."]


@pytest.mark.parametrize(
    ("reply", "restored"),
    [
        ("Wniosek złożył [osoba 1].", "Wniosek złożył Jan Kowalski."),
        ("[Osoby 1], [ adresu 1 ], [pesel 1]", "Jan Kowalski, ul. Kwiatowa 5/3, 00-950 Warszawa, 44051401359"),
        ("[osoba 7] [1] [dane] [adres]", "[osoba 7] [1] [dane] [adres]"),
    ],
)
def test_a_reply_gets_its_data_back_and_nothing_else_is_touched(
    pseudonyms: Pseudonyms, reply: str, restored: str
) -> None:
    masked(pseudonyms, LETTER)
    assert pseudonyms.restore(reply) == restored


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_pieces_of_any_size_are_restored(pseudonyms: Pseudonyms, size: int) -> None:
    masked(pseudonyms, LETTER)
    restoring = Restoring(pseudonyms)
    reply = "Pan [osoba 1] [1], tel. [telefon 1], [nawias bez końca, który jest o wiele za długi na oznaczenie [osoba 2"
    pieces = [restoring.feed(reply[start : start + size]) for start in range(0, len(reply), size)]
    assert "".join([*pieces, restoring.finish()]) == pseudonyms.restore(reply)


def test_a_text_without_personal_data_stays(pseudonyms: Pseudonyms) -> None:
    text = "Zwracaj się per Pan. Opłata wynosi 17 zł (art. 5 ust. 2)."
    assert masked(pseudonyms, text) == [text]
