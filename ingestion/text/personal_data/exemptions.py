"""Who an installation may leave uncovered: offices, holders of public functions, authors."""

import re
from collections.abc import Collection

from knowledgetree.conf import EXEMPT

OFFICES, FUNCTIONS, AUTHORS = EXEMPT

_OFFICE = re.compile(
    r"\b(?:urz[ąę]d\w*|starostw\w+|ministerstw\w+|s[ąę]d(?:u|em|zie|y|ów)?\b|szko[łl]\w+|przychodni\w*|szpital\w*|ośrod\w+"
    r"|zakład\w*|spółk\w+|referat\w*|wydział\w*|biur\w+|oddział\w*|punkt\w*|sekretariat\w*|kancelari\w+|infolini\w+"
    r"|archiw\w+|bibliotek\w+|przedszkol\w+|muze\w+|inspektorat\w*|komend\w+|siedzib\w+)",
    re.IGNORECASE,
)
_PRIVATE = re.compile(r"\b(?:zam\.|zamieszk\w+|mieszka\w*|pan(?:a|u|em|i|ią)?\b|pesel|ur\.|urodz\w+)", re.IGNORECASE)
_SHARED_MAILBOX = re.compile(
    r"(?:biuro|sekretariat|kancelaria|kontakt|urzad|info|iod|bip|kadry|helpdesk|pomoc|poczta|office|contact)[\w.+-]*@"
)
_HOLDER = (
    r"burmistrz\w*|wójt\w*|prezydent\w*|starost\w+|marszał\w+|wojewod\w+|minist[er]\w*|sekretarz\w*|skarbni\w+|dyrektor\w*"
    r"|kierowni\w+|naczelni\w+|prezes\w*|rektor\w*|dziekan\w*|przewodnicząc\w+|radn(?:y|a|ego|ej|emu|ym|ą)\b|sędzi\w*"
    r"|komendant\w*|rzeczni\w+|inspektor\w* ochrony danych|poseł|posł\w+|senator\w*"
)
# "Burmistrz Miasta Lipowo Dolne Jan Nowak", "Jan Nowak, dyrektor": at most four words between, on one line.
_BEFORE = re.compile(rf"\b(?:{_HOLDER})(?:[ \u00a0]+[^\s,;|]+){{0,4}}[ \u00a0:–-]*$", re.IGNORECASE)
_AFTER = re.compile(rf"[ \u00a0]?[,–(-][ \u00a0]*(?:{_HOLDER})", re.IGNORECASE)
_WRITTEN_BY = re.compile(
    r"\b(?:autor\w*|oprac\w*|napisał\w*|redak\w+|red\.|tłum\w*|przekł\w+|fot\.)(?: i \w+)?[ \u00a0:]*$", re.IGNORECASE
)
_REACH = 100


def is_exempt(text: str, *, start: int, end: int, kind: str, exempt: Collection[str]) -> bool:
    """Whether the characters [start, end), found as `kind`, are of those that `exempt` (of EXEMPT) leaves alone."""
    before = text[max(0, start - _REACH) : start].rpartition("\n")[2]
    if kind == "person":
        holds = FUNCTIONS in exempt and bool(_BEFORE.search(before) or _AFTER.match(text, end))
        return holds or (AUTHORS in exempt and bool(_WRITTEN_BY.search(before)))
    if OFFICES not in exempt or kind not in ("address", "phone", "email"):
        return False
    if kind == "email" and _SHARED_MAILBOX.match(text, start):
        return True
    return bool(_OFFICE.search(before)) and not _PRIVATE.search(before)
