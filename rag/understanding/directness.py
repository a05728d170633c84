"""Self-RAG's first decision: what is answered without looking anything up (Asai et al. 2023, arXiv:2310.11511).

Only what is nothing else: greetings, thanks, sums, the date, the conversation itself. All other text is a question.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.utils import timezone, translation
from django.utils.formats import date_format, time_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ingestion.text.diacritics import fold
from rag.question import Turn
from rag.understanding.arithmetic import CalculationError, evaluate, spoken, written
from rag.understanding.courtesy import courtesy, without_greeting

Kind = Literal["greeting", "thanks", "goodbye", "about", "arithmetic", "date", "conversation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Direct:
    """The whole answer, without citations."""

    text: str
    kind: Kind


_TODAY = r"(?:dzis(?:iaj)?|teraz|obecnie)"
_DATE = re.compile(
    rf"jaki (?:jest |mamy |to )?(?:{_TODAY} )?(?:jest |mamy )?dzien(?: tygodnia)?(?: jest| mamy)?(?: {_TODAY})?"
    rf"|jak(?:a|i) (?:jest |mamy )?(?:{_TODAY} )?(?:jest |mamy )?(?:dzisiejsza )?(?:data|miesiac|rok)(?: {_TODAY})?"
    rf"|ktor(?:y|ego) (?:jest |mamy )?{_TODAY}(?: jest| mamy)?|(?:podaj )?dzisiejsz[ae] dat[ea]"
    r"|what (?:day|date) is (?:it|today)(?: today)?|whats? (?:is )?(?:the |todays )date(?: today)?|todays date"
)
_TIME = re.compile(r"ktora (?:jest |mamy )?(?:teraz )?godzina|what time is it(?: now)?|whats? (?:is )?the time")
_ABOUT = re.compile(
    r"(?:pomoc|help|kim (?:ty )?jestes|kto ty jestes|czym (?:ty )?jestes"
    r"|co (?:ty )?(?:potrafisz|umiesz)(?: robic| zrobic)?"
    r"|jak (?:sie nazywasz|masz na imie|dzialasz)|(?:w czym|jak) mozesz (?:mi )?pomoc|do czego sluzysz"
    r"|co mozesz (?:dla mnie )?zrobic|o co (?:moge|mozna) (?:cie )?(?:za)?pytac"
    r"|czy (?:ty )?jestes (?:botem|czlowiekiem|robotem|prawdziwy|ai|sztuczna inteligencja)"
    r"|who are you|what are you|what can you do(?: for me)?|how can you help(?: me)?|what can i ask(?: you)?"
    r"|are you (?:a bot|a robot|a human|human|an ai|real)|what(?: is|s) your name)"
)
_BEFORE = r"(?: przed chwila| ostatnio| wczesniej| poprzednio| teraz)?"
_LAST_QUESTION = re.compile(
    rf"(?:o co|co) (?:ja )?(?:cie |ciebie )?(?:za)?pytal[ea]m(?: cie)?{_BEFORE}"
    r"|(?:jakie|ktore) bylo (?:moje |to )?(?:ostatnie|poprzednie) (?:moje )?pytanie"
    r"|what did i (?:just )?ask(?: you)?(?: before| just now)?|what was my (?:last|previous) question"
)
_FIRST_QUESTION = re.compile(
    r"(?:o co|co) (?:ja )?(?:cie )?(?:za)?pytal[ea]m (?:cie )?(?:na poczatku|najpierw|jako pierwsze)"
    r"|(?:jakie|ktore) bylo (?:moje )?pierwsze (?:moje )?pytanie"
    r"|what did i ask (?:you )?first|what was my first question"
)
_REPEAT = re.compile(
    r"(?:prosze )?(?:powtorz|powtorzysz|mozesz powtorzyc|czy mozesz powtorzyc)(?: prosze)?(?: to)?"
    r"(?: swoja| te| ostatnia| poprzednia)?(?: odpowiedz)?(?: jeszcze raz)?(?: prosze)?"
    rf"|co (?:mi )?(?:odpowiedzial[ea]s|powiedzial[ea]s|odpisal[ea]s){_BEFORE}"
    r"|(?:please )?(?:repeat|say)(?: that| it| your(?: last)? answer| the answer)?(?: again)?(?: please)?"
    r"|(?:can|could) you (?:please )?repeat (?:that|it|your answer|the answer)(?: please)?|what did you (?:just )?say"
)
_OTHER_THAN_WORDS = re.compile(r"[^\w\s]+")


def without_retrieval(question: str, history: Sequence[Turn], *, language: str) -> Direct | None:
    """What to answer at once, in `language`; None where `question` is to be looked up.

    A question behind a greeting is one to be looked up: `without_greeting` says which.
    """
    with translation.override(language):
        if kind := courtesy(question):
            return Direct(text=_courteous(kind), kind=kind)
        text = without_greeting(question)
        if expression := spoken(text):
            return Direct(text=_computed(expression, language), kind="arithmetic")
        plain = " ".join(_OTHER_THAN_WORDS.sub(" ", re.sub(r"['’]", "", fold(text).lower())).split())
        return _about_itself(plain) or _of_the_conversation(plain, history)


def _courteous(kind: Literal["greeting", "thanks", "goodbye"]) -> str:
    return {
        "greeting": _("Hello! What would you like to know?"),
        "thanks": _("You are welcome. If you have another question, just ask."),
        "goodbye": _("Goodbye!"),
    }[kind]


def _computed(expression: str, language: str) -> str:
    try:
        return f"{expression} = {written(evaluate(expression), language)}"
    except CalculationError as error:
        return f"{error.message} {error.remedy}"


def _about_itself(plain: str) -> Direct | None:
    now = timezone.localtime()
    if _DATE.fullmatch(plain):
        words = {"weekday": _weekday(now), "date": date_format(now, "j E Y")}
        return Direct(text=_("Today is %(weekday)s, %(date)s.") % words, kind="date")
    if _TIME.fullmatch(plain):
        return Direct(text=_("It is %(time)s.") % {"time": time_format(now, "H:i")}, kind="date")
    if _ABOUT.fullmatch(plain):
        return Direct(
            text=_(
                "I am a program that answers questions from this knowledge base. I look for passages in the documents "
                "that you may read and show with each statement where it stands. I know nothing besides these "
                "documents, and I can be wrong: check what matters in the source."
            ),
            kind="about",
        )
    return None


def _weekday(now: datetime) -> str:
    name = date_format(now, "l")
    return name if get_language() == "en" else name.lower()


def _of_the_conversation(plain: str, history: Sequence[Turn]) -> Direct | None:
    first, last, repeat = (
        pattern.fullmatch(plain) is not None for pattern in (_FIRST_QUESTION, _LAST_QUESTION, _REPEAT)
    )
    if not (first or last or repeat):
        return None
    if not history:
        return Direct(text=_("You have not asked anything in this conversation yet."), kind="conversation")
    if repeat:
        # Not said again: rights may have changed since, and a copy has no sources by which they could be checked.
        return Direct(text=_("My last answer stands above, with its sources."), kind="conversation")
    asked = history[0 if first else -1].question
    return Direct(text=_("You asked: “%(question)s”") % {"question": asked}, kind="conversation")
