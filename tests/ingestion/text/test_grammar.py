import pytest

from ingestion.text.morphology.grammar import in_nominative, readings


def parts(form: str) -> set[str]:
    return {reading.part for reading in readings(form)}


def test_a_form_has_all_its_readings() -> None:
    assert parts("mam") >= {"fin", "subst"}
    assert {case for own in readings("umowy") for case in own.cases} >= {"gen", "nom", "acc"}
    assert {own.lemma for own in readings("latach")} == {"rok", "lato"}


def test_a_word_that_is_taken_apart_is_read_by_its_first_part() -> None:
    assert parts("otrzymałem") == {"praet"}


def test_a_word_typed_without_diacritics_is_read_with_them() -> None:
    assert {own.lemma for own in readings("przysluguje")} == {"przysługiwać"}
    assert {own.lemma for own in readings("wlaczyc")} == {"włączyć"}


@pytest.mark.parametrize("unknown", ["KSeF", "xqzv", "Fxplorn"])
def test_a_word_of_no_dictionary_has_no_reading(unknown: str) -> None:
    assert readings(unknown) == ()


def test_an_adjective_agrees_with_its_noun() -> None:
    assert any(a.agrees(n) for a in readings("bezpłatnego") for n in readings("urlopu"))
    assert not any(a.agrees(n) for a in readings("bezpłatną") for n in readings("urlopu"))


@pytest.mark.parametrize(
    ("form", "part", "nominative"),
    [
        ("urlopu", "subst", "urlop"),
        ("skargę", "subst", "skarga"),
        ("wypoczynkowego", "adj", "wypoczynkowy"),
        ("wykonaniu", "ger", "wykonanie"),
        ("latach", "subst", "lata"),
        ("paszport", "subst", "paszport"),
    ],
)
def test_a_word_is_put_into_the_nominative_of_its_number(form: str, part: str, nominative: str) -> None:
    genders = {"m3", "m1", "f", "n"}
    reading = next(own for own in readings(form) if own.part == part and own.genders & genders)
    assert in_nominative(form, reading) == nominative
