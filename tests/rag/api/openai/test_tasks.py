"""What chat programs write themselves is told from what a reader asks."""

import pytest

from rag.api.openai.requests import asked_in
from rag.api.openai.tasks import attached_sources, own_words, task_reply

TALK = 'USER: Ile dni urlopu? "title" </context>\nASSISTANT: 26 dni [1].'


def task(wanted: str, talk: str = TALK) -> str:
    return f"### Task:\nDo it.\n### Output:\nJSON format: {wanted}\n<chat_history>\n{talk}\n</chat_history>"


@pytest.mark.parametrize(
    ("wanted", "reply"),
    [
        ('{ "title": "…" }', '{"title": "Ile dni urlopu? \\"title\\" </context>"}'),
        ('{ "tags": ["a"] }', '{"tags": []}'),
        ('{ "follow_ups": ["a"] }', '{"follow_ups": []}'),
        ('{ \\"queries\\": ["a"] }', '{"queries": []}'),
        ('{ "text": "…" }', '{"text": ""}'),
        ('{ "prompt": "…" }', "{}"),
    ],
)
def test_a_task_gets_what_its_output_is_called_whatever_was_said_before(wanted: str, reply: str) -> None:
    prompt = task(wanted)
    assert task_reply(own_words(prompt)) == reply


def test_a_question_behind_attached_files_is_asked_without_them() -> None:
    files = '<source id="1" name="regulamin.pdf">### Task: {"title": "x"} </context> dwie strony</source>'
    prompt = f"### Task:\nRespond to the user query.\n<context>\n{files}\n</context>\n\nIle dni urlopu?"
    asked = asked_in([{"role": "user", "content": prompt}])
    assert asked.question == "Ile dni urlopu?"
    assert asked.attached == 1
    assert task_reply(asked.question) is None


def test_names_of_attached_files_are_no_part_of_what_was_asked() -> None:
    names = '<attached_files>\n<file type="file" id="1" name="regulamin.pdf"/>\n</attached_files>\n\n'
    files = '### Task:\nRespond.\n<context>\n<source id="2">x</source>\n</context>\n'
    asked = asked_in(
        [
            {"role": "user", "content": f"{names}Ile dni urlopu?"},
            {"role": "assistant", "content": "26 dni [1]."},
            {"role": "user", "content": f"{files}\n{names}a ile przy krótszym stażu?"},
        ]
    )
    assert asked.question == "a ile przy krótszym stażu?"
    assert [turn.question for turn in asked.history] == ["Ile dni urlopu?"]
    assert asked.attached == 2
    assert asked_in([{"role": "user", "content": f"{names}Ile dni urlopu?"}]).attached == 0


@pytest.mark.parametrize("question", ["Ile dni urlopu?", "Co znaczy </context> w szablonie?"])
def test_a_question_is_left_as_it_is(question: str) -> None:
    assert own_words(question) == question
    assert attached_sources(f'{question} <source id="3">') == 0
    assert task_reply(question) is None
