"""simplemma's compressed dictionaries, which a process opens without unpacking them or having them for itself.

A word of a front-coded dictionary is found by bisecting the first words of its blocks. simplemma gathers these in every
process anew, and decodes 3.7 million Polish forms for it. Kept in a file with the unpacked dictionary they are mapped
into memory, where all processes share what any of them has looked at (ADR 56).
"""

import hashlib
import mmap
import os
import threading
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from itertools import accumulate, chain
from pathlib import Path

from simplemma.strategies.dictionaries import DictionaryFactory, frontcode
from simplemma.strategies.dictionaries.dictionary_factory import DecodedStrMapping, _read_decompressed

_BLOCK = 32  # words that are decoded one after another
_GROUP = 8  # blocks whose first words are looked through one after another
_BETWEEN = b"\0"  # stands in no word
_DIGEST = hashlib.sha256().digest_size
_SIZES = 4 * 8  # bytes at the beginning: four numbers
_HEADER = 32  # bytes of a stream, more than its header has
_AT_ONCE = 1 << 20

_SAME_AS_BEFORE, _WHOLE = 254, 255  # in the place of how many letters a lemma lacks of its form
_LONG = 0x80  # of a number that takes two bytes
_REMEMBERED = 4_096


class MappedDictionary(DecodedStrMapping):
    """A dictionary in what `_compiled` made of it. A block is read three times as quick as by simplemma: of the words
    before the one that is looked for no lemma is decoded. What was asked last is remembered, for each word is asked for
    several times in a row.
    """

    def __init__(self, compiled: bytes | mmap.mmap) -> None:
        self._compiled = compiled
        sizes = array("Q", compiled[:_SIZES])
        offsets, groups, firsts, seeds, stream = accumulate([_SIZES, *sizes])
        self._offsets = array("Q", compiled[offsets:groups])
        self._groups = array("Q", compiled[groups:firsts])
        self._firsts = compiled[firsts:seeds].split(_BETWEEN)
        self._seeds, self._stream = seeds, stream
        self._reversed, self._count, self._header = frontcode._read_header(compiled[stream : stream + _HEADER])
        self._last: dict[str, str | None] = {}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        for _, word, _ in frontcode._iter_records(self._compiled[self._stream : -_DIGEST], self._header):
            yield (word[::-1] if self._reversed else word).decode()

    def _lookup(self, key: str) -> str | None:
        if key not in self._last:
            if len(self._last) >= _REMEMBERED:
                self._last = {}
            self._last[key] = self._found(key)
        return self._last[key]

    def _found(self, key: str) -> str | None:
        target = key.encode()[::-1] if self._reversed else key.encode()
        group = bisect_right(self._firsts, target) - 1
        if group < 0:
            return None
        begin, end = self._groups[group], self._groups[group + 1]
        seeds = self._compiled[self._seeds + begin : self._seeds + end].split(_BETWEEN)
        blocks = len(seeds) // 3
        number = bisect_right(seeds, target, hi=blocks) - 1
        block = group * _GROUP + number
        lemma = self._in_block(target, block, seeds[blocks + number], seeds[2 * blocks + number])
        return None if lemma is None else (lemma[::-1] if self._reversed else lemma).decode()

    def _in_block(self, target: bytes, block: int, word: bytes, lemma: bytes) -> bytes | None:
        """`word` and `lemma` stand before the block."""
        data, before = self._compiled, (word, lemma)
        place, size = (self._stream + offset for offset in self._offsets[block : block + 2])
        of_word, trim, begin, end = b"", _SAME_AS_BEFORE, 0, 0  # where the lemma last written stands, and whose it is
        while place < size:
            shared, length = data[place], data[place + 1]
            if shared >= _LONG or length >= _LONG:
                return self._in_block_of_long_words(target, block, *before)
            place += 2 + length
            word = word[:shared] + data[place - length : place]
            if data[place] == _SAME_AS_BEFORE:
                place += 1
            else:
                if data[place + 1] >= _LONG:
                    return self._in_block_of_long_words(target, block, *before)
                of_word, trim, begin, end = word, data[place], place + 2, place + 2 + data[place + 1]
                place = end
            if word >= target:
                break
        if word != target:
            return None
        if trim == _WHOLE:
            return data[begin:end]
        return lemma if trim == _SAME_AS_BEFORE else of_word[: len(of_word) - trim] + data[begin:end]

    def _in_block_of_long_words(self, target: bytes, block: int, *before: bytes) -> bytes | None:
        place, size = (self._stream + offset for offset in self._offsets[block : block + 2])
        records = frontcode._iter_records(self._compiled[place:size], 0, *before)
        return next((lemma for _, word, lemma in records if word == target), None)


