"""A whole answer, verified."""

import pytest

from rag.answering.verification import Verifier
from tests.steps import steps

TEXT = "Wniosek składa się w ciągu 14 dni. Opłata wynosi 50 zł. Decyzję wydaje Jan Kowalski."


def test_each_claim_gets_its_verdict(verifier, passage, citation):
    found = passage(TEXT)
    text = (
        "Wniosek składa się w terminie dwóch tygodni [1]. Opłata wynosi 70 zł [1]. "
        "Decyzję wydaje Jan Kowalski. Odwołanie rozpatruje wojewoda mazowiecki [1]."
    )
    checked = verifier.verify("Jak złożyć wniosek?", text, [citation(found)], [found], language="pl").verification
    assert [claim.verdict for claim in checked.claims] == ["supported", "contradicted", "uncited", "not_covered"]
    assert checked.uncited == ("Decyzję wydaje Jan Kowalski.",)
    assert checked.citation_precision == pytest.approx(1 / 3)


def test_a_passage_from_the_web_is_found_by_its_address(verifier, passage, citation):
    pages = [
        passage("Opłata wynosi 50 zł.", number=1, chunk_id=0, document_id=0, origin="web"),
        passage("Opłata wynosi 90 zł.", number=2, chunk_id=0, document_id=0, origin="web"),
    ]
    cited = citation(pages[1], quote="Opłata")
    checked = verifier.verify("Ile wynosi opłata?", "Opłata wynosi 90 zł [1].", [cited], pages, language="pl")
    assert checked.verification.claims[0].verdict == "supported"


def test_without_its_passage_the_quote_is_what_counts(verifier, passage, citation):
    cited = citation(passage(TEXT), quote="Opłata wynosi 50 zł.")
    checked = verifier.verify("Ile wynosi opłata?", "Opłata wynosi 50 zł [1].", [cited], [], language="pl")
    assert checked.verification.claims[0].verdict == "supported"


def test_a_number_without_its_citation_leaves_the_claim_uncited(verifier):
    checked = verifier.verify("Ile?", "Opłata za wniosek wynosi 50 zł [3].", [], [], language="pl").verification
    assert [claim.verdict for claim in checked.claims] == ["uncited"]


def test_an_empty_answer_is_verified_too(verifier):
    checked = verifier.verify("", "", [], [], language="pl").verification
    assert (checked.claims, checked.confidence, checked.citation_precision) == ((), 0.0, 1.0)


@pytest.mark.slow
def test_the_work_of_verifying_grows_with_claims_and_passages_not_with_their_product(passage, citation):
    verifier = Verifier()

    def work(*, sentences, claims):
        body = " ".join(f"{TEXT} W roku {2000 + n} wydano {n} decyzji w Poznaniu." for n in range(sentences))
        passages = [passage(body, number=n) for n in range(1, 5)]
        cited = [citation(one, number=one.chunk_id) for one in passages]
        text = " ".join(f"Opłata wynosi 50 zł, a decyzję wydaje Jan Kowalski [{n % 4 + 1}]." for n in range(claims))
        return steps(lambda: verifier.verify("Ile wynosi opłata?", text, cited, passages, language="pl"))

    work(sentences=64, claims=4)  # lemmas are kept
    least = work(sentences=8, claims=4)
    assert work(sentences=8, claims=32) < 5 * least  # each passage is read once, however many claims cite it
    assert work(sentences=64, claims=4) < 32 * least  # and not 64 times
