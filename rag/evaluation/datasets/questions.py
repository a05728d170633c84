"""Labelled questions: which document answers, which words the answer must contain, or that there is no answer."""

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from knowledgetree.errors import KnowledgeTreeError

ALTERNATIVE = "|"
"""Between ways to say the same: "60 minut | godzina"."""

BEGINNING = "*"
"""After the beginning of a word, whatever its ending: "przesłan*"."""

NOT = "!"
"""Before what must not be in the answer, as the neighbouring row of a table: "!Burmistrz"."""

_OTHER_NAMES = {"documents": "expected_documents", "answer": "expected_answer"}
_GROUPS = "contains"
_REMARKS = frozenset({"corpus", "evidence", "evidence2", "style", "asker", "why", "also_in"})
"""What a set may say of its questions besides; nothing is measured with it."""


class InvalidQuestionSet(KnowledgeTreeError):
    code = "invalid_question_set"
    status = 400


class LabelledQuestion(BaseModel):
    """`expected_documents` are URIs or their ends; any of them will do. Of every string of `expected_answer_contains`
    one of the alternatives (between `|`) must be there, or none where it begins with `!`.

    `grades` has those of the expected documents whose grade is not 1; a higher grade is a better document. `kind` says
    what is asked for, as `who` or `near_miss`; any word will do. Sets that say `documents`, `answer` and `contains`, a
    list of groups of alternatives (or beginnings of words), are read too.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=200)
    question: str = Field(min_length=1)
    kind: str = Field(default="", max_length=40)
    answerable: bool = True
    expected_documents: tuple[str, ...] = ()
    grades: Mapping[str, int] = Field(default_factory=dict)
    expected_answer: str = ""
    expected_answer_contains: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _in_our_names(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        named = {_OTHER_NAMES.get(name, name): value for name, value in values.items() if name not in _REMARKS}
        if _GROUPS in named:
            named["expected_answer_contains"] = _joined(named.pop(_GROUPS))
        return named

    @property
    def judgements(self) -> dict[str, int]:
        """The grade, above 0, of every expected document."""
        return {document: self.grades.get(document, 1) for document in self.expected_documents}


def is_expected(uri: str, expected: Iterable[str]) -> bool:
    """Whether `uri` is one of `expected`, as a whole or by its end."""
    return any(uri == name or uri.endswith(f"/{name}") for name in expected)


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


def _joined(groups: Any) -> Any:
    """Each group of alternatives as one string; what is no list of lists is left for the validation to judge.

    Sets of this form compare letters, so their words may be beginnings.
    """
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        return groups
    if not all(isinstance(one, str) for group in groups for one in group):
        return groups
    return tuple(f" {ALTERNATIVE} ".join(f"{one}{BEGINNING}" for one in group) for group in groups)


def _plain(question: LabelledQuestion) -> dict[str, Any]:
    return question.model_dump(mode="json", exclude_defaults=True)
