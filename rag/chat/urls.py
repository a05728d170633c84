from django.urls import path

from rag.chat.asking import views
from rag.chat.reading import documents

app_name = "chat"

urlpatterns = [
    path("", views.home, name="home"),
    path("ask/", views.ask_with_form, name="ask"),
    path("ask/stream/", views.ask_with_stream, name="ask_stream"),
    path("c/<uuid:pk>/", views.conversation, name="conversation"),
    path("documents/<int:pk>/", documents.document, name="document"),
    path("documents/<int:pk>/original/", documents.original, name="original"),
]
