"""Words learn from questions: of those with known answers each shall lie nearer to its own passage than to others.

For `word_vectors.py`, which says from where it starts. An institution is a folder: `*.md`, its documents, and
`pytania.jsonl`, a question a line, {q, d: name of the document, h: heading of the section, e: how the sentence that
answers begins, or several}; one that nothing answers has no e. All are written for the program, as people ask who do
not know the wording.

A text is the weighted sum of its words, and has of each word of a question what its nearest word is worth, as in the
product. Learnt are each word's place and weight and one matrix for all places, which moves words that nobody asked
with; the loss is that of choosing, by the two together (Khattab & Zaharia 2020 for the second), the right section among
all of an institution, and the right sentence among those of the sections asked about at once (van den Oord et al.
2018). Two rounds at a rate that falls to nothing: more learn the questions by heart and nothing for others.
"""

import json
import random
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

from institution_texts import answering, parts_of, sentences_of  # isort: skip

ROUNDS = 2
AT_ONCE = 64  # questions
RATE = 2e-3  # at first
SMOOTH = 0.05  # what holds the matrix, and a word's weight, where they were
NEAR = 1e-3  # the same for a place
SCALE = 14.0  # of the cosines, at first
NEAREST = 7.4  # the same for the share of the question by nearest words
STRANGE = 4.5  # nats, the weight of a word that has no vector
KIN = 5  # letters that words have in common whose places tell that of one that has none
OFTEN = 2  # texts that a word must stand in to get a place

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
    words: Sequence[str], vectors: NDArray[np.float32], weights: Sequence[float], folders: Sequence[Path]
) -> tuple[list[str], NDArray[np.float32], list[float]]:
    """The words, unit vectors and weights after the questions; words that had none stand behind the others."""
    institutions = list(read(folders))
    bags = [bag for one in institutions for bag in chain(_sections(one), (asked.words for asked in one.questions))]
    new = _new_words(bags, set(words))
    every = [*words, *new]
    torch.manual_seed(0)
    draw = random.Random(0)
    model = Words(every, vectors, [*weights, *[STRANGE] * len(new)])
    optimiser = torch.optim.Adam(
        [
            {"params": [model.louder, model.scale, model.nearest], "lr": RATE * 5},
            {"params": [model.turn], "lr": RATE / 4},
            {"params": model.moved.parameters(), "lr": RATE},
        ]
    )
    batches = [batch for _ in range(ROUNDS) for batch in _batches(institutions, draw)]
    slower = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, total_iters=len(batches))
    for institution, asked in batches:
        optimiser.zero_grad()
        model.loss(institution, asked).backward()
        optimiser.step()
        slower.step()
    return model.result(np.median(weights))


def read(folders: Sequence[Path]) -> Iterator[Institution]:
    for folder in folders:
        sections, texts = list[Section](), dict[tuple[str, str], tuple[int, list[str]]]()
        for path in sorted(folder.glob("*.md")):
            title, parts = parts_of(path.read_text(encoding="utf-8"))
            for heading, lines in parts.items():
                sentences = [sentence for line in lines for sentence in sentences_of(line)]
                texts[path.name, heading] = (len(sections), sentences)
                words = _bag("\n".join((title, heading, *lines)))
                sections.append(Section(words, [_bag(sentence) for sentence in sentences]))
        rows = [json.loads(line) for line in (folder / "pytania.jsonl").read_text(encoding="utf-8").splitlines()]
        yield Institution(sections, [asked for row in rows if "e" in row for asked in _asked(row, texts)])


