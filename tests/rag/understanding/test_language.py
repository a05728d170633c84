"""Which language a text is in, and which one its reader is spoken to in."""

import pytest
from django.utils import translation

from rag.understanding.language import question_language, spoken_with


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ile kosztuje wywóz śmieci?", "pl"),
        ("zacina sie podglad pdfow powyzej 100 stron, co mam zrobic", "pl"),
        ("Where in Łódź can I park?", "en"),
        ("How long does it take to get an ID card?", "en"),
        ("Was kostet eine Trauung im Garten?", "de"),
        ("Wo kann ich in Żory parken?", "de"),
        ("Parkgebühren?", "de"),
        ("Скільки коштує дублікат картки?", "uk"),
        ("За який час треба надіслати фактури до KSeF?", "uk"),
        ("Сколько стоит справка и где её взять, если вы живёте в другом городе?", "ru"),
    ],
)
def test_letters_and_function_words_tell_the_language(text: str, language: str) -> None:
    assert question_language(text, "") == language


@pytest.mark.parametrize("text", ["KSeF 2026", "lighthouse tag limit", ""])
def test_where_the_words_do_not_tell_it_is_the_default(text: str) -> None:
    assert question_language(text, "en") == "en"
    assert question_language(text, "pl") == "pl"


def test_who_asks_in_a_language_that_the_interface_lacks_is_spoken_to_in_that_of_the_interface() -> None:
    with translation.override("en"):
        assert spoken_with("uk") == "en"
        assert spoken_with("pl") == "pl"
    with translation.override("pl"):
        assert spoken_with("de") == "pl"
