"""Answers made of the sources' own sentences, list items and table rows."""

import pytest

from rag.answering.claims import split_claims, uncited_claims
from rag.answering.synthesis.extractive import ExtractiveSynthesizer
from rag.answering.synthesis.extractive.scoring import score_pieces
from rag.answering.synthesis.protocol import Synthesis
from rag.answering.verification import Verifier
from rag.question import Background, SubstituteWords
from rag.search.reading.pieces import pieces_of
from rag.types import Passage
from rag.understanding.expected import expected
from tests.rag.answering.synthesis.conftest import MakePassage

LEAVE = """# Urlop wychowawczy

Urlop wychowawczy trwa do 36 miesięcy. Urlopu udziela Burmistrz.

Wniosek zawiera:

- imię i nazwisko pracownika,
- datę rozpoczęcia urlopu,
- podpis.

Wniosek składa się w Referacie Kadr najpóźniej 21 dni przed urlopem.

| Rodzaj kopii | Kiedy | Okres |
|---|---|---|
| dzienna przyrostowa | codziennie o 22:00 | 30 dni |
| roczna | w grudniu | 5 lat |
"""


def answered(question: str, *passages: Passage) -> Synthesis:
    draft = ExtractiveSynthesizer().synthesize(question, passages, language="pl")
    list(draft)
    return draft.result


def first_line(result: Synthesis) -> str:
    return result.text.splitlines()[0]


def test_the_first_sentence_has_the_kind_of_thing_asked_for(passage: MakePassage) -> None:
    texts = "Wniosek o urlop składa pracownik.", "Wniosek o urlop składa się 21 dni przed jego początkiem."
    result = answered("Ile dni wcześniej składa się wniosek o urlop?", passage(" ".join(texts)))
    assert first_line(result).startswith(texts[1])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Kiedy odbywa się zebranie rady?", "Zebranie rady odbywa się 12 marca 2026 r."),
        ("Kto prowadzi zebranie rady?", "Zebranie rady zawsze prowadzi Maria Nowak."),
        ("Gdzie odbywa się zebranie rady?", "Zebranie rady odbywa się przy ul. Długiej."),
    ],
)
def test_dates_persons_and_places_answer_their_questions(question: str, answer: str, passage: MakePassage) -> None:
    text = f"Zebranie rady jest jawne dla wszystkich mieszkańców. {answer} Zebranie rady nagrywa się w całości."
    assert first_line(answered(question, passage(text))).startswith(answer)


def test_an_item_of_a_short_list_brings_the_others_and_the_line_before_them(passage: MakePassage) -> None:
    text = "Do wniosku o kartę dołącza się:\n\n- zdjęcie w formacie 35 × 45 mm,\n- opłatę.\n\nKarta jest bezpłatna."
    result = answered("Zdjęcie w jakim formacie do karty?", passage(text))
    assert result.text.startswith("Do wniosku o kartę dołącza się:\n- zdjęcie w formacie 35 × 45 mm [1]\n- opłatę. [1]")
    assert result.citations[0].quote.startswith("- zdjęcie w formacie 35 × 45 mm,\n- opłatę.")


def test_a_sentence_brings_the_rest_of_its_paragraph_and_no_other(passage: MakePassage) -> None:
    text = (
        "Sala jest na parterze.\n\nRezerwację sali przyjmuje sekretariat. Trzeba ją opłacić w 3 dni."
        "\n\nBiblioteka jest obok."
    )
    result = answered("Kto przyjmuje rezerwację sali?", passage(text))
    assert result.text.startswith("Rezerwację sali przyjmuje sekretariat. [1] Trzeba ją opłacić w 3 dni. [1]")
    assert "Biblioteka" not in result.text


def test_the_document_that_answers_best_is_not_diluted_with_others(passage: MakePassage) -> None:
    own = "Abonament parkingowy kosztuje 120 zł rocznie. Kupuje się go w biurze strefy."
    other = "Abonament telefoniczny urzędu opłaca Referat Finansów."
    result = answered("Ile kosztuje abonament parkingowy?", passage(own), passage(other, chunk_id=2))
    assert "Abonament parkingowy kosztuje 120 zł rocznie." in first_line(result)
    assert "telefoniczny" not in result.text


