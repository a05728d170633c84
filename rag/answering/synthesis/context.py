"""Passages as the numbered, delimited blocks of a prompt, within a budget of tokens."""

from collections.abc import Sequence
from dataclasses import replace

from ingestion.text.sentences import sentence_spans
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from rag.answering.context.layout import Layout
from rag.llm.prompts.untrusted import neutralise
from rag.types import Passage


def pack(passages: Sequence[Passage], *, max_tokens: int) -> tuple[Passage, ...]:
    """The first passages whose blocks fit into `max_tokens` estimated tokens, in the given order.

    Passages stay whole while the budget lasts; the next one is cut after its last paragraph, list or table that fits,
    so that its `text` stays a prefix and offsets into it stay true. The first passage is never dropped: at worst it is
    cut after a sentence, or inside its first one.
    """
    packed: list[Passage] = []
    left = max_tokens * CHARACTERS_PER_TOKEN
    for number, passage in enumerate(passages, start=1):
        cost = len(render_source(passage, number=number)) + 1
        if cost > left:
            cut = _cut(passage, number=number, characters=left, at_any_price=not packed)
            return (*packed, cut) if cut else tuple(packed)
        packed.append(passage)
        left -= cost
    return tuple(packed)


def batches(passages: Sequence[Passage], *, max_tokens: int, most: int | None = None) -> list[tuple[Passage, ...]]:
    """All passages in their order, in runs that fit into `max_tokens` each and have at most `most`; only one that is
    too long alone is cut.
    """
    found: list[tuple[Passage, ...]] = []
    left = tuple(passages)
    while left:
        packed = pack(left[:most], max_tokens=max_tokens)
        if len(packed) > 1 and packed[-1] != left[len(packed) - 1]:
            packed = packed[:-1]
        found.append(packed)
        left = left[len(packed) :]
    return found


def render_sources(passages: Sequence[Passage], *, first: int = 1) -> str:
    """All passages as blocks numbered from `first`."""
    return "\n".join(render_source(passage, number=n) for n, passage in enumerate(passages, start=first))


def render_source(passage: Passage, *, number: int) -> str:
    """One block. Nothing inside it can close it."""
    text = "\n".join(filter(None, (passage.context_before, passage.text, passage.context_after)))
    parts = [
        ("title", " ".join(passage.title.split())),
        ("section", " › ".join(" ".join(heading.split()) for heading in passage.heading_path)),
        ("page", _pages(passage)),
        ("text", f"\n{text}\n"),
    ]
    lines = [f"<{tag}>{neutralise(content)}</{tag}>" for tag, content in parts if content]
    return "\n".join([f'<source number="{number}">', *lines, "</source>"])


def _pages(passage: Passage) -> str:
    if passage.page_start is None:
        return ""
    last = passage.page_end or passage.page_start
    return str(passage.page_start) if last == passage.page_start else f"{passage.page_start}–{last}"


def _cut(passage: Passage, *, number: int, characters: int, at_any_price: bool) -> Passage | None:
    """The longest beginning that can be read alone and whose block fits `characters`; None where none does."""
    overhead = len(render_source(replace(passage, text="", context_after=""), number=number))
    room = characters - overhead - max(0, len(neutralise(passage.text)) - len(passage.text))
    if end := Layout(passage.text).beginning(room):
        return _beginning(passage, end)
    if not at_any_price:
        return None
    ends = [end for _, end in sentence_spans(passage.text) if end <= room]
    return _beginning(passage, ends[-1] if ends else max(1, room))


def _beginning(passage: Passage, length: int) -> Passage:
    text = passage.text[:length]
    return replace(
        passage,
        text=text,
        end=passage.start + len(text),
        line_end=passage.line_start + text.count("\n"),
        context_after="",
    )
