from rag.models.conversations import Conversation, Exchange, ExchangeCitation
from rag.models.evaluation import EvaluationDataset, EvaluationQuestion, EvaluationRun, Judgement

__all__ = [
    "Conversation",
    "EvaluationDataset",
    "EvaluationQuestion",
    "EvaluationRun",
    "Exchange",
    "ExchangeCitation",
    "Judgement",
]
