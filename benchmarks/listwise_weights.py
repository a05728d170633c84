"""Fits what orders passages (`rag/search/reranking/features.json`) and chooses sentences (`scoring.WEIGHTS`).

    python benchmarks/listwise_weights.py passages FILE[@COLLECTION,...] ... FOLDER ... --keep KEPT
    python benchmarks/listwise_weights.py passages --sets 240 --keep KEPT_OF_SETS           # the retrieval sets indexed
    python benchmarks/listwise_weights.py passages --kept KEPT --kept KEPT_OF_SETS [--without SOURCE ...]

A file has everyday questions, as `manage.py evaluate` reads them; a folder is an institution
(`benchmarks/institutions`), whose documents are the collection of its name. `pieces` instead of `passages` looks at the
sentences of what the search shows; retrieval sets say nothing of them. Listwise logistic regression (Cao et al. 2007):
the right ones among what was found for a question shall have all of the softmax. The institutions together, the files
together and, three times as much, half of the questions of the sets count the same, in each every source the same.
Says for every source how often a right one is first, and one of three, also under weights fitted without that source.
"""

import argparse
import json
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from institution_texts import beginnings, flat  # noqa: E402
from judgement import questions_of_institution  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from scipy.optimize import minimize  # noqa: E402

from ingestion.models import Collection  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from rag.answering.synthesis.extractive.scoring import WEIGHTS, score_pieces  # noqa: E402
from rag.evaluation.answers.wording import contains  # noqa: E402
from rag.evaluation.datasets.dataset_storage import stored_questions  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion, read_questions  # noqa: E402
from rag.evaluation.retrieval import RetrievalOptions, drawn  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.search.reading.pieces import pieces_of  # noqa: E402
from rag.search.reranking.features import passage_features, shipped_weights  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.types import Filters, Passage  # noqa: E402
from rag.understanding.expected import expected  # noqa: E402

SHARES = {"institutions": 1.0, "files": 1.0, "sets": 3.0}
MOST = 60  # rows of a question
TOP, READ = 10, 8  # passages that are found, and that rules write from
RIDGE = 1e-4

Numbers = NDArray[np.float64]


class Judged(NamedTuple):
    """What was found for a question: `signals` of each, and which are `right`. `kind` is a key of SHARES."""

    kind: str
    source: str
    signals: list[list[float]]
    right: list[bool]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("passages", "pieces"))
    parser.add_argument("files", nargs="*", metavar="FILE[@COLLECTION,...]")
    parser.add_argument("--sets", type=int, default=0, metavar="QUESTIONS", help="of each stored set with a collection")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--kept", type=Path, action="append", default=[])
    parser.add_argument("--without", action="append", default=[], metavar="SOURCE", help="measured, and not fitted on")
    chosen = parser.parse_args()
    judged = [one for file in chosen.files for one in asked_of(file, chosen.what)]
    judged += [one for one in of_sets(chosen.sets) if chosen.sets]
    if chosen.keep:
        chosen.keep.write_text(json.dumps(judged), encoding="utf-8")
        return
    for kept in chosen.kept:
        judged += [Judged(*one) for one in json.loads(kept.read_text(encoding="utf-8"))]
    names = list(WEIGHTS) if chosen.what == "pieces" else list(shipped_weights())
    report(judged, names, WEIGHTS if chosen.what == "pieces" else shipped_weights(), chosen.without)


def asked_of(file: str, what: str) -> Iterator[Judged]:
    """Of the questions for which a right one was found."""
    name, _, slugs = file.partition("@")
    path = Path(name)
    kind, source = ("institutions", path.name) if path.is_dir() else ("files", path.stem)
    questions = questions_of_institution(path) if path.is_dir() else list(read_questions(path))
    begun = answers_begin(path) if path.is_dir() else {}
    slugs = path.name if path.is_dir() else slugs
    for question in questions:
        if not question.answerable:
            continue
        found = (of_passages if what == "passages" else of_sentences)(question, slugs, begun.get(question.id, []))
        if any(right for _, right in found):
            yield Judged(kind, source, [row for row, _ in found], [right for _, right in found])


def of_passages(question: LabelledQuestion, slugs: str, begun: Sequence[str]) -> list[tuple[list[float], bool]]:
    retriever = HybridRetriever(preset=preset("offline"), lexical=rag_settings().lexical)
    search, passages = retriever.candidates(question.question, collections=searched(slugs), filters=Filters())
    rows = passage_features(search, passages)
    rights = [is_of(question, one) and (not begun or any(text in flat(one.text) for text in begun)) for one in passages]
    weights = shipped_weights()
    found = sorted(
        zip(rows, rights, strict=True), key=lambda one: -sum(weights[name] * one[0][name] for name in weights)
    )
    return [([row[name] for name in weights], right) for row, right in found]


def searched(slugs: str) -> list[Collection]:
    return list(Collection.objects.filter(slug__in=slugs.split(",")) if slugs else Collection.objects.all())


