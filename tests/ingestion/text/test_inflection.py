import pytest

from ingestion.text.morphology.inflection import inflections
from ingestion.text.phrases import is_negated, is_set_phrase, phrase_of


def test_a_lemma_has_its_forms_also_where_the_stem_changes() -> None:
    assert {"człowiek", "człowieka", "ludzie", "ludziom"} <= inflections("człowiek")
    assert {"wniosek", "wniosku", "wnioskami"} <= inflections("wniosek")


@pytest.mark.parametrize("lemma", ["xyzabc", "a:s", "2024", "księga_ezdrasza"])
def test_a_word_that_the_dictionary_lacks_is_its_only_form(lemma: str) -> None:
    assert inflections(lemma) == {lemma}


def test_a_phrase_is_its_lemmas_without_function_words() -> None:
    assert phrase_of("Pracy na odległość") == "praca odległość"
    assert phrase_of("a więc") == ""


def test_a_phrase_that_rests_on_its_function_words_is_known_as_such() -> None:
    assert is_set_phrase("co dzień")
    assert not is_set_phrase("praca na odległość")
    assert not is_set_phrase("urlop")
    assert is_negated("bez pracy")
    assert not is_negated("praca")
