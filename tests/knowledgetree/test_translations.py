"""The Polish catalogues are complete: they have whatever code and templates say, and what is compiled is up to date."""

import gettext
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.conf import settings
from django.template import engines
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(settings.BASE_DIR)
CATALOGUES = [Path(folder) / "pl/LC_MESSAGES/django.po" for folder in settings.LOCALE_PATHS]
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
}


def said_in_code() -> Iterator[tuple[str, str]]:
    """(where, message) of everything that Python code has translated."""
    for package in ("knowledgetree", "ingestion", "rag"):
        for path in sorted((ROOT / package).rglob("*.py")):
            with path.open("rb") as file:
                for line, message, _, _ in extract("python", file, KEYWORDS):
                    singular = message[0] if isinstance(message, tuple) else message
                    yield f"{path.relative_to(ROOT)}:{line}", singular


def said_in_templates() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        name = str(path.relative_to(ROOT / "templates"))
        nodes = engines["django"].get_template(name).template.nodelist
        for node in nodes.get_nodes_by_type(TranslateNode):
            said = node.filter_expression.var
            if literal := said if isinstance(said, str) else said.literal:
                yield name, str(literal).replace("%", "%%")  # as Django looks it up
        for block in nodes.get_nodes_by_type(BlockTranslateNode):
            yield name, block.render_token_list(block.singular)[0]


def test_the_catalogue_has_every_message() -> None:
    known = set()
    for path in CATALOGUES:
        with path.open("rb") as file:
            known |= {one.id[0] if isinstance(one.id, tuple) else one.id for one in read_po(file, locale="pl")}
    said = [*said_in_code(), *said_in_templates()]
    assert len(said) > 1000
    assert [f"{where}: {message}" for where, message in said if message and message not in known] == []


def test_commands_are_named_as_a_checkout_and_an_installation_have_them() -> None:
    said = [*said_in_code(), *said_in_templates()]
    assert [f"{where}: {message}" for where, message in said if message and "manage.py" in message] == []


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
