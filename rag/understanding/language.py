"""The language a question is asked in, by its function words."""

from ingestion.text.analyser import analyser
from ingestion.text.morphology.stop_words import ENGLISH, POLISH


def question_language(text: str, default: str = "pl") -> str:
    """ "pl" or "en"; `default` where the words do not tell."""
    forms = [token.form for token in analyser().tokens(text)]
    polish = sum(form in POLISH and form not in ENGLISH for form in forms)
    english = sum(form in ENGLISH and form not in POLISH for form in forms)
    if any(letter in "ąćęłńóśźż" for letter in text.lower()) or polish > english:
        return "pl"
    return "en" if english > polish else default
