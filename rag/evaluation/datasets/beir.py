"""Folders as BEIR has them: `corpus.jsonl`, `queries.jsonl`, and grades in `qrels.tsv` or `qrels/test.tsv`.

Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models", 2021.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from rag.evaluation.datasets.questions import (
    InvalidQuestionSet,
    LabelledQuestion,
    labelled_question,
    line_of,
    read_lines,
    read_questions,
    read_text,
)

CORPUS, QUERIES, ANSWERS = "corpus.jsonl", "queries.jsonl", "answers.jsonl"
_QRELS = ("qrels.tsv", "qrels/test.tsv")


def read_folder(folder: Path) -> list[LabelledQuestion]:
    """The questions of a BEIR folder with the documents graded above 0. Raises InvalidQuestionSet.

    Where the folder has `answers.jsonl`, {id, answers: [{text}]} a line, the first text is the expected answer.
    """
    if not folder.is_dir():
        raise InvalidQuestionSet(_("There is no folder %(path)s.") % {"path": folder})
    if missing := [name for name in (CORPUS, QUERIES) if not (folder / name).is_file()]:
        raise InvalidQuestionSet(_("%(path)s has no %(name)s.") % {"path": folder, "name": ", ".join(missing)})
    grades = _read_grades(folder)
    expected = _read_answers(folder)
    questions = [_question(values, grades, expected, where) for where, values in read_lines(folder / QUERIES)]
    if not any(question.expected_documents for question in questions):
        raise InvalidQuestionSet(_("%(path)s: no question has a document graded above 0.") % {"path": folder})
    return questions


def question_texts(path: Path) -> list[str]:
    """The questions alone: of a BEIR folder or its `queries.jsonl`, or of a file of labelled questions.

    Grades and documents are not looked at. Raises InvalidQuestionSet.
    """
    if path.is_dir():
        path /= QUERIES
    if path.suffix == ".json":
        return [question.question for question in read_questions(path)]
    return [_text(values, where) for where, values in read_lines(path)]


def write_folder(
    folder: Path, questions: Iterable[LabelledQuestion], documents: Iterable[tuple[str, str, str]]
) -> None:
    """Write `questions` and `documents`, (uri, title, text) each, so that `read_folder` reads them back."""
    folder.mkdir(parents=True, exist_ok=True)
    questions = list(questions)
    _write_lines(folder / CORPUS, [{"_id": uri, "title": title, "text": text} for uri, title, text in documents])
    _write_lines(folder / QUERIES, [{"_id": question.id, "text": question.question} for question in questions])
    judged = [(question.id, *judgement) for question in questions for judgement in question.judgements.items()]
    rows = [("query-id", "corpus-id", "score"), *judged]
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    (folder / "qrels.tsv").write_text(text, encoding="utf-8")


def _text(values: Any, where: str) -> str:
    if isinstance(values, dict) and "text" in values:
        if isinstance(values["text"], str) and values["text"].strip():
            return values["text"]
        raise InvalidQuestionSet(_("%(where)s: the text of the question is empty.") % {"where": where})
    return labelled_question(values, where).question


def _question(
    values: Any, grades: dict[str, dict[str, int]], expected: Mapping[str, str], where: str
) -> LabelledQuestion:
    values = values if isinstance(values, dict) else {}
    key = str(values.get("_id", values.get("id", "")))
    judged = grades.get(key, {})
    return labelled_question(
        {
            "id": key,
            "question": values.get("text", ""),
            "expected_documents": list(judged),
            "grades": {document: grade for document, grade in judged.items() if grade != 1},
            "expected_answer": expected.get(key, ""),
        },
        where,
    )


def _read_answers(folder: Path) -> dict[str, str]:
    """By question; rows of another form (such as the choices of an exam) say nothing here."""
    if not (folder / ANSWERS).is_file():
        return {}
    rows = [values for _, values in read_lines(folder / ANSWERS) if isinstance(values, dict)]
    given = {str(values.get("_id", values.get("id", ""))): values.get("answers") for values in rows}
    return {
        key: str(answers[0]["text"])
        for key, answers in given.items()
        if isinstance(answers, list) and answers and isinstance(answers[0], dict) and "text" in answers[0]
    }


def _read_grades(folder: Path) -> dict[str, dict[str, int]]:
    path = next((folder / name for name in _QRELS if (folder / name).is_file()), None)
    if path is None:
        raise InvalidQuestionSet(_("%(path)s has no %(name)s.") % {"path": folder, "name": _QRELS[0]})
    grades: dict[str, dict[str, int]] = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        cells = line.strip().split("\t")
        if cells == [""] or (number == 1 and not cells[-1].isdecimal()):  # the header
            continue
        query, document, grade = _grade(cells, line_of(path, number))
        if grade > 0:
            grades.setdefault(query, {})[document] = grade
    return grades


def _grade(cells: Sequence[str], where: str) -> tuple[str, str, int]:
    try:
        query, document, grade = cells
        return query, document, int(grade)
    except ValueError as error:
        raise InvalidQuestionSet(_("%(where)s: expected question, document and grade.") % {"where": where}) from error


def _write_lines(path: Path, rows: Iterable[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
