"""Makes the vectors of words that come with the program, from its lexicon, its associations and its situations.

    python benchmarks/word_vectors.py [--frequencies CORPUS.jsonl ...] [--dimension 384]

Reads `ingestion/services/lexicon/pl`, and `associations.txt` and `situations.txt` in `ingestion/text/meaning`; writes
`words.txt`, `vectors.npy` and `neighbours.npy` there. A group of words is a context of each of them, and a word that
must stand beside it half of one; two words have in common what their contexts have. Their positive pointwise mutual
information (context distribution smoothed, Levy, Goldberg & Dagan 2015) is factorised by a truncated singular value
decomposition, of which a word's row, made a unit vector, is its place.
`--frequencies`: files of {text} a line, packed or not, each counting alike, in which words are weighed anew: the
logarithm of texts by texts with the word. Without it words keep the weight that they have; new ones get the greatest.
"""

import argparse
import gzip
import json
import math
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from scipy import sparse  # noqa: E402
from scipy.sparse.linalg import svds  # noqa: E402

from ingestion.services.lexicon.packs import SaidTerm, shipped_packs  # noqa: E402
from ingestion.text.analyser import analyser  # noqa: E402

from words_from_questions import trained  # noqa: E402  isort: skip

QUESTIONS = Path(__file__).parent / "institutions"
FOLDER = Path(__file__).parents[1] / "ingestion" / "text" / "meaning"
BESIDE = 0.5  # what a word counts for that must stand beside another one to give it its meaning
SMOOTHING = 0.75  # power of the frequency of contexts
RAREST = 9.0  # nats; the weight of words that no corpus has
NEIGHBOURS = 48
THOUSANDTHS = 1000  # in which a cosine is written
LEAST_SHARE = 1e-4  # of texts; what is rarer may be chance
HEADER = "# A word by its lemma, what it weighs, and its idf, in nats. By benchmarks/word_vectors.py; do not edit.\n"

Context = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frequencies", type=Path, nargs="*", default=[])
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    arguments = parser.parse_args()
    weights = weighed(arguments.frequencies) if arguments.frequencies else kept_weights()
    words, vectors, learnt = placed(institutions(arguments.questions), weights, arguments.dimension)
    idf = [weights.get(word, RAREST) for word in words]
    lines = (f"{word}\t{weight:.2f}\t{rare:.2f}\n" for word, weight, rare in zip(words, learnt, idf, strict=True))
    (FOLDER / "words.txt").write_text(HEADER + "".join(lines), encoding="utf-8")
    np.save(FOLDER / "vectors.npy", np.rint(vectors * 127).astype(np.int8))
    np.save(FOLDER / "neighbours.npy", neighbours_of(vectors))
    print(f"{len(words)} words, {arguments.dimension} numbers each")


def institutions(folder: Path = QUESTIONS) -> list[Path]:
    return sorted(file.parent for file in folder.glob("*/pytania.jsonl"))


def placed(
    folders: Sequence[Path], weights: Mapping[str, float], dimension: int
) -> tuple[list[str], NDArray[np.float32], list[float]]:
    """The words, their unit vectors and what they weigh, after the questions of these institutions."""
    contexts = [context for context in (*of_lexicon(), *of_associations()) if len(context) > 1]
    words, vectors = factorised(contexts, dimension)
    words, vectors, learnt = trained(words, vectors, [weights.get(word, RAREST) for word in words], folders)
    return words, turned(words, vectors), learnt


