"""Names rare words that the lemmatiser takes forms of likelier ones for, to be read before they are written down.

    python benchmarks/rarer_lemmas.py [FILE ...]      # Markdown, or JSON lines with "text" or "q"; the institutions too

For `ingestion/text/morphology/rarer.txt`. A form that SGJP knows as one of several words says nothing of which is
meant; one that is of a single word says that the word is in use. "Plików" is of "plik" alone and stands here 538 times,
no form is of "plika" alone: so "pliki", which may be of both and was taken for one of "plika", is of "plik". A line has
the rare word, the likelier one, how often each stands here beyond doubt, and the forms that are taken for the rare one.
"""

import json
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.text.analyser import analyser  # noqa: E402
from ingestion.text.morphology.lemmas import Lemmatiser  # noqa: E402

INSTITUTIONS = Path(__file__).parent / "institutions"
LETTERS = re.compile(r"[^\W\d_]{3,}")
IN_USE = 5  # times that a likelier word stands there beyond doubt
RARE = 0.03  # of that, at most, for the rare one
UNLIKELY = ("impt", "brev", "interj")  # readings of forms that are seldom meant
Reading = tuple[str, str]


def main(files: Sequence[str]) -> None:
    chosen = [*map(Path, files), *INSTITUTIONS.glob("*/*.md"), *INSTITUTIONS.glob("*/*.jsonl")]
    forms = Counter(form for path in chosen for text in texts_of(path) for form in LETTERS.findall(text.lower()))
    lemmatiser = analyser().lemmatiser
    readings = {form: lemmatiser._analyses(form) for form in forms}
    beyond_doubt = Counter[str]()
    for form, found in readings.items():
        if len(bases := {base for base, _ in found}) == 1:
            beyond_doubt[bases.pop()] += forms[form]
    pairs = defaultdict[tuple[str, str], list[str]](list)
    for form, found in readings.items():
        if pair := mistaken(form, found, lemmatiser, beyond_doubt):
            pairs[pair].append(form)
    for (rare, likelier), taken in sorted(pairs.items(), key=lambda pair: -sum(forms[form] for form in pair[1])):
        print(f"{rare}: {likelier}", beyond_doubt[rare], beyond_doubt[likelier], *taken, sep="\t")


def mistaken(
    form: str, readings: Sequence[Reading], lemmatiser: Lemmatiser, beyond_doubt: Mapping[str, int]
) -> tuple[str, str] | None:
    """The lemma of the form and the likelier one, if there is one."""
    bases = [base for base, tag in readings if not tag.startswith(UNLIKELY)]
    if not bases or analyser().is_stop_form(form):
        return None
    lemma, likelier = lemmatiser.lemma(form), max(bases, key=lambda base: beyond_doubt[base])
    if beyond_doubt[likelier] < IN_USE or beyond_doubt[lemma] > RARE * beyond_doubt[likelier]:
        return None
    return (lemma, likelier) if lemma not in (likelier, lemmatiser.lemma(likelier)) else None


def texts_of(path: Path) -> Iterator[str]:
    content = path.read_text(encoding="utf-8")
    if path.suffix != ".jsonl":
        yield content
        return
    for line in content.splitlines():
        row = json.loads(line)
        yield row.get("text") or row.get("q", "")


if __name__ == "__main__":
    main(sys.argv[1:])