def test_another_document_adds_nothing_that_has_less_of_the_question(passage: MakePassage) -> None:
    travel = "Koszty podróży służbowej rozlicza się w ciągu 14 dni. Do rozliczenia dołącza się bilet albo oświadczenie."
    card = "Zgubioną kartę zgłasza się od razu na infolinii banku. Za duplikat zgubionej karty płaci się 18 zł."
    found = passage(card, chunk_id=2, relevance=0.5), passage(travel, relevance=0.3)
    result = answered("zgubiony bilet, jak rozliczyć podróż", *found)
    assert "Do rozliczenia dołącza się bilet albo oświadczenie." in first_line(result)
    assert "Koszty podróży służbowej" in result.text
    assert "kart" not in result.text


def test_another_section_adds_nothing_for_a_common_word_alone(passage: MakePassage) -> None:
    glasses = "Pracownikowi, który używa monitora, Urząd zwraca koszt okularów do kwoty 400 zł."
    study = "Na egzaminy i obronę pracy przysługuje płatny urlop szkoleniowy."
    text = f"# Benefity\n\n## Okulary\n\n{glasses}\n\n## Dofinansowanie nauki\n\n{study}\n"
    others = (
        SubstituteWords(typed=("dostanę",), lemmas=("przysługiwać",), weight=0.6),
        SubstituteWords(typed=("kompa",), lemmas=("monitor",), weight=0.6),
    )
    draft = ExtractiveSynthesizer().synthesize(
        "okulary do kompa, ile dostanę", [passage(text)], language="pl", background=Background(others=others)
    )
    list(draft)
    assert draft.result.text == f"{glasses} [1]"


def test_two_things_may_come_from_two_documents(passage: MakePassage) -> None:
    price, place = (
        "Abonament parkingowy kosztuje 120 zł rocznie.",
        "Identyfikator odbiera się w biurze strefy przy rynku.",
    )
    result = answered(
        "Ile kosztuje abonament i gdzie odebrać identyfikator?", passage(price), passage(place, chunk_id=2)
    )
    assert price in result.text
    assert place in result.text


def test_other_words_for_a_word_of_the_question_cover_it(passage: MakePassage) -> None:
    text = "Urząd przyjmuje w poniedziałki.\n\nOdpady wielkogabarytowe odbiera się w maju."
    draft = ExtractiveSynthesizer().synthesize(
        "kiedy śmieci",
        [passage(text)],
        language="pl",
        background=Background(others=(SubstituteWords(typed=("śmieci",), lemmas=("odpad",), weight=0.5),)),
    )
    list(draft)
    assert draft.result.text.startswith("Odpady wielkogabarytowe")


def test_a_list_that_is_asked_for_stays_together(passage: MakePassage) -> None:
    result = answered("Co zawiera wniosek o urlop wychowawczy?", passage(LEAVE))
    listed = "Wniosek zawiera:\n- imię i nazwisko pracownika [1]\n- datę rozpoczęcia urlopu [1]\n- podpis. [1]"
    assert listed in result.text


def test_a_row_with_words_of_the_question_does_not_hide_a_sentence_that_answers(passage: MakePassage) -> None:
    sentence = "Na nowy dowód osobisty czeka się do 30 dni od złożenia wniosku."
    kept = "| Rodzaj danych | Okres przechowywania |\n|---|---|\n| sprawy dowodów osobistych i meldunków | 10 lat |"
    result = answered("Ile czeka się na dowód osobisty?", passage(sentence), passage(kept, chunk_id=2))
    assert first_line(result).startswith(sentence)


