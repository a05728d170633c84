from django.urls import path

from rag.api.widget.views import WidgetAskView, WidgetFeedbackView, WidgetSearchView, WidgetSessionView

urlpatterns = [
    path("session", WidgetSessionView.as_view(), name="widget_session"),
    path("ask", WidgetAskView.as_view(), name="widget_ask"),
    path("search", WidgetSearchView.as_view(), name="widget_search"),
    path("feedback", WidgetFeedbackView.as_view(), name="widget_feedback"),
]
