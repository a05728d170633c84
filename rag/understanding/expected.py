"""Which kind of thing answers a question: a date, an amount, a person; a list, a definition; or a word or two.

There are two readings of it. `wanted_by` takes what is asked for outright, for an answer without it is doubted.
`ExpectedAnswer` also takes a hint, "termin" or "opłata" anywhere in the question, for a sentence that has the thing is
merely preferred. Of 7,943 questions of five sets they read 620 differently, 602 of them where `wanted_by` takes none.
"""

import re
from typing import Literal

from ingestion.text.calendar import ENGLISH_MONTHS, MONTHS_OF_A_DAY, WEEKDAY_STEMS
from ingestion.text.numerals import NUMERAL_WORDS

_MONTHS = "|".join((*MONTHS_OF_A_DAY, *ENGLISH_MONTHS))
NUMBER = re.compile(rf"\d+(?:[ \u00a0]\d{{3}})*(?:[.,:]\d+)?|\b(?:{NUMERAL_WORDS})\b", re.IGNORECASE)
_YEAR = r"\b1\d{3}\b|\b20\d\d\b"
_TIME = r"(?:godz|minut|sekund|dni|dzień|dob|tygod|tydzień|miesi|lat|rok|kwarta|wiek|hour|minute|day|week|month|year)"
_NAME = re.compile(
    r"(?<=[^\W\d_][ \u00a0,(„\"–—-])[„\"(]?([A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]+)"
    r"|(?<=[–—(„\"])[ \u00a0]?([A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]+)|„([^”]+)”"
)
_WORD = re.compile(r"[^\W_]+")
_STEM = 4  # letters by which a name in the text is known to be one of the question, inflected

# kind: (what the question says, what the answer then has). Both are searched in any case of letters, but for `place`.
_KINDS: dict[str, tuple[str, str]] = {
    "year": (r"(?:w|od|do|z|przed|po) (?:którego|którym|jakiego|jakim) roku|(?:which|what) year", _YEAR),
    "date": (
        r"(?:od |do )?kiedy|(?:któr|jaki)(?:ego|ym|m) (?:dnia|dniu|miesiąca|miesiącu|wieku)|when\b|deadline"
        r"|jak\w+ (?:jest |był\w* )?(?:dat\w+|dzień)|(?:w |jak\w+ )?termin\w*",
        rf"\b\d{{1,2}}\.?[ \u00a0](?:{_MONTHS}|dnia)|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|{_YEAR}|\b[XVI]+ w"
        rf"|{WEEKDAY_STEMS}",
    ),
    "duration": (
        r"jak (?:długo|często|szybko|prędko)|(?:il[eu]|ilo\w+|jakim?) (?:czasu?|okres\w*|lat|dni|godzin|miesięcy"
        r"|tygodni|minut)|wyprzedzeni\w+|termin\w*|w ciągu|how (?:long|often|soon)",
        rf"(?:{NUMBER.pattern})\.?[ \u00a0](?:[^\W\d]+[ \u00a0])?{_TIME}|codzien|co (?:tydzień|miesiąc|rok)|rocznie"
        r"|natychmiast|niezwłocznie|bezterminow|\bw dniu\b",
    ),
    "clock": (r"o któr(?:ej|ych)|(?:jak\w+|któr\w+|do|od) godzin\w*|what time", r"\d{1,2}[:.]\d\d|godz\.?\s*\d"),
    "money": (
        r"ile (?:\w+ ){0,2}(?:kosztuj|wynos|płac|zapłac|dopłac)\w*|opłat\w*|koszt\w*|kwot\w*|stawk\w*|cen[aęyi]\b"
        r"|płac[ię]\b|płaci się|how much|fee\b|price",
        r"\d[ \u00a0]?(?:zł|%|eur|€|pln|dol|tys|mln|gr\b)|bezpłatn|nieodpłatn|za darmo|free of charge",
    ),
    "number": (
        r"il[eu]\b|iloma\b|ilokrotn\w*|jak[aą] (?:jest |była )?(?:liczb|wysokoś|szerokoś|długoś|powierzchni|odległoś"
        r"|temperatur|pojemnoś|mas)\w*|jaki (?:jest |był )?(?:procent|odsetek|limit|rozmiar|wiek|numer)|limit\w*"
        r"|numer\w*|rozmiar\w*|jak (?:duż|wysok|dług|szerok|głębok|dalek|wiel)\w*|how (?:many|much|big|far)",
        NUMBER.pattern,
    ),
    "place": (
        r"(?:gdzie|skąd|dokąd|where)\b|(?:jakim|jakiej|którym|której|jakich) (?:mie[śj]\w+|kraju|państwie|wsi|regionie"
        r"|województwie|dzielnicy|ulicy|pokoju|budynku)",
        r"\b(?:w|we|na|do|z|pod|przy|koło|in|at)[ \u00a0](?:[^\W\d]+[ \u00a0])?[A-ZĄĆĘŁŃÓŚŹŻ]\w+"
        r"|\bpok\. \d|\b(?:ul|al|pl)\. |\bpokoju \d|\bna stronie|(?:tel\.|telefon|numer)\D{0,20}\d",
    ),
    "name": (
        r"(?:kto|kogo|komu|kim|czyj\w*|who|whose)\b|jaka osoba|jak (?:się )?(?:nazyw|nazw|miał na imię|brzmi|zwan)\w*"
        r"|jak(?:i|ie|ą|a) (?:był\w* |jest |nosi\w* )?(?:tytuł|imię|nazw|pseudonim|przydomek|aktor|autor|reżyser)\w*",
        "",
    ),
}
_ASKS = {kind: re.compile(rf"(?<!\w)(?:{asks})", re.IGNORECASE) for kind, (asks, _) in _KINDS.items()}
_HAS = {kind: re.compile(has, re.IGNORECASE if kind != "place" else 0) for kind, (_, has) in _KINDS.items() if has}
_COUNTED = re.compile(r"(?<!\w)(?:il[eu]|iloma|how many)\s+([^\W\d_]+)", re.IGNORECASE)
_DEFINITION = re.compile(
    r"\W*(?:(?:kto|kim|czym|co|who|what) (?:to )?(?:jest|są|był\w*|oznacza|znaczy|is|are|was|were|does)\b|co to\b)",
    re.IGNORECASE,
)
_ENUMERATION = re.compile(
    r"(?<!\w)(?:wymień|wylicz|lista|krok po kroku|jakie są|z czego|list|what documents|which documents)\b"
    r"|jakie (?:\w+ )?(?:dokument|załącznik|dane|informacj|warunk|wymaga|krok|formalnoś|element|obowiąz|praw|czynnoś"
    r"|rodzaj|typ|przypad)\w*|co (?:\w+ ){0,2}(?:zawiera|powin|mus|należy|trzeba|dołącz|załącz|przygotow|obejm)\w*"
    r"|(?:^|\W)jak (?:(?:się|mogę|można) )?(?:złożyć|zgłosić|założyć|zarejestrować|uzyskać|otrzymać|zrobić|załatwić"
    r"|składa|zgłasza|wypełnić|skonfigurować|zainstalować)\w*",
    re.IGNORECASE,
)

