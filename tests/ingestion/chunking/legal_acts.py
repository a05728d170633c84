"""A statute and a resolution, made up for the tests, and what is read in them."""

from collections.abc import Sequence

from ingestion.chunking.legal import LegalChunker
from ingestion.text.acts.statutes.units import StatuteUnit, read_units
from ingestion.types import ExtractedText

STATUTE = """# USTAWA

z dnia 1 maja 2020 r.

o ogrodach miejskich

Spis treści

Rozdział 1. Przepisy ogólne
Art. 1. Zakres ustawy
Rozdział 2. Kary

## Rozdział 1

Przepisy ogólne

Art. 1. 1. Ustawa określa:
1) zasady zakładania ogrodów;
2) tryb ich zamykania, o którym mowa w art.
7 ust. 1, w tym:
a) zamykanie na wniosek, o którym mowa w ust.
2,
b) zamykanie z urzędu:
– gdy grozi niebezpieczeństwo,
– gdy ogród jest pusty
– w terminie miesiąca;
3) opłaty
– jeżeli gmina je wprowadziła.
2. Organem właściwym jest burmistrz. Zgodnie z art.
12. Kodeksu nic więcej nie trzeba.
2a. Burmistrz działa w porozumieniu z radą.
©Kancelaria Sejmu s. 2/8
2024-05-10
3. Rada wydaje opinię.

Art. 1a. W ustawie z dnia 2 maja 1999 r. o parkach wprowadza się następujące zmiany:
1) art. 5 otrzymuje brzmienie:
„Art. 5. 1. Park jest otwarty.
2. Park zwany „miejskim” jest bezpłatny.”;
2) uchyla się art. 7.

## Rozdział 2

Kary

Art. 2¹. [Kara grzywny] § 1. Kto niszczy ogród, podlega grzywnie.
§ 2. Art. 5 § 3 Kodeksu wykroczeń stosuje się odpowiednio.
§ 2a. (uchylony)

Art. 3–5. (uchylone)

Art. 6. Ustawa wchodzi w życie po upływie 14 dni od dnia ogłoszenia.

Załącznik nr 1

WZÓR WNIOSKU

Imię i nazwisko wnioskodawcy oraz jego adres.
"""
RESOLUTION = """UCHWAŁA NR XII/34/2024
RADY GMINY

§ 1
Uchwala się regulamin targowiska, stanowiący załącznik do uchwały.

§ 2
Wykonanie uchwały powierza się wójtowi.

§ 3
Uchwała wchodzi w życie z dniem podjęcia.

Załącznik do uchwały Nr XII/34/2024

REGULAMIN TARGOWISKA

Rozdział I
Postanowienia ogólne

§ 1. 1. Targowisko jest czynne codziennie.
2. Na targowisku zabrania się:
1) handlu obnośnego,
2) palenia ognisk.

Rozdział II
Opłaty

§ 2. Opłatę pobiera inkasent:
a) gotówką albo
b) kartą.
"""


def citation_at(units: Sequence[StatuteUnit], position: int) -> str:
    """The narrowest unit that character `position` belongs to; "" before the first."""
    return next((unit.citation for unit in reversed(units) if unit.start <= position), "")


def cited(text: str, words: str) -> str:
    assert text.count(words) == 1
    return citation_at(read_units(text), text.index(words))


def split(text: str, *, chunk_size: int = 512, overlap: int = 0) -> list[tuple[tuple[str, ...], str]]:
    spans = LegalChunker(chunk_size=chunk_size, overlap=overlap).split(ExtractedText(text=text, extractor="test"))
    return [(span.heading_path, text[span.start : span.end]) for span in spans]
