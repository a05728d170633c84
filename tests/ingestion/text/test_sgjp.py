"""Morfeusz read past its own wrapper says what the wrapper says; a later Morfeusz that does not is seen here."""

import morfeusz2
import pytest

from ingestion.text.morphology.sgjp import Sgjp

FORMS = [
    "zamek", "Polska", "polska", "miałem", "żółwi", "rozliczony", "rozliczenie", "Anny", "Janowi", "NOSPR", "ZUS",
    "nieznanowicz", "e-faktura", "dwadzieścia", "by", "Kowalskiego", "Różą", "gdańskich", "123", "x", "ubezpieczeniom",
]  # fmt: skip


@pytest.fixture(scope="module")
def wrapped() -> morfeusz2.Morfeusz:
    return morfeusz2.Morfeusz(generate=False)


@pytest.mark.parametrize("form", FORMS)
def test_the_readings_are_those_of_the_wrapper(wrapped: morfeusz2.Morfeusz, form: str) -> None:
    analysed = wrapped.analyse(form)
    whole = len({(start, end) for start, end, _ in analysed}) == 1
    expected = [
        (base.split(":")[0], tag, tuple(names)) for _, _, (_, base, tag, names, _) in analysed if whole and tag != "ign"
    ]
    sgjp = Sgjp()
    assert [tuple(reading) for reading in sgjp.readings(form)] == expected
    assert [tuple(reading) for reading in sgjp.readings(form)] == expected, "by number, from memory"
