import pytest

from ingestion.errors import CorruptDocument, DocumentTooLarge, EmptyDocument
from ingestion.reading.formats.latex import latex
from ingestion.reading.formats.latex.latex import LatexExtractor
from ingestion.types import ExtractedText, no_progress

PREAMBLE = r"\documentclass{article}\usepackage[cp1250]{inputenc}\title{Regulamin \\ studiów}"


def read(body: str, *, encoding: str = "utf-8") -> ExtractedText:
    source = f"{PREAMBLE}\\begin{{document}}{body}\\end{{document}}"
    return LatexExtractor().extract(source.encode(encoding), name="plik.tex", progress=no_progress)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1250", "iso8859_2"])
def test_headings_and_paragraphs(encoding: str) -> None:
    found = read(
        "\\maketitle\\section{Wstęp}\\label{a}\nTreść źródła,\nciąg dalszy.\n\nDrugi akapit.", encoding=encoding
    )
    assert found.text == "# Regulamin studiów\n\n## Wstęp\n\nTreść źródła, ciąg dalszy.\n\nDrugi akapit.\n"
    assert found.title == "Regulamin studiów"


def test_letters_and_signs_are_those_of_the_print() -> None:
    body = r"Za\.z\'o\l\'c g\k e\'sl\k{a} \L\'od\'z, ,,cytat'' 5\% \S~5 --- 3\,cm \dots"
    assert read(body).text == "Zażółć gęślą Łódź, „cytat” 5% § 5 — 3 cm …\n"


def test_lists_tables_and_code_keep_their_shape() -> None:
    body = r"""
\begin{itemize}\item pierwszy \item[--] drugi \begin{enumerate}\item a\item b\end{enumerate}\end{itemize}
\begin{tabular}[t]{|l|r|}\hline Rok & Kwota \\ \hline 2024 & 5\,000 \\ \hline\end{tabular}
\begin{verbatim}
x  = {1}
\end{verbatim}
"""
    table = "| Rok | Kwota |\n| --- | --- |\n| 2024 | 5 000 |"
    assert read(body).text == f"- pierwszy\n- drugi\n  1. a\n  2. b\n\n{table}\n\n```\nx  = {{1}}\n```\n"


def test_formulas_stay_and_notes_follow() -> None:
    found = read(r"Wzór $E=mc^2$\footnote{Einstein.} jest znany. \[ a^2 \] Koniec.")
    assert found.text == "Wzór $E=mc^2$[^1] jest znany.\n\n[^1]: Einstein.\n\n\\[ a^2 \\]\n\nKoniec.\n"


def test_layout_and_comments_are_left_out() -> None:
    body = "A\\vspace{2cm}\\hspace*{1em} B % komentarz\n\\vskip 0.5cm\\includegraphics[width=2cm]{logo.png}\\textbf{C}"
    assert read(body).text == "A B C\n"


def test_included_files_are_named() -> None:
    assert "rozdzial1" in read(r"Treść \input{rozdzial1}").warnings[0]


def test_braces_without_end_are_reported() -> None:
    with pytest.raises(CorruptDocument):
        read("{" * 20_000 + "x" + "}" * 20_000)


def test_a_source_that_would_take_minutes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex, "MAX_SOURCE", 200)
    with pytest.raises(DocumentTooLarge):
        read("x" * 200)


def test_a_document_without_words_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        read("% nic")
