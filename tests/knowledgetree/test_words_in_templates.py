"""No word for people stands in a template as it is: each goes through the catalogue."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR) / "templates"
NAMES = {
    "KnowledgeTree",
    "Enter",
    "Shift",
    "Esc",
    "Markdown",
    "JSON",
    "CSV",
    "Word",
    "DOCX",
    "PDF",
    "nDCG",
    "ECE",
    "Brier",
    "ROC",
    "AUC",
    "ms",
    "md",
}
IN_BOTH_LANGUAGES = {"500.html", "503.html"}  # while an error is handled nothing is asked, not even the language
_TRANSLATED = re.compile(r"{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}", re.S)
_COMMENT = re.compile(r"{%\s*comment\b.*?{%\s*endcomment\s*%}|{#.*?#}|<!--.*?-->", re.S)
_CODE = re.compile(r"<(style|script)\b.*?</\1>", re.S)
_CLASS = re.compile(r"{%\s*block page_class\s*%}.*?{%\s*endblock\s*%}", re.S)
_ICON = re.compile(r'<span class="material-symbols-outlined[^>]*>\w+</span>')
_TAG = re.compile(r"{%.*?%}|{{.*?}}", re.S)
_SAID = re.compile(r'(?:aria-label|alt|title|placeholder|data-(?:label|text|message))="([^"]*)"')
_ELEMENT = re.compile(r"<[^>]*>", re.S)
_WORD = re.compile(r"[^\W\d_]{2,}")


def words_in(template: str) -> list[str]:
    """Words that a reader would see, or hear, untranslated."""
    for hidden in (_COMMENT, _CODE, _TRANSLATED, _CLASS, _ICON, _TAG):
        template = hidden.sub("", template)
    template = re.sub(r"&[a-z]+;", " ", template)
    said = " ".join(_SAID.findall(template))
    return [word for word in _WORD.findall(f"{said} {_ELEMENT.sub(' ', template)}") if word not in NAMES]


@pytest.mark.parametrize(
    "name", sorted({str(path.relative_to(ROOT)) for path in ROOT.rglob("*.html")} - IN_BOTH_LANGUAGES)
)
def test_every_word_goes_through_the_catalogue(name: str) -> None:
    assert words_in((ROOT / name).read_text(encoding="utf-8")) == []


def test_a_forgotten_word_is_seen() -> None:
    assert words_in('<p title="Hint">{% translate "Good" %} Forgotten {{ value }}</p>') == ["Hint", "Forgotten"]
