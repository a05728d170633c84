from django.urls import path

from rag.api.dify.retrieval import RetrievalView

urlpatterns = [path("retrieval", RetrievalView.as_view())]
