"""Trains what reads a question with a piece of text (`rag/search/reading/cross_encoder.npz`).

    python benchmarks/cross_encoder.py [--without INSTITUTION ...]     # with torch; an hour of two cores
    python benchmarks/cross_encoder.py --further INSTITUTION ...       # half an hour

On the questions of `benchmarks/institutions`: the piece that answers shall have all of the softmax among twelve, of its
section, of what lies near the question, and none of them, which is right for near misses and far ones, and where the
answer is taken out, as it is from a quarter of the other lists. The vectors that words come in by have learnt from the
same questions, so those of an institution are read with vectors that learnt from the other half of the institutions
alone; what is shipped meets questions that nobody has seen. `--further` goes on with the shipped one where questions
have come: a round at half the rate of those of these institutions and a quarter of the others; words that have become
frequent get a place too. `--without` trains without these and says how often the right one comes first there, and how
well the best piece tells what is answered from near misses and far ones (area under the curve).
"""

import argparse
import copy
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402

from ingestion.text.meaning.vocabulary import vocabulary as word_vectors  # noqa: E402
from rag.evaluation.calibration.reliability import roc_auc  # noqa: E402
from rag.search.reading import cross_encoder as shipped  # noqa: E402
from rag.search.reading.cross_encoder import ABOVE, PIECE, QUESTION, STARTS, kind_of, read_words  # noqa: E402

from word_vectors import institutions, kept_weights, placed  # noqa: E402  isort: skip
from institution_texts import answering, parts_of, sentences_of  # noqa: E402  isort: skip

ROUNDS = 4
AT_ONCE = 8  # questions
LIST = 12  # pieces that one is chosen from
NEIGHBOURS = 4  # of them, at most, of the section that answers
NEAREST = 14  # that lie near the question, from which the others are drawn
AGAIN = 0.25  # of the questions it has learnt from before
UNANSWERED = 0.25  # of the lists of questions that something answers
CUT = 0.3  # of the questions, of which a tenth of the words is left out
UNFRAMED = 0.05  # of the pieces, whose headings are left out
RATE = 1.5e-3
DECAY = 0.02
DIMENSION = 384
WIDTH, LAYERS, INNER = 128, 2, 64
FREQUENT = 2500  # words that have a place of their own
DROPPED = 0.1
EXACT = 0.08  # what a word in common counts beside the cosine, in nats of its idf, for what lies near

Tokens = list[tuple[int, int, int, int]]


@dataclass(frozen=True)
class Asked:
    """`right`, `beside` and `near` are numbers of pieces: those that answer, the others of their section, and what lies
    near the question, best first. Of a near miss `beside` is the section near which it is asked.
    """

    words: Sequence[str]
    right: Sequence[int]
    beside: Sequence[int]
    near: Sequence[int]


@dataclass(frozen=True)
class Institution:
    """`pieces` are what stands above each, and it itself."""

    name: str
    pieces: Sequence[tuple[list[str], list[str]]]
    questions: Sequence[Asked]


Asking = tuple[Institution, Asked, int]


