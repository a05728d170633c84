"""With whom one speaks: the assistant, the collections it searches, and the preset that follows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from rag.errors import UnknownAssistant, UnknownPreset
from rag.models import Assistant
from rag.presets import Preset, known_names
from rag.presets import preset as preset_called
from rag.selectors import offered_assistants


def assistant_called(slug: str, viewer: Viewer) -> Assistant | None:
    """None for the empty name, which is the default assistant.

    Raises UnknownAssistant, alike for one that is not there and one that is not for this viewer.
    """
    if not slug:
        return None
    found = offered_assistants(viewer).filter(slug=slug).first()
    if found is None:
        raise UnknownAssistant(_("There is no assistant %(name)s.") % {"name": slug})
    return found


def assistant_preset(assistant: Assistant) -> Preset:
    """The one that an assistant answers with, its own parts replaced.

    Raises ImproperlyConfigured where the preset has gone from the settings since, and for parts that do not fit.
    """
    return preset_called(assistant.preset_name, assistant.parts)


def assistant_troubles(*, preset_name: str, parts: Any) -> dict[str, str]:
    """What is wrong with how an assistant shall answer, by field, "" for the whole; {} where nothing is."""
    if not isinstance(parts, dict):
        return {"parts": _("Write an object: {…}.")}
    try:
        assistant_preset(Assistant(preset_name=preset_name, parts=parts))
    except ImproperlyConfigured as error:
        return {"": str(error)}
    return {}


@transaction.atomic
def save_assistant(*, assistant: Assistant, collections: Iterable[Collection] | None = None) -> Assistant:
    """Keep it. `collections` None: those that it has."""
    assistant.save()
    if collections is not None:
        assistant.collections.set(collections)
    return assistant


def chosen_preset(
    name: str,
    *,
    assistant: Assistant | None,
    collections: Sequence[Collection],
    parts: Mapping[str, Any] | None = None,
) -> Preset:
    """The preset called `name`; else the assistant's; else that of the only collection searched; else the default.

    `parts` replace single ones of it, but not the model, which costs money. Raises UnknownPreset for a name that was
    asked for, and for parts that do not fit.
    """
    if name and name not in known_names():
        raise UnknownPreset(
            _("There is no preset %(name)s.") % {"name": name},
            remedy=_("Known presets: %(names)s.") % {"names": ", ".join(known_names())},
        )
    own = dict(parts or {})
    if "model" in own:
        raise UnknownPreset(_("The model is the administrator's choice."), remedy=_("Leave out the part “model”."))
    if not name and assistant:
        name, own = assistant.preset_name, {**assistant.parts, **own}
    elif not name and len(collections) == 1:
        name = collections[0].preset
    try:
        return preset_called(name, own)
    except ImproperlyConfigured as error:
        if not parts:
            raise
        raise UnknownPreset(str(error)) from error
