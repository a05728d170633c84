"""Answers against labels, by rules and, where there is a key, by a language model."""

from rag.evaluation.answers.judge import AnswerJudge, JudgeOpinion
from rag.evaluation.answers.judging import judge_answers
from rag.evaluation.answers.report import JUDGE, TOP, AnswerReport, JudgedAnswer

__all__ = [
    "JUDGE",
    "TOP",
    "AnswerJudge",
    "AnswerReport",
    "JudgeOpinion",
    "JudgedAnswer",
    "judge_answers",
]