@dataclass
class Vocabulary:
    """Gives words their numbers. The vectors of `halves` stand one below the other in `vectors`, behind a row of zeros;
    `rows` has by half where the word is.
    """

    frequent: Mapping[str, int]
    rows: Sequence[Mapping[str, int]]
    vectors: NDArray[np.float32]
    weights: NDArray[np.float32]
    numbers: dict[str, int] = field(default_factory=dict)

    def tokens(self, words: Sequence[str], half: int) -> Tokens:
        return [
            (
                self._number(word),
                self._number(shipped.beginning_of(word)),
                self.rows[half].get(word, 0),
                self.frequent.get(kind_of(word), 0),
            )
            for word in words
        ]

    def _number(self, word: str) -> int:
        return self.numbers.setdefault(word, len(self.numbers) + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", nargs="*", default=[], metavar="INSTITUTION")
    parser.add_argument("--further", nargs="*", default=[], metavar="INSTITUTION")
    parser.add_argument("--out", type=Path, default=shipped.SHIPPED)
    chosen = parser.parse_args()
    every = institutions()
    learnt = [folder for folder in every if folder.name not in chosen.without]
    halves = [learnt[::2], learnt[1::2]]
    read = [[institution(folder) for folder in half] for half in halves]
    before = np.load(shipped.SHIPPED) if chosen.further else None
    frequent = frequent_words(chain.from_iterable(read))
    if before is not None:
        frequent = list(dict.fromkeys([*before["frequent"].tolist(), *frequent]))
    vocabulary = vocabulary_of([*halves, learnt] if chosen.without else halves, frequent)
    model = Reader(vocabulary)
    if before is None:
        train(model, vocabulary, lists_of(read), rounds=ROUNDS, rate=RATE)
    else:
        kept = {name: torch.tensor(before[name], dtype=torch.float32) for name in before if name != "frequent"}
        new = len(frequent) + 1 - len(kept["learn.weight"])
        kept["learn.weight"] = nn.functional.pad(kept["learn.weight"], (0, 0, 0, new))
        model.load_state_dict(kept, strict=False)
        train(model, vocabulary, lists_of(read, new=chosen.further), rounds=1, rate=RATE / 2)
    weights = {name: value.numpy().astype(np.float16) for name, value in model.state_dict().items()}
    for fixed in ("vectors.weight", "weights.weight"):
        del weights[fixed]
    np.savez_compressed(chosen.out, frequent=np.array(frequent), **weights)
    for folder in every:
        if folder.name in chosen.without:
            first, area = quality(model, vocabulary, institution(folder))
            print(f"{folder.name:<24} first {first:.3f}, area {area:.3f}")


def institution(folder: Path) -> Institution:
    pieces, places = list[tuple[list[str], list[str]]](), dict[tuple[str, str], tuple[int, list[str]]]()
    for path in sorted(folder.glob("*.md")):
        title, parts = parts_of(path.read_text(encoding="utf-8"))
        for heading, lines in parts.items():
            sentences = [sentence for line in lines for sentence in sentences_of(line)]
            places[path.name, heading] = (len(pieces), sentences)
            above = read_words(f"{title} {heading}", ABOVE)
            pieces += [(above, read_words(sentence, PIECE)) for sentence in sentences]
    rows = map(json.loads, (folder / "pytania.jsonl").read_text(encoding="utf-8").splitlines())
    near = Nearness(pieces)
    questions = list[Asked]()
    for row in rows:
        start, sentences = places.get((row.get("d", ""), row.get("h", "")), (0, []))
        right = [start + place for place in answering(row, sentences)] if "e" in row else []
        beside = [place for place in range(start, start + len(sentences)) if place not in right]
        words = read_words(row["q"], QUESTION)
        if right or "e" not in row:
            questions.append(Asked(words, right, beside, near.to(words)))
    return Institution(folder.name, pieces, questions)


class Nearness:
    """What lies near a question, by the shipped vectors of words and by words in common."""

    def __init__(self, pieces: Sequence[tuple[list[str], list[str]]]) -> None:
        self._having = [set(above) | set(said) for above, said in pieces]
        counts = Counter(chain.from_iterable(self._having))
        self._idf = {word: np.log(1 + len(pieces) / count) for word, count in counts.items() if len(word) > 2}
        self._whole = np.stack([meaning_of((*above, *said)) for above, said in pieces])
        self._own = np.stack([meaning_of(said) for _, said in pieces])

    def to(self, words: Sequence[str]) -> list[int]:
        asked = meaning_of(words)
        common = [sum(self._idf.get(word, 0.0) for word in set(words) & having) for having in self._having]
        values = self._whole @ asked + self._own @ asked + EXACT * np.array(common)
        return [int(place) for place in np.argsort(-values)[:NEAREST]]


def meaning_of(words: Sequence[str]) -> NDArray[np.float32]:
    total = word_vectors().sum_of(dict.fromkeys(words, 1))
    return np.asarray(total / (np.linalg.norm(total) or 1.0))


def frequent_words(read: Iterator[Institution]) -> list[str]:
    counts = Counter[str]()
    for one in read:
        texts = chain((question.words for question in one.questions), chain.from_iterable(one.pieces))
        counts.update(kind_of(word) for word in chain.from_iterable(texts))
    often = (word for word, _ in counts.most_common(FREQUENT))
    return [word for word in often if word.startswith("<") or not any(map(str.isdigit, word))]


def vocabulary_of(halves: Sequence[Sequence[Path]], frequent: Sequence[str]) -> Vocabulary:
    """Vectors for each of the halves, which have learnt from it."""
    tables = [placed(half, kept_weights(), DIMENSION) for half in halves]
    rows, start = list[dict[str, int]](), 1
    for words, _, _ in tables:
        rows.append({word: row for row, word in enumerate(words, start)})
        start += len(words)
    vectors = np.vstack([np.zeros((1, DIMENSION)), *(table for _, table, _ in tables)]).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    weights = np.concatenate([[0.0], *(weights for _, _, weights in tables)]).astype(np.float32)
    return Vocabulary({word: row for row, word in enumerate(frequent, 1)}, rows, vectors, weights)


def lists_of(halves: Sequence[Sequence[Institution]], *, new: Sequence[str] = ()) -> list[Asking]:
    """Each question with its institution and its other half; where some institutions are `new`, some of the others."""
    draw = random.Random(0)
    return [
        (one, asked, 1 - half)
        for half, read in enumerate(halves)
        for one in read
        for asked in one.questions
        if not new or one.name in new or draw.random() < AGAIN
    ]


def train(model: "Reader", vocabulary: Vocabulary, lists: Sequence[Asking], *, rounds: int, rate: float) -> None:
    draw = random.Random(0)
    steps = rounds * len(lists) // AT_ONCE
    learnt = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=rate, weight_decay=DECAY)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.1)
    order = list[int]()
    for step in range(steps):
        if len(order) < AT_ONCE:
            order = draw.sample(range(len(lists)), len(lists))
        drawn = [drawn_list(*lists[order.pop()], vocabulary, draw) for _ in range(AT_ONCE)]
        texts = [list(each) for each in zip(*chain.from_iterable(rows for rows, _ in drawn), strict=True)]
        right = torch.tensor([place for _, place in drawn])
        values = model(*map(padded, texts)).view(AT_ONCE, LIST)
        loss = cross_entropy(torch.cat([values, -model.bias.expand(AT_ONCE, 1)], dim=1), right)
        if (answered := right < LIST).any():
            loss = loss + 0.5 * cross_entropy(values[answered], right[answered])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        rates.step()
        if step % 500 == 0:
            print(f"{step} of {steps}: {loss.item():.2f}", flush=True)
    model.eval()


