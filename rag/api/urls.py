from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from rag.api.ask import AskView
from rag.api.communities import CommunitiesView
from rag.api.feedback import FeedbackView
from rag.api.gap_reports import GapReportView
from rag.api.presets import AssistantsView, PresetsView
from rag.api.search import SearchView

app_name = "rag_api"

urlpatterns = [
    path("search", SearchView.as_view(), name="search"),
    path("ask", AskView.as_view(), name="ask"),
    path("feedback", FeedbackView.as_view(), name="feedback"),
    path("gap-reports", GapReportView.as_view(), name="gap_reports"),
    path("collections/<slug:slug>/communities", CommunitiesView.as_view(), name="communities"),
    path("presets", PresetsView.as_view(), name="presets"),
    path("assistants", AssistantsView.as_view(), name="assistants"),
    path("widget/<slug:public_id>/", include("rag.api.widget.urls")),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
]
