"""A corpus of a million passages: real ones, labelled ones, and the rest made of the real ones.

    python benchmarks/million_passages.py --chunks ../shared/data/loadtest/chunks_100k.jsonl.gz \
        --labelled ../shared/data/retrieval/{poquad,dyk,prawo,lquad,faq_ms} --out /var/tmp/million.jsonl.gz

Lines are {id, document, title, text}; the same seed makes the same file. First come the real passages, then those of
the labelled sets (`poquad/ID`, a document each), whose questions keep their answers among a million. A made passage has
sentences of one topic, 400 passages whose documents are neighbours by name. In it names are drawn anew among those with
the same ending, and numbers among those with as many digits, as often as they stand in the real passages. What is rarer
than that becomes a word that was made before (the oftener it stands there, the likelier: Simon 1955) or a new one, as
many of these as Heaps' law, fitted to the real passages, wants. So both laws go on; the table at the end shows it.
"""

import argparse
import gzip
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

WORD = re.compile(r"\w+")
SENTENCE = re.compile(r"(?<=[.!?:;…])\s+(?=[\"„A-ZĄĆĘŁŃÓŚŹŻ–—\-\d*#])")
KINDS = (("statute", re.compile(r"\d{4}_")), ("novel", re.compile(r".*\.txt$")), ("manual", re.compile("")))
TOPIC = 400  # passages
PER_DOCUMENT = 100
RARE = 3  # times that a word of the tail stands in the real passages, at most
MILESTONES = (1_000_000, 10_000_000, 30_000_000, 60_000_000, 100_000_000)

Row = dict[str, str]
Sentence = list[str | tuple[str, str]]
"""Text, and what is drawn anew: (what kind of thing, the word that stood there)."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=Path, required=True)
    parser.add_argument("--labelled", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=20)
    arguments = parser.parse_args()
    with gzip.open(arguments.chunks, "rt", encoding="utf-8") as lines:
        real = [json.loads(line) | {"title": ""} for line in lines]
    labelled = [row for folder in arguments.labelled for row in labelled_rows(folder)]
    growth = Growth()
    for row in real:
        growth.count(row["text"])
    of_real = growth.copy()
    made = PassageMaker(real, growth, random.Random(arguments.seed)).rows(
        arguments.passages - len(real) - len(labelled)
    )
    with gzip.open(arguments.out, "wt", encoding="utf-8", compresslevel=4) as out:
        for row in chain(real, counted(labelled, growth), counted(made, growth)):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    report(of_real, growth)


def labelled_rows(folder: Path) -> Iterator[Row]:
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        key = f"{folder.name}/{row['id']}"
        yield {"id": key, "document": key, "title": row.get("title") or "", "text": row["text"]}


def counted(rows: "Iterator[Row] | list[Row]", growth: "Growth") -> Iterator[Row]:
    for row in rows:
        growth.count(row["text"])
        yield row


class Growth:
    """How often each word stands in what was read so far, and how the number of words grew with it."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.tokens = 0
        self.points: list[tuple[int, int]] = []
        """(tokens, words) at every hundred thousandth token or so."""

    def copy(self) -> "Growth":
        other = Growth()
        other.counts, other.tokens, other.points = self.counts.copy(), self.tokens, list(self.points)
        return other

    def count(self, text: str) -> None:
        words = WORD.findall(text.lower())
        self.counts.update(words)
        if (self.tokens + len(words)) // 100_000 > self.tokens // 100_000:
            self.points.append((self.tokens + len(words), len(self.counts)))
        self.tokens += len(words)

    def heaps(self, *, first: int = 0) -> tuple[float, float]:
        """K and β of words = K tokens^β, by least squares over the points from the token `first` on."""
        logs = [(math.log(tokens), math.log(words)) for tokens, words in self.points if tokens >= first]
        beta, constant = slope(logs)
        return math.exp(constant), beta

    def words_at(self, tokens: int) -> int | None:
        return next((words for at, words in self.points if at >= tokens), None)


