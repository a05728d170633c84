"""A sentence as it is compared with others: its content words, its facts, its names, what it affirms and denies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ingestion.text.analyser import analyser
from ingestion.text.names.mention import Named
from ingestion.text.sentences import sentence_spans
from ingestion.types import Token
from rag.answering.verification.names import names_of
from rag.answering.verification.polarity import Clause, clauses
from rag.understanding.facts.dates import find_dates
from rag.understanding.facts.fact import Fact
from rag.understanding.facts.provisions import find_provisions
from rag.understanding.facts.quantities import UNITS, find_quantities

FRAME = frozenset(UNITS) | frozenset(
    "wynosić ciąg przynajmniej najmniej najwyżej maksymalnie mało dużo późno również także móc jednak".split()
)
"""Words that only join a value to what has it, and units."""


@dataclass(frozen=True)
class Sentence:
    """Read on demand, each part once: most sentences of a passage are compared by their words alone."""

    text: str

    @cached_property
    def tokens(self) -> list[Token]:
        return analyser().tokens(self.text)

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """Lemmas of the words that carry a topic; numbers are facts, not topics."""
        return frozenset(
            token.lemma
            for token in self.tokens
            if token.form[0].isalpha() and len(token.form) > 1 and not analyser().is_stop_word(token)
        )

    @cached_property
    def topic(self) -> frozenset[str]:
        """The lemmas outside facts and names: "14 dni" here and "dwa tygodnie" there are not different words."""
        stated = [(fact.start, fact.end) for fact in self.facts] + [(name.start, name.end) for name in self.names]
        inside = {token.lemma for token in self.tokens if any(a <= token.start < b for a, b in stated)}
        return self.lemmas - inside - FRAME

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """In order, without overlaps: dates first, then provisions and identifiers, then quantities."""
        found: list[Fact] = []
        if not any(character.isdigit() for character in self.text):
            candidates = [*find_dates(self.text), *find_quantities(self.text, self.tokens)]
        else:
            candidates = [
                *find_dates(self.text), *find_provisions(self.text), *find_quantities(self.text, self.tokens),
            ]  # fmt: skip
        for fact in candidates:
            if all(fact.end <= other.start or other.end <= fact.start for other in found):
                found.append(fact)
        return tuple(sorted(found, key=lambda fact: fact.start))

    @cached_property
    def names(self) -> tuple[Named, ...]:
        """Capitalised names that are no part of a fact."""
        facts = self.facts
        return tuple(n for n in names_of(self.text) if all(n.end <= f.start or f.end <= n.start for f in facts))

    @cached_property
    def clauses(self) -> list[Clause]:
        return clauses(self.text, self.tokens, self.lemmas)


def read_sentences(text: str) -> Sequence[Sentence]:
    return [Sentence(text[start:end]) for start, end in sentence_spans(text)]
