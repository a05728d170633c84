"""Which letters one gets, and the way out of all of them that every letter has."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from knowledgetree.letters.composing import user_who_stops
from knowledgetree.letters.models import LetterChoice
from knowledgetree.letters.sections import kinds_for
from knowledgetree.letters.writing import ensure_choice, letters_are_sent


class LetterForm(forms.Form):
    """For the kinds that this user may be told of."""

    rhythm = forms.ChoiceField(label=_("How often"), choices=LetterChoice.Rhythm.choices, widget=forms.RadioSelect)
    kinds = forms.MultipleChoiceField(label=_("What of"), required=False, widget=forms.CheckboxSelectMultiple)
    urgent_at_once = forms.BooleanField(label=_("At once what cannot wait"), required=False)

    def __init__(self, data: Any = None, *, user: User, choice: LetterChoice) -> None:
        offered = kinds_for(user)
        chosen = [kind.event.value for kind in offered if kind.event not in choice.declined]
        initial = {"rhythm": choice.rhythm, "kinds": chosen, "urgent_at_once": choice.urgent_at_once}
        super().__init__(data, initial=initial)
        self.are_sent = letters_are_sent()
        self.fields["kinds"].choices = [(kind.event.value, kind.event.label) for kind in offered]  # type: ignore[attr-defined]
        urgent = [str(kind.event.label) for kind in offered if kind.urgent]
        self.fields["urgent_at_once"].help_text = "; ".join(urgent)


def letter_form(user: User) -> LetterForm | None:
    """None for whom there are no letters: readers."""
    return LetterForm(user=user, choice=ensure_choice(user)) if kinds_for(user) else None


@require_POST
@login_required
def save_choice(request: HttpRequest) -> HttpResponse:
    """Letters are written in the language in which they were chosen."""
    user: User = request.user  # type: ignore[assignment]
    if not kinds_for(user):
        raise PermissionDenied
    choice = ensure_choice(user)
    form = LetterForm(request.POST, user=user, choice=choice)
    if form.is_valid():
        said = form.cleaned_data
        choice.rhythm, choice.urgent_at_once = said["rhythm"], said["urgent_at_once"]
        choice.declined = [kind.event for kind in kinds_for(user) if kind.event not in said["kinds"]]
        choice.language = get_language() or choice.language
        choice.save(update_fields=["rhythm", "urgent_at_once", "declined", "language"])
    return redirect(f"{reverse('chat:account')}?letters#letters")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def end_letters(request: HttpRequest, token: str) -> HttpResponse:
    """Ends the letters of whoever got the link, by POST alone: programs that look at links in letters end nothing.

    Mailboxes post it by themselves (RFC 8058), so there is neither a session nor a token of the form.
    """
    user = user_who_stops(token)
    stopped = bool(user) and request.method == "POST"
    if user and stopped:
        choice = ensure_choice(user)
        choice.rhythm, choice.urgent_at_once = LetterChoice.Rhythm.NEVER, False
        choice.save(update_fields=["rhythm", "urgent_at_once"])
    status = 200 if user else 404
    return render(request, "account/letters_stop.html", {"known": bool(user), "stopped": stopped}, status=status)
