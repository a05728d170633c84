"""What an amending act orders, with the words that it gives: each unit by itself."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingestion.text.acts.instructions import ChangeKind, Instruction, instructions_of
from ingestion.text.acts.quotations import quotation_end

_STEP = re.compile(r"(art\.|§|ust\.|pkt|lit\.)\s(.+?)(?=\s(?:art\.|§|ust\.|pkt|lit\.)\s|$)")
_WORDING = re.compile(r"[\s,]*(?:oraz\s+tytuł\s+)?(?:w\s+brzmieniu|brzmienie)?\s*:?\s*(?=[„\"“])")
_QUOTED = r"[„\"“]([^”\"“„]+)[”\"“]"
_REPLACED = re.compile(rf"(?:wyraz\w*|słow\w*|liczb\w*|kwot\w*)\s+{_QUOTED}\s+zastępuje\s+się\s+(?:\w+\s+)?{_QUOTED}")
_STRUCK = re.compile(rf"(?:skreśla|uchyla)\s+się\s+(?:wyraz\w*|słow\w*)\s+{_QUOTED}")
_ADDED = re.compile(
    rf"po\s+(?:wyraz\w*|słow\w*)\s+{_QUOTED}\s+dodaje\s+się\s+(przecinek\s+i\s+)?(?:wyraz\w*|słow\w*)\s+{_QUOTED}"
)
_UNCERTAIN = re.compile(
    r"użyt[ey]|różn\w+\s+(?:liczbie|przypadk)|w\s+odpowiedni\w+|zdani[ea]|tiret|średnik|kropk|oznacz"
)
_TURNED = re.compile(r"się\s+w\s")  # "skreśla się w pkt 13 lit. b": what is struck stands before or behind?
_LONGEST_SPAN = 200  # units that an order names as "1–200"
_LONGEST = 700  # characters of an order about words


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsChange:
    """`old` becomes `new`."""

    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Characters [start, end) of an amending act change the one `unit` ("§ 5 ust. 2") of another act.

    `wording` is the new text of the unit, `words` what changes in it; neither is there where the order does not say it
    plainly. What is not `is_plain` names its unit in an order that may be read in two ways.
    """

    unit: str
    change: ChangeKind
    start: int
    end: int
    wording: str = ""
    words: WordsChange | None = None
    is_plain: bool = True


def orders_of(text: str, key: str) -> Iterator[Order]:
    """What `text` orders about the act of the `key`, in order."""
    for one in instructions_of(text):
        if one.act.key == key:
            yield from _orders(text, one)


def single_units(unit: str) -> list[str]:
    """ "pkt 1, 4 i 6" one by one, "pkt 2–4" too; [] where it cannot be told."""
    steps = _STEP.findall(unit)
    if not steps:
        return []
    *above, (level, numbers) = steps
    if any(re.search(r"[\s,–-]", number) for _, number in above):
        return []
    prefix = "".join(f"{name} {number} " for name, number in above)
    return [f"{prefix}{level} {number}" for number in _numbers(numbers)]


def _orders(text: str, one: Instruction) -> Iterator[Order]:
    units = single_units(one.unit) or [one.unit]
    if one.change == "words":
        words, end = _words(text, one)
        for unit in units:
            yield Order(unit=unit, change=one.change, start=one.start, end=end, words=words)
        return
    wording, end = ("", one.end) if one.change == "repealed" else _wording(text, one.end)
    wordings = [wording] if len(units) == 1 else _split(wording, units)
    plain = not (one.change == "repealed" and _TURNED.search(text[one.start : end]))
    for unit, own in zip(units, wordings, strict=True):
        yield Order(unit=unit, change=one.change, start=one.start, end=end, wording=own, is_plain=plain)


def _wording(text: str, place: int) -> tuple[str, int]:
    """What stands in the quotation that follows, and where it ends; "" where none follows."""
    lead = _WORDING.match(text, place)
    if lead is None:
        return "", place
    end = quotation_end(text, lead.end())
    closing = re.search(r"[”\"“][.;,\s]*$", text[lead.end() : end])
    wording = text[lead.end() + 1 : lead.end() + closing.start()].strip() if closing else ""
    return ("" if wording.count('"') % 2 else wording), end  # with a mark left over it may end elsewhere


def _split(wording: str, units: Sequence[str]) -> list[str]:
    """The wording of several units, cut where each begins; empty ones where not all are found in their order."""
    places: list[int] = []
    for unit in units:
        level, number = map(re.escape, unit.rsplit(" ", 2)[-2:])
        signs = {r"art\.": rf"Art\.\s?{number}\.", "§": rf"§\s?{number}\.?", r"ust\.": rf"{number}\."}
        sign = signs.get(level, rf"{number}\)")
        found = re.compile(rf"(?:^|\s)({sign})\s").search(wording, places[-1] + 1 if places else 0)
        if found is None:
            return ["" for _ in units]
        places.append(found.start(1))
    ends = [*places[1:], len(wording)]
    begins = places[0] == 0
    return [wording[start:end].strip() if begins else "" for start, end in zip(places, ends, strict=True)]


def _words(text: str, one: Instruction) -> tuple[WordsChange | None, int]:
    part = text[one.start : one.start + _LONGEST]
    for pattern in (_REPLACED, _STRUCK, _ADDED):
        found = pattern.search(part)
        if found and found.start() <= one.end - one.start:
            end = one.start + found.end()
            if _UNCERTAIN.search(part[: found.end()]):
                return None, end
            if pattern is _REPLACED:
                return WordsChange(old=found[1], new=found[2]), end
            if pattern is _STRUCK:
                return WordsChange(old=found[1], new=""), end
            return WordsChange(old=found[1], new=f"{found[1]}{',' if found[2] else ''} {found[3]}"), end
    stop = re.search(r"[;\n]|\.\s", text[one.end : one.end + _LONGEST])
    return None, one.end + (stop.start() if stop else 0)


def _numbers(written: str) -> list[str]:
    found: list[str] = []
    for part in re.split(r",\s*|\s(?:i|oraz|lub)\s", written):
        span = re.fullmatch(r"(\d+)\s?[–-]\s?(\d+)", part.strip())
        lettered = re.fullmatch(r"(\d+)([a-z])\s?[–-]\s?\1([a-z])", part.strip())
        if span and int(span[2]) - int(span[1]) <= _LONGEST_SPAN:
            found += [str(number) for number in range(int(span[1]), int(span[2]) + 1)]
        elif lettered:
            found += [f"{lettered[1]}{chr(code)}" for code in range(ord(lettered[2]), ord(lettered[3]) + 1)]
        elif re.search(r"[–-]", part):
            return []
        else:
            found.append(part.strip())
    return found
