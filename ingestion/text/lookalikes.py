"""Characters that scanners, and people who hide a number, put in the place of others."""

LIKE_DIGITS = str.maketrans(
    {
        **dict.fromkeys("OoQDΟО", "0"),
        **dict.fromkeys("lI|!iɪ", "1"),
        **dict.fromkeys("zZƻ", "2"),
        **dict.fromkeys("ЗзƷ", "3"),
        **dict.fromkeys("hAɥ", "4"),
        **dict.fromkeys("sS$", "5"),
        **dict.fromkeys("bGб", "6"),
        **dict.fromkeys("T", "7"),
        **dict.fromkeys("B&", "8"),
        **dict.fromkeys("gq", "9"),
        **dict.fromkeys("E€", "3"),
    }
)
"""One character for one, so that places stay: "0O1l" reads "0011"."""

LIKE_LETTERS = str.maketrans(
    {
        "0": "o",
        "1": "l",
        "|": "l",
        "!": "l",
        "3": "e",
        "€": "e",
        "4": "a",
        "@": "a",
        "5": "s",
        "$": "s",
        "6": "g",
        "8": "B",
        "ß": "B",
        "ɾ": "r",
        "ñ": "n",
        "þ": "p",
    }
)
"""One character for one: "Korcz@ka" reads "Korczaka"."""

DIGIT = r"[0-9OoQDlI|!izZhAsS$bGTB&gqE€]"
"""A digit or what looks like one, for regular expressions."""
