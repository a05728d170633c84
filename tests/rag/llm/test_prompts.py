import hashlib
from pathlib import Path

import pytest

from rag import prompts
from rag.prompts import PromptError, prompt_hash, render
from rag.synthesis.refusal import REFUSAL

# The wording that was measured and reviewed. A change of a prompt changes answers: change both on purpose.
SNAPSHOTS = {
    ("answer", "pl"): "1b4fd2149596f59a",
    ("answer", "en"): "4d21d48df8af3454",
    ("sources", "pl"): "1992370139bac184",
    ("sources", "en"): "4d9ffa7f362f3f21",
}
TEMPLATES = sorted(path.stem.split(".") for path in Path(prompts.__file__).parent.glob("*.md"))


@pytest.mark.parametrize(("name", "language"), SNAPSHOTS)
def test_a_prompt_is_worded_as_in_the_snapshot(name, language):
    assert prompt_hash(name, language) == SNAPSHOTS[name, language]


def test_every_prompt_has_a_snapshot_and_both_languages():
    assert {tuple(template) for template in TEMPLATES} == set(SNAPSHOTS)
    assert {name for name, language in SNAPSHOTS if language == "pl"} == {
        name for name, language in SNAPSHOTS if language == "en"
    }


def test_the_rendered_question_stands_between_its_delimiters():
    assert render("sources", "pl", sources="<source>…</source>", question="Ile?", refusal=REFUSAL) == (
        "<sources>\n<source>…</source>\n</sources>\n\n<question>\nIle?\n</question>\n\n"
        "Odpowiedz na pytanie z <question> wyłącznie na podstawie <sources>. Każde zdanie kończy się numerem "
        "źródła, np. [1]. Jeżeli źródła nie zawierają odpowiedzi: NIE_ZNALEZIONO"
    )


@pytest.mark.parametrize("language", ["pl", "en"])
def test_the_system_prompt_leaves_no_placeholder(language):
    text = render("answer", language, refusal=REFUSAL)
    assert REFUSAL in text
    assert "{{" not in text


@pytest.mark.parametrize("variables", [{}, {"refusal": "x", "extra": "y"}, {"other": "x"}])
def test_a_missing_or_an_unknown_variable_raises(variables):
    with pytest.raises(PromptError):
        render("answer", "pl", **variables)


def test_braces_inside_a_value_are_not_filled_in():
    text = render("sources", "pl", sources="{{question}}", question="{{sources}}", refusal=REFUSAL)
    assert "<sources>\n{{question}}\n</sources>" in text


@pytest.mark.parametrize(("name", "language"), [("answer", "de"), ("nieznany", "pl"), ("../answer", "pl")])
def test_an_unknown_prompt_raises(name, language):
    with pytest.raises(PromptError):
        prompt_hash(name, language)


def test_the_hash_is_of_the_template():
    text = (Path(prompts.__file__).parent / "answer.pl.md").read_text(encoding="utf-8").strip()
    assert prompt_hash("answer", "pl") == hashlib.sha256(text.encode()).hexdigest()[:16]
