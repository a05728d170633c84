"""A collection about two plain subjects."""

from copy import deepcopy

import pytest

from ingestion.models import Collection, Document
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

LEAVE = {
    "urlop": "Pracownik składa wniosek o urlop wypoczynkowy do kierownika. "
    "Urlop wypoczynkowy trwa najwyżej 26 dni w roku.",
    "zaległy": "Zaległy urlop wypoczynkowy pracownik wykorzystuje do 30 września. "
    "Kierownik zatwierdza plan urlopów co rok.",
    "ślub": "Na własny ślub pracownik dostaje dwa dni urlopu okolicznościowego. "
    "Wniosek o urlop składa się u kierownika.",
}
WASTE = {
    "odpady": "Opłata za odpady komunalne wynosi 30 zł od mieszkańca. "
    "Pojemniki na odpady komunalne odbiera się co tydzień.",
    "bio": "Odpady zielone mieszkaniec oddaje w brązowych pojemnikach. "
    "Pojemniki na odpady opróżnia się od marca do listopada.",
    "gruz": "Gruz i odpady budowlane mieszkaniec wozi do punktu zbiórki. "
    "Za takie odpady komunalne nie ma opłaty do 1 tony.",
}


def fill(collection: Collection, index: AddDocument, *, turned: bool = False) -> dict[str, Document]:
    """`turned`: the last document first."""
    texts = list((LEAVE | WASTE).items())
    return {
        name: index(collection, f"{text}\n", name=f"{name}.txt", title=name.capitalize())
        for name, text in (reversed(texts) if turned else texts)
    }


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> dict[str, Document]:
    with kept_rows.writing():
        return fill(make_public(), index_text)


@pytest.fixture
def documents(kept_documents: dict[str, Document], db: None) -> dict[str, Document]:
    return deepcopy(kept_documents)
