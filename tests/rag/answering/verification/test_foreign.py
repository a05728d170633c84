"""Claims in another language than the passage they cite: what is written alike in both is compared, nothing else."""

import pytest

from rag.answering.verification.overlap import CitedSource
from rag.answering.verification.support import check_claim
from rag.types import CheckedClaim

GUIDE = CitedSource(
    "Zezwolenie kosztuje 2 100 zł i jest ważne 2 lata. Wniosek rozpatrujemy w ciągu 14 dni roboczych. Oświadczenie "
    "składa się do 31 stycznia 2026 r. Sprawę prowadzi Halina Grabowiecka, tel. (99) 555 01 20. PSZOK jest czynny od "
    "wtorku do soboty w godz. 10:00–18:00.",
    "Zezwolenia",
)


def checked(claim: str, language: str) -> CheckedClaim:
    return check_claim(f"{claim} [1].", [(1, GUIDE)], language=language).claim


@pytest.mark.parametrize(
    ("claim", "language"),
    [
        ("The licence costs PLN 2,100 and is valid for 2 years", "en"),
        ("The application is processed within 14 working days", "en"),
        ("The statement is due by 31 January 2026", "en"),
        ("Halina Grabowiecka is in charge of the matter, phone (99) 555 01 20", "en"),
        ("Die Genehmigung kostet 2.100 Złoty und gilt 2 Jahre", "de"),
        ("Die Erklärung ist bis zum 31. Januar 2026 abzugeben", "de"),
        ("Der Antrag wird innerhalb von 14 Werktagen bearbeitet", "de"),
        ("Dienstag bis Samstag von 10 bis 18 Uhr", "de"),
        ("Дозвіл коштує 2 100 злотих і дійсний 2 роки", "uk"),
        ("Заяву розглядають протягом 14 робочих днів", "uk"),
        ("Декларацію подають до 31 січня 2026 року", "uk"),
    ],
)
def test_where_all_facts_agree_the_words_are_left_open(claim: str, language: str) -> None:
    found = checked(claim, language)
    assert (found.verdict, found.problems) == ("unchecked", ())


@pytest.mark.parametrize(
    ("claim", "language", "kind"),
    [
        ("The licence costs PLN 2,400", "en", "number"),
        ("The application is processed within 14 months", "en", "number"),
        ("The statement is due by 31 March 2026", "en", "date"),
        ("Halina Nowak is in charge of the matter", "en", "name"),
        ("Die Genehmigung gilt 4 Jahre", "de", "number"),
        ("Die Erklärung ist bis zum 30. April 2026 abzugeben", "de", "date"),
        ("Дозвіл коштує 3 100 злотих", "uk", "amount"),
        ("Декларацію подають до 31 травня 2026 року", "uk", "date"),
    ],
)
def test_a_fact_that_the_source_lacks_is_told(claim: str, language: str, kind: str) -> None:
    found = checked(claim, language)
    assert found.verdict == "not_covered"
    assert kind in [problem.kind for problem in found.problems]


def test_an_english_claim_about_an_english_source_is_compared_word_by_word() -> None:
    source = CitedSource("The licence costs 500 zł and is valid for two years in the whole town.", "Licences")
    assert check_claim("The licence costs 500 zł [1].", [(1, source)], language="en").claim.verdict == "supported"
