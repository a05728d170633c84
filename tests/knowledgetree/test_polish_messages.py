"""What an office would not write is written nowhere: not in our catalogues, nor in those of Django and unfold."""

import pytest
from django.utils.translation import gettext, ngettext, override
from django.utils.translation.trans_real import translation

WORN = [
    "został(a)", "(-ło)", "kolejne(go)", "(-nych)", "Administracja stroną", "Uwierzytelnienie i autoryzacja",
    "Prosimy poprawić", "W mocy w dniu", "Bez wyboru: przeszukujemy", "Jest zrozumiałe samo", "jest na miejscu 1",
    "Słowa są znajdowane", "to skany bez tekstu", "żadnego znanego rodzaju", "nie trzeba tu czekać",
    "czeka na proces roboczy", "który stamtąd zniknął", "Bierz tylko", "Wymaż bez śladu", "Tu trafiają oznaczenia",
    "odzywa się najpierw", "Zbiór wzorcowy",
]  # fmt: skip


@pytest.mark.parametrize("worn", WORN)
def test_no_message_says_it_as_before(worn: str) -> None:
    with override("pl"):
        seen = [said for said in map(gettext, _english()) if worn in said]
    assert seen == []


def _english() -> set[str]:
    return {key for part in translation("pl")._catalog._catalogs for key in part if isinstance(key, str) and key}


def test_django_speaks_as_an_office_does() -> None:
    with override("pl"):
        assert gettext("Authentication and Authorization") == "Konta i uprawnienia"
        changed = gettext("The {name} “{obj}” was changed successfully.")
        assert "(a)" not in changed
        assert ngettext("%(n)d document", "%(n)d documents", 2) == "%(n)d dokumenty"