def test_a_sentence_a_little_likelier_than_a_row_stands_before_it(passage: MakePassage) -> None:
    sentence = "Za śmieci płaci się 31 zł miesięcznie od osoby."
    raised = "| Opłata | Stawka |\n|---|---|\n| podwyższona za brak segregacji śmieci | 62 zł |\n| za worek | 4 zł |"
    result = answered("Ile płaci się za śmieci?", passage(sentence), passage(raised, chunk_id=2))
    assert first_line(result).startswith(sentence)


def test_a_table_row_comes_with_its_header(passage: MakePassage) -> None:
    result = answered("Jak długo trzyma się dzienną kopię przyrostową?", passage(LEAVE))
    row = "Rodzaj kopii: dzienna przyrostowa; Kiedy: codziennie o 22:00; Okres: 30 dni [1]"
    assert first_line(result).removeprefix("- ") == row


def test_a_sentence_that_leans_back_brings_the_one_before_it(passage: MakePassage) -> None:
    text = "Sprzęt wydaje magazyn urzędu. Ponadto wydaje on identyfikatory gościom.\n\nBiuro jest nieczynne w soboty."
    result = answered("Kto wydaje identyfikatory gościom?", passage(text))
    assert first_line(result) == "Sprzęt wydaje magazyn urzędu. [1] Ponadto wydaje on identyfikatory gościom. [1]"
    assert result.citations[0].quote.startswith("Sprzęt wydaje magazyn urzędu. Ponadto wydaje on")


def test_a_sentence_that_points_back_brings_what_it_points_to(passage: MakePassage) -> None:
    text = "Od 20.00 do 6.00 magazyn jest pusty. Zwroty dużych maszyn należy planować na tę porę. Wstęp mają kierowcy."
    result = answered("Na kiedy planować zwroty dużych maszyn?", passage(text))
    assert first_line(result).startswith("Od 20.00 do 6.00 magazyn jest pusty. [1] Zwroty dużych maszyn")


def test_an_entry_in_a_list_of_changes_is_told_with_its_version_and_day(passage: MakePassage) -> None:
    newer = "## Wersja 2.1.0 (17 lutego 2025)\n\n- Dodano odczyty gazu.\n- Podniesiono limit zdjęć."
    text = f"{newer}\n\n## Wersja 2.0.0 (3 maja 2024)\n\n- Dodano odczyty wody."
    result = answered("Od kiedy są odczyty gazu?", passage(text))
    assert first_line(result).startswith("Wersja 2.1.0 (17 lutego 2025):")
    assert "Dodano odczyty gazu. [1]" in result.text


def test_the_same_sentence_of_two_passages_is_said_once(passage: MakePassage) -> None:
    sentence = "Opłata za parkowanie wynosi 4 zł za godzinę."
    result = answered("Ile wynosi opłata za parkowanie?", passage(sentence), passage(sentence, chunk_id=2))
    assert result.text == f"{sentence} [1]"


def test_sentences_alike_but_for_a_number_are_both_shown(passage: MakePassage) -> None:
    old, new = "Opłata za parkowanie wynosi 4 zł za godzinę.", "Opłata za parkowanie wynosi 6 zł za godzinę."
    result = answered("Ile wynosi opłata za parkowanie?", passage(old), passage(new, chunk_id=2))
    assert old in result.text
    assert new in result.text


def test_what_one_sentence_leaves_open_another_covers(passage: MakePassage) -> None:
    copies = "Abonament roczny kosztuje 120 zł. Abonament kosztuje rocznie 120 zł od auta. Abonament roczny za 120 zł."
    result = answered(
        "Ile kosztuje abonament roczny i gdzie kupię identyfikator?",
        passage(f"{copies} Identyfikator wydaje biuro strefy."),
    )
    assert "Identyfikator wydaje biuro strefy." in result.text


def test_headings_rules_and_code_are_not_shown(passage: MakePassage) -> None:
    text = (
        "Praca w czasie urlopu\n---------------------\n\nW czasie urlopu wolno pracować.\n\n```\npraca w urlopu\n```\n"
    )
    result = answered("Czy praca w czasie urlopu jest dozwolona?", passage(text))
    assert result.text == "W czasie urlopu wolno pracować. [1]"


