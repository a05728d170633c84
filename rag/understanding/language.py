"""The language of a text, by its letters and function words, and which language to speak with who wrote it."""

import re

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ingestion.text.analyser import analyser
from ingestion.text.morphology.stop_words import ENGLISH, FOLDED_STOP_WORDS, GERMAN, POLISH

_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_RUSSIAN = re.compile(r"[ыэёъ]", re.IGNORECASE)
# Of words without a capital: "Where in Łódź can I park?" is not Polish.
_POLISH_WORD = re.compile(r"\b[a-z]*[ąćęłńśźż]\w*")
_CURRENCY = re.compile(r"\bzł\b")
_GERMAN_WORD = re.compile(r"\b\w*[äöüß]\w*", re.IGNORECASE)


def question_language(text: str, default: str = "pl") -> str:
    """ "pl", "en", "de", "uk" or "ru"; `default` where the words do not tell."""
    text = _CURRENCY.sub("", text)
    cyrillic = len(_CYRILLIC.findall(text))
    if cyrillic * 2 > sum(map(str.isalpha, text)):
        return "ru" if _RUSSIAN.search(text) else "uk"
    forms = [token.form for token in analyser().tokens(text)]
    weights = {
        "pl": _share(forms, POLISH, ENGLISH | GERMAN) + len(_POLISH_WORD.findall(text)),
        "en": _share(forms, ENGLISH, POLISH | GERMAN),
        "de": _share(forms, GERMAN, POLISH | ENGLISH | FOLDED_STOP_WORDS) + len(_GERMAN_WORD.findall(text)),
    }
    best = max(weights, key=lambda language: weights[language])
    if weights[best] > max(weight for language, weight in weights.items() if language != best):
        return best
    return "pl" if re.search("[ąćęłńóśźż]", text.lower()) else default


def _share(forms: list[str], own: frozenset[str], others: frozenset[str]) -> int:
    """How many of the words only this language has."""
    return sum(form in own and form not in others for form in forms)


def spoken_with(language: str) -> str:
    """The language of the sentences around an answer in `language`: the same, else that of the interface."""
    return language if language in dict(settings.LANGUAGES) else (get_language() or settings.LANGUAGE_CODE)


def question_in(language: str) -> str:
    """What to call a question in `language`, in the reader's."""
    return {
        "pl": _("Question in Polish"),
        "en": _("Question in English"),
        "de": _("Question in German"),
        "uk": _("Question in Ukrainian"),
        "ru": _("Question in Russian"),
    }.get(language, _("Question in another language"))
