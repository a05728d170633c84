from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from rag.api.ask import AskView
from rag.api.assistants import AssistantDetailView, AssistantsView
from rag.api.communities import CommunitiesView
from rag.api.evaluation.measurements import MeasurementListView, MeasurementView, MeasureView
from rag.api.evaluation.questions import EvaluationQuestionListView, EvaluationQuestionView
from rag.api.evaluation.runs import ComparisonView, EvaluationRunListView, EvaluationRunView
from rag.api.evaluation.sets import EvaluationSetListView, EvaluationSetView
from rag.api.feedback import FeedbackDetailView, FeedbackView
from rag.api.gap_reports import GapReportView
from rag.api.presets import PresetsView
from rag.api.search import SearchView

app_name = "rag_api"

urlpatterns = [
    path("search", SearchView.as_view(), name="search"),
    path("ask", AskView.as_view(), name="ask"),
    path("feedback", FeedbackView.as_view(), name="feedback"),
    path("feedback/<uuid:exchange>", FeedbackDetailView.as_view(), name="own_feedback"),
    path("gap-reports", GapReportView.as_view(), name="gap_reports"),
    path("collections/<slug:slug>/communities", CommunitiesView.as_view(), name="communities"),
    path("presets", PresetsView.as_view(), name="presets"),
    path("assistants", AssistantsView.as_view(), name="assistants"),
    path("widget/<slug:public_id>/", include("rag.api.widget.urls")),
    path("assistants/<slug:slug>", AssistantDetailView.as_view(), name="assistant"),
    path("evaluation/sets", EvaluationSetListView.as_view(), name="evaluation_sets"),
    path("evaluation/sets/<int:pk>", EvaluationSetView.as_view(), name="evaluation_set"),
    path("evaluation/sets/<int:pk>/questions", EvaluationQuestionListView.as_view(), name="evaluation_questions"),
    path("evaluation/sets/<int:pk>/measure", MeasureView.as_view(), name="measure"),
    path("evaluation/questions/<int:pk>", EvaluationQuestionView.as_view(), name="evaluation_question"),
    path("evaluation/measurements", MeasurementListView.as_view(), name="measurements"),
    path("evaluation/measurements/<int:pk>", MeasurementView.as_view(), name="measurement"),
    path("evaluation/runs", EvaluationRunListView.as_view(), name="evaluation_runs"),
    path("evaluation/runs/<int:pk>", EvaluationRunView.as_view(), name="evaluation_run"),
    path("evaluation/runs/<int:pk>/comparison", ComparisonView.as_view(), name="evaluation_comparison"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
]