def _asked(row: Mapping[str, Any], texts: Mapping[tuple[str, str], tuple[int, list[str]]]) -> Iterator[Asked]:
    section, sentences = texts[row["d"], row["h"]]
    answers = frozenset(answering(row, sentences))
    if answers:
        yield Asked(_bag(row["q"]), section, answers)


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
        self.rows = {word: row for row, word in enumerate(words)}
        self.places = torch.tensor(np.vstack([vectors, _strange(words, vectors)]))
        self.weights = torch.tensor(weights, dtype=torch.float32)
        self.louder = nn.Parameter(torch.zeros(len(words)))
        self.moved = nn.Embedding(len(words), vectors.shape[1])
        nn.init.zeros_(self.moved.weight)
        self.turn = nn.Parameter(torch.zeros(vectors.shape[1], vectors.shape[1]))
        self.scale = nn.Parameter(torch.tensor(SCALE).log())
        self.nearest = nn.Parameter(torch.tensor(NEAREST).log())

    def loss(self, institution: Institution, asked: Sequence[Asked]) -> torch.Tensor:
        questions, sections = [one.words for one in asked], list(_sections(institution))
        pieces = [sentence for one in asked for sentence in institution.sections[one.section].sentences]
        known = sorted({lemma for bag in chain(questions, sections, pieces) for lemma in bag if lemma in self.rows})
        used = torch.tensor([self.rows[word] for word in known])
        texts = Texts(known, self._table(used))
        loss = cross_entropy(self._fit(texts, questions, sections), torch.tensor([one.section for one in asked]))
        places = [
            (one.section, place) for one in asked for place in range(len(institution.sections[one.section].sentences))
        ]
        for one, row in zip(asked, self._fit(texts, questions, pieces), strict=True):
            right = torch.tensor([section == one.section and place in one.answers for section, place in places])
            loss = loss + (row.logsumexp(0) - row[right].logsumexp(0)) / len(asked)
        held = self.turn.square().sum() + self.louder[used].square().sum() / 50
        return loss + SMOOTH * held + NEAR * self.moved(used).square().sum()

    def _fit(self, texts: "Texts", questions: Sequence[Bag], others: Sequence[Bag]) -> torch.Tensor:
        """How well each of the others answers each question, in nats, shape (questions, others)."""
        cosines = texts.summed(questions) @ texts.summed(others).T
        return self.scale.exp() * cosines + self.nearest.exp() * texts.shares(questions, others)

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


class Texts:
    """What texts are worth by the vectors of their words: `table`, a row of each of `words`, as long as it weighs."""

    def __init__(self, words: Sequence[str], table: torch.Tensor) -> None:
        self._at = {word: row for row, word in enumerate(words)}
        self._table = table

    def summed(self, bags: Sequence[Bag]) -> torch.Tensor:
        """Unit vectors of texts, shape (texts, dimension)."""
        rows = [self._at[word] for bag in bags for word in bag if word in self._at] or [0]
        times = [float(count) ** 0.5 for bag in bags for word, count in bag.items() if word in self._at] or [0.0]
        starts = np.cumsum([0, *(sum(word in self._at for word in bag) for bag in bags)])[:-1]
        total = embedding_bag(
            torch.tensor(rows), self._table, torch.tensor(starts), mode="sum", per_sample_weights=torch.tensor(times)
        )
        return normalize(total, dim=1, eps=1e-6)

    def shares(self, questions: Sequence[Bag], others: Sequence[Bag]) -> torch.Tensor:
        """The share of each question's weight that each of the others has by its nearest words, in [0, 1]."""
        asked = self._padded(questions)
        words, places = torch.unique(asked, return_inverse=True)
        near = self._nearest(words, others)[places] * (asked >= 0)[..., None]
        weights = self._table.norm(dim=1)[asked] * (asked >= 0)
        return (weights[..., None] * near).sum(1) / weights.sum(1).clamp(min=1e-6)[:, None]

    def _nearest(self, words: torch.Tensor, others: Sequence[Bag]) -> torch.Tensor:
        """By word the greatest cosine that each of the others has, shape (words, others)."""
        padded = self._padded(others)
        used, places = torch.unique(padded, return_inverse=True)
        unit = normalize(self._table, dim=1)
        cosines = (unit[words] @ unit[used].T)[:, places.reshape(-1)].reshape(len(words), *padded.shape)
        return cosines.masked_fill(padded < 0, -1.0).amax(2).clamp(min=0.0)

    def _padded(self, bags: Sequence[Bag]) -> torch.Tensor:
        """The rows of the words of each text, -1 behind them."""
        rows = [[self._at[word] for word in bag if word in self._at] for bag in bags]
        longest = max(1, *map(len, rows))
        return torch.tensor([[*row, *[-1] * (longest - len(row))] for row in rows])


def _strange(words: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit vectors of the words that have none: towards those of their kin where there is any, else anywhere."""
    places = np.random.default_rng(0).standard_normal((len(words) - len(vectors), vectors.shape[1])).astype(np.float32)
    places /= np.linalg.norm(places, axis=1, keepdims=True)
    kin = dict[str, list[int]]()
    for row, word in enumerate(words[: len(vectors)]):
        kin.setdefault(word[:KIN], []).append(row)
    for place, word in zip(places, words[len(vectors) :], strict=True):
        if len(word) >= KIN and word[:KIN] in kin:
            place[:] = vectors[kin[word[:KIN]]].mean(0) + place / 2
            place /= np.linalg.norm(place)
    return places