def of_sentences(question: LabelledQuestion, slugs: str, begun: Sequence[str]) -> list[tuple[list[float], bool]]:
    """A sentence of a file is right if it has all that the answer must have; where none has, if it has some of it."""
    text, collections = question.question, searched(slugs)
    retriever = HybridRetriever(preset=preset("offline"), lexical=rag_settings().lexical, reads_sentences=True)
    passages = retriever.retrieve(text, collections=collections, filters=Filters(), top_k=TOP).passages[:READ]
    pieces = [piece for number, passage in enumerate(passages) for piece in pieces_of(passage.text, passage=number)]
    scored = score_pieces(text, expected(text), passages, pieces)
    wanted = question.expected_answer_contains
    in_place = [is_of(question, passages[one.piece.passage]) for one in scored]
    if begun:
        rights = [any(start in flat(one.piece.text) for start in begun) for one in scored]
    else:
        said = [[contains(one.piece.text, each) for each in wanted] for one in scored]
        whole = any(here and all(found) for here, found in zip(in_place, said, strict=True))
        rights = [all(found) if whole else any(found) for found in said]
    return [
        ([one.signals[name] for name in WEIGHTS], here and right)
        for one, here, right in zip(scored, in_place, rights, strict=True)
    ]


def of_sets(limit: int) -> Iterator[Judged]:
    """Of half of the questions; the other half measures (`manage.py evaluate`)."""
    for dataset in EvaluationDataset.objects.filter(collection__isnull=False).select_related("collection"):
        for question in drawn(list(stored_questions(dataset)), RetrievalOptions(limit=limit)):
            if question.answerable and zlib.crc32(question.id.encode()) % 2 == 0:
                found = of_passages(question, dataset.collection.slug if dataset.collection else "", [])
                if any(right for _, right in found):
                    yield Judged("sets", dataset.name, [row for row, _ in found], [right for _, right in found])


def is_of(question: LabelledQuestion, passage: Passage) -> bool:
    return any(passage.uri.endswith(document) for document in question.expected_documents)


def answers_begin(folder: Path) -> dict[str, list[str]]:
    """By question of an institution how the sentences that answer it begin."""
    rows = map(json.loads, (folder / "pytania.jsonl").read_text(encoding="utf-8").splitlines())
    return {f"{folder.name}-{number}": beginnings(row) for number, row in enumerate(rows) if "e" in row}


def report(judged: Sequence[Judged], names: Sequence[str], shipped: dict[str, float], without: Sequence[str]) -> None:
    fitted_on = [one for one in judged if one.source not in without]
    now = np.array([shipped[name] for name in names])
    weights = fitted(fitted_on)
    print("source             questions   shipped       fitted        fitted without it")
    for source in sorted({one.source for one in judged if one.kind != "institutions"}):
        own = [one for one in judged if one.source == source]
        blind = fitted([one for one in fitted_on if one.source != source])
        print(f"{source:<18} {len(own):>9}   {shown(own, now)}   {shown(own, weights)}   {shown(own, blind)}")
    print({name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)})


def shown(judged: Sequence[Judged], weights: Numbers) -> str:
    """How often a right one is first, and among three."""
    order = [np.argsort(-(np.array(one.signals) @ weights)) for one in judged]
    places = [int(np.argmax(np.array(one.right)[row])) for one, row in zip(judged, order, strict=True)]
    return f"{np.mean([place < 1 for place in places]):.3f} {np.mean([place < 3 for place in places]):.3f}"


def fitted(judged: Sequence[Judged]) -> Numbers:
    """The weights, shape (signals,)."""
    rows, right = padded(judged)
    there = ~np.isnan(rows[..., 0])
    known = rows[there]
    scales = known.std(axis=0) + 1e-9
    rows = np.nan_to_num((rows - known.mean(axis=0)) / scales)
    shares = shares_of(judged)

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        scores = np.where(there, rows @ weights, -np.inf)
        every, wanted = softmax(scores), softmax(np.where(right, scores, -np.inf))
        value = shares @ (every[1] - wanted[1]) + RIDGE * weights @ weights
        gradient = np.einsum("q,qr,qrs->s", shares, every[0] - wanted[0], rows) + 2 * RIDGE * weights
        return float(value), gradient

    found: Numbers = minimize(loss, np.zeros(rows.shape[2]), jac=True, method="L-BFGS-B").x
    weights: Numbers = found / scales
    return weights


def padded(judged: Sequence[Judged]) -> tuple[Numbers, NDArray[np.bool_]]:
    """The best rows of each question, at least one of them right, shape (questions, MOST, signals), NaN behind them."""
    rows = np.full((len(judged), MOST, len(judged[0].signals[0])), np.nan)
    right = np.zeros((len(judged), MOST), bool)
    for place, one in enumerate(judged):
        kept = list(range(len(one.right)))[:MOST]
        if not any(one.right[:MOST]):
            kept[-1] = one.right.index(True)
        rows[place, : len(kept)] = np.array(one.signals)[kept]
        right[place, : len(kept)] = np.array(one.right)[kept]
    return rows, right


def shares_of(judged: Sequence[Judged]) -> Numbers:
    """What each question counts, which sum to 1."""
    sources = {one.kind: {other.source for other in judged if other.kind == one.kind} for one in judged}
    counts = {one.source: 0 for one in judged}
    for one in judged:
        counts[one.source] += 1
    shares = np.array([SHARES[one.kind] / len(sources[one.kind]) / counts[one.source] for one in judged])
    return np.asarray(shares / shares.sum())


def softmax(scores: Numbers) -> tuple[Numbers, Numbers]:
    """By row the shares, and the logarithm of the sum."""
    highest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - highest)
    total = powers.sum(axis=1, keepdims=True)
    return powers / total, (highest + np.log(total))[:, 0]


if __name__ == "__main__":
    main()
