from ingestion.chunking.html import HtmlChunker
from ingestion.reading.formats.html.html import HtmlExtractor
from ingestion.types import no_progress
from tests.ingestion.chunking.contract import ChunkerContract

PAGE = """<html><head><title>Urlopy</title></head><body><main><h1>Urlopy</h1><p>{prose}</p>
<h2>Wymiar</h2><p>{prose}</p><table><tr><th>Staż</th><th>Dni</th></tr><tr><td>10 lat</td><td>26</td></tr></table>
</main></body></html>"""


class TestHtmlChunker(ChunkerContract):
    chunker = HtmlChunker


def test_the_headings_of_a_page_lead_to_its_chunks() -> None:
    page = PAGE.format(prose="Pracownik ma prawo do corocznego, płatnego urlopu wypoczynkowego. " * 8)
    extracted = HtmlExtractor().extract(page.encode(), name="urlopy.html", progress=no_progress)
    spans = HtmlChunker(chunk_size=200, overlap=10).split(extracted)
    assert [span.heading_path for span in spans] == [("Urlopy",), ("Urlopy", "Wymiar")]
    assert "| 10 lat | 26 |" in extracted.text[spans[-1].start : spans[-1].end]
