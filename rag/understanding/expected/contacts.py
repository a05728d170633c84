"""Where to go, call or write, in a text: rooms, addresses, telephones, e-mail, accounts, pages; codes and forms."""

import re
from collections.abc import Iterator

from ingestion.text.names.identifiers import find_identifiers
from ingestion.text.names.name_words import name_words
from ingestion.text.names.names import find_names
from ingestion.text.personal_data.detection import find_personal_data

Place = tuple[int, int]

_S = "[ \u00a0]"
_ROOM = re.compile(rf"\b(?:pok(?:oj\w*|ój|\.)|sal[aię]|okienk\w+|stanowisk\w+){_S}(?:nr{_S})?\d+[a-z]?", re.IGNORECASE)
# Also those that cannot be called: examples have the region 99, and an extension is no number of a subscriber.
_PHONE = re.compile(
    rf"(?<![\w/])(?:\(0?\d{{2}}\){_S}?|\+48{_S}?)\d{{2,3}}(?:[ \u00a0-]\d{{2,3}}){{2,3}}\b|\bwew\.{_S}?\d{{2,4}}"
)
_CALLED = re.compile(
    r"(?:tel\.|telefon\w*|numer\w*|infolini\w*|dzwo\w+)\D{0,20}((?:\d[ \u00a0-]?){3,12})(?!\w)", re.IGNORECASE
)
_ACCOUNT = re.compile(rf"(?<![\w.,])(?:PL{_S}?)?\d{{2}}(?:{_S}?\d{{4}}){{6}}(?!\w)")
_WEB = re.compile(
    r"https?://[^\s)>\]\"”]+|\bwww\.[^\s)>\]\"”]+|(?<![\w@./])(?:[a-z\d-]+\.)+(?:pl|com|eu|org|net|example|gov)\b(?:/\S*)?"
    r"|(?<!\w)/(?:[\w{}:.-]+/?){2,}"
)
_ADDRESS = re.compile(
    rf"\b(?:ul|al|pl|os)\.{_S}[^\W\d_][^,;\n]*?{_S}\d+[a-z]?(?:/\d+)?|\b\d{{2}}-\d{{3}}{_S}[^\W\d_]\w+"
)
_IN_A_PLACE = re.compile(
    r"\b(?:[Ww]e?|[Nn]a|[Dd]o|[Zz]|[Pp]od|[Pp]rzy|koło|[Ii]n|at)[ \u00a0](?:[^\W\d]+[ \u00a0])?[A-ZĄĆĘŁŃÓŚŹŻ]\w+"
    r"|\b(?:[Ww]e?|[Nn]a|[Dd]o|[Pp]rzy)[ \u00a0](?:\w+[ \u00a0])?(?:urzędzi\w*|urzędu|ratusz\w*|referac\w*|wydzial\w*"
    r"|kasie|kancelarii|sekretariac\w*|biurz\w*|stronie|aplikacji|systemie|parterze|piętrze|portier\w*|okienku|centrum"
    r"|archiwum|sądzie|budynku|siedzibie|punkcie|poczcie|banku|menu|ustawieniach|zakładce|panelu|holu|korytarzu|recepcji"
    r"|szatni|świetlicy|bibliotece|aptece|sklepie|przychodni|poradni|gabinecie|magazynie|piwnicy|garażu|parkingu|wejściu"
    r"|bramie|klatce|tablicy|skrzynk[ai]|skrzynce|podajnik\w*|pojemnik\w*|automa\w+|kanalizacji|intranecie|folderze)\b"
    r"|\bprzez internet\b|\bonline\b|\belektronicznie\b|\blistownie\b"
)
_PAPER = re.compile(
    r"\b(?:formularz\w*|druk\w{0,3}|wniosk\w*|wniosek|zaświadczeni\w*|załącznik\w*|oświadczeni\w*|odpis\w*|akt\w{0,2}"
    r"|dow[oó]d\w{0,2}|paszport\w*|legitymacj\w+|umow\w+|deklaracj\w+|dokument\w*|pełnomocnictw\w*|upoważnieni\w*"
    r"|zgod\w+|protok[oó]ł\w*|faktur\w*|rachun\w+|fotografi\w*|zdjęci\w*|mapa|mapy|projekt\w*|orzeczeni\w*"
    r"|skierowani\w*|plik\w*|ustaw\w*|dekret\w*|rozporządzeni\w*|regulamin\w*|uchwał\w*|kodeks\w*)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:kod\w*|błąd|status|nr|numer)\b[^\d\n]{0,12}(?P<number>\d[\d./-]*)|`(?P<quoted>[^`\n]+)`"
    r"|(?P<norm>\b[A-Z]{2,}(?:/[A-Z]+)*[ -]\d[\d:./-]*)|(?P<command>\b[A-Z][a-z]+-[A-Z]\w+)",
)


def find_phones(text: str) -> Iterator[Place]:
    yield from _personal(text, "phone")
    yield from (match.span() for match in _PHONE.finditer(text))
    yield from (match.span(1) for match in _CALLED.finditer(text))


def find_emails(text: str) -> Iterator[Place]:
    return _personal(text, "email")


def find_accounts(text: str) -> Iterator[Place]:
    """26 digits as accounts are printed; a wrong checksum is the reader's to see."""
    return (match.span() for match in _ACCOUNT.finditer(text))


def find_pages(text: str) -> Iterator[Place]:
    return (match.span() for match in _WEB.finditer(text))


def find_rooms(text: str) -> Iterator[Place]:
    return (match.span() for match in _ROOM.finditer(text))


def find_places(text: str) -> Iterator[Place]:
    """Rooms, addresses, towns and offices, pages, and where to call or write."""
    for form in (_ROOM, _ADDRESS, _IN_A_PLACE):
        yield from (match.span() for match in form.finditer(text))
    yield from ((named.start, named.end) for named in find_names(text) if name_words().is_place(named.name))
    yield from find_phones(text)
    yield from find_emails(text)
    yield from find_pages(text)


def find_documents(text: str) -> Iterator[Place]:
    """Papers by what they are called, and forms by their number."""
    yield from (match.span() for match in _PAPER.finditer(text))
    yield from ((named.start, named.end) for named in find_identifiers(text))


def find_codes(text: str) -> Iterator[Place]:
    """Identifiers, norms, commands, numbers that are called so, and what is written as code."""
    yield from ((named.start, named.end) for named in find_identifiers(text))
    yield from (match.span(match.lastgroup or 0) for match in _CODE.finditer(text))
    yield from find_accounts(text)


def _personal(text: str, kind: str) -> Iterator[Place]:
    return ((span.start, span.end) for span in find_personal_data(text) if span.kind == kind)
