"""Thoughts of a model in the text of its reply."""

import pytest

from rag.llm.chat_completions.thinking import answer_alone, without_thinking

ANSWER = "Urlop trwa 26 dni [1]."


@pytest.mark.parametrize("text", [ANSWER, f"<think>{ANSWER}</think>\n\n{ANSWER}", f"\n<think></think>{ANSWER}"])
@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_thoughts_are_left_out_however_the_text_is_cut(text: str, size: int) -> None:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert "".join(without_thinking(pieces)) == ANSWER


def test_a_text_without_thoughts_arrives_piece_by_piece() -> None:
    arrived: list[str] = []

    def pieces():
        for piece in ("Urlop ", "trwa ", "26 dni."):
            yield piece
            assert arrived[-1] == piece

    arrived.extend(piece for piece in without_thinking(pieces()) if not arrived.append(piece))


@pytest.mark.parametrize("text", ["<think>bez końca", "<think>", ""])
def test_thoughts_that_never_end_leave_nothing(text: str) -> None:
    assert list(without_thinking([text])) == []


@pytest.mark.parametrize("text", ["<", "<thi", "<p> i </p>", "  < 5"])
def test_what_only_begins_alike_is_said(text: str) -> None:
    assert "".join(without_thinking(list(text))) == text


def test_a_whole_text_may_lack_the_beginning_of_its_thoughts() -> None:
    assert answer_alone(f"myślę…</think> {ANSWER}") == answer_alone(f"<think>myślę…</think>{ANSWER}") == ANSWER
