"""Names of people, in any case: given names and surnames of SGJP, titles before them, initials."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ingestion.text.names.person_words import PersonWord, person_word
from ingestion.text.sentences import ends_with_abbreviation

_UPPER = "A-ZĄĆĘŁŃÓŚŹŻÄÖÜÉÁČŠŽß"
_WORD = rf"[{_UPPER}](?:[^\W_]|[@€$|!](?=[^\W\d_]))+(?:[’'][^\W_]+)?"
_LATER = r"(?:[^\W_]|[@€$|!](?=[^\W\d_]))+(?:[’'][^\W_]+)?"  # a word without its capital
_REST = rf"(?:{_LATER}(?:[ ]?[-–‑][ ]?{_WORD}){{0,2}}|\.(?=[ \u00a0]?[{_UPPER}]))"
_NAME = re.compile(rf"[{_UPPER}]{_REST}")
# What stands before it is asked after the capital: a search goes from capital to capital then, five times as quick.
_ROW = re.compile(rf"[{_UPPER}](?<![\w@].)(?<![\w][./-].){_REST}(?:[ \u00a0]{{1,2}}{_NAME.pattern})*")
_TITLE = re.compile(
    r"(?:\b(?:[Pp]an(?:a|u|em|i|ią|ie)?|[Pp]aństw[oau]\w*|[Pp]\.|dr|prof\.|mgr|inż\.|hab\.|mec\.|adw\.|not\.|ks\."
    r"|lek\.|red\."
    r"|[Ss]ędzi\w{0,3}|[Ss]tarost\w+|[Nn]azwisk\w*:?|[Ii]mię:?|[Nn]azywa\w* się|[Pp]odpis\w*:)[ \u00a0]{1,2})$"
)
# After these a surname stands, however common the word is, but for posts: "pani Wójcik", "pan Nowak", "Pani Minister".
_ADDRESSED = re.compile(r"\b(?:[Pp]an(?:a|u|em|i|ią|ie)?|[Pp]aństw[oau]\w*)[ \u00a0]{1,2}$")
_POST = re.compile(
    r"(?:minist|dyrekt|prezes|prezydent|sędzi|burmistrz|wójt|starost|poseł|posł|senator|profesor|doktor|mecenas|kierowni"
    r"|naczelni|radn|marszał|premier|wojewod|sekretarz|skarbni|rektor|dziekan|komendant|inspektor|konsul|ambasador"
    r"|redaktor|przewodnicząc|notariusz|komornik|rzeczni|sołtys|bóg|bog|młod)"
)
# What is called after somebody is not a person: a street, a school, a saint.
_SAINT = r"[Śś]więt(?:y|ego|emu|ym|a|ej|ą)|Saint|San"
_CALLED_AFTER = re.compile(
    rf"\b(?:(?i:ul|al|pl|os|im|imienia|św)|ulic\w+|alej\w*|plac\w*|osiedl\w+|rond\w+|skwer\w*|szkoł\w+|pomnik\w*"
    rf"|kodeks\w*|metod\w+|twierdzeni\w+|praw\w+|[Ww]ysp\w*|{_SAINT})\.?[ \u00a0]{{0,2}}"
    r"(?:[a-ząćęłńóśźż]{2,4}\.[ ]?)?[„\"]?$"
)
_BEGINS_SAINT = re.compile(rf"(?:{_SAINT})$")
_GOES_ON = re.compile(  # a pope's number, the form of a firm
    r"[ \u00a0](?:[IVX]+\b|[Ss]\. ?[AaKk]\.|[Ss]p\. ?[zjkp]|s\. ?c\.|i (?:syn(?:owie)?|s-ka|wspólnicy|partnerzy)\b)"
)
# What says that a name comes, of a word that may be another too: "jestem Róża", "pacjent: Marek", "Maja, lat 8".
_INTRODUCED = re.compile(
    r"(?:\b(?:[Jj]estem|[Jj]ako|[Cc]ześć|[Hh]ej(?:ka)?|[Ww]ita(?:m|j)|[Pp]ozdrawia\w+|[Ee]j|[Tt]u|[Dd]rog[iaą]|[Ss]zanown\w+"
    r"|[Oo]czywiście|[Ss]łuchaj|[Dd]zięk\w+|[Kk]ochan\w+|brat\w*|siostr\w+|syn\w*|córk\w+|mąż|męż\w+|żon\w+|mam[aąęyo]"
    r"|tat[aąęyo]|babci\w*|dziad\w+|wnu\w+|sąsiad\w*|koleg\w+|koleżan\w+|kumpel\w*|[Kk]lient\w*|[Pp]acjent\w*"
    r"|[Pp]oszkodowan\w+|[Śś]wiad\w+|[Uu]czn\w+|[Uu]czeń|[Pp]racowni\w+|[Kk]ierow\w+|imi(?:ę|eniem)"
    r"|dla|od)[,:]?[ \u00a0])$"
)
_DESCRIBED = re.compile(
    r",? ?\(?(?:lat\b|[\w!|]{1,3} lat|wiek|PESEL|mężcz|kobiet|zam(?:\.|ieszk)|ur(?:\.|odz)|tel\b|z domu)"
)
_IN_A_PLACE = re.compile(r"\b(?:w|we|z|ze|do|na|pod|nad|koło|spod)[ \u00a0]$", re.IGNORECASE)
_SURELY_COUNTRIES = frozenset("Izrael Izraela Izraelowi Izraelem Izraelu Filipiny Filipin Filipinom Filipinami".split())
_COUNTRIES = _SURELY_COUNTRIES | frozenset("Dominika Dominiki Dominice Dominikę Dominiką".split())
# Two cells of figures at least: towns stand so in tables, "| Hanna | 2481 | 2428 |", and people hardly ever.
_FIGURES_FOLLOW = re.compile(r"(?: pow\. \w+)?[ ]?(?:\|[ ]?[\d–—-][\d ,.]*){2}\|")
_SURNAME_ENDING = re.compile(
    r"(?:sk|ck|dzk)(?:i|iego|iemu|im|a|iej|ą)$|(?:wicz|czyk|czak|czuk|niak|szczak)(?:a|owi|em|u)?$"
)
_ABBREVIATED = re.compile(r"\.[ \u00a0]?(?:\d|§)")  # "Art. 5"
_MONTH = re.compile(r"January[ \u00a0]\d")
_QUALIFIES = re.compile(r"[ \u00a0][a-ząćęłńóśźż]{3,}")  # "Wojewódzki sąd" is no Mr Wojewódzki
_FEMININE = re.compile(r"ska$|skiej$|ską$")  # "Polska" is a surname too
_LONGEST_NAME = 3  # given names before a surname, and the surname
_SENTENCE_ENDS = frozenset(".!?:;…|#*-–—•>\n")


class _Word(NamedTuple):
    """A capitalised word or an initial, the characters [start, end) of the text."""

    start: int
    end: int
    written: str
    read: PersonWord

    @property
    def is_initial(self) -> bool:
        return self.written.endswith(".")


def find_people(text: str) -> Iterator[tuple[int, int]]:
    """Characters [start, end) of each name, in order."""
    for row in _ROW.finditer(text):
        words = [
            _Word(match.start(), match.end(), match.group(), person_word(match.group()))
            for match in _NAME.finditer(text, *row.span())
        ]
        if any(word.read.is_given or word.read.is_surname for word in words):
            yield from _people(text, _without_beginning(text, words))


def _without_beginning(text: str, words: Sequence[_Word]) -> Sequence[_Word]:
    """The words of a row without one that only begins the sentence: "Jestem" before "Ewa". A cell is no sentence."""
    if len(words) != 2 or not words[0].read.is_no_name or not words[1].read.is_given:
        return words
    in_cell = text[max(0, words[0].start - 3) : words[0].start].rstrip().endswith("|")
    return words[1:] if not in_cell and _begins_sentence(text, words[0].start) else words


def _people(text: str, words: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    place = 0
    while place < len(words):
        count = _words_of_name(
            text, words[place : place + _LONGEST_NAME + 1], is_first=place == 0, is_alone=len(words) == 1
        )
        start, end = words[place].start, words[place + max(count, 1) - 1].end
        if count and not (_is_called_after(text, words[place]) or _GOES_ON.match(text, end)):
            yield start, end
        place += max(count, 1)


def _is_called_after(text: str, first: _Word) -> bool:
    return bool(_BEGINS_SAINT.match(first.written) or _CALLED_AFTER.search(text, max(0, first.start - 30), first.start))


def _words_of_name(text: str, words: Sequence[_Word], *, is_first: bool, is_alone: bool) -> int:
    """How many of the words, from the first on, name one person; 0 where none does."""
    first, second = words[0], words[1] if len(words) > 1 else None
    if first.is_initial:
        is_name = second and second.read.is_surname and not second.read.is_given
        return 2 if is_name and not _is_lettered(text, first, words[1]) else 0
    if second and second.read.is_unknown and first.written in _SURELY_COUNTRIES:
        return 0
    if first.read.is_given:
        given = next(
            (number for number, word in enumerate(words[:_LONGEST_NAME]) if not word.read.is_given), len(words)
        )
        given = min(given, _LONGEST_NAME)
        if given < len(words) and _may_be_surname(words[given]):
            return 0 if _is_town(text, first, words[given]) else given + 1
        if given > 1:
            return given
    if (
        first.read.is_surname
        and second
        and second.read.is_given
        and (_is_in_pairs(words) or not (first.read.is_common and _begins_sentence(text, first.start)))
    ):
        return 2
    if first.read.is_unknown and second and second.read.is_surely_surname and _SURNAME_ENDING.search(second.written):
        return 2
    return int(_is_person_alone(text, first, is_first=is_first, is_alone=is_alone))


def _is_in_pairs(words: Sequence[_Word]) -> bool:
    """Whether surnames come before given names: of "Laska Bożena Chylińska Ewa" Bożena is no Chylińska."""
    return len(words) > 3 and words[2].read.is_surname and words[3].read.is_given and not words[2].read.is_given


def _is_lettered(text: str, initial: _Word, word: _Word) -> bool:
    """Whether the letter counts ("F. Zysk", the sixth item) or stands for a city's rank ("M. Radom")."""
    counts = word.read.is_ordinary or (initial.written == "M." and word.read.is_place)
    return counts and _begins_sentence(text, initial.start)


