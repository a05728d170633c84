"""What a conversation has to say on paper, whatever the format of the file: questions, blocks of answers, sources."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledgetree.pdf.printable import printable
from rag.chat.conversations.exporting import Absolute, place_in_words
from rag.selectors import ShownExchange
from rag.types import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRun:
    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """A paragraph, or an item of a list `depth` levels down (from 1), with its `sign`: a bullet or "3."."""

    kind: Literal["paragraph", "heading", "item"]
    runs: tuple[TextRun, ...]
    depth: int = 0
    sign: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    """`rows` of cells; the first row is the head."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSource:
    """`address` is "" where the document is no longer in the knowledge base."""

    number: int
    title: str
    place: str
    quote: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedExchange:
    question: str
    asked: str
    blocks: tuple[TextBlock | TableBlock, ...]
    sources: tuple[PrintedSource, ...]


def printed(shown: Iterable[ShownExchange], absolute: Absolute) -> list[PrintedExchange]:
    """Each question with its answer and sources; of an answer that the reader no longer sees it is only said so."""
    return [_exchange(one, absolute) for one in shown]


def _exchange(one: ShownExchange, absolute: Absolute) -> PrintedExchange:
    exchange = one.exchange
    if one.hidden:
        answer = _("This answer is left out: it rests on documents that you can no longer read.")
    else:
        answer = exchange.answer.strip() or (_("Not found in the sources.") if exchange.outcome == "not_found" else "")
    return PrintedExchange(
        question=printable(" ".join(exchange.question.split())),
        asked=date_format(timezone.localtime(exchange.created), "DATETIME_FORMAT"),
        blocks=tuple(blocks_of(answer)),
        sources=() if one.hidden else tuple(_source(citation, absolute) for citation in one.citations),
    )


def _source(citation: Citation, absolute: Absolute) -> PrintedSource:
    return PrintedSource(
        number=citation.number,
        title=printable(citation.title),
        place=printable(place_in_words(citation)),
        quote=printable(" ".join(citation.quote.split())),
        address=absolute(citation.url) if citation.url else "",
    )


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return parser.disable(["html_block", "html_inline", "image", "link", "autolink", "reference"])


def blocks_of(answer: str) -> Iterator[TextBlock | TableBlock]:
    """The blocks of an answer's Markdown, in order; a link is its text, for nobody vouches for where it leads."""
    lists: list[int | None] = []  # open lists: the next number, None of those with bullets
    rows: list[list[str]] = []
    sign, heading = "", False
    for token in _parser().parse(printable(answer)):
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                lists.append(int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None)
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
            case "list_item_open":
                number = lists[-1]
                sign, lists[-1] = ("•", None) if number is None else (f"{number}.", number + 1)
            case "heading_open" | "heading_close":
                heading = token.type == "heading_open"
            case "tr_open":
                rows.append([])
            case "table_close":
                yield TableBlock(rows=tuple(map(tuple, rows)))
                rows = []
            case "inline" if rows:
                rows[-1].append("".join(run.text for run in _runs(token.children or ())))
            case "inline":
                kind: Literal["paragraph", "heading", "item"] = (
                    "heading" if heading else "item" if lists else "paragraph"
                )
                yield TextBlock(kind=kind, runs=tuple(_runs(token.children or ())), depth=len(lists), sign=sign)
                sign = ""
            case "fence" | "code_block":
                yield TextBlock(kind="paragraph", runs=(TextRun(text=token.content.rstrip()),))


def _runs(tokens: Sequence[Token]) -> Iterator[TextRun]:
    bold = 0
    for token in tokens:
        if token.type in ("strong_open", "strong_close"):
            bold += 1 if token.type == "strong_open" else -1
        elif token.type in ("softbreak", "hardbreak"):
            yield TextRun(text="\n" if token.type == "hardbreak" else " ")
        elif token.content:
            yield TextRun(text=token.content, bold=bold > 0)
