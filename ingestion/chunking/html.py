"""Web pages: the extractor has made Markdown of them, so their chunks are those of Markdown."""

from ingestion.chunking.markdown import MarkdownChunker


class HtmlChunker(MarkdownChunker):
    """`MarkdownChunker` under the name that people look for.

    `ingestion.reading.formats.html.html` writes `<h1>` to `<h6>` as headings, lists, tables and code as Markdown; no
    tag is left that a chunker could go by, and every citation points into that text.
    """
