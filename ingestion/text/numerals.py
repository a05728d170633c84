"""Numbers as Polish texts write them: "1 234,56", and in words, "dwa tysiące trzysta"."""

import re
from functools import cache

from ingestion.text.morphology.inflection import inflections

SPACES = " \u00a0\u202f"
GROUPED = rf"\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?!\d)"
"""A regular expression of "1 234" and "12 345 678"."""

_UNITS = "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście".split()
_UNITS += "czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście".split()
_TENS = "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt"
_HUNDREDS = "sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset"
_ENGLISH = "zero one two three four five six seven eight nine ten eleven twelve".split()
_BASES = {
    **{word: float(n) for n, word in enumerate(_UNITS)},
    **{word: 10.0 * n for n, word in enumerate(_TENS.split(), start=2)},
    **{word: 100.0 * n for n, word in enumerate(_HUNDREDS.split(), start=1)},
}
_IRREGULAR = {"pół": 0.5, "półtora": 1.5, "półtorej": 1.5, "twenty": 20.0, "thirty": 30.0}
_MULTIPLIERS = {"tysiąc": 1e3, "milion": 1e6, "miliard": 1e9}
SHORT_MULTIPLIERS = {"tys": 1e3, "mln": 1e6, "mld": 1e9, "thousand": 1e3, "million": 1e6, "billion": 1e9}

NUMERAL_WORDS = (
    r"jed(?:en|na|nego|nej)|dw(?:a|ie|u|óch|oje|ojga|oma)|trz(?:y|ech|ema)|troj(?:e|ga|giem)|czter(?:y|ech|ema)"
    r"|czwor(?:o|ga)|pię(?:ć|ciu|cioro)|sześ(?:ć|ciu)|sied(?:em|miu)|osiem|ośmiu|dziewię(?:ć|ciu)|dziesię(?:ć|ciu)"
    r"|\w+(?:naście|nastu|dzieścia|dzieści|dziestu|dziesiąt|dziesięciu|krotnie)|sto|stu|dwieście|\w+set|tysiąc\w*"
    r"|milion\w*|raz|one|two|three|four|five|six|seven|eight|nine"
)
"""A regular expression of words that say how many, where the value does not matter: also "dwoje" and "trzykrotnie"."""


@cache
def number_forms() -> dict[str, float]:
    """The value of every form of the numerals. The lemmatiser takes "pięć" for a form of "piąć", so it is not asked.

    "Ten" is none: it is "this" in Polish.
    """
    english = {word: float(n) for n, word in enumerate(_ENGLISH) if n > 1 and word != "ten"}
    return {form: value for word, value in _BASES.items() for form in inflections(word)} | _IRREGULAR | english


@cache
def multiplier_forms() -> dict[str, float]:
    """The value of every form of "tysiąc", "milion" and "miliard", and of their abbreviations."""
    return {form: value for word, value in _MULTIPLIERS.items() for form in inflections(word)} | SHORT_MULTIPLIERS


def read_digits(written: str) -> float:
    """The value of a number in Polish notation: "1.234,56" is 1234.56, "1.5" is 1.5."""
    plain = re.sub(r"\s", "", written)
    return float(plain.replace(".", "").replace(",", ".") if "," in plain else plain)
