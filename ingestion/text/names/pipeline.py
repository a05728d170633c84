"""The spaCy pipeline `polish`: our sentences and lemmas in a Doc, for code that needs more than words (entities).

The index and the query do not build Docs; they call `PolishAnalyser`, whose lemmas these components set.
"""

from functools import lru_cache

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from ingestion.text.analyser import normal_form
from ingestion.text.morphology.lemmas import Lemmatiser
from ingestion.text.morphology.stop_words import STOP_WORDS
from ingestion.text.sentences import sentence_spans


@Language.component("polish_sentences")  # type: ignore[untyped-decorator]
def polish_sentences(doc: Doc) -> Doc:
    """Sentence starts by our rules, which know Polish abbreviations."""
    starts = {start for start, _ in sentence_spans(doc.text)}
    for token in doc:
        token.is_sent_start = token.i == 0 or token.idx in starts
    return doc


@Language.factory("polish_lemmas")
class PolishLemmas:
    """The lemmas of the index, so that rules written for one hold for the other."""

    def __init__(self, nlp: Language, name: str) -> None:
        self._lemmatise = Lemmatiser().lemma

    def __call__(self, doc: Doc) -> Doc:
        for token in doc:
            token.lemma_ = self._lemmatise(normal_form(token.text)) if token.text.isalnum() else token.text
        return doc


@lru_cache(maxsize=4)
def polish(model: str = "") -> Language:
    """`spacy.blank("pl")` with our components, or the installed `model` (such as `pl_core_news_md`) with our sentences.

    Raises OSError, from spaCy, where `model` is not installed.
    """
    nlp = spacy.load(model) if model else spacy.blank("pl")
    if not model:
        nlp.add_pipe("polish_lemmas")
    nlp.add_pipe("polish_sentences", first=True)
    nlp.Defaults.stop_words = set(STOP_WORDS)
    return nlp
