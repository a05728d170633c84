"""How likely a piece of text is to answer a question, by a small transformer that reads the two together.

A cross-encoder (Nogueira & Cho 2019) of two layers over the words of the question, of what stands above the piece and
of the piece. A word comes in by its place among the vectors of words, by itself where it is frequent ("kiedy", "nie", a
number of two digits), and by how near the other side has something to it. Made by `benchmarks/cross_encoder.py`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.meaning.vocabulary import vocabulary

QUESTION, ABOVE, PIECE = 24, 16, 48
"""Words that are read of each."""

STARTS = (0, QUESTION, QUESTION + ABOVE)
"""Of the positions of each."""

SHIPPED = Path(__file__).with_name("cross_encoder.npz")
HEADS = 4
FEATURES = 9
KIN = 0.8
"""What a word of the same stem counts for as the same one."""
LOUDEST = 5.0
"""Nats, by which the weights of words are divided."""

_BEGINNING = 5  # letters that words of one stem have in common
_LONGEST_NUMBER = 5
_EPSILON = 1e-5
_QUESTIONS = 16  # whose pieces are kept: of one question first the passages are put in order, then it is answered
_NOWHERE = np.float32(-1e9)  # nats: padding is not looked at
_SIGNS = str.maketrans({"%": " procent ", "*": "", "|": " ; "})

Array = NDArray[np.float32]


class PaddedWords(NamedTuple):
    """The words of some texts, padded: numbers of lemmas and of their beginnings, from 1, 0 behind the last; rows among
    the vectors of words, and among the frequent words, 0 where it is none of them. Each of shape (texts, words).
    """

    lemmas: NDArray[np.intp]
    beginnings: NDArray[np.intp]
    rows: NDArray[np.intp]
    frequent: NDArray[np.intp]


def read_words(text: str, most: int) -> list[str]:
    """The lemmas of the first words."""
    return [lemma for _, lemma in analyser().words(text.translate(_SIGNS))][:most]


def beginning_of(lemma: str) -> str:
    """By which words of one stem are told, and which is no word."""
    return f"{fold(lemma)[:_BEGINNING]}…"


def kind_of(lemma: str) -> str:
    """The word itself, or what kind of number it is."""
    if not lemma[0].isdigit():
        return lemma
    if "." in lemma:
        return "<decimal>"
    if len(lemma) == len("2026") and lemma[:2] in ("19", "20"):
        return "<year>"
    return f"<number {min(len(lemma), _LONGEST_NUMBER)}>"


class CrossEncoder:
    """`weights` by their names in PyTorch, `frequent` the words that have a place of their own. Thread-safe."""

    def __init__(self, weights: Mapping[str, Array], frequent: Sequence[str]) -> None:
        self._weights = {name: np.asarray(value, np.float32) for name, value in weights.items()}
        self.frequent = {word: row for row, word in enumerate(frequent, start=1)}
        self._layers = sum(name.endswith("linear1.weight") for name in weights)
        self._read_of: Callable[[str], dict[tuple[str, str], float]] = lru_cache(maxsize=_QUESTIONS)(lambda _: {})

    def log_odds(self, question: str, pieces: Sequence[tuple[str, str]]) -> list[float]:
        """That each piece, given with what stands above it, answers the question; in nats. What was read a moment ago
        with the same question is not read again.
        """
        read = self._read_of(question)
        new = [piece for piece in dict.fromkeys(pieces) if piece not in read]
        if new:
            read.update(zip(new, self._read(question, new), strict=True))
        return [read[piece] for piece in pieces]

    def _read(self, question: str, pieces: Sequence[tuple[str, str]]) -> list[float]:
        numbers: dict[str, int] = {}
        asked = self._words([read_words(question, QUESTION)], numbers)
        above = self._words([read_words(text, ABOVE) for text, _ in pieces], numbers)
        said = self._words([read_words(text, PIECE) for _, text in pieces], numbers)
        return [float(value) for value in self._forward(asked, above, said)]

    def _words(self, texts: Sequence[Sequence[str]], numbers: dict[str, int]) -> PaddedWords:
        rows = vocabulary().rows
        shape = (len(texts), max(1, *map(len, texts)))
        words = PaddedWords(*(np.zeros(shape, np.intp) for _ in PaddedWords._fields))
        for place, text in enumerate(texts):
            for at, lemma in enumerate(text):
                words.lemmas[place, at] = numbers.setdefault(lemma, len(numbers) + 1)
                words.beginnings[place, at] = numbers.setdefault(beginning_of(lemma), len(numbers) + 1)
                words.rows[place, at] = rows.get(lemma, -1) + 1
                words.frequent[place, at] = self.frequent.get(kind_of(lemma), 0)
        return words

    def _forward(self, asked: PaddedWords, above: PaddedWords, said: PaddedWords) -> Array:
        """Shape (pieces,)."""
        told = PaddedWords(*(np.concatenate(pair, axis=1) for pair in zip(above, said, strict=True)))
        asked = PaddedWords(*(np.repeat(each, len(told.lemmas), axis=0) for each in asked))
        words = PaddedWords(*(np.concatenate(pair, axis=1) for pair in zip(asked, told, strict=True)))
        lengths = [part.lemmas.shape[1] for part in (asked, above, said)]
        there, questions = words.lemmas > 0, lengths[0]
        segments = np.repeat((1, 2, 3), lengths)
        positions = np.concatenate([start + np.arange(n) for start, n in zip(STARTS, lengths, strict=True)])

        vectors, places = _vectors(words.rows)
        features = _features(words, vectors, places, lengths)
        state = (vectors @ self._weights["proj.weight"].T + self._weights["proj.bias"])[places]
        state = state + self._weights["learn.weight"][words.frequent] + self._linear("feat", features)
        state = state + self._weights["seg.weight"][segments] + self._weights["pos.weight"][positions]
        state = self._normal("ln", state)
        for layer in range(self._layers):
            state = self.layer(f"layers.{layer}", state, there)

        shown = there[..., None]
        mean = np.where(shown, state, 0)[:, :questions].sum(1) / np.maximum(1, shown[:, :questions].sum(1))
        most = np.where(shown, state, 0)[:, questions:].max(1).clip(0)
        inner = self._linear("out.1", self._normal("out.0", np.concatenate((mean, most), axis=1)))
        return np.asarray(self._linear("out.3", np.maximum(inner, 0))[:, 0] + self._weights["bias"], np.float32)

    def layer(self, name: str, state: Array, there: NDArray[np.bool_]) -> Array:
        """Attention, then the words each by itself, each after normalising (Xiong et al. 2020)."""
        many, words, wide = state.shape
        parts = self._normal(f"{name}.norm1", state) @ self._weights[f"{name}.self_attn.in_proj_weight"].T
        parts = (parts + self._weights[f"{name}.self_attn.in_proj_bias"]).reshape(many, words, 3, HEADS, -1)
        asks, keys, values = parts.transpose(2, 0, 3, 1, 4)
        scores = asks @ keys.transpose(0, 1, 3, 2) / np.float32((wide // HEADS) ** 0.5)
        scores = np.where(there[:, None, None], scores, _NOWHERE)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        heads = (shares @ values).transpose(0, 2, 1, 3).reshape(many, words, wide)
        state = state + self._linear(f"{name}.self_attn.out_proj", heads)
        inner = np.maximum(self._linear(f"{name}.linear1", self._normal(f"{name}.norm2", state)), 0)
        return state + self._linear(f"{name}.linear2", inner)

    def _linear(self, name: str, values: Array) -> Array:
        return np.asarray(values @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"])

    def _normal(self, name: str, values: Array) -> Array:
        centred = values - values.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        return np.asarray(centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"])


def _vectors(rows: NDArray[np.intp]) -> tuple[Array, NDArray[np.intp]]:
    """Unit vectors of the words used, the first of zeros for those that have none; by word which is its."""
    used, places = np.unique(np.append(rows, 0), return_inverse=True)
    vectors = np.zeros((len(used), vocabulary().dimension), np.float32)
    vectors[1:] = vocabulary().vectors[used[1:] - 1]
    vectors[1:] /= np.linalg.norm(vectors[1:], axis=1, keepdims=True)
    return vectors, places[:-1].reshape(rows.shape)


def _features(words: PaddedWords, vectors: Array, places: NDArray[np.intp], lengths: Sequence[int]) -> Array:
    """Of each word how near the other side has something to it, and what it weighs; shape (pieces, words, features)."""
    asks, (questions, above, _) = places[0, : lengths[0]], lengths
    cosines = (vectors[asks] @ vectors.T)[:, places[:, questions:]].transpose(1, 0, 2)
    there = words.lemmas > 0
    same, kin = (
        (own[:, :questions, None] == own[:, None, questions:]) & there[:, :questions, None]
        for own in (words.lemmas, words.beginnings)
    )
    near = np.maximum(cosines, np.maximum(same, np.float32(KIN) * kin)).clip(0)
    found = np.zeros((*there.shape, FEATURES), np.float32)
    found[:, :questions, 0], found[:, :questions, 1] = near[..., :above].max(2), near[..., above:].max(2)
    found[:, :questions, 2], found[:, :questions, 3] = same[..., :above].any(2), same[..., above:].any(2)
    found[:, questions:, 4], found[:, questions:, 5] = near.max(1), same.any(1)
    found[:, questions:, 6] = kin.any(1)
    found[..., 7] = np.append(0, vocabulary().weights)[words.rows] / LOUDEST
    found[..., 8] = words.rows == 0
    return found


@lru_cache(maxsize=1)
def cross_encoder() -> CrossEncoder:
    """The shipped one."""
    with np.load(SHIPPED) as content:
        weights = {name: content[name] for name in content.files if name != "frequent"}
        return CrossEncoder(weights, content["frequent"].tolist())