def drawn_list(
    one: Institution, asked: Asked, half: int, vocabulary: Vocabulary, draw: random.Random
) -> tuple[list[tuple[Tokens, Tokens, Tokens]], int]:
    """A question with each of LIST pieces, and which of them is right: LIST, where none is."""
    others = draw.sample(asked.beside, min(NEIGHBOURS, len(asked.beside)))
    near = [place for place in asked.near if place not in asked.right and place not in others]
    others += draw.sample(near, min(LIST - 1 - len(others), len(near)))
    left = sorted(set(range(len(one.pieces))) - {*asked.right, *others})
    others += draw.sample(left, LIST - len(others))
    answered = bool(asked.right) and draw.random() >= UNANSWERED
    if answered:
        others[-1] = draw.choice(asked.right)
    words = asked.words
    if draw.random() < CUT and len(words) > QUESTION // 8:
        words = [word for word in words if draw.random() > 0.1] or words
    question = vocabulary.tokens(words, half)
    rows = [
        (
            question,
            vocabulary.tokens(one.pieces[place][0] if draw.random() >= UNFRAMED else [], half),
            vocabulary.tokens(one.pieces[place][1], half),
        )
        for place in others
    ]
    return rows, LIST - 1 if answered else LIST


def padded(texts: Sequence[Tokens]) -> torch.Tensor:
    """Shape (texts, words, 4), zeros behind the words."""
    rows = np.zeros((len(texts), max(1, *map(len, texts)), 4), np.int64)
    for row, text in zip(rows, texts, strict=True):
        row[: len(text)] = np.array(text).reshape(-1, 4)
    return torch.from_numpy(rows)


