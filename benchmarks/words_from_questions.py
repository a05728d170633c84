"""Words learn from questions: of those with known answers each shall lie nearer to its own passage than to others.

For `word_vectors.py`, which says from where it starts. A folder has institutions, a folder each: `*.md`, their
documents, and `pytania.jsonl`, a question a line, {q, d: name of the document, h: heading of the section, e: how the
sentence that answers begins, or several}; one that nothing answers has no e. All are written for the program, as people
ask who do not know the wording.

A text is the weighted sum of its words, as in the product. Learnt are each word's place and weight and one matrix for
all places, which moves words that nobody asked with; the loss is that of choosing the right section among all of an
institution, and the right sentence among those of the sections asked about at once (van den Oord et al. 2018). One
round: more learn the questions by heart and nothing for others.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import cross_entropy, embedding_bag, normalize

from ingestion.text.analyser import analyser
from ingestion.text.meaning.vocabulary import topical_lemmas

AT_ONCE = 64  # questions
RATE = 2e-3
SMOOTH = 0.05  # what holds the matrix, and a word's weight, where they were
NEAR = 1e-3  # the same for a place
SCALE = 14.0  # of the cosines, at first
STRANGE = 4.5  # nats, the weight of a word that has no vector
OFTEN = 2  # texts that a word must stand in to get a place
NUMBER = re.compile(r"(?:(?:[-–•]|\d{1,2}[.)]|§ ?\d+[a-z]?\.?|[a-z]\)|Art\. ?\d+\.)\s+)+")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ„\d§])")
RULE = re.compile(r"[|\s:-]+")

Bag = Mapping[str, int]


class Section(NamedTuple):
    words: Bag
    sentences: Sequence[Bag]


class Asked(NamedTuple):
    """`answers` are places of the sentences of a section, any of which will do."""

    words: Bag
    section: int
    answers: frozenset[int]


class Institution(NamedTuple):
    sections: Sequence[Section]
    questions: Sequence[Asked]


def trained(
    words: Sequence[str], vectors: NDArray[np.float32], weights: Sequence[float], folder: Path
) -> tuple[list[str], NDArray[np.float32], list[float]]:
    """The words, unit vectors and weights after the questions; words that had none stand behind the others."""
    institutions = list(read(folder))
    bags = [bag for one in institutions for bag in chain(_sections(one), (asked.words for asked in one.questions))]
    new = _new_words(bags, set(words))
    every = [*words, *new]
    torch.manual_seed(0)
    draw = random.Random(0)
    model = Words(every, vectors, [*weights, *[STRANGE] * len(new)])
    optimiser = torch.optim.Adam(
        [
            {"params": [model.louder, model.scale], "lr": RATE * 5},
            {"params": [model.turn], "lr": RATE / 4},
            {"params": model.moved.parameters(), "lr": RATE},
        ]
    )
    for institution, asked in _batches(institutions, draw):
        optimiser.zero_grad()
        model.loss(institution, asked).backward()
        optimiser.step()
    return model.result(np.median(weights))


def read(folder: Path) -> Iterator[Institution]:
    for file in sorted(folder.glob("*/pytania.jsonl")):
        sections, texts = list[Section](), dict[tuple[str, str], tuple[int, list[str]]]()
        for path in sorted(file.parent.glob("*.md")):
            title, parts = _parts(path.read_text(encoding="utf-8"))
            for heading, lines in parts.items():
                sentences = [sentence for line in lines for sentence in _sentences(line)]
                texts[path.name, heading] = (len(sections), sentences)
                words = _bag("\n".join((title, heading, *lines)))
                sections.append(Section(words, [_bag(sentence) for sentence in sentences]))
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        yield Institution(sections, [asked for row in rows if "e" in row for asked in _asked(row, texts)])


def _parts(text: str) -> tuple[str, dict[str, list[str]]]:
    """The title, and by heading the lines under it."""
    title, heading, parts = "", "", dict[str, list[str]]()
    for line in map(str.strip, text.splitlines()):
        if line.startswith("#"):
            heading = line.lstrip("#").strip()
            title = title or heading
        elif line and not RULE.fullmatch(line):
            parts.setdefault(heading, []).append(_flat(line))
    return title, parts


def _sentences(line: str) -> list[str]:
    pieces = [line] if line.startswith("|") else map(_bare, SENTENCE.split(line))
    return [piece for piece in pieces if len(piece) > len("§ 1.")]


def _asked(row: Mapping[str, Any], texts: Mapping[tuple[str, str], tuple[int, list[str]]]) -> Iterator[Asked]:
    section, sentences = texts[row["d"], row["h"]]
    begun = [_bare(_flat(one))[:40] for one in ([row["e"]] if isinstance(row["e"], str) else row["e"])]
    answers = frozenset(place for place, text in enumerate(sentences) if any(one in text for one in begun))
    if answers:
        yield Asked(_bag(row["q"]), section, answers)


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("*", "").replace("\\", "")).strip()


def _bare(text: str) -> str:
    """Without the sign of an item or the number of a paragraph before it."""
    return NUMBER.sub("", text + " ", count=1).strip() if NUMBER.match(text + " ") else text


def _bag(text: str) -> Bag:
    return dict(topical_lemmas(analyser().words(text)))


def _sections(institution: Institution) -> Iterator[Bag]:
    return (section.words for section in institution.sections)


def _new_words(bags: Sequence[Bag], known: set[str]) -> list[str]:
    often = dict[str, int]()
    for lemma in chain.from_iterable(bags):
        often[lemma] = often.get(lemma, 0) + 1
    words = (lemma for lemma, times in often.items() if times >= OFTEN and lemma.isalpha() and len(lemma) > 1)
    return sorted(set(words) - known)


def _batches(institutions: Sequence[Institution], draw: random.Random) -> list[tuple[Institution, Sequence[Asked]]]:
    batches = list[tuple[Institution, Sequence[Asked]]]()
    for institution in institutions:
        questions = draw.sample(institution.questions, len(institution.questions))
        batches += [(institution, questions[at : at + AT_ONCE]) for at in range(0, len(questions), AT_ONCE)]
    draw.shuffle(batches)
    return batches


class Words(nn.Module):
    def __init__(self, words: Sequence[str], vectors: NDArray[np.float32], weights: Sequence[float]) -> None:
        super().__init__()
        dimension = vectors.shape[1]
        strange = np.random.default_rng(0).standard_normal((len(words) - len(vectors), dimension)).astype(np.float32)
        strange /= np.linalg.norm(strange, axis=1, keepdims=True)
        self.rows = {word: row for row, word in enumerate(words)}
        self.places = torch.tensor(np.vstack([vectors, strange]))
        self.weights = torch.tensor(weights, dtype=torch.float32)
        self.louder = nn.Parameter(torch.zeros(len(words)))
        self.moved = nn.Embedding(len(words), dimension)
        nn.init.zeros_(self.moved.weight)
        self.turn = nn.Parameter(torch.zeros(dimension, dimension))
        self.scale = nn.Parameter(torch.tensor(SCALE).log())

    def loss(self, institution: Institution, asked: Sequence[Asked]) -> torch.Tensor:
        sentences = [sentence for one in asked for sentence in institution.sections[one.section].sentences]
        used, (questions, sections, pieces) = self._texts(
            [one.words for one in asked], list(_sections(institution)), sentences
        )
        scale = self.scale.exp()
        loss = cross_entropy(scale * questions @ sections.T, torch.tensor([one.section for one in asked]))
        places = [
            (one.section, place) for one in asked for place in range(len(institution.sections[one.section].sentences))
        ]
        for one, row in zip(asked, scale * questions @ pieces.T, strict=True):
            right = torch.tensor([section == one.section and place in one.answers for section, place in places])
            loss = loss + (row.logsumexp(0) - row[right].logsumexp(0)) / len(asked)
        held = self.turn.square().sum() + self.louder[used].square().sum() / 50
        return loss + SMOOTH * held + NEAR * self.moved(used).square().sum()

    def _texts(self, *groups: Sequence[Bag]) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """The rows of all the words, and of each group the vectors of its texts, shape (texts, dimension)."""
        words = sorted({lemma for bag in chain.from_iterable(groups) for lemma in bag if lemma in self.rows})
        at = {word: number for number, word in enumerate(words)}
        used = torch.tensor([self.rows[word] for word in words])
        table = self._table(used)
        known = ([{at[word]: bag[word] for word in bag if word in at} for bag in bags] for bags in groups)
        return used, [_summed(table, bags) for bags in known]

    def _table(self, rows: torch.Tensor) -> torch.Tensor:
        places = self.places[rows] + self.moved(rows)
        return (places + places @ self.turn) * (self.weights[rows] * self.louder[rows].exp())[:, None]

    @torch.no_grad()
    def result(self, median: float) -> tuple[list[str], NDArray[np.float32], list[float]]:
        """`median` is that of the weights before, and becomes that of all of them."""
        table = self._table(torch.arange(len(self.rows))).numpy()
        lengths = np.linalg.norm(table, axis=1)
        weights = lengths * (median / np.median(lengths))
        return list(self.rows), table / lengths[:, None], [float(weight) for weight in weights]


def _summed(table: torch.Tensor, bags: Sequence[Mapping[int, int]]) -> torch.Tensor:
    rows = [row for bag in bags for row in bag] or [0]
    times = [float(count) ** 0.5 for bag in bags for count in bag.values()] or [0.0]
    starts = np.cumsum([0, *map(len, bags)])[:-1]
    total = embedding_bag(
        torch.tensor(rows), table, torch.tensor(starts), mode="sum", per_sample_weights=torch.tensor(times)
    )
    return normalize(total, dim=1, eps=1e-6)
