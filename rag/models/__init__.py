from rag.models.amendments import Amendment, LaterUnit, ReadAct
from rag.models.assistants import Assistant
from rag.models.cached_answers import CachedAnswer
from rag.models.communities import Community, CommunityDocument, CommunitySentence
from rag.models.conflicts import ComparedDocument, ComparedStatement, Conflict
from rag.models.conversations import Conversation, Exchange, ExchangeCitation
from rag.models.evaluation import EvaluationDataset, EvaluationQuestion, EvaluationRun, Judgement
from rag.models.feedback import Feedback
from rag.models.gaps import GapReport, KnowledgeGap
from rag.models.language_models import LanguageModelServer
from rag.models.learning import CalibrationAttempt
from rag.models.measurements import MeasuredQuestion, Measurement
from rag.models.optimization import Optimization, OptimizationTrial
from rag.models.proposals import WordProposal
from rag.models.spending import ModelPrice, MonthlyBudget, MonthlySpending
from rag.models.widgets import Widget

__all__ = [
    "Amendment",
    "Assistant",
    "CachedAnswer",
    "CalibrationAttempt",
    "Community",
    "CommunityDocument",
    "CommunitySentence",
    "ComparedDocument",
    "ComparedStatement",
    "Conflict",
    "Conversation",
    "EvaluationDataset",
    "EvaluationQuestion",
    "EvaluationRun",
    "Exchange",
    "ExchangeCitation",
    "Feedback",
    "GapReport",
    "Judgement",
    "KnowledgeGap",
    "LanguageModelServer",
    "LaterUnit",
    "MeasuredQuestion",
    "Measurement",
    "ModelPrice",
    "MonthlyBudget",
    "MonthlySpending",
    "Optimization",
    "OptimizationTrial",
    "ReadAct",
    "Widget",
    "WordProposal",
]
