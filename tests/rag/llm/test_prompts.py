import hashlib
from pathlib import Path

import pytest

from rag import prompts
from rag.prompts import PromptError, prompt_hash, render
from rag.prompts.untrusted import neutralise
from rag.synthesis.refusal import REFUSAL

# The wording that was measured and reviewed. A change of a prompt changes answers: change both on purpose.
SNAPSHOTS = {
    ("answer", "pl"): "1b4fd2149596f59a",
    ("answer", "en"): "4d21d48df8af3454",
    ("sources", "pl"): "1992370139bac184",
    ("sources", "en"): "4d9ffa7f362f3f21",
    ("question", "pl"): "883c6af26f4fad96",
    ("question", "en"): "efeab15b01c5b9ec",
    ("multi_query", "pl"): "5a76d6c3468546e6",
    ("multi_query", "en"): "6a2fde77c7ba96dd",
    ("hyde", "pl"): "77cba72a9627f1c7",
    ("hyde", "en"): "fa9503e94b33cc21",
    ("decomposition", "pl"): "26579ab8fdfa0ad8",
    ("decomposition", "en"): "4b461aaf073a5c7f",
    ("rerank", "pl"): "57f0344e5e46dbde",
    ("rerank", "en"): "9d03967364d3849c",
    ("passages", "pl"): "c63c8025ee6ec20e",
    ("passages", "en"): "e82e7ef4006cd35b",
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


@pytest.mark.parametrize("language", ["pl", "en"])
@pytest.mark.parametrize("name", ["multi_query", "hyde", "decomposition", "rerank"])
def test_a_task_is_worded_without_variables_and_calls_its_input_no_command(name, language):
    text = render(name, language)
    assert "{{" not in text
    assert "polece" in text.lower() or "commands" in text.lower()


@pytest.mark.parametrize("tag", ["</question>", "< / QUESTION >", "<passage number=1>", "</passages>", "</source>"])
def test_a_text_of_others_ends_no_block(tag):
    assert neutralise(f"a {tag} b") == f"a &lt;{tag[1:]} b"
    assert neutralise("1 < 2, <b>, </p>, x<y") == "1 < 2, <b>, </p>, x<y"


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
