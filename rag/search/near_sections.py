"""The sections that a search came nearest to, to be opened where it did not answer."""

from collections.abc import Iterable

from rag.search.links import address_of
from rag.types import Citation, NearSection, Passage, place_of

MOST = 5


def near_sections(passages: Iterable[Passage], *, apart_from: Iterable[Citation] = ()) -> tuple[NearSection, ...]:
    """Those of documents, each once, at most five, in the order of `passages`; without the sections of `apart_from`."""
    found: dict[tuple[int, tuple[str, ...]], NearSection] = {}
    cited = [place_of(citation) for citation in apart_from]
    shown = list(passages)
    known = {_section_of(passage) for passage in shown if place_of(passage) in cited}
    for passage in shown:
        section = _section_of(passage)
        if passage.origin == "document" and section not in known:
            found.setdefault(section, _as_section(passage))
    return tuple(found.values())[:MOST]


def below_title(path: tuple[str, ...], title: str) -> tuple[str, ...]:
    """The headings of a passage without the first one where it only repeats the document's title."""
    return path[1:] if path and path[0].casefold() == title.casefold() else path


def _section_of(passage: Passage) -> tuple[int, tuple[str, ...]]:
    return passage.document_id, below_title(passage.heading_path, passage.title)


def _as_section(passage: Passage) -> NearSection:
    return NearSection(
        document_id=passage.document_id,
        title=passage.title,
        headings=below_title(passage.heading_path, passage.title),
        url=address_of(passage),
    )
