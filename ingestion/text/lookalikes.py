"""Characters that scanners, and people who hide a number, put in the place of others."""

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