def test_numbers_in_brackets_of_a_source_are_no_citations(passage: MakePassage) -> None:
    result = answered("Kiedy powstał most?", passage("Most powstał w 1932 roku [7]. Rzeka jest szeroka."))
    assert first_line(result).startswith("Most powstał w 1932 roku (7). [1]")


def test_provisions_lose_their_numbers_and_emphasis(passage: MakePassage) -> None:
    text = "Art. 16. § 2. Przygotowanie jest **karalne** tylko wtedy, gdy [ustawa](https://a.pl) tak stanowi."
    result = answered("Kiedy przygotowanie jest karalne?", passage(text))
    assert result.text.endswith("Przygotowanie jest karalne tylko wtedy, gdy ustawa tak stanowi. [1]")


def test_a_question_typed_without_polish_letters_finds_its_words(passage: MakePassage) -> None:
    text = "Biuro zamyka się o 15. Ślub cywilny trwa około pół godziny. Urząd ma windę."
    assert first_line(answered("slub cywilny", passage(text))).startswith("Ślub cywilny")


def test_a_frequent_question_is_the_heading_of_its_answer(passage: MakePassage) -> None:
    text = (
        "Jak zmienić rozmiar pliku?\n\nEdytuje się go w rejestrze.\n\n"
        "Czy muszę ponownie uruchomić komputer?\n\nNie, wystarczy zamknąć narzędzie."
    )
    result = answered("muszę uruchamiać komputer ponownie po zmianie?", passage(text))
    assert result.text.startswith("Nie, wystarczy zamknąć narzędzie. [1]")
    assert "?" not in result.text


def test_a_command_is_shown_as_code_where_one_is_asked_for(passage: MakePassage) -> None:
    code = "```powershell\nRestore-MsolUser -UserPrincipalName <nazwa>\n```"
    text = f"Konta kasuje administrator.\n\nAby przywrócić usunięte konto, uruchom polecenie:\n\n{code}\n"
    result = answered("Jaka komenda przywraca usunięte konto?", passage(text))
    assert f"Aby przywrócić usunięte konto, uruchom polecenie: [1]\n{code}" in result.text


def test_the_row_whose_interval_holds_the_value_given_comes_alone(passage: MakePassage) -> None:
    text = (
        "Wymiar urlopu zależy od stażu. Urlop planuje pracownik.\n\n| Staż pracy | Wymiar urlopu |\n|---|---|\n"
        "| krótszy niż 10 lat | 20 dni |\n| co najmniej 10 lat | 26 dni |\n"
    )
    result = answered("Pracuję już 12 lat. Ile dni urlopu mam?", passage(text))
    assert result.text == "Staż pracy: co najmniej 10 lat; Wymiar urlopu: 26 dni [1]"


def test_several_rows_are_a_small_table_whose_header_is_no_claim(passage: MakePassage) -> None:
    text = (
        "| Dzień tygodnia | Godziny pracy urzędu |\n|---|---|\n| poniedziałek | 8:00–17:00 |\n| wtorek | 7:30–15:30 |\n"
    )
    result = answered("godziny pracy urzędu", passage(text))
    assert result.text == (
        "| Dzień tygodnia | Godziny pracy urzędu |\n| --- | --- |\n"
        "| poniedziałek | 8:00–17:00 [1] |\n| wtorek | 7:30–15:30 [1] |"
    )
    assert split_claims(result.text) == ["| poniedziałek | 8:00–17:00 [1] |", "| wtorek | 7:30–15:30 [1] |"]


def test_callouts_and_tags_of_a_source_are_not_shown(passage: MakePassage) -> None:
    result = answered("Kiedy wolno wyjść?", passage("> [!UWAGA]\n> Wyjść wolno po 15:00.<br/>Karta czeka w szafie."))
    assert result.text.startswith("Wyjść wolno po 15:00.")
    assert "[!" not in result.text
    assert "<br" not in result.text


