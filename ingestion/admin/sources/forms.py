"""The settings of a source as plain fields, checked before anything is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from ingestion.models import Source
from ingestion.services.sources import is_settled, keep_secret, source_troubles
from ingestion.services.syncing.connecting import KEY, place_of
from ingestion.sources import FeedFields
from ingestion.sources.connectors import KINDS, Setting, server_of
from knowledgetree.conf import rag_settings

if TYPE_CHECKING:
    _Form = forms.ModelForm[Source]
else:
    _Form = forms.ModelForm

_MAX_PATTERN = 300
_SETTING = "connection_"
SETTINGS = {f"{_SETTING}{setting.name}": setting for kind in KINDS.values() for setting in kind.settings}
"""Of all kinds of connectors; what two kinds have in common stands once."""


def kinds_with(setting: Setting) -> list[str]:
    return [name for name, kind in KINDS.items() if any(one.name == setting.name for one in kind.settings)]


def settings_about(subject: str) -> list[str]:
    """The names of their fields."""
    return [name for name, setting in SETTINGS.items() if setting.about == subject]


FEED_CHOICES = ("complete", "full_text", "attachments")
FEED_FIELDS = {f"feed_{name}": name for name in asdict(FeedFields())}


def _hinted(words: Any, hints: Mapping[str, Any]) -> str:
    """With the hint for the kind that is chosen in the form, `kind`, which its other fields go by too
    (`conditional_fields`).
    """
    shown = format_html_join("", "<span x-cloak x-show=\"kind == '{}'\"> {}</span>", hints.items())
    return format_html("{}{}", words, shown)


class LinesField(forms.CharField):
    """A list of texts, one a line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(super().has_changed(self.prepare_value(initial), data))

    def clean(self, value: Any) -> list[str]:
        lines = [line.strip() for line in super().clean(value).splitlines() if line.strip()]
        if any(len(line) > _MAX_PATTERN for line in lines):
            raise forms.ValidationError(_("A pattern has at most %(n)d characters.") % {"n": _MAX_PATTERN})
        return lines


def _feed_field(label: Any, **options: Any) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=100, widget=UnfoldAdminTextInputWidget(), **options)


