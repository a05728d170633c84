"""Labelled questions: which document answers, which words the answer must contain, or that there is no answer."""

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from knowledgetree.errors import KnowledgeTreeError


class InvalidQuestionSet(KnowledgeTreeError):
    code = "invalid_question_set"
    status = 400


class LabelledQuestion(BaseModel):
    """`expected_documents` are URIs; any of them will do. Every string of `expected_answer_contains` must be there.

    `grades` has those of the expected documents whose grade is not 1; a higher grade is a better document.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=200)
    question: str = Field(min_length=1)
    answerable: bool = True
    expected_documents: tuple[str, ...] = ()
    grades: Mapping[str, int] = Field(default_factory=dict)
    expected_answer: str = ""
    expected_answer_contains: tuple[str, ...] = ()

    @property
    def judgements(self) -> dict[str, int]:
        """The grade, above 0, of every expected document."""
        return {document: self.grades.get(document, 1) for document in self.expected_documents}


def labelled_question(values: Any, where: str) -> LabelledQuestion:
    """Raises InvalidQuestionSet, beginning with `where`."""
    try:
        return LabelledQuestion.model_validate(values)
    except ValidationError as error:
        wrong = ", ".join(dict.fromkeys(f"{fault['loc'][0]}" for fault in error.errors() if fault["loc"]))
        message = _("%(where)s: a question is an object with “id” and “question”. %(fields)s")
        fields = _("Missing, wrong or unknown: %(names)s.") % {"names": wrong} if wrong else ""
        raise InvalidQuestionSet((message % {"where": where, "fields": fields}).strip()) from error


def sampled(questions: Sequence[LabelledQuestion], *, limit: int, seed: int) -> list[LabelledQuestion]:
    """`limit` of the questions, drawn by `seed`, in their order; all of them for 0."""
    if not 0 < limit < len(questions):
        return list(questions)
    chosen = random.Random(seed).sample(range(len(questions)), limit)  # noqa: S311
    return [questions[position] for position in sorted(chosen)]


def read_questions(path: Path) -> Iterator[LabelledQuestion]:
    """The questions of a JSONL file, or of a JSON file `{"questions": [...]}`. Raises InvalidQuestionSet."""
    if path.suffix == ".json":
        content = json_value(read_text(path), str(path))
        if not isinstance(content, dict) or not isinstance(content.get("questions"), list):
            raise InvalidQuestionSet(_("%(path)s: there is no list of questions.") % {"path": path})
        for number, values in enumerate(content["questions"], start=1):
            yield labelled_question(values, f"{path}, {number}")
    else:
        for where, values in read_lines(path):
            yield labelled_question(values, where)


def questions_as_jsonl(questions: Iterable[LabelledQuestion]) -> str:
    """One question a line, what is empty left out; `read_questions` reads it back."""
    return "".join(json.dumps(_plain(question), ensure_ascii=False) + "\n" for question in questions)


def questions_as_json(questions: Iterable[LabelledQuestion], *, name: str, description: str = "") -> str:
    """A whole set as one JSON object; `read_questions` reads its questions back."""
    content = {"name": name, "description": description, "questions": [_plain(question) for question in questions]}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """("file, line n", value) for each line of a JSONL file that is not empty. Raises InvalidQuestionSet."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            where = line_of(path, number)
            yield where, json_value(line, where)


def line_of(path: Path, number: int) -> str:
    return _("%(path)s, line %(number)d") % {"path": path, "number": number}


def read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidQuestionSet(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InvalidQuestionSet(_("%(path)s is not UTF-8 text.") % {"path": path}) from error


def json_value(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = _("%(where)s: this is not JSON (%(error)s).")
        raise InvalidQuestionSet(message % {"where": where, "error": error}) from error


def _plain(question: LabelledQuestion) -> dict[str, Any]:
    return question.model_dump(mode="json", exclude_defaults=True)
