"""What a clause affirms and denies: by "nie", "bez", "zakaz", and by pairs such as płatny and bezpłatny."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingestion.types import Token

_NOT = frozenset(("nie", "not", "cannot", "nigdy", "never"))
_WITHOUT = frozenset(("bez", "without"))
_LIFTED = frozenset("zniesienie zniesiony znosić znieść uchylić uchylać uchylony uchylenie".split())
"""What is lifted is no duty any more, wherever it stands in the clause."""
# "nie później niż", "nie tylko", "nie mniej niż" bound or extend; they deny nothing.
_NO_DENIAL = frozenset(
    "tylko później wcześniej dłużej krócej więcej mniej rzadziej częściej "
    "wyższy wyższa niższy niższa niż więcej bardziej only".split()
)
OPPOSITES = {
    "bezpłatny": "płatny", "bezpłatnie": "płatny", "nieodpłatny": "płatny", "nieodpłatnie": "płatny",
    "darmowy": "płatny",
    "odpłatny": "płatny", "odpłatnie": "płatny", "dobrowolny": "obowiązkowy", "fakultatywny": "obowiązkowy",
    "wyłączyć": "włączyć", "wyłączać": "włączać", "odrzucić": "przyjąć", "odmówić": "zgodzić", "zbędny": "konieczny",
    "spadać": "rosnąć", "spaść": "wzrosnąć", "zmaleć": "wzrosnąć", "maleć": "rosnąć", "zmniejszyć": "zwiększyć",
    "obniżyć": "podwyższyć", "zmniejszać": "zwiększać", "obniżać": "podwyższać", "brak": "mieć", "zabronić": "dozwolić",
    "zakazać": "dozwolić", "zakaz": "dozwolić", "ukryty": "widoczny", "po": "przed",
    "odradzać": "zalecać", "odradzić": "zalecić", "zablokować": "dozwolić", "zablokowany": "dozwolić",
    "późny": "wczesny", "późno": "wcześnie", "początek": "koniec", "rozpocząć": "zakończyć",
    "ręcznie": "automatycznie", "ręczny": "automatyczny",
}  # fmt: skip
POLAR = frozenset(OPPOSITES) | frozenset(OPPOSITES.values())
"""Words that say whether something is so, rather than what."""
_NEGATING = frozenset(OPPOSITES) - {"odpłatny", "odpłatnie"}
# Words of permission and of duty each say one thing.
_PERMISSION = "móc można wolno dozwolić dopuszczalny dopuścić dopuszczać pozwolić pozwalać can may allow".split()
_DUTY = "musieć trzeba powinien obowiązać obowiązek obowiązkowy wymagać konieczny niezbędny must require".split()
_SAME = dict.fromkeys(_PERMISSION, "may") | dict.fromkeys(_DUTY, "must")
_FORMS = {
    **dict.fromkeys(("może", "mogą", "możesz", "można", "mogę", "możemy"), "móc"),
    "należy": "musieć", "powinna": "powinien",
    "powinno": "powinien", "powinny": "powinien", "powinni": "powinien", "nieważny": "ważny", "po": "", "przed": "",
}  # fmt: skip
_COPULA = frozenset(
    "jest są był była było były będzie będą zostać został została zostanie zostaną się "
    "ma mają is are be was were".split()
)
_CLAUSE = re.compile(r"[,;:–—]\s|\s(?:ale|lecz|natomiast|a|zaś|but)\s")
_REACH = 3  # words after "nie" that it may deny, past auxiliaries


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Content `lemmas` of a part of a sentence, and of what it says whether it is so (True) or not (False)."""

    text: str
    lemmas: frozenset[str]
    affirmed: frozenset[str]
    denied: frozenset[str]


def clauses(text: str, tokens: Sequence[Token], content: frozenset[str]) -> list[Clause]:
    """The clauses of a sentence with its `tokens`; `content` are the lemmas that carry its topic."""
    ends = [match.start() for match in _CLAUSE.finditer(text)] + [len(text)]
    found, start = [], 0
    for end in ends:
        inside = [token for token in tokens if start <= token.start < end]
        if inside:
            found.append(_clause(text[start:end].strip(" ,;:"), inside, content))
        start = end
    return found


def conflict(said: Clause, found: Clause) -> frozenset[str]:
    """The words that one affirms and the other denies."""
    differing = (said.affirmed & found.denied) | (said.denied & found.affirmed)
    weighty = said.lemmas | found.lemmas | {"may", "must"}
    both = (said.affirmed & found.affirmed) | (said.denied & found.denied)
    modal = _modality(said, found)
    return frozenset(word for word in differing if word in weighty) - (both & {"may", "must"}) | modal


def _modality(said: Clause, found: Clause) -> frozenset[str]:
    """A duty where the source has a permission, or the other way round."""
    duty, permission = "must", "may"
    for one, other in ((said, found), (found, said)):
        if (
            duty in one.affirmed
            and permission in other.affirmed
            and not (duty in other.affirmed or permission in one.affirmed)
        ):
            return frozenset((duty,))
    return frozenset()


def _clause(text: str, tokens: Sequence[Token], content: frozenset[str]) -> Clause:
    said = set(_said(tokens))
    return Clause(
        text=text,
        lemmas=frozenset(token.lemma for token in tokens) & content,
        affirmed=frozenset(word for word, positive in said if positive),
        denied=frozenset(word for word, positive in said if not positive),
    )


def _said(tokens: Sequence[Token]) -> Iterator[tuple[str, bool]]:
    lifted = any(token.lemma in _LIFTED for token in tokens)
    denied: set[int] = set()
    for place, token in enumerate(tokens):
        if token.form in _NOT | _WITHOUT:
            denied.update(_reach(tokens, place))
    for place, token in enumerate(tokens):
        lemma = _FORMS.get(token.form, token.lemma)
        if lemma and token.form not in _NOT | _WITHOUT:
            base, positive = _base(token.form, lemma)
            yield base, (positive != (place in denied)) != (lifted and base == "must")


def _reach(tokens: Sequence[Token], place: int) -> Iterator[int]:
    for following in range(place + 1, min(place + 1 + _REACH, len(tokens))):
        form = tokens[following].form
        if form in _NO_DENIAL:
            return
        yield following
        if form not in _COPULA:
            return


def _base(form: str, lemma: str) -> tuple[str, bool]:
    """The word that says it positively, and whether it stands for that or for its opposite."""
    negated = form.startswith("nie") and len(form) > 6 and form[3:6] == lemma[:3]  # "niedozwolone" is "dozwolić"
    if lemma.startswith("nie") and lemma[3:] in _KNOWN:
        lemma, negated = lemma[3:], True
    opposite = OPPOSITES.get(lemma)
    positive = lemma not in _NEGATING
    base = opposite or lemma
    return _SAME.get(base, base), positive != negated


_KNOWN = frozenset(
    "obowiązkowy ważny płatny konieczny dopuszczalny możliwy zgodny prawdziwy dostępny czynny aktywny zależny legalny "
    "jawny zbędny skuteczny pełny bezpieczny wymagalny terminowy poprawny".split()
)
