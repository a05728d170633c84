"""simplemma's compressed dictionaries, which a process opens without reading them through.

A word of a front-coded dictionary is found by bisecting the first words of its blocks. simplemma gathers these in every
process anew, and decodes 3.7 million Polish forms for it. Kept in a file, they open in an eighth of the time (ADR 56).
"""

import hashlib
import os
import threading
from array import array
from bisect import bisect_right
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from simplemma.strategies.dictionaries import DictionaryFactory, frontcode
from simplemma.strategies.dictionaries.dictionary_factory import _read_decompressed
from simplemma.strategies.dictionaries.stream_dictionary_factory import StreamMap

_BETWEEN = b"\0"  # stands in no word
_DIGEST = hashlib.sha256().digest_size


_SAME_AS_BEFORE, _WHOLE = 254, 255  # in the place of how many letters a lemma lacks of its form
_LONG = 0x80  # of a number that takes two bytes
_REMEMBERED = 4_096


class QuickMap(StreamMap):
    """A dictionary that reads a block three times as quick: of the words before the one that is looked for it decodes
    no lemmas. What was asked last is remembered, for each word is asked for several times in a row.
    """

    __slots__ = ("_last",)

    _last: dict[str, str | None]

    def _lookup(self, key: str) -> str | None:
        if key not in self._last:
            if len(self._last) >= _REMEMBERED:
                self._last = {}
            self._last[key] = self._read(key)
        return self._last[key]

    def _read(self, key: str) -> str | None:
        target = key.encode()[::-1] if self._rev else key.encode()
        block = bisect_right(self._firsts, target) - 1
        if block < 0:
            return None
        data, size = self._data, len(self._data)
        place, word, lemma = self._blocks[block]
        of_word, trim, start, end = b"", _SAME_AS_BEFORE, 0, 0  # where the lemma last written stands, and whose it is
        while place < size:
            shared, length = data[place], data[place + 1]
            if shared >= _LONG or length >= _LONG:
                return super()._lookup(key)
            place += 2 + length
            word = word[:shared] + data[place - length : place]
            if data[place] == _SAME_AS_BEFORE:
                place += 1
            else:
                if data[place + 1] >= _LONG:
                    return super()._lookup(key)
                of_word, trim, start, end = word, data[place], place + 2, place + 2 + data[place + 1]
                place = end
            if word >= target:
                break
        if word != target:
            return None
        if trim == _WHOLE:
            lemma = data[start:end]
        elif trim != _SAME_AS_BEFORE:
            lemma = of_word[: len(of_word) - trim] + data[start:end]
        return (lemma[::-1] if self._rev else lemma).decode()


class KeptDictionaries(DictionaryFactory):
    """Each language's dictionary once a process, however many threads ask first.

    Its blocks are kept in `folder`. Where that is None, or may not be written, each process finds them itself.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._lock = threading.Lock()
        self._open: dict[str, StreamMap] = {}

    def get_dictionary(self, lang: str) -> StreamMap:
        if lang not in self._open:
            with self._lock:
                if lang not in self._open:
                    self._open[lang] = self._dictionary(lang)
        return self._open[lang]

    def _dictionary(self, lang: str) -> StreamMap:
        if self.folder is None:
            return _read_through(lang)
        file = self.folder / f"simplemma-{version('simplemma')}-{lang}"
        try:
            return _opened(lang, file.read_bytes())
        except (OSError, ValueError):
            dictionary = _read_through(lang)
            _keep(dictionary, file)
            return dictionary


DICTIONARIES = KeptDictionaries()
"""Those of this process; the project names their folder."""


def _read_through(lang: str) -> QuickMap:
    dictionary = QuickMap(lang)
    dictionary._last = {}
    return dictionary


def _opened(lang: str, kept: bytes) -> StreamMap:
    """Raises ValueError for what `_keep` has not written, or not whole."""
    content = kept[_DIGEST:]
    if hashlib.sha256(content).digest() != kept[:_DIGEST]:
        raise ValueError("the kept blocks of a dictionary are damaged")
    places, _, words = content.partition(_BETWEEN)
    offsets = array("Q", bytes.fromhex(places.decode()))
    count, bounds = len(offsets), words.split(_BETWEEN)
    dictionary = QuickMap.__new__(QuickMap)
    dictionary._last = {}
    dictionary._data = _read_decompressed(lang)
    dictionary._rev, dictionary._count, dictionary._pos = frontcode._read_header(dictionary._data)
    dictionary._firsts = bounds[:count]
    dictionary._blocks = list(zip(offsets, bounds[count : 2 * count], bounds[2 * count :], strict=True))
    return dictionary


def _keep(dictionary: StreamMap, file: Path) -> None:
    offsets, keys, values = zip(*dictionary._blocks, strict=True)
    places = array("Q", offsets).tobytes().hex().encode()
    content = _BETWEEN.join([places, *dictionary._firsts, *keys, *values])
    half = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(hashlib.sha256(content).digest() + content)
        half.replace(file)
    except OSError:  # a read-only folder or a full disk: the next process reads the dictionary through as this one did
        with suppress(OSError):
            half.unlink()
