import pytest

from rag.answering.claims import split_claims, uncited_claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Urlop wynosi 20 dni [1]. Wniosek składa się e-mailem [2].",
         ["Urlop wynosi 20 dni [1].", "Wniosek składa się e-mailem [2]."]),
        ("Urlop wynosi 20 dni. [1] Tak jest. [2][3]", ["Urlop wynosi 20 dni. [1]", "Tak jest. [2][3]"]),
        ("Zgodnie z art. 5 ust. 2 ustawy z dnia 3 maja 2024 r. opłata wynosi 5 zł [1].",
         ["Zgodnie z art. 5 ust. 2 ustawy z dnia 3 maja 2024 r. opłata wynosi 5 zł [1]."]),
        ("- pierwszy [1]\n- drugi [2]", ["- pierwszy [1]", "- drugi [2]"]),
        ("Tak [1].\n```\nto jest kod. I to.\n```\nNie [2].", ["Tak [1].", "Nie [2]."]),
        ("# Nagłówek\n\nTak [1].", ["Tak [1]."]),
        ("[1]", []),
        ("", []),
    ],
)  # fmt: skip
def test_claims_are_sentences_and_list_items_with_their_markers(text, claims):
    assert split_claims(text) == claims


def test_a_claim_without_a_marker_is_uncited():
    text = "Urlop wynosi dwadzieścia dni roboczych. Wniosek składa się przez system [1]."
    assert uncited_claims(text) == ("Urlop wynosi dwadzieścia dni roboczych.",)


def test_lead_ins_short_remarks_and_code_are_not_claims():
    lead_in = "Do wniosku należy dołączyć następujące dokumenty:"
    text = f"Tak, oczywiście.\n\n{lead_in}\n- dowód osobisty [1]\n\n```\na b c d e\n```"
    assert uncited_claims(text) == ()
