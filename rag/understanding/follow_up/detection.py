"""Whether a Polish question leans on the one before it, and on what in it one sees that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeGuard

from rag.understanding.follow_up.lexicon import (
    CONDITIONS,
    JOINING,
    MONTHS_AND_YEARS,
    OPENING,
    POSSESSIVE,
    PRONOUNS,
    SUCH,
    THERE,
    Agreement,
)
from rag.understanding.follow_up.phrases import noun_phrases
from rag.understanding.follow_up.tagged_words import Word, count_words, read_words

Leaning = Literal["fragment", "condition", "pronoun", "topicless", "subjectless"]

_LONGEST = 30  # words; who writes more says what it is about
_LONGEST_FRAGMENT = 8  # words
_COPULA = frozenset("jest są był była było były będzie będą za znaczy prawda możliwe ile to nie".split())
_IMPERSONAL = frozenset({"pred", "imps", "impt"})
_WITHOUT_SUBJECT = frozenset(
    "się sie kto co ile ilu należy wolno wystarczy chodzi doszło dochodzi grozi brakuje ,".split()
)
_FOR_A_NOUN = frozenset({"każdy", "żaden", "jeden", "sam", "wszystek", "inny", "niektóry", "większy"})
_SELF_CONTAINED = 3  # topical words before a pronoun: enough for it to mean one of them
_SHORT_CONDITION = 8  # words; a longer "jeśli ..." without "a" is the beginning of an examiner's sentence
_ABOUT = (("co", "z"), ("co", "ze"), ("jak", "z"), ("jak", "ze"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lean:
    """`word`: the pronoun, else "". `core` is the question without the words that only join it to the last one."""

    leaning: Leaning
    core: str
    word: str = ""
    agreement: Agreement = frozenset()


def lean_of(text: str) -> Lean | None:
    """None where `text` stands alone."""
    asked = text.rstrip(" ?!.…")
    if count_words(asked) > _LONGEST or text.rstrip().endswith(":"):  # examiners' sentences end with a colon
        return None
    core, opened = _without_opening(read_words(asked))
    if not core:
        return None
    rest = text[core[0].start :].strip()
    if core[0].form in CONDITIONS and (opened or len(core) <= _SHORT_CONDITION) and not _has_main_clause(core):
        return Lean(leaning="condition", core=rest)
    if _is_fragment(core, opened=opened):
        return Lean(leaning="fragment", core=rest)
    if pronoun := _unbound(core):
        agreement = PRONOUNS.get(pronoun.form, frozenset())
        return Lean(leaning="pronoun", core=rest, word=pronoun.text, agreement=agreement)
    if not any(_topical(core, place) for place in range(len(core))):
        return Lean(leaning="topicless", core=rest)
    if _lacks_subject(core):
        return Lean(leaning="subjectless", core=rest)
    return None


def _without_opening(words: Sequence[Word]) -> tuple[list[Word], bool]:
    """The words after "a", "i", "czyli", "a co z" ..., and whether there were any such."""
    rest = list(words)
    while rest and (rest[0].form in OPENING or rest[0].kind == "sign") and (len(rest) == 1 or rest[0].form != "to"):
        rest.pop(0)
    if len(rest) > 2 and tuple(word.form for word in rest[:2]) in _ABOUT and not _has_verb(rest):
        return rest[2:], True
    return rest, len(rest) < len(words)


def _has_verb(words: Sequence[Word]) -> bool:
    return any(word.kind == "verb" for word in words)


def _is_fragment(core: Sequence[Word], *, opened: bool) -> bool:
    """ "a po roku", "dla studentów": words without a verb; without "a" only those that begin with a preposition."""
    plain = [word for word in core if word.kind != "sign"]
    if _has_verb(core) or len(plain) > _LONGEST_FRAGMENT or any(word.kind in ("asking", "pointing") for word in core):
        return False
    nominal = any(word.kind in ("noun", "adjective", "numeral") for word in core)
    return nominal and (opened or (core[0].kind == "preposition" and len(plain) <= 4))


def _has_main_clause(core: Sequence[Word]) -> bool:
    commas = [place for place, word in enumerate(core) if word.text == ","]
    return any(_has_verb(core[comma:]) and core[comma + 1].kind in ("asking", "pointing", "verb") for comma in commas)


def _topical(core: Sequence[Word], place: int) -> bool:
    """An adjective counts beside its noun only: in "Czy może zostać odwołane?" it is what happens, not what to."""
    if core[place].kind != "adjective":
        return core[place].has_topic
    beside = [*core[max(place - 1, 0) : place], *core[place + 1 : place + 2]]
    return core[place].has_topic and any(word.kind in ("noun", "adjective") for word in beside)


def _unbound(core: Sequence[Word]) -> Word | None:
    """The first pronoun that refers to nothing in the question itself."""
    return next((core[n] for n in range(len(core)) if core[n].kind == "pointing" and _refers_back(core, n)), None)


def _refers_back(core: Sequence[Word], place: int) -> bool:
    word = core[place]
    following = core[place + 1] if place + 1 < len(core) else None
    if sum(_topical(core, n) for n in range(place)) >= _SELF_CONTAINED or (place and word.text[0].isupper()):
        return False
    if _explained(following) or (word.form == "je" and not any(w.kind == "verb" for w in core)):
        return False
    if word.form in PRONOUNS:
        return not _has_antecedent(core, place, possessive=word.form in POSSESSIVE and _is_nominal(following))
    if word.form in THERE:
        return not _earlier_clause(core, place)
    if word.form == "to" and not _is_neuter(core, place + 1):
        return _points_back(core, place)
    return _is_determiner_of_the_known(core, place)


def _is_neuter(core: Sequence[Word], place: int) -> bool:
    """Whether a neuter noun stands at `place`, perhaps after its adjective: "to nowe pismo"."""
    noun = next((word for word in core[place : place + 2] if word.kind != "adjective"), None)
    return noun is not None and noun.kind == "noun" and fits(noun, PRONOUNS["ono"])


def _explained(following: Word | None) -> bool:
    """ "ten, kto", "to, że", "tak samo", "takich jak": what follows says what is meant."""
    return following is not None and (following.text == "," or following.form in ("sam", "sama", "samo", "same", "jak"))


def _is_nominal(word: Word | None) -> TypeGuard[Word]:
    return word is not None and word.kind in ("noun", "adjective")


def _has_antecedent(core: Sequence[Word], place: int, *, possessive: bool) -> bool:
    """A noun that agrees, before the pronoun; what is no possessive cannot mean a noun of its own clause."""
    bounds = _bounds(core, place)
    last = place if possessive else max(bounds, default=0)
    return any(word.kind == "noun" and fits(word, PRONOUNS[core[place].form]) for word in core[:last])


def _bounds(core: Sequence[Word], place: int) -> list[int]:
    """Where clauses before `place` end."""
    return [n for n in range(place) if core[n].kind == "sign" or core[n].form in JOINING]


def fits(noun: Word, agreement: Agreement) -> bool:
    """Whether a pronoun of `agreement` may stand for `noun`; for a name that no dictionary has, any may."""
    return not noun.readings or any(
        (number, gender) in agreement for own in noun.readings for number in own.numbers for gender in own.genders
    )


def _earlier_clause(core: Sequence[Word], place: int) -> bool:
    bounds = _bounds(core, place)
    return bool(bounds) and _has_verb(core[: bounds[-1]])


def _points_back(core: Sequence[Word], place: int) -> bool:
    """Whether "to" stands for something: it is no copula ("co to jest", "X to Y") and no "jeśli ..., to"."""
    before = core[place - 1] if place else None
    following = core[place + 1] if place + 1 < len(core) else None
    topical = any(word.has_topic for word in core[place:])
    if (before is not None and (before.text == "," or before.kind in ("noun", "adjective"))) or _earlier_clause(
        core, place
    ):
        return False
    return not (topical and following is not None and (following.form in _COPULA or following.kind == "numeral"))


def _is_determiner_of_the_known(core: Sequence[Word], place: int) -> bool:
    """ "ten wniosek", unless it says which: "ten wniosek o urlop", "ten dokument, który"; nor "w tym roku"."""
    phrase = next((phrase for phrase in noun_phrases(core) if phrase.first == place + 1), None)
    if phrase is None:
        return not (place and core[place - 1].form in ("poza", "przy", "w")) and not _earlier_clause(core, place)
    named_before = any(word.lemmas & phrase.noun.lemmas for word in core[:place] if word.kind == "noun")
    if phrase.noun.lemmas & MONTHS_AND_YEARS or named_before:
        return False
    return not _is_specified(core, phrase.last, long=phrase.last - phrase.head > 1) or core[place].form in SUCH


def _is_specified(core: Sequence[Word], place: int, *, long: bool) -> bool:
    if long or place >= len(core):
        return long
    following = core[place]
    clause = following.text == "," and place + 1 < len(core) and core[place + 1].kind == "asking"
    return clause or (following.kind == "preposition" and following.form in ("o", "z", "ze", "na", "dla", "ws"))


def _lacks_subject(core: Sequence[Word]) -> bool:
    """Whether a verb in the third person has no noun that could be its subject: "Czy musi mieć pieczątkę?"."""
    verbs = [word for word in core if word.kind == "verb"]
    third = [own for word in verbs for own in word.readings if own.part in ("fin", "praet", "bedzie", "winien")]
    if not third or any("pri" in own.tag.split(":") or "sec" in own.tag.split(":") for own in third):
        return False
    if any(own.part in _IMPERSONAL for word in verbs for own in word.readings):
        return False
    if any(word.form in _WITHOUT_SUBJECT or (word.kind == "noun" and not word.readings) for word in core):
        return False
    number = frozenset(number for own in third for number in own.numbers)
    joined = any(word.form in JOINING for word in core[1:])
    return not any(_may_be_subject(core, place, number, joined=joined) for place in range(len(core)))


def _may_be_subject(core: Sequence[Word], place: int, number: frozenset[str], *, joined: bool) -> bool:
    word = core[place]
    if word.kind not in ("noun", "adjective", "numeral", "asking"):
        return False
    if word.kind == "adjective" and not word.lemmas & _FOR_A_NOUN:
        return False
    if word.kind == "asking" and not any(own.part == "adj" for own in word.readings):
        return False
    return word.kind == "numeral" or any(
        "nom" in own.cases and (joined or own.numbers & number) for own in word.readings
    )
