"""What the page shows while an answer is being written."""

from dataclasses import replace

from rag.chat.asking.event_html import EventHtml
from rag.events import CitationAdded, Retrieved
from rag.types import Citation, Explanation, Passage

CITATION = Citation(
    number=2,
    chunk_id=7,
    document_id=1,
    title="Regulamin <b>",
    uri="a.md",
    quote="Wymiar urlopów",
    start=0,
    end=14,
    line_start=3,
    line_end=3,
    url="/documents/1/?start=0&end=14#cytat",
)
PASSAGE = Passage(
    chunk_id=7,
    document_id=1,
    collection="k",
    title="Regulamin <b>",
    uri="a.md",
    media_type="text/markdown",
    text="Wymiar urlopów",
    start=0,
    end=14,
    line_start=3,
    line_end=3,
    explanation=Explanation(lexical_rank=1, lexical_score=2.0),
)


def test_a_citation_of_the_draft_comes_with_its_card() -> None:
    card = EventHtml("Ile dni urlopu?")(CitationAdded(citation=CITATION))
    assert 'data-number="2"' in card
    assert '<mark class="hit">urlopów</mark>' in card
    assert "Regulamin &lt;b&gt;" in card


def test_the_card_of_a_draft_says_why_as_the_finished_one_will() -> None:
    html = EventHtml("Ile dni urlopu?")
    without = html(CitationAdded(citation=CITATION))
    html(Retrieved(passages=(replace(PASSAGE, chunk_id=3), PASSAGE)))
    assert 'class="reasons"' not in without
    assert 'class="reasons"' in html(CitationAdded(citation=CITATION))
