from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from rag.chat.login import AdminLoginForm

admin.site.login_form = AdminLoginForm

urlpatterns = [
    path("favicon.ico", RedirectView.as_view(url=static("icons/tree.svg"))),  # browsers ask, whatever the page says
    path("admin/", admin.site.urls),
    path("api/", include("ingestion.api.urls")),
    path("api/", include("rag.api.urls")),
    path("", include("rag.chat.account_urls")),
    path("", include("rag.chat.urls")),
]
