import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.management.base import BaseCommand, CommandError

from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.answers import TOP, AnswerReport, JudgedAnswer, judge_answers
from rag.evaluation.questions import read_questions


class Command(BaseCommand):
    help = "Ask labelled questions as an anonymous reader and count what is right."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--questions", type=Path, default=settings.BASE_DIR / "fixtures/urzad/questions.jsonl")
        parser.add_argument("--preset", default="")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, questions: Path, preset: str, **options: Any) -> None:
        try:
            report = judge_answers(read_questions(questions), viewer=AnonymousUser(), preset=preset)
        except KnowledgeTreeError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(figures(report), ensure_ascii=False, indent=2))
        else:
            self._write(report)

    def _write(self, report: AnswerReport) -> None:
        answerable, unanswerable = len(report.answerable), len(report.unanswerable)
        self.stdout.write(f"Właściwy dokument w pierwszych {TOP}:   {report.documents_in_top} z {answerable}")
        self.stdout.write(f"Odpowiedź zawiera oczekiwane słowa: {report.answers_with_expected} z {answerable}")
        self.stdout.write(f"Niesłuszne odmowy:                  {report.wrong_refusals} z {answerable}")
        self.stdout.write(f"Słuszne „Nie znaleziono w źródłach.”: {report.right_refusals} z {unanswerable}")
        for item in report.judged:
            if fault := _fault(item):
                self.stdout.write(f"  {item.question.id}  {fault}: {item.question.question}")


def figures(report: AnswerReport) -> dict[str, int]:
    return {
        "answerable": len(report.answerable),
        "documents_in_top_3": report.documents_in_top,
        "answers_with_expected_words": report.answers_with_expected,
        "wrong_refusals": report.wrong_refusals,
        "unanswerable": len(report.unanswerable),
        "right_refusals": report.right_refusals,
    }


def _fault(item: JudgedAnswer) -> str:
    if not item.question.answerable:
        return "" if item.refused else "odpowiedź, choć nie ma jej w źródłach"
    if item.refused:
        return "niesłuszna odmowa"
    if item.document_rank is None or item.document_rank > TOP:
        return "brak właściwego dokumentu"
    return "" if item.contains_expected else "brak oczekiwanych słów"
