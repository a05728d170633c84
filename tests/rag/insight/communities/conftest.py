"""A collection about two plain subjects."""

import pytest

from ingestion.models import Collection, Document
from tests.conftest import AddDocument

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


@pytest.fixture
def documents(public: Collection, index: AddDocument) -> dict[str, Document]:
    return fill(public, index)