class KeptDictionaries(DictionaryFactory):
    """Each language's dictionary once a process, however many threads ask first.

    It is kept in `folder`. Where that is None, or may not be written, each process unpacks it for itself.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._lock = threading.Lock()
        self._open: dict[str, MappedDictionary] = {}

    def get_dictionary(self, lang: str) -> MappedDictionary:
        if lang not in self._open:
            with self._lock:
                if lang not in self._open:
                    self._open[lang] = self._dictionary(lang)
        return self._open[lang]

    def _dictionary(self, lang: str) -> MappedDictionary:
        if self.folder is None:
            return MappedDictionary(_compiled(lang))
        file = self.folder / f"simplemma-{version('simplemma')}-{lang}-mapped"
        try:
            return MappedDictionary(_mapped(file))
        except (OSError, ValueError):
            compiled = _compiled(lang)
        try:
            _keep(compiled, file)
            return MappedDictionary(_mapped(file))
        except (OSError, ValueError):  # a read-only folder, a full disk or one that does not keep what it is given
            return MappedDictionary(compiled)


DICTIONARIES = KeptDictionaries()
"""Those of this process; the project names their folder."""


def _compiled(lang: str) -> bytes:
    """How long each of the next four parts is; where in the stream blocks begin and the last ends; where among the
    seeds groups do; the first word of each group; of each group the seeds: the first words of its blocks, then the
    words and then the lemmas that stand before these; simplemma's stream; a digest of all that.
    """
    stream = _read_decompressed(lang)
    _, count, begin = frontcode._read_header(stream)
    blocks: list[tuple[int, bytes, bytes, bytes]] = []
    number, before = 0, (b"", b"")
    for place, word, lemma in frontcode._iter_records(stream, begin):
        if number % _BLOCK == 0:
            blocks.append((place, word, *before))
        number, before = number + 1, (word, lemma)
    if number != count:
        raise ValueError("simplemma's dictionary is not whole")
    groups = [blocks[start : start + _GROUP] for start in range(0, len(blocks), _GROUP)]
    seeds = [_BETWEEN.join(chain(*zip(*(block[1:] for block in group), strict=True))) for group in groups]
    begins = array("Q", [0])
    for seed in seeds:
        begins.append(begins[-1] + len(seed))
    parts = [
        array("Q", [*(block[0] for block in blocks), len(stream)]).tobytes(),
        begins.tobytes(),
        _BETWEEN.join(group[0][1] for group in groups),
        b"".join(seeds),
    ]
    whole = b"".join([array("Q", map(len, parts)).tobytes(), *parts, stream])
    return whole + hashlib.sha256(whole).digest()


def _mapped(file: Path) -> mmap.mmap:
    """Raises ValueError for what `_keep` has not written, or not whole."""
    with file.open("rb") as kept:
        digest, left = hashlib.sha256(), file.stat().st_size - _DIGEST
        while left > 0 and (piece := kept.read(min(_AT_ONCE, left))):  # what is read here does not stay in memory
            digest.update(piece)
            left -= len(piece)
        if left or digest.digest() != kept.read():
            raise ValueError("a kept dictionary is damaged")
        return mmap.mmap(kept.fileno(), 0, access=mmap.ACCESS_READ)


def _keep(compiled: bytes, file: Path) -> None:
    half = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(compiled)
        half.replace(file)
    except OSError:
        with suppress(OSError):
            half.unlink()
        raise
