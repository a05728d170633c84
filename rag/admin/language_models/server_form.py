"""A server of language models as a form: the key goes in and never comes out."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from knowledgetree.credentials import origin_of
from knowledgetree.encryption import UndecipherableSecret, encrypt_secret, encrypted_anew
from rag.llm.configuration import CONNECTION, configured_names, llm_settings
from rag.models import LanguageModelServer

if TYPE_CHECKING:
    _Form = forms.ModelForm[LanguageModelServer]
else:
    _Form = forms.ModelForm

STEPS: dict[str, Any] = {
    "rewriting": gettext_lazy("Wording a follow-up question so that it stands alone"),
    "expansion": gettext_lazy("Other wordings of the question, and ordering passages"),
    "planning": gettext_lazy("Taking a composite question apart"),
    "tools": gettext_lazy("Research with tools, and searching the web"),
    "verification": gettext_lazy("Checking drafts and claims"),
    "judging": gettext_lazy("Judging answers when they are measured"),
    "summaries": gettext_lazy("Summarising groups of documents"),
}
"""Steps whose model may be chosen; the answer has a field of its own, and rules do the rest."""

_STEP = "step_"
_VARIABLES = {
    "api": ("LLM_API",),
    "key": ("LLM_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"),
    "base_url": ("LLM_BASE_URL", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"),
    "model": ("LLM_MODEL", "ANTHROPIC_MODEL", "OPENAI_MODEL"),
    "fast_model": ("LLM_FAST_MODEL", "ANTHROPIC_FAST_MODEL", "OPENAI_FAST_MODEL"),
}


class LanguageModelServerForm(_Form):
    key = forms.CharField(
        label=gettext_lazy("key"),
        required=False,
        strip=True,
        max_length=1000,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}, render_value=False),
    )
    forget_key = forms.BooleanField(label=gettext_lazy("remove the key"), required=False, widget=UnfoldBooleanWidget())

    class Meta:
        model = LanguageModelServer
        fields = ["name", "main", "api", "base_url", "model", "fast_model"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for step, label in STEPS.items():
            self.fields[_STEP + step] = forms.CharField(
                label=label, required=False, max_length=200, widget=UnfoldAdminTextInputWidget()
            )
            self.initial[_STEP + step] = self.instance.step_models.get(step, "")
        for field in self.fields.values():
            field.label = capfirst(str(field.label))
        self.fields["key"].help_text = self._about_key()
        if not self.instance.encrypted_key:
            del self.fields["forget_key"]
        if self.instance.main:
            self._close_what_the_environment_sets()

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise forms.ValidationError(_("A key has neither blanks nor other characters than those of ASCII."))
        return key

    def clean(self) -> dict[str, Any]:
        """A key stays with the server that it was entered for."""
        cleaned = super().clean() or self.cleaned_data
        kept = self.instance.encrypted_key and not cleaned.get("key") and not cleaned.get("forget_key")
        if kept and self._moved(cleaned):
            self.add_error("key", _("The stored key is for another server. Enter the key of this one, or remove it."))
        if not cleaned.get("main") and not any(cleaned.get(_STEP + step) for step in STEPS):
            self.add_error("main", _("A server that does not answer needs a model for at least one step."))
        return cleaned

    def save(self, commit: bool = True) -> LanguageModelServer:
        server = self.instance
        server.step_models = {step: model for step in STEPS if (model := self.cleaned_data[_STEP + step].strip())}
        if key := self.cleaned_data["key"]:
            server.encrypted_key, server.key_changed = encrypt_secret(key), timezone.now()
        elif self.cleaned_data.get("forget_key"):
            server.encrypted_key, server.key_changed = "", None
        elif server.encrypted_key:  # so that an earlier ENCRYPTION_KEY may go once every server was saved
            with suppress(UndecipherableSecret):
                server.encrypted_key = encrypted_anew(server.encrypted_key)
        return super().save(commit)

    def _moved(self, cleaned: dict[str, Any]) -> bool:
        before, after = self.initial.get("base_url", ""), cleaned.get("base_url", "")
        return origin_of(before) != origin_of(after) or self.initial.get("api") != cleaned.get("api")

    def _about_key(self) -> str:
        if not self.instance.encrypted_key:
            return _("Stored encrypted and never shown again. A server of your own may need none.")
        day = date_format(timezone.localtime(self.instance.key_changed), "j E Y") if self.instance.key_changed else "–"
        return _("A key is stored, since %(day)s; it is never shown. Empty: it stays.") % {"day": day}

    def _close_what_the_environment_sets(self) -> None:
        """Each such field says so, and by which variable."""
        closed = configured_names()
        llm = llm_settings()
        for name, variables in _VARIABLES.items():
            setting = "api_key" if name == "key" else name
            if setting not in closed:
                continue
            self.fields[name].disabled = True
            value = "" if name == "key" else str(getattr(llm, setting))
            self.fields[name].help_text = _closed_by(variables, value, together=setting in CONNECTION)


def _closed_by(variables: tuple[str, ...], value: str, *, together: bool) -> str:
    """Which variable it is, as far as one is set: settings may also be those of a program's file."""
    found = [name for name in variables if os.environ.get(name) or os.environ.get(f"{name}_FILE")]
    if found:
        said = _("Set by the environment variable %(name)s.") % {"name": found[0]}
    elif together:
        said = _("Goes with the connection that the environment or the settings set.")
    else:
        said = _("Set in the settings of the program.")
    return f"{said} " + (_("In force: %(value)s") % {"value": value} if value else "")