Wanted = Literal["date", "number", "name", ""]

_DATE_OUTRIGHT = re.compile(
    r"\b(?:kiedy|(?:w|do|od|po) (?:którym|jakim|którego|jakiego|których|jakich) (?:rok\w*|dni\w*|miesi\w+|lat\w*)|"
    r"(?:jak\w+|któr\w+) (?:jest )?dat\w+|when|(?:what|which) (?:date|day|year))\b",
    re.IGNORECASE,
)
_NUMBER_OUTRIGHT = re.compile(
    r"\b(?:il[eu]|jak (?:długo|często|daleko|wysok\w+|duż\w+|dług\w+)|"
    r"jak\w+ (?:jest |są |wynosi )?(?:liczb\w+|kwot\w+|wysokoś\w+|stawk\w+|opłat\w+|limit\w*|termin\w*|numer\w*)|"
    r"how (?:many|much|long|often|far))\b",
    re.IGNORECASE,
)
_NAME_OUTRIGHT = re.compile(
    r"\b(?:kto|kogo|komu|kim|gdzie|dokąd|skąd|who|whom|where|w (?:którym|jakim) (?:mieście|kraju|państwie))\b", re.I
)
_YES_OR_NO = re.compile(r"^\s*(?:czy|is|are|do|does|did|can|could|may|must|should|has|have|was|were)\b", re.IGNORECASE)
_BRIEFLY = re.compile(
    r"\b(?:jednym słowem|krótko|w skrócie|jednym zdaniem|tak lub nie|in (?:a|one) word|briefly|yes or no)\b", re.I
)


class ExpectedAnswer:
    """What `question` asks for. `counted`: the noun after "ile", as typed; `enumeration`: a list does best;
    `definition`: it asks what or who something is.
    """

    def __init__(self, question: str) -> None:
        self.kinds = frozenset(kind for kind, asks in _ASKS.items() if asks.search(question))
        counted = _COUNTED.search(question)
        self.counted = counted.group(1) if counted else ""
        self.definition = bool(_DEFINITION.match(question))
        self.enumeration = bool(_ENUMERATION.search(question))
        self._question = question.lower()
        self._stems = {word.lower()[:_STEM] for word in _WORD.findall(question) if len(word) > 2}

    def fits(self, text: str) -> float:
        """1 where `text` has what is asked for, -1 where it has none of it, 0 where the question asks for no kind."""
        if not self.kinds:
            return 0.0
        return 1.0 if any(self._has(kind, text) for kind in self.kinds) else -1.0

    def _has(self, kind: str, text: str) -> bool:
        if kind == "name":
            return any(self._is_new(match) for match in _NAME.finditer(text))
        return any(match.group().lower() not in self._question for match in _HAS[kind].finditer(text))

    def _is_new(self, name: re.Match[str]) -> bool:
        written = next(group for group in name.groups() if group)
        return written[:_STEM].lower() not in self._stems


def wanted_by(question: str) -> Wanted:
    """The kind of thing asked for outright, "" where anything may be the answer."""
    if _DATE_OUTRIGHT.search(question):
        return "date"
    if _NUMBER_OUTRIGHT.search(question):
        return "number"
    return "name" if _NAME_OUTRIGHT.search(question) else ""


def wants_few_words(question: str) -> bool:
    """Whether "Tak." or "14 dni" is a whole answer."""
    return bool(wanted_by(question) or _YES_OR_NO.search(question) or _BRIEFLY.search(question))
