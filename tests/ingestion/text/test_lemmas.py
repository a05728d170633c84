"""Forms that dictionaries take for a rare word belong to the likelier one."""

import pytest

from ingestion.text.analyser import analyser
from ingestion.text.morphology.lemmas import _likelier_words


@pytest.mark.parametrize(
    ("forms", "lemma"),
    [
        ("pliki pliku plików plik", "plik"),
        ("kody kodzie kodów", "kod"),
        ("działu dział działem", "dział"),
        ("stawek stawki stawka", "stawka"),
        ("gmin gminy gmina", "gmina"),
        ("warunki warunków warunek", "warunek"),
        ("środki środków środek", "środek"),
        ("telefonie telefonu telefon", "telefon"),
        ("stopień stopnia stopni", "stopień"),
        ("drogi drogą dróg droga", "droga"),
        ("pięć pięciu", "pięć"),
        ("przepadło przepadła przepaść", "przepaść"),
        ("padło padła padł", "paść"),
        ("dostało dostała dostać", "dostać"),
        ("lecę lecieć", "lecieć"),
        ("znajdę znaleźć", "znaleźć"),
        ("nowa nową nowej nowego nowy", "nowy"),
        ("pierwsza pierwszej pierwszy", "pierwszy"),
        ("danych dane danymi", "dane"),
        ("mienie mienia", "mienie"),
    ],
)  # fmt: skip
def test_all_forms_of_a_word_have_one_lemma(forms: str, lemma: str) -> None:
    assert {form: analyser().lemmatiser.lemma(form) for form in forms.split()} == dict.fromkeys(forms.split(), lemma)


@pytest.mark.parametrize(
    ("noun", "verb"),
    [("polecenie", "polecić"), ("zwolnienia", "zwolnić"), ("zleceń", "zlecić"), ("rozpatrzenie", "rozpatrzyć"),
     ("wyjaśnień", "wyjaśnić"), ("zniszczenie", "zniszczyć"), ("widzenie", "widzieć"), ("posiedzeń", "posiedzieć")],
)  # fmt: skip
def test_nouns_of_verbs_find_the_verb_that_they_are_made_of(noun: str, verb: str) -> None:
    assert analyser().lemmatiser.lemma(noun) == analyser().lemmatiser.lemma(verb) == verb


def test_words_that_are_told_apart_stay_apart() -> None:
    lemma = analyser().lemmatiser.lemma
    assert [lemma(form) for form in ("telefonii", "karać", "żółwie", "akta")] == ["telefonia", "karać", "żółw", "akta"]


def test_no_likelier_word_is_itself_a_rare_one_of_its_own() -> None:
    likelier = _likelier_words()
    assert all(rare not in others for rare, others in likelier.items())
    assert all(rare and all(others) for rare, others in likelier.items())