def test_the_numbered_sentence_that_answers_is_read_before_the_others(passage: MakePassage) -> None:
    text = "1. Skargę składa mieszkaniec urzędowi.\n2. Skargę przyjmuje sekretariat.\n3. Skargę rozpatruje Burmistrz.\n"
    assert "Skargę rozpatruje Burmistrz." in first_line(answered("Kto rozpatruje skargę?", passage(text)))


def test_the_number_of_an_item_counts_nothing(passage: MakePassage) -> None:
    question = "Ile wydziałów ma urząd?"
    part = passage("2. Wydziały urzędu prowadzą dyrektorzy.\n3. Urząd ma sześć wydziałów.\n")
    scored = score_pieces(question, expected(question), [part], pieces_of(part.text, passage=0))
    assert [one.signals["counted"] for one in scored] == [0.0, 1.0]


STOCK = """## Wyposażenie świetlicy

| Przedmiot | Liczba sztuk | Wartość |
| --- | --- | --- |
| krzesło | 40 | 4 000 zł |
| stół | 10 | 3 500 zł |
| rzutnik | 1 | 2 199,50 zł |

Wyposażenie świetlicy spisuje się co roku.
"""


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("Ile razem kosztuje wyposażenie świetlicy?", "Razem: 4 000 zł + 3 500 zł + 2 199,50 zł = 9 699,50 zł [1]"),
        ("Ile jest przedmiotów w wyposażeniu świetlicy?", "Łącznie 3:"),
    ],
)
def test_a_total_is_said_above_the_rows_that_it_was_made_of(question: str, opening: str, passage: MakePassage) -> None:
    result = answered(question, passage(STOCK))

    assert first_line(result) == opening
    assert [row.split("|")[1].strip() for row in result.text.splitlines()[4:]] == ["krzesło", "stół", "rzutnik"]
    checked = Verifier().verify(question, result.text, result.citations, [passage(STOCK)], language="pl")
    assert {claim.verdict for claim in checked.verification.claims} <= {"supported", "uncited"}
    assert all(row.endswith("[1] |") for row in result.text.splitlines()[4:])
    assert uncited_claims(result.text) == ()


def test_a_comparison_says_something_of_either_side(passage: MakePassage) -> None:
    unpaid = passage("# Urlop bezpłatny\n\nUrlopu bezpłatnego udziela się na wniosek. Nie ma za niego wynagrodzenia.")
    sudden = passage("# Urlop na żądanie\n\nNa żądanie przysługują 4 dni urlopu w roku. Są one płatne.", chunk_id=2)

    result = answered("Porównaj urlop bezpłatny i urlop na żądanie", unpaid, sudden)

    assert "Nie ma za niego wynagrodzenia" in result.text
    assert "4 dni urlopu" in result.text
    assert len(result.citations) == 2


def test_both_sides_may_stand_in_sections_of_one_document(passage: MakePassage) -> None:
    leave = "# Urlopy\n\n## Bezpłatny\n\nUrlopu udziela się na wniosek, nie jest płatny.\n\n"
    both = passage(leave + "## Wychowawczy\n\nUrlop trwa do 36 miesięcy i wlicza się do stażu.")

    result = answered("Czym różni się urlop bezpłatny od wychowawczego?", both)

    assert "nie jest płatny" in result.text
    assert "36 miesięcy" in result.text


def test_what_a_sentence_says_of_both_needs_no_sides(passage: MakePassage) -> None:
    complaints = "# Skargi\n\nSkargę na kartę bank rozpatruje w 15 dni roboczych, a skargę na kredyt w 30 dni."
    cards = "# Karta\n\nKartę wydaje się w oddziale. Kartę można zastrzec przez telefon."
    loans = "# Kredyt\n\nKredyt wymaga wniosku. Kredyt spłaca się co miesiąc."
    found = [passage(text, chunk_id=number) for number, text in enumerate((complaints, cards, loans), start=1)]

    result = answered("Jaką skargę bank rozpatruje szybciej: kartę czy kredyt?", *found)

    assert first_line(result).startswith("Skargę na kartę bank rozpatruje w 15 dni roboczych")