def turned(words: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vectors as near to the shipped ones as a turn of all brings them, which changes no angle between them
    (Schönemann 1966): what reads them was trained where those lie.
    """
    shipped = np.load(FOLDER / "vectors.npy").astype(np.float32)
    rows = {word: row for row, word in enumerate(kept_weights())}
    shared = [(row, rows[word]) for row, word in enumerate(words) if word in rows]
    if shipped.shape[1] != vectors.shape[1] or not shared:
        return vectors
    own, others = map(list, zip(*shared, strict=True))
    left, _, right = np.linalg.svd(vectors[own].T @ shipped[others])
    return np.asarray(vectors @ (left @ right), np.float32)


def of_lexicon() -> Iterator[Context]:
    for pack in shipped_packs():
        for group in pack.groups:
            sides = (*group.left, *group.right)
            yield dict.fromkeys(beside(sides), BESIDE) | dict.fromkeys(lemmas(*(term.text for term in sides)), 1.0)


def beside(terms: tuple[SaidTerm, ...]) -> set[str]:
    return lemmas(*(word for term in terms for word in term.context))


def of_associations() -> Iterator[Context]:
    for name in ("associations.txt", "situations.txt"):
        for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                yield dict.fromkeys(lemmas(line), 1.0)


def lemmas(*texts: str) -> set[str]:
    words = (pair for text in texts for pair in analyser().words(text))
    return {lemma for form, lemma in words if _is_word(lemma) and not analyser().is_stop_form(form)}


def _is_word(lemma: str) -> bool:
    """Neither a letter nor a number. Who guesses at a covered account number asks for its digits, and those with a
    place among words would be answered unlike those without.
    """
    return len(lemma) > 1 and not lemma.isdigit()


def factorised(contexts: list[Context], dimension: int) -> tuple[list[str], NDArray[np.float32]]:
    """The words, sorted, and their unit vectors, a row each."""
    words = sorted({word for context in contexts for word in context})
    row_of = {word: row for row, word in enumerate(words)}
    rows = [row_of[word] for context in contexts for word in context]
    columns = np.repeat(np.arange(len(contexts)), [len(context) for context in contexts])
    values = [value for context in contexts for value in context.values()]
    shares = sparse.csr_array((values, (rows, columns)), shape=(len(words), len(contexts)))
    together = (shares @ sparse.diags_array(1 / shares.sum(axis=0)) @ shares.T).tocoo()
    often = together.sum(axis=1)
    smoothed = often**SMOOTHING / (often**SMOOTHING).sum()
    row, column = together.coords
    information = np.maximum(np.log(together.data / (often[row] * smoothed[column])), 0)
    left, singular, _ = svds(sparse.csr_array((information, (row, column)), shape=together.shape), k=dimension, rng=1)
    places = left * np.sqrt(singular)
    return words, (places / (np.linalg.norm(places, axis=1, keepdims=True) + 1e-9)).astype(np.float32)


def neighbours_of(vectors: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Of each word the rows of those that lie nearest, and below them their cosines in thousandths."""
    found = np.empty((len(vectors), 2, NEIGHBOURS), np.uint16)
    for row, vector in enumerate(vectors):
        cosines = vectors @ vector
        cosines[row] = 0.0
        nearest = np.argpartition(-cosines, NEIGHBOURS)[:NEIGHBOURS]
        nearest = nearest[np.argsort(-cosines[nearest])]
        found[row] = nearest, np.rint(np.maximum(cosines[nearest], 0.0) * THOUSANDTHS)
    return found


def weighed(corpora: list[Path]) -> dict[str, float]:
    shares: dict[str, float] = defaultdict(float)
    for corpus in corpora:
        texts, having = 0, Counter[str]()
        for text in read_texts(corpus):
            texts += 1
            having.update({lemma for _, lemma in analyser().words(text)})
        for word, times in having.items():
            shares[word] += times / texts / len(corpora)
    return {word: math.log(1 / (share + LEAST_SHARE) + 1) for word, share in shares.items()}


def read_texts(corpus: Path) -> Iterator[str]:
    with (gzip.open if corpus.suffix == ".gz" else open)(corpus, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def kept_weights() -> dict[str, float]:
    lines = (FOLDER / "words.txt").read_text(encoding="utf-8").splitlines()
    entries = (line.split("\t") for line in lines if not line.startswith("#"))
    return {word: float(rare) for word, _, rare in entries}


if __name__ == "__main__":
    main()
