"""What a question names, as the graph may know it: questions are typed in lower case and in any inflection."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingestion.text.names.entities import glossary_ruler
from ingestion.text.names.identifiers import loose_keys
from ingestion.text.names.name_words import WORD, name_key, name_words
from ingestion.text.names.recognition import Recogniser

_MAX_WORDS = 6
Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleNames:
    """Keys to look up. `recognised` are named beyond doubt, `runs` are keys by the words [first, last) they cover."""

    recognised: frozenset[str]
    runs: dict[Span, str]

    @property
    def keys(self) -> list[str]:
        return sorted(self.recognised | set(self.runs.values()))

    def known(self, keys: set[str]) -> set[str]:
        """What the question names of `keys`, those of the graph; of overlapping runs the longest, then the first."""
        chosen: set[str] = set()
        taken: set[int] = set()
        for (first, last), key in sorted(self.runs.items(), key=lambda run: (run[0][0] - run[0][1], run[0])):
            if key in keys and taken.isdisjoint(range(first, last)):
                taken.update(range(first, last))
                chosen.add(key)
        return chosen | (self.recognised & keys)


def possible_names(question: str, collection_ids: Sequence[int]) -> PossibleNames:
    """Names by rules and from the glossary, and every run of words that could be one."""
    named = Recogniser(glossary_ruler()).find(question, collection_ids)
    recognised = {name.key for name in named} | loose_keys(question)
    return PossibleNames(recognised=frozenset(recognised), runs=dict(_runs(WORD.findall(question))))


def _runs(words: Sequence[str]) -> Iterator[tuple[Span, str]]:
    for first in range(len(words)):
        if name_words().is_proper(words[first]):  # a word alone is a name only where it can be no other word
            yield (first, first + 1), name_key(words[first])
        for last in range(first + 2, min(first + _MAX_WORDS, len(words)) + 1):
            yield (first, last), name_key(" ".join(words[first:last]))
