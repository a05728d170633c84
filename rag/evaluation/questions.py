"""Labelled questions: which document answers, which words the answer must contain, or that there is no answer."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from knowledgetree.errors import KnowledgeTreeError


class InvalidQuestionSet(KnowledgeTreeError):
    code = "invalid_question_set"
    status = 400


class LabelledQuestion(BaseModel):
    """`expected_documents` are URIs; any of them will do. Every string of `expected_answer_contains` must be there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    question: str
    answerable: bool = True
    expected_documents: tuple[str, ...] = ()
    expected_answer_contains: tuple[str, ...] = ()


def read_questions(path: Path) -> Iterator[LabelledQuestion]:
    """The questions of a JSONL file. Raises InvalidQuestionSet, naming the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InvalidQuestionSet(f"{path}: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield LabelledQuestion.model_validate(json.loads(line))
        except (json.JSONDecodeError, ValidationError) as error:
            raise InvalidQuestionSet(f"{path}, line {number}: {error}") from error