class PassageMaker:
    """Passages of the sentences of real ones."""

    def __init__(self, real: list[Row], growth: Growth, chance: random.Random) -> None:
        self._chance = chance
        self._growth = growth
        self._constant, self._beta = growth.heaps(first=growth.tokens // 2)
        self._lower = growth.counts.copy()
        self._capital = Counter(
            word.lower()
            for row in real
            for word in WORD.findall(row["text"])
            if word[0].isupper() and word[1:].islower()
        )
        self._drawn: dict[str, list[str]] = defaultdict(list)
        self._tail = [word for word, times in self._lower.items() if times <= RARE for _ in range(times)]
        self._share = len(self._tail) / growth.tokens
        in_order = sorted(real, key=lambda row: (kind_of(row["document"]), row["document"], row["id"]))
        self._topics = [in_order[start : start + TOPIC] for start in range(0, len(in_order), TOPIC)]
        self._sentences = [
            [self._template(text, kind_of(row["document"])) for row in topic for text in SENTENCE.split(row["text"])]
            for topic in self._topics
        ]

    def rows(self, number: int) -> Iterator[Row]:
        documents = -(-number // PER_DOCUMENT)
        for document in range(documents):
            place = self._chance.randrange(len(self._topics))
            topic, sentences = self._topics[place], self._sentences[place]
            name = f"made/{kind_of(topic[0]['document'])}/{document:05}"
            for passage in range(document * PER_DOCUMENT, min(number, (document + 1) * PER_DOCUMENT)):
                length = len(self._chance.choice(topic)["text"])
                yield {"id": f"m{passage:07}", "document": name, "title": "", "text": self._text(sentences, length)}

    def _text(self, sentences: list[Sentence], length: int) -> str:
        chosen: list[str] = []
        while length > 0:
            text = "".join(
                [part if type(part) is str else self._draw(*part) for part in self._chance.choice(sentences)]
            )
            chosen.append(text)
            length -= len(text) + 1
        return " ".join(chosen)

    def _template(self, text: str, kind: str) -> Sentence:
        parts: Sentence = []
        end = 0
        for match in WORD.finditer(text):
            word = match.group()
            if slot := self._slot(word, kind, first=match.start() == 0):
                parts += [text[end : match.start()], (slot, word)]
                end = match.end()
        return [*parts, text[end:]]

    def _slot(self, word: str, kind: str, *, first: bool) -> str:
        """What the word is drawn anew with; "" where it stays."""
        lower = word.lower()
        if self._lower[lower] <= RARE:
            return "tail"
        if word.isdigit():
            slot = f"number {len(word)} {kind}"
        elif not first and word.istitle() and len(word) > 3 and self._capital[lower] > 0.9 * self._lower[lower]:
            slot = f"name {lower[-2:]} {kind}"
        else:
            return ""
        self._drawn[slot].append(word)
        return slot

    def _draw(self, slot: str, word: str) -> str:
        if slot != "tail":
            return self._chance.choice(self._drawn[slot])
        new = self._constant * self._beta * self._growth.tokens ** (self._beta - 1) / self._share
        drawn = self._new_word(word.lower()) if self._chance.random() < new else self._chance.choice(self._tail)
        self._tail.append(drawn)
        return drawn.title() if word.istitle() else drawn

    def _new_word(self, word: str) -> str:
        """The beginning of a rare word and the ending of this one; of a number other digits."""
        if word.isdigit():
            return str(self._chance.randrange(10 ** (len(word) - 1), 10 ** len(word)))
        other = self._chance.choice(self._tail)
        made = other[: max(2, len(other) - 3)] + word[-3:]
        while made in self._growth.counts:
            made = made[:2] + self._chance.choice("aeiouy") + self._chance.choice("bcdfgklmnprstwz") + made[2:]
        return made


def kind_of(document: str) -> str:
    return next(kind for kind, pattern in KINDS if pattern.match(document))


def slope(points: list[tuple[float, float]]) -> tuple[float, float]:
    """The line through the points: how steep it is, and where it begins."""
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    steep = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return steep, mean_y - steep * mean_x


def zipf(growth: Growth, first: int, last: int) -> float:
    """How steep log frequency falls with log rank between two ranks; ranks at equal distances of their logarithms."""
    ordered = sorted(growth.counts.values(), reverse=True)
    ranks = {round(first * (last / first) ** (step / 60)) for step in range(61)}
    return slope([(math.log(rank), math.log(ordered[rank - 1])) for rank in sorted(ranks) if rank <= len(ordered)])[0]


def report(real: Growth, all_: Growth) -> None:
    print(f"{'':34}{'real':>12}{'all':>12}")
    rows = [("tokens", real.tokens, all_.tokens), ("words", len(real.counts), len(all_.counts))]
    for first, last in ((10, 1000), (1000, 30_000), (30_000, 300_000)):
        rows.append((f"slope, ranks {first} to {last}", *(round(zipf(one, first, last), 3) for one in (real, all_))))
    rows.append(
        (
            "Heaps' exponent (last nine tenths)",
            *(round(one.heaps(first=one.tokens // 10)[1], 3) for one in (real, all_)),
        )
    )
    for once in (1, 2):
        share = [round(sum(n == once for n in one.counts.values()) / len(one.counts), 3) for one in (real, all_)]
        rows.append((f"share of words that stand there {once}x", *share))
    for name, *values in rows:
        print(f"{name:34}{values[0]:>12}{values[1]:>12}")
    constant, beta = real.heaps(first=real.tokens // 2)
    for tokens in MILESTONES:
        if words := all_.words_at(tokens):
            new = words - (all_.words_at(tokens - 1_000_000) or 0)
            print(
                f"at {tokens:>11} tokens: {words} words, {new} of them in the last million; "
                f"Heaps: {constant * tokens**beta:.0f}"
            )


if __name__ == "__main__":
    main()
