from rag.models.assistants import Assistant
from rag.models.conversations import Conversation, Exchange, ExchangeCitation
from rag.models.evaluation import EvaluationDataset, EvaluationQuestion, EvaluationRun, Judgement
from rag.models.quality import ChunkQuality

__all__ = [
    "Assistant",
    "ChunkQuality",
    "Conversation",
    "EvaluationDataset",
    "EvaluationQuestion",
    "EvaluationRun",
    "Exchange",
    "ExchangeCitation",
    "Judgement",
]
