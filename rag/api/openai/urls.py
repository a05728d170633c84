from django.urls import path

from rag.api.openai.embeddings import EmbeddingsView
from rag.api.openai.views import ChatCompletionsView, ModelsView, ResponsesView

urlpatterns = [
    path("models", ModelsView.as_view()),
    path("chat/completions", ChatCompletionsView.as_view()),
    path("responses", ResponsesView.as_view()),
    path("embeddings", EmbeddingsView.as_view()),
]
open_webui_patterns = [
    path("models", ModelsView.as_view()),
    path("chat/completions", ChatCompletionsView.as_view(source_events=True)),
]