@torch.no_grad()
def quality(model: "Reader", vocabulary: Vocabulary, one: Institution) -> tuple[float, float]:
    """How often a right piece comes first among it, its section and what lies near, by the last vectors; and the area
    under the curve by which the value of the first tells the questions that something answers.
    """
    highest, right = list[float](), list[bool]()
    for asked in one.questions:
        places = [*asked.right, *asked.beside, *(near for near in asked.near if near not in asked.beside)]
        question = [vocabulary.tokens(asked.words, -1)] * len(places)
        texts = [[vocabulary.tokens(one.pieces[place][side], -1) for place in places] for side in (0, 1)]
        values = model(*map(padded, (question, *texts)))
        highest.append(float(values.max()))
        right.append(places[int(values.argmax())] in asked.right)
    answered = np.array([bool(asked.right) for asked in one.questions])
    return sum(right) / answered.sum(), roc_auc(np.array(highest), answered)


class Reader(nn.Module):
    """What `CrossEncoder` is, to be trained; its weights have the names that are used there."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.vectors = nn.Embedding.from_pretrained(torch.tensor(vocabulary.vectors))
        self.weights = nn.Embedding.from_pretrained(torch.tensor(vocabulary.weights[:, None] / shipped.LOUDEST))
        self.proj = nn.Linear(DIMENSION, WIDTH)
        self.learn = nn.Embedding(len(vocabulary.frequent) + 1, WIDTH, padding_idx=0)
        self.seg, self.pos = nn.Embedding(4, WIDTH), nn.Embedding(QUESTION + ABOVE + PIECE, WIDTH)
        self.feat, self.ln, self.drop = nn.Linear(shipped.FEATURES, WIDTH), nn.LayerNorm(WIDTH), nn.Dropout(DROPPED)
        layer = nn.TransformerEncoderLayer(WIDTH, shipped.HEADS, 2 * WIDTH, DROPPED, batch_first=True, norm_first=True)
        self.layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(LAYERS)])
        self.out = nn.Sequential(nn.LayerNorm(2 * WIDTH), nn.Linear(2 * WIDTH, INNER), nn.ReLU(), nn.Linear(INNER, 1))
        self.bias = nn.Parameter(torch.tensor(-2.0))
        nn.init.normal_(self.learn.weight, std=0.3)
        nn.init.normal_(self.pos.weight, std=0.05)

    def forward(self, asked: torch.Tensor, above: torch.Tensor, said: torch.Tensor) -> torch.Tensor:
        """Shape (pieces,)."""
        words = torch.cat([asked, above, said], dim=1)
        lengths = [part.shape[1] for part in (asked, above, said)]
        there, questions = words[..., 0] > 0, lengths[0]
        segments = torch.repeat_interleave(torch.tensor([1, 2, 3]), torch.tensor(lengths))
        positions = torch.cat([start + torch.arange(n) for start, n in zip(STARTS, lengths, strict=True)])
        vectors = self.vectors(words[..., 2])
        state = self.proj(vectors) + self.learn(words[..., 3]) + self.feat(self._features(words, vectors, lengths))
        state = self.drop(self.ln(state + self.seg(segments) + self.pos(positions)))
        for layer in self.layers:
            state = layer(state, src_key_padding_mask=~there)
        shown = there[..., None]
        mean = (state * shown)[:, :questions].sum(1) / shown[:, :questions].sum(1).clamp(min=1)
        return self.out(torch.cat([mean, (state * shown)[:, questions:].amax(1).clamp(min=0)], dim=1))[:, 0]

    def _features(self, words: torch.Tensor, vectors: torch.Tensor, lengths: Sequence[int]) -> torch.Tensor:
        questions, above, _ = lengths
        same, kin = (
            (words[:, :questions, None, kind] == words[:, None, questions:, kind]) & (words[:, :questions, None, 0] > 0)
            for kind in (0, 1)
        )
        cosines = vectors[:, :questions] @ vectors[:, questions:].transpose(1, 2)
        near = torch.maximum(cosines, torch.maximum(same * 1.0, kin * shipped.KIN)).clamp(min=0)
        found = torch.zeros(*words.shape[:2], shipped.FEATURES)
        found[:, :questions, 0], found[:, :questions, 1] = near[..., :above].amax(2), near[..., above:].amax(2)
        found[:, :questions, 2], found[:, :questions, 3] = same[..., :above].any(2), same[..., above:].any(2)
        found[:, questions:, 4], found[:, questions:, 5] = near.amax(1), same.any(1)
        found[:, questions:, 6] = kin.any(1)
        found[..., 7], found[..., 8] = self.weights(words[..., 2])[..., 0], words[..., 2] == 0
        return found


if __name__ == "__main__":
    main()