def _may_be_surname(word: _Word) -> bool:
    """In capitals every word of a heading may be unknown: there its ending has to say so."""
    if word.read.is_unknown and word.written.isupper() and not word.is_initial:
        return bool(_SURNAME_ENDING.search(word.written.lower()))
    return word.read.may_be_surname


def _is_town(text: str, first: _Word, last: _Word) -> bool:
    """Whether both words name a town in a table of figures: "Lewin Brzeski"."""
    names = first.read.is_place and last.read.is_place and (last is first or last.read.is_adjective)
    return names and bool(_FIGURES_FOLLOW.match(text, last.end))


def _is_person_alone(text: str, word: _Word, *, is_first: bool, is_alone: bool) -> bool:
    """Whether one word names a person, by itself or by what stands around it."""
    if word.read.is_no_name or _ABBREVIATED.match(text, word.end) or _MONTH.match(text, word.start):
        return False
    if _is_town(text, word, word):
        return False
    if is_first and word.read.is_surname and _ADDRESSED.search(text, max(0, word.start - 12), word.start):
        return not _POST.match(word.written.lower())
    if is_first and _TITLE.search(text, max(0, word.start - 20), word.start):
        return word.read.is_given or not word.read.is_common
    if not is_alone or word.written.isupper():
        return False
    if _INTRODUCED.search(text, max(0, word.start - 20), word.start) or _DESCRIBED.match(text, word.end):
        return word.read.is_given or not word.read.is_common
    if word.read.is_place and _IN_A_PLACE.search(text, max(0, word.start - 6), word.start):
        return False
    if word.read.is_given and word.written not in _COUNTRIES:
        return not word.read.is_common or not (word.read.is_ordinary or _begins_sentence(text, word.start))
    if word.read.is_common or not word.read.is_surname or (word.read.is_place and _FEMININE.search(word.written)):
        return False
    if word.read.is_adjective and (_QUALIFIES.match(text, word.end) or _begins_sentence(text, word.start)):
        return False
    return bool(_SURNAME_ENDING.search(word.written))


def _begins_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 30) : start].rstrip(" \u00a0\t_\"„”«»'’([*")
    return not before or (before[-1] in _SENTENCE_ENDS and not ends_with_abbreviation(before))
