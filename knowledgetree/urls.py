from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include("ingestion.api.urls")),
    path("api/", include("rag.api.urls")),
    path("", include("rag.chat.account_urls")),
    path("", include("rag.chat.urls")),
]
