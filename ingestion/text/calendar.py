"""Months and days of the week as Polish, English and German texts name them."""

MONTHS = tuple(
    "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień".split()
)
MONTHS_OF_A_DAY = tuple(
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia".split()
)
"""As they stand after the number of a day: "12 marca"."""

ENGLISH_MONTHS = tuple("january february march april may june july august september october november december".split())
GERMAN_MONTHS = tuple("januar februar märz april mai juni juli august september oktober november dezember".split())
ROMAN_MONTHS = tuple("I II III IV V VI VII VIII IX X XI XII".split())
"""As in "12 III 2024"."""

MONTH_FORMS = (
    "stycze[nń]|styczni(?:a|u|em)", "lut(?:y|ego|emu|ym)", "marz(?:ec|ca)|marc(?:a|u|em|owi)",
    "kwie(?:cień|tni(?:a|u|em))",
    "maj(?:a|u|em|owi)?", "czerw(?:iec|c(?:a|u|em|owi))", "lip(?:iec|c(?:a|u|em|owi))", "sierp(?:ień|ni(?:a|u|em))",
    "wrze(?:sień|śni(?:a|u|em))", "październik(?:a|u|iem|owi)?", "listopad(?:a|zie|em|owi)?",
    "grud(?:zień|ni(?:a|u|em))",
)  # fmt: skip
"""Regular expressions of each Polish month in every case, and "styczen" typed without its accent."""

MONTH_STEMS = (
    "stycz|lut[yeo]|marz|marc|kwie|maj|czerw|lip|sierp|wrze|paźd|listop|grud|uary|april|may|june|july|august|ember|ober"
)
"""A regular expression that finds something in every text that names a month, and little else."""

WEEKDAYS = tuple("poniedziałek wtorek środa czwartek piątek sobota niedziela".split())
WEEKDAY_STEMS = "poniedział|wtor[ek]|śro?d[ay]|czwart(?:ek|k)|piąt(?:ek|k)|sobot|niedziel"
"""A regular expression of how the days of the week begin in any case."""
