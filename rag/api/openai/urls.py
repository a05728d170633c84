from django.urls import URLPattern, path

from rag.api.openai.views import ChatCompletionsView, ModelsView


def _patterns(*, source_events: bool) -> list[URLPattern]:
    return [
        path("models", ModelsView.as_view()),
        path("chat/completions", ChatCompletionsView.as_view(source_events=source_events)),
    ]


urlpatterns = _patterns(source_events=False)
open_webui_patterns = _patterns(source_events=True)
