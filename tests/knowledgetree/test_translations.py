"""The Polish catalogues are complete, and what is compiled is what is written."""

import gettext
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

CATALOGUES = [Path(folder) / "pl/LC_MESSAGES/django.po" for folder in settings.LOCALE_PATHS]


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-4])
def test_every_message_is_translated_in_all_its_plural_forms(path: Path) -> None:
    with path.open("rb") as file:
        catalogue = read_po(file, locale="pl")
    for message in catalogue:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert not message.id or (all(forms) and not message.fuzzy), message.id


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-4])
def test_the_compiled_catalogue_is_up_to_date(path: Path) -> None:
    with path.open("rb") as file:
        catalogue = read_po(file, locale="pl")
    with path.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in catalogue:
        if message.id and isinstance(message.id, str):
            expected = message.string
            got = compiled.pgettext(message.context, message.id) if message.context else compiled.gettext(message.id)
            assert got == expected