class SourceForm(_Form):
    include = LinesField(
        label=gettext_lazy("take only"),
        help_text=gettext_lazy("Patterns of paths, one a line; * stands for anything: *.pdf, */law/*. Empty: all."),
    )
    exclude = LinesField(
        label=gettext_lazy("leave out"),
        help_text=gettext_lazy("Patterns too. A document that they leave out later counts as gone."),
    )
    tags = SimpleArrayField(
        forms.CharField(max_length=60), label=gettext_lazy("tags"), required=False,
        help_text=gettext_lazy("Separated by commas."), widget=UnfoldAdminTextInputWidget,
    )  # fmt: skip
    feed_key = forms.ChoiceField(
        label=gettext_lazy("key"), required=False, widget=UnfoldAdminSelectWidget(),
        help_text=gettext_lazy("Sent with each request to its own server alone. Administrators set keys (FEED_KEYS)."),
    )  # fmt: skip
    feed_items = _feed_field(
        gettext_lazy("where the list is"),
        help_text=gettext_lazy("Keys with dots, such as data.items. Empty: the whole reply is the list."),
    )
    feed_id = _feed_field(gettext_lazy("number of an entry"))
    feed_url = _feed_field(gettext_lazy("address of an entry"))
    feed_title = _feed_field(gettext_lazy("title of an entry"))
    feed_html = _feed_field(gettext_lazy("content as HTML"))
    feed_text = _feed_field(gettext_lazy("content as text"))
    feed_modified = _feed_field(gettext_lazy("time of the last change"))
    feed_next = _feed_field(gettext_lazy("address of the next page"))
    feed_complete = forms.BooleanField(
        label=gettext_lazy("the feed lists everything"), required=False, widget=UnfoldBooleanWidget(),
        help_text=gettext_lazy("What it does not list any more is gone; otherwise old entries stay."),
    )  # fmt: skip

    feed_full_text = forms.BooleanField(
        label=gettext_lazy("read the page of each entry"), required=False, widget=UnfoldBooleanWidget(),
        help_text=gettext_lazy("Where the feed has only the beginning. Read again when the entry changes."),
    )  # fmt: skip
    feed_attachments = forms.BooleanField(
        label=gettext_lazy("take what is attached to entries"), required=False, widget=UnfoldBooleanWidget(),
        help_text=gettext_lazy("Documents that entries have as enclosures; each is a document of its own."),
    )  # fmt: skip

    networks = LinesField(
        label=gettext_lazy("private networks"),
        help_text=gettext_lazy(
            "Administrators alone set them: where this source may be besides the public Internet, one a line, such as "
            "10.1.2.0/24. There any port may be used."
        ),
    )
    secret_key = forms.ChoiceField(
        label=gettext_lazy("secret of the server"), required=False, widget=UnfoldAdminSelectWidget(),
        help_text=gettext_lazy("Administrators set them in the environment (SOURCE_SECRETS), each for one server."),
    )  # fmt: skip
    secret = forms.CharField(
        label=gettext_lazy("password or key"), required=False, strip=False, max_length=10_000,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}, render_value=False),
    )  # fmt: skip
    forget_secret = forms.BooleanField(
        label=gettext_lazy("remove the stored one"), required=False, widget=UnfoldBooleanWidget()
    )

    class Meta:
        model = Source
        fields = [
            "name", "collection", "kind", "location", "include", "exclude", "max_pages", "max_depth", "delay",
            "obey_robots", "category", "tags", "language", "mirror_rights", "gone_policy", "networks", "rhythm",
            "schedule",
        ]  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.label = capfirst(str(field.label))
        if rhythm := self.fields.get("rhythm"):  # who may only look gets no fields
            rhythm.choices = [("", _("by hand")), *Source.Rhythm.choices]  # type: ignore[attr-defined]
        options = self.instance.options
        paths = {**asdict(FeedFields()), **options.get("fields", {})}
        for name, path in FEED_FIELDS.items():
            self.initial.setdefault(name, paths[path])
        for name in FEED_CHOICES:
            self.initial.setdefault(f"feed_{name}", options.get(name, False))
        for name, setting in SETTINGS.items():
            self.initial.setdefault(name, options.get(setting.name, ""))
        self._offer_keys("feed_key", rag_settings().ingestion.feed_keys)
        self._offer_keys("secret_key", rag_settings().ingestion.source_secrets)
        if secret := self.fields.get("secret"):
            secret.help_text = self._about_secret()
        if location := self.fields.get("location"):
            examples = {name: _("Such as %(place)s") % {"place": kind.example} for name, kind in KINDS.items()}
            location.help_text = _hinted(location.help_text, examples)
        if "location" in self.fields and is_settled(self.instance):
            self._fix("collection", "kind", "location")

    def _offer_keys(self, name: str, known: Iterable[str]) -> None:
        """Those of the settings, and the chosen one, which may be there no more: cleaning says so."""
        chosen = self.instance.options.get("key", "")
        keys = sorted({*known, *([chosen] if chosen else [])})
        if field := self.fields.get(name):
            field.choices = [("", _("none")), *((key, key) for key in keys)]  # type: ignore[attr-defined]
        self.initial.setdefault(name, chosen)

    def _about_secret(self) -> str:
        if not self.instance.encrypted_secret:
            hints = {name: kind.secret_help for name, kind in KINDS.items() if kind.secret_help}
            return _hinted(_("Stored encrypted and never shown again."), hints)
        changed = self.instance.secret_changed
        day = date_format(timezone.localtime(changed), "j E Y") if changed else "–"
        return _("One is stored, since %(day)s; it is never shown. Empty: it stays.") % {"day": day}

    def _fix(self, *names: str) -> None:
        """Documents hang on these: another place is another source."""
        for name in names:
            self.fields[name].disabled = True
        self.fields["location"].help_text = _("Documents came from here already. For another place add a new source.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cleaned["location"] = (cleaned.get("location") or "").strip()
        wanted = self._wanted(cleaned)
        for name, trouble in source_troubles(wanted, new_place=self._is_elsewhere(wanted)).items():
            self._say_trouble(wanted.kind, name, trouble, cleaned)
        if wanted.kind in KINDS and not self.errors:
            self._clean_place(wanted, cleaned)
        self.instance.options = wanted.options
        return cleaned

    def save(self, commit: bool = True) -> Source:
        secret = self.cleaned_data.get("secret", "").strip()
        if self.instance.kind not in KINDS or self.cleaned_data.get("forget_secret"):
            keep_secret(self.instance, "")
        if self.instance.kind in KINDS and secret:
            keep_secret(self.instance, secret)
        return super().save(commit)

    def _wanted(self, cleaned: dict[str, Any]) -> Source:
        kind = cleaned.get("kind", "")
        networks = cleaned.get("networks", self.instance.networks)
        return Source(
            kind=kind,
            location=cleaned["location"],
            rhythm=cleaned.get("rhythm", ""),
            schedule=cleaned.get("schedule", ""),
            networks=networks,
            options=self._options(kind, cleaned),
        )

    def _is_elsewhere(self, wanted: Source) -> bool:
        connected = wanted.kind in KINDS and (wanted.options, wanted.networks) != (
            self.instance.options, self.instance.networks,
        )  # fmt: skip
        return "location" in self.changed_data or connected

    def _say_trouble(self, kind: str, name: str, trouble: str, cleaned: dict[str, Any]) -> None:
        own = {"key": "secret_key" if kind in KINDS else "feed_key"}
        field = own.get(name, name if name in self.fields else f"{_SETTING}{name}")
        if field in cleaned:
            self.add_error(field, trouble)

    def _clean_place(self, wanted: Source, cleaned: dict[str, Any]) -> None:
        """Networks and secrets are for the server that they were entered for."""
        before, after = (server_of(one.kind, place_of(one)) if one.kind in KINDS else "" for one in (self._now, wanted))
        if before == after or not self._now.pk:
            return
        if wanted.networks and "networks" not in self.changed_data:
            self.add_error("location", _("An administrator allowed the private networks for another server."))
        if self._now.encrypted_secret and not cleaned.get("secret") and not cleaned.get("forget_secret"):
            self.add_error("secret", _("The stored one is for another server. Enter that of this one, or remove it."))

    @cached_property
    def _now(self) -> Source:
        """The source as it is kept; a form writes into its instance."""
        return Source.objects.filter(pk=self.instance.pk).first() or Source()

    def _options(self, kind: str, cleaned: dict[str, Any]) -> dict[str, Any]:
        if kind == Source.Kind.FEED:
            fields = {path: cleaned.get(field, "").strip() for field, path in FEED_FIELDS.items()}
            return {
                "fields": fields,
                **{name: cleaned.get(f"feed_{name}", False) for name in FEED_CHOICES},
                "key": cleaned.get("feed_key", ""),
            }
        if kind in KINDS:
            names = [setting.name for setting in KINDS[kind].settings]
            settings = {name: (cleaned.get(f"{_SETTING}{name}") or "").strip() for name in names}
            return {**settings, KEY: cleaned.get("secret_key", "")}
        return {}


def _setting_field(setting: Setting) -> forms.Field:
    label: Any = setting.label
    help_text: Any = setting.help
    if setting.choices:
        return forms.ChoiceField(
            label=label, help_text=help_text, required=False, choices=setting.choices, widget=UnfoldAdminSelectWidget()
        )
    return forms.CharField(
        label=label,
        help_text=help_text,
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextInputWidget(),
    )


# Here, so that the admin finds them under their names when it makes its own form of this one.
SourceForm.declared_fields |= {name: _setting_field(setting) for name, setting in SETTINGS.items()}
