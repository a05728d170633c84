import hashlib
from pathlib import Path

import pytest

from rag.answering.synthesis.refusal import REFUSAL
from rag.llm import prompts
from rag.llm.prompts import PromptError, prompt_hash, render
from rag.llm.prompts.untrusted import neutralise

# The wording that was measured and reviewed. A change of a prompt changes answers: change both on purpose.
SNAPSHOTS = {
    ("answer", "pl"): "98936940bf32cfaf",
    ("answer", "en"): "31c76c38e316c7b6",
    ("sources", "pl"): "905d78da80d7b6ae",
    ("sources", "en"): "b835fdda13741daa",
    ("question", "pl"): "883c6af26f4fad96",
    ("question", "en"): "efeab15b01c5b9ec",
    ("multi_query", "pl"): "e60d20f93b3c1cdf",
    ("multi_query", "en"): "1fb41b730fda3020",
    ("hyde", "pl"): "77cba72a9627f1c7",
    ("hyde", "en"): "fa9503e94b33cc21",
    ("decomposition", "pl"): "26579ab8fdfa0ad8",
    ("decomposition", "en"): "4b461aaf073a5c7f",
    ("rerank", "pl"): "57f0344e5e46dbde",
    ("rerank", "en"): "9d03967364d3849c",
    ("judge", "pl"): "41b65873d5f7475e",
    ("judge", "en"): "ad68918440778298",
    ("judged", "pl"): "d4a9085f394c9370",
    ("judged", "en"): "ceaeb9f266bc828d",
    ("verify", "pl"): "b615c8529a5ca175",
    ("verify", "en"): "10732e79f7add709",
    ("passages", "pl"): "c63c8025ee6ec20e",
    ("passages", "en"): "e82e7ef4006cd35b",
    ("located_answer", "pl"): "3181b3201dcbf366",
    ("located_answer", "en"): "642c3394f6d78903",
    ("located", "pl"): "7f3374660aeed49d",
    ("located", "en"): "ed22107f3a3e15e7",
    ("refine", "pl"): "3a5c8fd15cfa7df3",
    ("refine", "en"): "685f8536b4b7bc4c",
    ("summary", "pl"): "a71f05442260a2bb",
    ("summary", "en"): "c7625bb0ad271344",
    ("web_search", "pl"): "f7659060e12481ae",
    ("web_search", "en"): "330f3dccddb8d47e",
    ("rewrite", "pl"): "65883515211a1782",
    ("rewrite", "en"): "2c76fa4dfc894887",
    ("follow_up", "pl"): "589201c8e473a404",
    ("follow_up", "en"): "029ff04a2aecda7d",
    ("critique", "pl"): "5c1f8ee333b7a70e",
    ("critique", "en"): "ad4d975c87f77b36",
    ("draft", "pl"): "26ec77e6337e79c0",
    ("draft", "en"): "9cb76b043776491c",
    ("sufficiency", "pl"): "c520fabcec990199",
    ("sufficiency", "en"): "9b2a268e92d71a37",
    ("gathered", "pl"): "045b9216ffa8fea3",
    ("gathered", "en"): "2187f70075e4b812",
    ("research", "pl"): "b624d4529e9bb467",
    ("research", "en"): "98df278d75e956fc",
    ("research_task", "pl"): "e7d2954e85e2fb48",
    ("research_task", "en"): "5c89bcb5d439dd27",
    ("translate", "pl"): "f065e574da42e9e2",
    ("translate", "en"): "3b1f700e67d4e8cb",
    ("community", "pl"): "0907bb24519f8e8b",
    ("community", "en"): "f5a9adf537b19811",
    ("pseudonyms", "pl"): "53bdcd6dd28e291d",
    ("pseudonyms", "en"): "769002ce7d27d21c",
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


def test_every_prompt_is_explained() -> None:
    page = (Path(prompts.__file__).parents[3] / "docs" / "prompts.md").read_text(encoding="utf-8")
    assert [name for name, language in SNAPSHOTS if language == "pl" and f"`{name}`" not in page] == []


def test_the_rendered_question_stands_between_its_delimiters():
    values = {"sources": "<source>…</source>", "background": "", "question": "Ile?", "today": "2026-11-22"}
    assert render("sources", "pl", refusal=REFUSAL, **values) == (
        "<sources>\n<source>…</source>\n</sources>\n\n<question>\nIle?\n</question>\n\nDzisiaj jest 2026-11-22.\n\n"
        "Odpowiedz na pytanie z <question> wyłącznie na podstawie <sources>. Każde zdanie, które z nich wynika, kończy "
        "się numerem źródła, np. [1]. Jeżeli nie ma w nich odpowiedzi na żadną część pytania: NIE_ZNALEZIONO"
    )


@pytest.mark.parametrize("language", ["pl", "en"])
@pytest.mark.parametrize("name", ["answer", "located_answer"])
def test_the_system_prompt_leaves_no_placeholder(name, language):
    text = render(name, language, refusal=REFUSAL)
    assert REFUSAL in text
    assert "{{" not in text


@pytest.mark.parametrize("language", ["pl", "en"])
@pytest.mark.parametrize("name", ["multi_query", "hyde", "decomposition", "rerank", "judge"])
def test_a_task_is_worded_without_variables_and_calls_its_input_no_command(name, language):
    text = render(name, language)
    assert "{{" not in text
    assert "polece" in text.lower() or "commands" in text.lower()


@pytest.mark.parametrize(
    "tag",
    ["</question>", "< / QUESTION >", "<passage number=1>", "</passages>", "</source>", "</answer>", "<expected>"],
)
def test_a_text_of_others_ends_no_block(tag):
    assert neutralise(f"a {tag} b") == f"a &lt;{tag[1:]} b"
    assert neutralise("1 < 2, <b>, </p>, x<y") == "1 < 2, <b>, </p>, x<y"


@pytest.mark.parametrize("unseen", ["\u200b", "\u202e", "\u2060", "\ufeff", "\u00ad", "\U000e0041"])
def test_characters_that_people_do_not_see_do_not_reach_the_model(unseen):
    assert neutralise(f"za{unseen}żółć </sou{unseen}rce>") == "zażółć &lt;/source>"


@pytest.mark.parametrize("variables", [{}, {"refusal": "x", "extra": "y"}, {"other": "x"}])
def test_a_missing_or_an_unknown_variable_raises(variables):
    with pytest.raises(PromptError):
        render("answer", "pl", **variables)


def test_braces_inside_a_value_are_not_filled_in():
    values = {"background": "", "refusal": REFUSAL, "today": "2026-11-22"}
    text = render("sources", "pl", sources="{{question}}", question="{{sources}}", **values)
    assert "<sources>\n{{question}}\n</sources>" in text


@pytest.mark.parametrize(("name", "language"), [("nieznany", "pl"), ("../answer", "pl")])
def test_an_unknown_prompt_raises(name, language):
    with pytest.raises(PromptError):
        prompt_hash(name, language)


def test_the_hash_is_of_the_template():
    text = (Path(prompts.__file__).parent / "answer.pl.md").read_text(encoding="utf-8").strip()
    assert prompt_hash("answer", "pl") == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_a_language_without_prompts_gets_the_english_one():
    assert render("verify", "uk") == render("verify", "en")
    assert prompt_hash("answer", "de") == prompt_hash("answer", "en")
