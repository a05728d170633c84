"""What a model is told beside question and sources: conversation, glossary, page, the assistant's style. As data."""

from collections.abc import Iterator, Sequence

from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from rag.answering.claims import MARKER
from rag.llm.prompts.untrusted import neutralise
from rag.question import Background, Turn
from rag.types import Definition

MAX_TURNS = 10
HISTORY_TOKENS = 1000
TURN_TOKENS = 250
PAGE_TOKENS = 500
INSTRUCTION_TOKENS = 500
DEFINITION_TOKENS = 150


def render_background(background: Background | None) -> str:
    """Blocks for a prompt, each ended by a blank line; "" where there is nothing to tell. Nothing inside can end one.

    Of the history the last ten turns, as many as fit into HISTORY_TOKENS (estimated).
    """
    if background is None:
        return ""
    parts = [
        ("history", "\n".join(_turns(background.history))),
        ("glossary", "\n".join(map(_explained, background.definitions))),
        ("page_text", neutralise(_beginning(background.page, PAGE_TOKENS))),
        ("style", neutralise(_beginning(background.instructions, INSTRUCTION_TOKENS))),
    ]
    return "".join(f"<{tag}>\n{content}\n</{tag}>\n\n" for tag, content in parts if content)


def _turns(history: Sequence[Turn]) -> list[str]:
    """The last turns that fit, oldest first."""
    kept: list[str] = []
    left = HISTORY_TOKENS * CHARACTERS_PER_TOKEN
    for turn in reversed(history[-MAX_TURNS:]):
        shown = "\n".join(_lines(turn))
        if len(shown) > left:
            break
        kept.insert(0, shown)
        left -= len(shown)
    return kept


def _lines(turn: Turn) -> Iterator[str]:
    """Numbers of sources are left out: those of an earlier answer are not those of this one."""
    for tag, text in (("asked", turn.question), ("answered", MARKER.sub("", turn.answer))):
        if text.strip():
            yield f"<{tag}>{neutralise(_beginning(text, TURN_TOKENS))}</{tag}>"


def _explained(definition: Definition) -> str:
    term = neutralise(" ".join(definition.term.split()))
    return f"{term} – {neutralise(_beginning(' '.join(definition.definition.split()), DEFINITION_TOKENS))}"


def _beginning(text: str, tokens: int) -> str:
    text = text.strip()
    length = tokens * CHARACTERS_PER_TOKEN
    return text if len(text) <= length else f"{text[:length].rstrip()} […]"
